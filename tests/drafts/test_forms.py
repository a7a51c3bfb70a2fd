"""A draft's forms follow changes of its questions. Moving questions always leaves a draft that can be opened."""

import random
from copy import deepcopy
from fractions import Fraction

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict

from ldp.forms.definition import questionnaire
from ldp.planning.design import Design, DesignDraw, DesignForm
from surveys import drafts
from surveys.designer.editor import actions
from surveys.designer.editor.extra_fields import rename
from surveys.drafts import assignment, forms
from surveys.drafts.assignment import EVERYONE, NEW, UnfitAssignment
from surveys.drafts.errors import Changed
from surveys.drafts.kinds import changed
from surveys.drafts.normalize import normalized
from surveys.life.lifecycle import begin_draft
from surveys.models import Survey
from surveys.survey.definition import build, refusals
from tests.support.drafts import edit

KINDS = {
    "a": {"kind": "yes_no"},
    "b": {"kind": "single_choice", "options": ["x", "y", "z"]},
    "c": {"kind": "ordered", "options": ["low", "middle", "high"]},
    "d": {"kind": "mean", "low": "0", "high": "9"},
    "e": {"kind": "multiple_choice", "options": ["x", "y", "z"]},
    "f": {"kind": "yes_no"},
    "r": {"kind": "ranking", "ranked": ["x", "y", "z"]},
}


def question(key, **fields):
    return {"key": key, "text": f"{key}?"} | KINDS[key] | fields


def drafted(joint="2"):
    """Return a draft: a and b together, c and d each with a draw of their own (alpha 2 in all), e asked of everyone."""
    return {
        "title": "Forms",
        "introduction": "",
        "questions": [*(question(key) for key in "abcd"), question("e", alpha="1")],
        "forms": [
            {"weight": 2, "draws": [draw("ab", joint)]},
            {"weight": 1, "draws": [draw("c", "1.5"), draw("d", "0.5")]},
        ],
    }


def draw(keys, alpha=None, **fields):
    return {"questions": [*keys]} | ({"alpha": alpha} if alpha else {}) | fields


def designed(alpha, keys, mechanism="", **more):
    return DesignDraw(alpha, keys, mechanism, **more)


def settled(draft):
    draft = normalized(draft)
    assert not refusals(draft), refusals(draft)
    return draft


def homes(draft):
    keys = [each["key"] for each in draft["questions"]]
    return [sorted(forms.keys_of(form), key=keys.index) for form in draft.get("forms", [])]


def draws(draft, place):
    """Return the keys of each draw of a form, as words."""
    return ["".join(each["questions"]) for each in draft["forms"][place]["draws"]]


def alpha_of(draft, key):
    """Return the alpha of the only draw with the question, or the question's own."""
    [own] = forms.draws_with(draft, key) or [each for each in draft["questions"] if each["key"] == key]
    return own.get("alpha")


def without(draft, *keys):
    return draft | {"questions": [each for each in draft["questions"] if each["key"] not in keys]}


# Effects --------------------------------------------------------------------------------------------------------------


def test_a_settled_draft_is_left_as_it_is():
    assert settled(drafted()) == drafted()


def test_a_deleted_question_leaves_its_form_and_an_empty_form_goes():
    one = settled(without(drafted(), "c") | {"forms": [*drafted()["forms"], {"weight": 1, "draws": [draw("e", "1")]}]})
    assert homes(one) == [["a", "b"], ["d"], ["e"]]
    assert homes(settled(without(one, "d"))) == [["a", "b"], ["e"]]


def test_the_last_question_of_a_draw_keeps_its_alpha():
    left = settled(without(drafted(), "b"))
    assert homes(left) == [["a"], ["c", "d"]] and alpha_of(left, "a") == "2"


def sized(keys, sizes=(1, 2)):
    draft = drafted()
    draft["forms"][0]["draws"] = [draw(keys, "2", sizes=list(sizes))]
    return draft


