"""Questions that are asked only after some answers: permitted drafts, and their frozen form."""

import copy

import pytest

from ldp.forms.report import alone
from ldp.routing import applicable, filled
from surveys.survey import definition as definitions
from surveys.survey.definition.routing import DECIDING
from tests.support import routing
from tests.support.drawn import drawn
from tests.support.factories import DRAFT


def refused(draft):
    with pytest.raises(definitions.DraftRefused) as refusal:
        definitions.build(draft)
    return [str(each) for each in refusal.value.refusals]


def question(draft, key):
    return next(each for each in draft["questions"] if each["key"] == key)


def test_a_survey_without_them_has_nothing_of_them():
    assert "asked_if" not in {name for each in alone(definitions.build(DRAFT)) for name in each}


def test_what_may_be_asked_and_what_not():
    for data, sound in routing.cases():
        assert definitions.certified(data) == sound, data


def of_both(one, several):
    """Return parametrized cases of one rule a question, and of several: a draft, a question's key and fields."""
    both = ((routing.DRAFT, one), (routing.SEVERAL, several))
    return pytest.mark.parametrize(
        ("draft", "key", "fields"),
        [pytest.param(draft, *case, id=f"{case[0]}-{case[1]}") for draft, cases in both for case in cases],
    )


@of_both(routing.SOUND, routing.SEVERAL_SOUND)
def test_such_a_draft_can_be_opened(draft, key, fields):
    assert definitions.build(routing.changed(draft, key, fields))


@of_both(routing.WRONG, routing.SEVERAL_WRONG)
def test_such_a_draft_is_refused_by_the_question_and_the_field(draft, key, fields):
    place = [each["key"] for each in draft["questions"]].index(key) + 1
    told = refused(routing.changed(draft, key, fields))
    assert told and all(each.startswith(f'question {place} (key "{key}"), {next(iter(fields))}') for each in told)


def test_a_rule_that_is_broken_is_named_by_its_place():
    wrong = {
        "asked_if": {"any": [{"question": "smokes", "options": [0]}, {"question": "region", "options": [0, 1, 2]}]}
    }
    (said,) = refused(routing.changed(routing.SEVERAL, "both", wrong))
    assert "asked_if, any, number 2, options: must not be all options" in said
    assert said.endswith("[questions[4].asked_if.any[1].options]")


def test_rules_are_frozen_in_the_order_of_the_questions():
    turned = {"asked_if": {"any": [{"question": "region", "options": [2, 0]}, {"question": "smokes", "options": [0]}]}}
    frozen = definitions.build(routing.changed(routing.SEVERAL, "both", turned))
    assert question(frozen, "both")["asked_if"] == {
        "any": [{"question": "smokes", "options": [0]}, {"question": "region", "options": [0, 2]}]
    }


def chained(options, **asked_if):
    """Return a draft with one question that depends on another, and a third one that depends on both."""
    draft = routing.changed(routing.SEVERAL, "often", {"asked_if": {"question": "smokes", "options": options}})
    rules = [{"question": "smokes", "options": [0]}, {"question": "often", "options": [0]}]
    return routing.changed(draft, "both", {"asked_if": {next(iter(asked_if)): rules}})


def test_rules_that_exclude_each_other_are_refused_and_those_of_which_one_is_enough_are_not():
    (said,) = refused(chained([1], all=True))
    assert said.startswith('question 5 (key "both"), asked_if: must be possible: no answers fulfil these rules')
    assert definitions.build(chained([1], any=True)) and definitions.build(chained([0], all=True))


def test_several_answers_to_one_question_exclude_nothing():
    """Beer is enough for one question and wine for the other, and a person can drink both."""
    draft = routing.changed(routing.SEVERAL, "often", {"asked_if": {"question": "smokes", "options": [0]}})
    rules = [{"question": "drinks", "options": [2]}, {"question": "either", "options": [1]}]
    draft["questions"] = [each for each in draft["questions"] if each["key"] != "both"]
    question(draft, "either")["asked_if"] = {"question": "drinks", "options": [1]}
    assert definitions.build(routing.changed(draft, "money", {"asked_if": {"all": rules}}))


def test_each_of_several_deciding_questions_must_be_asked_wherever_the_other_is():
    draft = routing.changed(routing.SEVERAL, "both", {})
    draft["forms"] = [{"questions": ["region"]}, {"questions": ["both", "money"]}]
    (said,) = refused(drawn(draft))
    assert said.endswith("[questions[4].asked_if.all[2].question]") and "of the same form" in said
    draft["forms"] = [{"questions": ["region", "both", "money"]}, {"questions": ["either"]}]
    (said,) = refused(drawn(draft))
    assert said.endswith("[questions[6].asked_if.all[1].question]")
    draft["forms"] = [{"questions": ["region", "both", "money", "either"]}, {"questions": ["smokes", "often"]}]
    assert len(refused(drawn(draft))) == 2
    draft["questions"].append({"key": "apart", "kind": "yes_no", "text": "Apart?", "alpha": "1"})
    draft["forms"] = [{"questions": ["region", "both", "money", "either"]}, {"questions": ["apart"]}]
    frozen = definitions.build(drawn(draft))
    assert definitions.certified(definitions.canonical(frozen))
    frozen["forms"][1]["draws"].insert(0, frozen["forms"][0]["draws"].pop(0))
    assert not definitions.certified(definitions.canonical(frozen))


