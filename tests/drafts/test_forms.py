"""The forms of a draft follow what is done to its questions, and moving questions keeps a draft that can be opened."""

import random
from copy import deepcopy
from fractions import Fraction

import pytest
from django.contrib.auth.models import User
from django.http import QueryDict

from ldp.forms.definition import questionnaire
from surveys.designer.editor import actions
from surveys.designer.editor.extra_fields import rename
from surveys.drafts import assignment, forms, history
from surveys.drafts.assignment import EVERYBODY, NEW, FormDesign, UnfitAssignment
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
}


def question(key, **fields):
    return {"key": key, "text": f"{key}?"} | KINDS[key] | fields


def drafted(joint="2"):
    """a and b together, c and d each with half of alpha 2, e asked of everybody."""
    return {
        "title": "Forms",
        "introduction": "",
        "questions": [
            *(question("a"), question("b"), question("c", alpha="1.5"), question("d", alpha="0.5")),
            question("e", alpha="1"),
        ],
        "forms": [
            {"weight": 2, "questions": ["a", "b"], "alpha": joint},
            {"weight": 1, "questions": ["c", "d"]},
        ],
    }


def settled(draft):
    draft = normalized(draft)
    assert not refusals(draft), refusals(draft)
    return draft


def homes(draft):
    return [form["questions"] for form in draft.get("forms", [])]


def alpha_of(draft, key):
    return next(each.get("alpha") for each in draft["questions"] if each["key"] == key)


def without(draft, *keys):
    return draft | {"questions": [each for each in draft["questions"] if each["key"] not in keys]}


# What follows ---------------------------------------------------------------------------------------------------------


def test_a_settled_draft_is_left_as_it_is():
    assert settled(drafted()) == drafted()


def test_a_deleted_question_leaves_its_form_and_an_empty_form_goes():
    one = settled(without(drafted(), "c") | {"forms": [*drafted()["forms"], {"weight": 1, "questions": ["e"]}]})
    assert homes(one) == [["a", "b"], ["d"], ["e"]]
    assert homes(settled(without(one, "d"))) == [["a", "b"], ["e"]]


def test_the_last_question_of_a_joint_form_keeps_its_alpha():
    left = settled(without(drafted(), "b"))
    assert homes(left) == [["a"], ["c", "d"]] and "alpha" not in left["forms"][0] and alpha_of(left, "a") == "2"


def sized(*keys, sizes=(1, 2), **fields):
    draft = drafted()
    draft["forms"][0] |= {"questions": list(keys), "sizes": list(sizes)} | fields
    return draft


def test_sizes_follow_their_questions_and_go_where_one_comes_or_goes():
    assert settled(sized("a", "b"))["forms"][0]["sizes"] == [1, 2]
    assert settled(sized("b", "a", sizes=(2, 1)))["forms"][0]["sizes"] == [1, 2]
    moved = settled(sized("a", "b"))
    assignment.move(moved, "c", "0")
    assert settled(moved)["forms"][0]["questions"] == ["a", "b", "c"] and "sizes" not in moved["forms"][0]
    gone = sized("a", "b", "c", sizes=(1, 2, 2))
    gone["questions"] = [each for each in gone["questions"] if each["key"] != "c"]
    gone["forms"][1]["questions"] = ["d"]
    assert "sizes" not in settled(gone)["forms"][0]


@pytest.mark.parametrize("sizes", [(1,), (1, 2, 3), ("1", 2), (True, 2), (1, 1.5)])
def test_what_are_no_sizes_goes(sizes):
    assert "sizes" not in settled(sized("a", "b", sizes=sizes))["forms"][0]


def test_a_form_of_separate_draws_has_no_sizes():
    draft = settled(sized("a", "b"))
    assignment.arrange(draft, 0, 2, Fraction(2), joint=False)
    assert "sizes" not in settled(draft)["forms"][0]


def test_one_form_is_none_and_its_questions_share_its_alpha():
    left = settled(without(drafted("3"), "c", "d"))
    assert "forms" not in left and [alpha_of(left, key) for key in "abe"] == ["1.5", "1.5", "1"]