def test_sizes_follow_their_questions_and_go_where_one_comes_or_goes():
    assert settled(sized("ab"))["forms"][0]["draws"] == [draw("ab", "2", sizes=[1, 2])]
    assert settled(sized("ba", (2, 1)))["forms"][0]["draws"] == [draw("ab", "2", sizes=[1, 2])]
    moved = settled(sized("ab"))
    assignment.move(moved, "c", "0")
    assert settled(moved)["forms"][0]["draws"] == [draw("abc", "2")]
    gone = without(sized("abc", (1, 2, 2)), "c")
    gone["forms"][1]["draws"] = [draw("d", "1")]
    assert settled(gone)["forms"][0]["draws"] == [draw("ab", "2")]
    assert settled(without(sized("ab"), "a"))["forms"][0]["draws"] == [draw("b", "2")]


@pytest.mark.parametrize("sizes", [(1,), (1, 2, 3), ("1", 2), (True, 2), (1, 1.5)])
def test_what_are_no_sizes_goes(sizes):
    assert settled(sized("ab", sizes))["forms"][0]["draws"] == [draw("ab", "2")]


def test_one_form_is_none_and_everyone_is_asked_what_it_draws():
    left = settled(without(drafted("3"), "c", "d"))
    assert "forms" not in left and left["draws"] == [draw("ab", "3")] and alpha_of(left, "e") == "1"
    left = settled(without(drafted(), "a", "b"))
    assert "forms" not in left and "draws" not in left and [alpha_of(left, key) for key in "cde"] == ["1.5", "0.5", "1"]


def test_a_question_whose_kind_cannot_be_with_others_leaves_their_draw():
    draft = drafted()
    draft["questions"][0] = changed(draft["questions"][0], "ranking") | {"ranked": ["x", "y", "z"]}
    left = settled(draft)
    assert draws(left, 0) == ["a", "b"] and alpha_of(left, "a") == alpha_of(left, "b") == "1"
    draft["forms"][0]["draws"] = [draw("abd", "3")]
    draft["forms"][1]["draws"] = [draw("c", "1")]
    assert settled(draft)["forms"][0]["draws"] == [draw("a", "1"), draw("bd", "2")]


def test_a_question_leaves_to_its_draw_what_another_kind_would_begin_with():
    draft = drafted()
    draft["questions"][0] = changed(draft["questions"][0], "single_choice") | {"options": ["x", "y"], "alpha": "7"}
    assert "alpha" not in settled(draft)["questions"][0]


def test_the_order_of_the_survey_is_that_of_its_draws():
    draft = drafted()
    draft["questions"].reverse()
    left = settled(draft)
    assert draws(left, 0) == ["ba"] and draws(left, 1) == ["d", "c"]


def test_a_question_is_asked_of_one_person_once():
    left = settled(drafted() | {"draws": [draw("ac", "1")]})
    assert left["draws"] == [draw("ac", "1")] and homes(left) == [["b"], ["d"]], "everyone is asked it already"
    draft = drafted()
    draft["forms"][1]["draws"] = [draw("cd", "1"), draw("d", "1"), draw("a", "1")]
    assert draws(settled(draft), 1) == ["a", "cd"], "the first draw that names it in each form"


def test_a_draw_of_one_question_for_everyone_is_its_own_alpha():
    left = settled(
        {"title": "x", "questions": [question("a"), question("b")], "draws": [draw("a", "1"), draw("b", "2")]}
    )
    assert "draws" not in left and [alpha_of(left, key) for key in "ab"] == ["1", "2"]


@pytest.mark.parametrize(
    "given",
    [
        *(None, 7, "x", {}, [], [None], [{}], [{"draws": None}, {"draws": 3}], [{"draws": [draw("z")]}, 1]),
        [{"draws": [draw("a")]}, {"draws": [draw("a")]}],
        [{"draws": [{"questions": ["a", []], "alpha": []}]}, {"draws": [{"questions": ["b", {}]}], "weight": "x"}],
        [{"draws": [[], 5, {"questions": "a"}, {"questions": ["b"], "sizes": 3}]}, {"draws": [draw("a")]}],
    ],
)
def test_no_draws_of_a_file_are_too_odd_to_be_settled(given):
    for draft in (drafted() | {"forms": given}, drafted() | {"draws": given}):
        once = normalized(draft)
        assert once == normalized(once)
        assert len(forms.forms_of(once)) != 1