def test_no_author_names_an_answer_for_those_who_are_not_asked():
    (refusal,) = refused(routing.changed(routing.SEVERAL, "both", {"filler": 1}))
    assert refusal.startswith('question 5 (key "both"), filler: is not known here')


def test_each_refusal_names_its_rule():
    def rule(key, fields):
        (told,) = refused(routing.changed(routing.DRAFT, key, fields))
        return told.partition(": ")[2].partition(" [")[0]

    before = "must be the key of an earlier question"
    assert rule("often", {"asked_if": {"question": "drinks", "options": [0]}}) == before
    kinds = f"must be the key of a question of the kind {', '.join(DECIDING)}"
    assert rule("coast", {"asked_if": {"question": "glasses", "options": [0]}}) == kinds
    everyone = "must not be all options of the other question, since all people would then be asked"
    assert rule("coast", {"asked_if": {"question": "region", "options": [0, 1, 2]}}) == everyone
    beyond = "must be positions of the other question's options, from 0 to 1"
    assert rule("often", {"asked_if": {"question": "smokes", "options": [2]}}) == beyond


def test_positions_are_frozen_in_one_order():
    draft = copy.deepcopy(routing.DRAFT)
    question(draft, "cigarettes").update(asked_if={"question": "often", "options": [2, 1]})
    assert question(definitions.build(draft), "cigarettes")["asked_if"]["options"] == [1, 2]


def test_a_question_is_refused_once_where_the_one_it_depends_on_is():
    draft = routing.changed(routing.DRAFT, "smokes", {"alpha": "0"})
    assert [told.partition(":")[0] for told in refused(draft)] == ['question 1 (key "smokes"), alpha']


def test_alphas_add_up_over_all_questions_asked_or_not():
    assert definitions.alpha_total(definitions.build(routing.DRAFT)) == "10"


# Paths ----------------------------------------------------------------------------------------------------------------


def test_who_is_asked_what():
    questions = alone(definitions.build(routing.DRAFT))
    everyone = {"smokes", "drinks", "region"}
    some = [applicable(questions, answers) - everyone for answers in routing.paths({})]
    assert some[0] == {"often", "cigarettes", "wish", "liked", "glasses", "where", "coast"}
    assert some[1:] == [set(), {"often", "wish"}, {"often", "wish", "liked", "where"}]
    assert applicable(questions, {}) == everyone


def test_a_question_is_not_asked_where_the_one_that_decides_was_not_asked_whatever_its_filler_says():
    questions = alone(definitions.build(routing.DRAFT))
    assert "cigarettes" in applicable(questions, {"smokes": 0, "often": 2})
    assert "cigarettes" not in applicable(questions, {"smokes": 1})
    assert "cigarettes" not in applicable(questions, {"smokes": 1, "often": 2}), (
        "an answer to what was not asked is none"
    )


def test_all_rules_or_any_let_someone_in_and_none_about_what_was_not_asked():
    questions = alone(definitions.build(routing.SEVERAL))
    smoker = {"smokes": 0, "often": 0, "drinks": [True, False, False], "region": 2, "both": 0}
    assert "both" in applicable(questions, smoker) and "either" not in applicable(questions, smoker)
    assert "both" not in applicable(questions, smoker | {"region": 1})
    assert "money" not in applicable(questions, smoker), "one of both"
    wine = smoker | {"drinks": [True, True, False], "either": 2}
    assert {"both", "either", "money"} <= applicable(questions, wine)
    other = wine | {"smokes": 1, "often": 2}
    assert applicable(questions, other) & {"often", "both", "either", "money"} == {"either"}
    assert "either" not in applicable(questions, other | {"drinks": [True, False, True]}), "often was not asked"


def test_what_was_not_asked_is_filled_and_what_was_asked_is_not():
    questions = alone(definitions.build(routing.DRAFT))
    everything, nothing, *_ = routing.paths({})
    assert filled(questions, everything) == everything
    fillers = {"often": 2, "cigarettes": 2, "wish": 2, "liked": [False, False], "glasses": "0", "where": [1, 1]}
    assert filled(questions, nothing) == nothing | fillers | {"coast": 2}
    assert filled(questions, everything | nothing) == nothing | fillers | {"coast": 2}