def test_a_question_whose_kind_cannot_be_joint_separates_its_form():
    draft = drafted()
    draft["questions"][0] = changed(draft["questions"][0], "multiple_choice") | {"options": ["x", "y"]}
    left = settled(draft)
    assert "alpha" not in left["forms"][0] and alpha_of(left, "a") == alpha_of(left, "b") == "1"


def test_a_joint_question_leaves_to_its_form_what_another_kind_would_begin_with():
    draft = drafted()
    draft["questions"][0] = changed(draft["questions"][0], "single_choice") | {"options": ["x", "y"]}
    assert "alpha" not in settled(draft)["questions"][0]


def test_the_order_of_the_survey_is_that_of_its_forms():
    draft = drafted()
    draft["questions"].reverse()
    assert homes(settled(draft)) == [["b", "a"], ["d", "c"]]


@pytest.mark.parametrize(
    "given",
    [
        *(None, 7, "x", {}, [], [None], [{}], [{"questions": None}, {"questions": 3}], [{"questions": ["z"]}, 1]),
        [{"questions": ["a"]}, {"questions": ["a"]}],
        [{"questions": ["a", []], "alpha": []}, {"questions": ["b", {}], "weight": "x"}],
    ],
)
def test_no_forms_of_a_file_are_too_odd_to_be_settled(given):
    draft = normalized(drafted() | {"forms": given})
    assert draft == normalized(draft)
    assert len(forms.forms_of(draft)) != 1


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
    edit(survey.pk, lambda draft: history.put_back(draft, history.cells_of(step)) or "")
    assert Survey.objects.get(pk=survey.pk).draft == drafted()


def test_a_copy_stands_in_the_form_of_what_it_was_copied_from(survey):
    assert homes(act(survey, "duplicate", "a")) == [["a", "q1", "b"], ["c", "d"]]
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
    assert sum(Fraction(alpha_of(back, key)) for key in "bc") == sum(Fraction(alpha_of(back, key)) for key in "ad") == 2


def test_a_joint_form_takes_a_question_without_another_alpha():
    draft = moved(drafted(), "c", "0")
    assert homes(draft) == [["a", "b", "c"], ["d"]] and draft["forms"][0]["alpha"] == "2"
    assert "alpha" not in draft["questions"][2] and alpha_of(draft, "d") == "2"


def test_a_new_form_has_the_largest_alpha_of_all():
    draft = moved(drafted("3"), "e", NEW)
    assert homes(draft) == [["a", "b"], ["c", "d"], ["e"]] and alpha_of(draft, "e") == "3"
    assert draft["forms"][2]["weight"] == 2, "as often as others on average"


def test_what_everybody_is_asked_comes_on_top():
    draft = moved(drafted(), "b", EVERYBODY)
    assert homes(draft) == [["a"], ["c", "d"]] and alpha_of(draft, "b") == "1" and alpha_of(draft, "a") == "2"
    assert questionnaire(build(draft)).alpha == 4


def test_what_decides_goes_where_it_decides():
    draft = drafted()
    draft["questions"][3] |= {"asked_if": {"question": "c", "options": [0]}, "filler": "0"}
    draft["questions"].append(question("f", alpha="1", asked_if={"question": "e", "options": [0]}, filler=0))
    draft["forms"].append({"weight": 1, "questions": ["f"]})
    assert homes(moved(draft, "d", "2")) == [["a", "b"], ["c", "d", "f"]]
    assert homes(moved(draft, "c", EVERYBODY)) == [["a", "b"], ["d"], ["f"]], "everybody is asked what decides"
    assert homes(moved(draft, "d", EVERYBODY)) == [["a", "b"], ["f"]], "with what decides"
    assert homes(moved(draft, "e", "1")) == [["a", "b"], ["c", "d", "e", "f"]], "with all that depends on it"
    assert homes(moved(draft, "f", "1")) == [["a", "b"], ["c", "d", "f"]], "everybody is asked what decides on it"


def test_all_that_decide_together_go_where_they_decide():
    draft = drafted()
    draft["forms"].append({"weight": 1, "questions": ["f"]})
    rules = [{"question": key, "options": [0]} for key in ("c", "e")]
    draft["questions"].append(question("f", alpha="1", asked_if={"any": rules}, filler=0))
    assert homes(moved(draft, "f", "1")) == [["a", "b"], ["c", "d", "f"]], "everybody is asked the other one"
    assert homes(moved(draft, "e", "1")) == [["a", "b"], ["c", "d", "e", "f"]]
    assert homes(moved(draft, "f", EVERYBODY)) == [["a", "b"], ["d"]], "with each that decides"