# The studio's actions -------------------------------------------------------------------------------------------------


@pytest.fixture
def survey(db):
    return begin_draft(User.objects.create_user("ada"), drafted())


def act(survey, name, value):
    edit(survey.pk, lambda draft: actions.ACTIONS[name](draft, value, QueryDict()).message)
    return Survey.objects.get(pk=survey.pk).draft


def test_a_removed_question_is_put_back_into_its_form(survey):
    assert homes(act(survey, "remove", "b")) == [["a"], ["c", "d"]]
    [step] = survey.revisions.all()
    drafts.put_back(survey, User.objects.get(username="ada"), step)
    assert Survey.objects.get(pk=survey.pk).draft == drafted()


def test_a_copy_stands_in_the_form_of_what_it_was_copied_from(survey):
    assert draws(act(survey, "duplicate", "a"), 0) == ["aq1b"]
    assert draws(act(survey, "duplicate", "c"), 1) == ["c", "q2", "d"]
    assert not refusals(act(survey, "duplicate", "e"))


def test_a_moved_question_takes_its_new_place_in_its_form(survey):
    assert homes(act(survey, "up", "b")) == [["b", "a"], ["c", "d"]]


def test_another_key_stands_in_the_forms(survey):
    edit(survey.pk, lambda draft: rename(draft, "a", "first"))
    assert homes(Survey.objects.get(pk=survey.pk).draft) == [["first", "b"], ["c", "d"]]


# Moving ---------------------------------------------------------------------------------------------------------------


def moved(draft, key, to):
    draft = deepcopy(draft)
    assignment.move(draft, key, to)
    return settled(draft)


def test_a_form_keeps_its_alpha_when_questions_come_and_go():
    draft = moved(drafted(), "a", "1")
    assert homes(draft) == [["b"], ["a", "c", "d"]] and alpha_of(draft, "b") == "2"
    assert [alpha_of(draft, key) for key in "acd"] == ["0.667", "1", "0.333"]
    back = moved(draft, "c", "0")
    assert homes(back) == [["b", "c"], ["a", "d"]]
    assert [forms.alpha_of(form) for form in back["forms"]] == [2, 2]


def test_a_form_of_one_draw_takes_a_question_without_another_alpha():
    draft = moved(drafted(), "c", "0")
    assert draft["forms"][0]["draws"] == [draw("abc", "2")] and alpha_of(draft, "d") == "2"


def test_a_ranking_has_a_draw_of_its_own_beside_one_of_several():
    draft = drafted()
    draft["questions"].append(question("r", alpha="1"))
    draft = moved(moved(draft, "e", "0"), "r", "0")
    assert draws(draft, 0) == ["abe", "r"] and forms.alpha_of(draft["forms"][0]) == 2


def test_a_new_form_has_the_largest_alpha_of_all():
    draft = moved(drafted("3"), "e", NEW)
    assert homes(draft) == [["a", "b"], ["c", "d"], ["e"]] and alpha_of(draft, "e") == "3"
    assert draft["forms"][2]["weight"] == 2, "as often as others on average"


def test_what_everyone_is_asked_comes_on_top():
    draft = moved(drafted(), "b", EVERYONE)
    assert homes(draft) == [["a"], ["c", "d"]] and alpha_of(draft, "b") == "1" and alpha_of(draft, "a") == "2"
    assert questionnaire(build(draft)).alpha == 4


# Questions of several forms -------------------------------------------------------------------------------------------


def also(draft, key, to, at=""):
    draft = deepcopy(draft)
    assignment.also(draft, key, to, at)
    return settled(draft)


def test_a_question_is_asked_in_a_further_form_too():
    draft = also(drafted(), "a", "1")
    assert (
        homes(draft) == [["a", "b"], ["a", "c", "d"]]
        and draws(draft, 0) == ["ab"]
        and draws(draft, 1) == ["a", "c", "d"]
    )
    assert [forms.alpha_of(form) for form in draft["forms"]] == [2, 2]
    further = also(draft, "d", "0")
    assert draws(further, 0) == ["abd"], "a form of one draw draws it with the others"
    fresh = also(drafted(), "c", NEW)
    assert homes(fresh) == [["a", "b"], ["c", "d"], ["c"]] and fresh["forms"][2]["draws"] == [draw("c", "2")]


def test_a_question_leaves_one_of_its_forms():
    draft = also(drafted(), "a", "1")
    left = deepcopy(draft)
    assert assignment.leave(left, "a", "1") and homes(settled(left)) == [["a", "b"], ["c", "d"]]
    assert forms.alpha_of(left["forms"][1]) == 2
    other = deepcopy(draft)
    assignment.leave(other, "a", "0")
    assert homes(settled(other)) == [["b"], ["a", "c", "d"]] and alpha_of(other, "b") == "2"
    with pytest.raises(UnfitAssignment, match="decides"):
        assignment.leave(settled(other), "a", "1")
    with pytest.raises(Changed):
        assignment.leave(drafted(), "a", "1")


def test_a_question_moves_from_one_of_its_forms_and_stays_in_the_others():
    draft = also(drafted(), "a", "1")
    draft["forms"].append({"weight": 1, "draws": [draw("e", "2")]})
    draft = settled(draft)
    once = deepcopy(draft)
    assignment.move(once, "a", "2", "1")
    assert homes(settled(once)) == [["a", "b"], ["c", "d"], ["a", "e"]]
    everyone = moved(draft, "a", EVERYONE)
    assert homes(everyone) == [["b"], ["c", "d"], ["e"]]


def test_what_decides_is_asked_in_the_further_form_too():
    draft = drafted()
    draft["questions"][3] |= {"asked_if": {"question": "c", "options": [0]}}
    draft["forms"].append({"weight": 1, "draws": [draw("e", "1")]})
    further = also(settled(draft), "d", "2")
    assert homes(further) == [["a", "b"], ["c", "d"], ["c", "d", "e"]]
    left = deepcopy(further)
    assert [each["key"] for each in assignment.leave(left, "c", "1")] == ["c", "d"], "with what depends on it"
    assert homes(settled(left)) == [["a", "b"], ["c", "d", "e"]]


def test_only_what_estimates_can_pool_is_asked_in_a_further_form():
    draft = moved(drafted(), "e", NEW)
    assignment.also(draft, "e", "0")
    assert homes(settled(draft)) == [["a", "b", "e"], ["c", "d"], ["e"]]
    draft = drafted() | {"questions": [*drafted()["questions"][:4], question("r", alpha="1")]}
    draft = moved(draft, "r", NEW)
    with pytest.raises(UnfitAssignment, match="pooled"):
        assignment.also(draft, "r", "0")
    draft = drafted()
    draft["forms"][1]["draws"][0]["mechanism"] = "bitwise"
    with pytest.raises(UnfitAssignment, match="pooled"):
        assignment.also(settled(draft), "c", "0")
    with pytest.raises(Changed):
        assignment.also(drafted(), "e", "0")


def test_what_decides_goes_where_it_decides():
    draft = drafted()
    draft["questions"][3] |= {"asked_if": {"question": "c", "options": [0]}}
    draft["questions"].append(question("f", asked_if={"question": "e", "options": [0]}))
    draft["forms"].append({"weight": 1, "draws": [draw("f", "1")]})
    assert homes(moved(draft, "d", "2")) == [["a", "b"], ["c", "d", "f"]]
    assert homes(moved(draft, "c", EVERYONE)) == [["a", "b"], ["d"], ["f"]], "everyone is asked what decides"
    assert homes(moved(draft, "d", EVERYONE)) == [["a", "b"], ["f"]], "with what decides"
    assert homes(moved(draft, "e", "1")) == [["a", "b"], ["c", "d", "e", "f"]], "with all that depends on it"
    assert homes(moved(draft, "f", "1")) == [["a", "b"], ["c", "d", "f"]], "everyone is asked what decides on it"