@pytest.mark.parametrize(
    ("key", "to", "why"), [("e", "0", "joint"), ("a", "2", None), ("z", "0", None), ("a", "x", None), ("a", "", None)]
)
def test_what_cannot_be_moved_is_refused(key, to, why):
    draft = drafted()
    with pytest.raises(UnfitAssignment if why else Changed, match=why):
        assignment.move(draft, key, to)


def test_no_move_leaves_a_single_form():
    draft = moved(drafted(), "c", EVERYBODY)
    for to in (EVERYBODY, "0"):
        with pytest.raises(UnfitAssignment, match="fewest"):
            assignment.move(draft, "d", to)


@pytest.mark.slow
def test_whatever_is_moved_the_draft_can_be_opened():
    """At random, with questions that depend on each other; two hundred moves of each of ten drafts."""
    chance = random.Random(35)
    for _ in range(10):
        draft = drafted()
        draft["questions"].append(question("f", alpha="1"))
        if chance.random() < 0.7:
            draft["questions"][1] |= {"asked_if": {"question": "a", "options": [0]}, "filler": 0}
        if chance.random() < 0.7:
            rules = [{"question": key, "options": [0]} for key in "ce"]
            draft["questions"][5] |= {"asked_if": chance.choice([rules[1], {"all": rules}]), "filler": 0}
            draft["forms"][1]["questions"].append("f")
        draft = settled(draft)
        for _ in range(200):
            before, places = deepcopy(draft), [EVERYBODY, NEW, *map(str, range(len(draft["forms"])))]
            try:
                assignment.move(draft, chance.choice("abcdef"), chance.choice(places))
            except UnfitAssignment:
                draft = before
            draft = settled(draft)
            assert len(draft["forms"]) >= 2


# Forms as they are set ------------------------------------------------------------------------------------------------


def test_a_form_is_made_joint_and_separate_under_its_alpha():
    draft = drafted()
    assignment.arrange(draft, 1, 3, Fraction(2), True)
    assert settled(draft)["forms"][1] == {"weight": 3, "questions": ["c", "d"], "alpha": "2"}
    assert "alpha" not in draft["questions"][2]
    assignment.arrange(draft, 1, 1, Fraction(1), False)
    assert [alpha_of(settled(draft), key) for key in "cd"] == ["0.5", "0.5"]


def test_parts_keep_their_proportions_under_another_alpha():
    draft = drafted()
    assignment.arrange(draft, 1, 1, Fraction(4), False)
    assert [alpha_of(settled(draft), key) for key in "cd"] == ["3", "1"]


@pytest.mark.parametrize(("alpha", "joint"), [(17, True), (33, False)])
def test_an_alpha_that_no_form_can_have_is_refused(alpha, joint):
    with pytest.raises(UnfitAssignment, match="alpha"):
        assignment.arrange(drafted(), 0, 1, Fraction(alpha), joint)


def test_a_list_is_never_joint():
    draft = moved(drafted(), "e", "1")
    with pytest.raises(UnfitAssignment, match="joint"):
        assignment.arrange(draft, 1, 1, Fraction(2), True)


def test_assigned_forms_are_those_of_the_draft():
    draft = drafted()
    designs = [FormDesign(["a", "c"], [Fraction(3)], True, 2), FormDesign(["b", "e"], [Fraction(1), Fraction(2)])]
    assignment.assign(draft, designs, {"d": Fraction("0.25")})
    left = settled(draft)
    assert homes(left) == [["a", "c"], ["b", "e"]] and questionnaire(build(left)).alpha == Fraction("3.25")
    assignment.assign(left, [FormDesign([*"abcde"], [Fraction(1)] * 5)], {})
    assert "forms" not in settled(left) and questionnaire(build(left)).alpha == 5
    assignment.assign(left, [FormDesign([*"abcd"], [Fraction(1)] * 4)], {})
    assert [alpha_of(left, key) for key in "de"] == ["1", None], "what is left out counts to no total"