def test_all_that_decide_together_go_where_they_decide():
    draft = drafted()
    draft["forms"].append({"weight": 1, "draws": [draw("f", "1")]})
    rules = [{"question": key, "options": [0]} for key in ("c", "e")]
    draft["questions"].append(question("f", asked_if={"any": rules}))
    assert homes(moved(draft, "f", "1")) == [["a", "b"], ["c", "d", "f"]], "everyone is asked the other one"
    assert homes(moved(draft, "e", "1")) == [["a", "b"], ["c", "d", "e", "f"]]
    assert homes(moved(draft, "f", EVERYONE)) == [["a", "b"], ["d"]], "with each that decides"


@pytest.mark.parametrize(("key", "to", "why"), [("a", "2", None), ("z", "0", None), ("a", "x", None), ("a", "", None)])
def test_what_cannot_be_moved_is_refused(key, to, why):
    draft = drafted()
    with pytest.raises(UnfitAssignment if why else Changed, match=why):
        assignment.move(draft, key, to)


def test_no_move_leaves_a_single_form():
    draft = moved(drafted(), "c", EVERYONE)
    for to in (EVERYONE, "0"):
        with pytest.raises(UnfitAssignment, match="fewest"):
            assignment.move(draft, "d", to)


def act_at_random(draft, chance, places):
    key, form = chance.choice("abcdef"), chance.randrange(len(draft["forms"]))
    keys = chance.sample("abcdef", chance.randint(1, 3))
    chance.choice(
        [
            lambda: assignment.move(draft, key, chance.choice(places)),
            lambda: assignment.move(draft, key, chance.choice(places), str(form)),
            lambda: assignment.also(draft, key, chance.choice(places)),
            lambda: assignment.leave(draft, key, str(form)),
            lambda: assignment.join(draft, chance.choice([None, form]), keys),
            lambda: assignment.split(draft, chance.choice([None, form]), keys),
        ]
    )()


@pytest.mark.slow
def test_whatever_is_moved_the_draft_can_be_opened():
    """Each of ten drafts gets two hundred random moves; some of its questions depend on others."""
    chance = random.Random(35)
    for _ in range(10):
        draft = drafted()
        draft["questions"].append(question("f", alpha="1"))
        if chance.random() < 0.7:
            draft["questions"][1] |= {"asked_if": {"question": "a", "options": [0]}}
        if chance.random() < 0.7:
            rules = [{"question": key, "options": [0]} for key in "ce"]
            draft["questions"][5] |= {"asked_if": chance.choice([rules[1], {"all": rules}])}
            draft["forms"][1]["draws"].append(draw("f", "1"))
        draft = settled(draft)
        for _ in range(200):
            before, places = deepcopy(draft), [EVERYONE, NEW, *map(str, range(len(draft["forms"])))]
            try:
                act_at_random(draft, chance, places)
            except (Changed, UnfitAssignment):
                draft = before
            draft = settled(draft)
            assert len(draft["forms"]) >= 2


# Setting forms --------------------------------------------------------------------------------------------------------


def test_questions_are_drawn_together_and_separately_under_the_same_alpha():
    draft = drafted()
    assignment.join(draft, 1, ["d", "c"])
    assert settled(draft)["forms"][1]["draws"] == [draw("cd", "2")]
    assignment.split(draft, 1, ["c"])
    assert settled(draft)["forms"][1]["draws"] == [draw("c", "1"), draw("d", "1")]


def test_a_draw_of_three_is_split_into_one_and_two():
    draft = moved(drafted("3"), "c", "0")
    assignment.split(draft, 0, ["b"])
    assert settled(draft)["forms"][0]["draws"] == [draw("ac", "2"), draw("b", "1")]
    assignment.join(draft, 0, ["b", "c"])
    assert settled(draft)["forms"][0]["draws"] == [draw("a", "1"), draw("bc", "2")]


def test_everyone_is_asked_several_questions_by_one_draw():
    draft = {"title": "x", "introduction": "", "questions": [question(key, alpha="1") for key in "abe"]}
    assignment.join(draft, None, ["a", "b"])
    left = settled(draft)
    assert left["draws"] == [draw("ab", "2")] and questionnaire(build(left)).alpha == 3
    assignment.split(left, None, ["a", "b"])
    assert "draws" not in settled(left) and [alpha_of(left, key) for key in "abe"] == ["1", "1", "1"]


def test_a_list_is_drawn_with_others_and_by_itself_again():
    draft = moved(drafted(), "e", "1")
    assignment.join(draft, 1, ["c", "e"])
    left = settled(draft)
    assert [each["questions"] for each in left["forms"][1]["draws"]] == [["c", "e"], ["d"]]
    [together, _] = build(left)["forms"][1]["draws"]
    assert together["table"]["sizes"] == [1, [1, 1]]
    assignment.split(left, 1, ["c"])
    assert [each["questions"] for each in settled(left)["forms"][1]["draws"]] == [["c"], ["d"], ["e"]]


@pytest.mark.parametrize("keys", ["c", "cr", "ca"])
def test_what_cannot_be_drawn_together_is_refused(keys):
    draft = drafted()
    draft["questions"].append(question("r", alpha="1"))
    draft = moved(draft, "r", "1") if "r" in keys else draft
    with pytest.raises((Changed, UnfitAssignment)):
        assignment.join(draft, 1, [*keys])


def test_parts_keep_their_proportions_under_another_alpha():
    draft = drafted()
    assignment.arrange(draft, 1, 1, Fraction(4))
    assert [alpha_of(settled(draft), key) for key in "cd"] == ["3", "1"]


@pytest.mark.parametrize(("place", "alpha"), [(0, 17), (1, 33)])
def test_an_alpha_that_no_form_can_have_is_refused(place, alpha):
    with pytest.raises(UnfitAssignment, match="alpha"):
        assignment.arrange(drafted(), place, 1, Fraction(alpha))


def test_assigned_draws_are_those_of_the_draft():
    draft = drafted()
    one, two, three = Fraction(1), Fraction(2), Fraction(3)
    design = Design(
        (designed(Fraction("0.25"), ("d",)),),
        (
            DesignForm(2, (designed(three, ("a", "c"), sizes=(1, 2)),)),
            DesignForm(1, (designed(one, ("b",), "bitwise"), designed(two, ("e",), sample=2))),
        ),
    )
    assignment.assign(draft, design)
    left = settled(draft)
    assert homes(left) == [["a", "c"], ["b", "e"]] and questionnaire(build(left)).alpha == Fraction("3.25")
    assert left["forms"][0]["draws"] == [draw("ac", "3", sizes=[1, 2])]
    assert left["forms"][1]["draws"] == [draw("b", "1", mechanism="bitwise"), draw("e", "2", sample=2)]
    assignment.assign(left, Design(tuple(designed(one, (key,)) for key in "abcde"), ()))
    assert "forms" not in settled(left) and questionnaire(build(left)).alpha == 5
    assert [each.get("mechanism") for each in left["questions"]] == [None, "bitwise", None, None, None], (
        "what was named"
    )
    assignment.assign(left, Design((designed(two, ("a", "b")), designed(one, ("c",))), ()))
    assert left["draws"] == [draw("ab", "2")] and [alpha_of(left, key) for key in "de"] == [None, None]


def test_a_design_may_ask_a_question_in_several_forms():
    draft, one = drafted(), Fraction(1)
    pairs = [("a", "b"), ("a", "c"), ("d", "e")]
    listed = [DesignForm(1, tuple(designed(one, (key,)) for key in keys)) for keys in pairs[1:]]
    design = Design((), (DesignForm(1, (designed(one, ("a", "b")),)), *listed))
    assignment.assign(draft, design)
    assert homes(settled(draft)) == [["a", "b"], ["a", "c"], ["d", "e"]]
