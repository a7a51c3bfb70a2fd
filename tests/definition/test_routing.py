"""Questions that are asked only for some answers: which drafts may have them, and what is frozen."""

import copy

import pytest

from ldp.routing import applicable, filled
from surveys import definition as definitions
from tests.support import routing
from tests.support.factories import DRAFT


def refused(draft):
    with pytest.raises(definitions.DraftRefused) as refusal:
        definitions.build(draft)
    return [str(each) for each in refusal.value.refusals]


def question(draft, key):
    return next(each for each in draft["questions"] if each["key"] == key)


def test_a_survey_without_them_has_the_bytes_that_it_always_had():
    assert not {"asked_if", "filler"} & {name for each in definitions.build(DRAFT)["questions"] for name in each}
    digest = "437d79f823d32f747a7b8a1c3873e5fb13e770745705e2ef01a174d08303ec35"
    assert definitions.digest(definitions.build(DRAFT)) == digest


def test_what_may_be_asked_and_what_not():
    for data, sound in routing.cases():
        assert definitions.certified(data) == sound, data


@pytest.mark.parametrize(("key", "fields"), routing.SOUND, ids=str)
def test_such_a_draft_can_be_opened(key, fields):
    assert definitions.build(routing.changed(routing.DRAFT, key, fields))


@pytest.mark.parametrize(("key", "fields"), routing.WRONG, ids=str)
def test_such_a_draft_is_refused_by_the_question_and_the_field(key, fields):
    place = [each["key"] for each in routing.DRAFT["questions"]].index(key) + 1
    told = refused(routing.changed(routing.DRAFT, key, fields))
    assert told and all(each.startswith(f'question {place} (key "{key}"), {next(iter(fields))}') for each in told)


def test_one_without_the_other_is_refused():
    (told,) = refused(routing.without(routing.DRAFT, "often", "filler"))
    assert told.startswith('question 2 (key "often"), filler: is missing')
    told = refused(routing.without(routing.DRAFT, "wish", "asked_if"))
    assert told == [
        'question 4 (key "wish"), asked_if: is missing; asked_if and filler go together [questions[3].asked_if]'
    ]


def test_each_refusal_names_its_rule():
    def rule(key, fields):
        (told,) = refused(routing.changed(routing.DRAFT, key, fields))
        return told.partition(": ")[2].partition(" [")[0]

    before = "must be the key of a question that stands before this one"
    assert rule("often", {"asked_if": {"question": "drinks", "options": [0]}}) == before
    kinds = "must be the key of a question of the kind yes_no, single_choice, ordered, multiple_choice"
    assert rule("coast", {"asked_if": {"question": "glasses", "options": [0]}}) == kinds
    everybody = "must not be all options of the other question, or everybody is asked"
    assert rule("coast", {"asked_if": {"question": "region", "options": [0, 1, 2]}}) == everybody
    beyond = "must be positions of the other question's options, from 0 to 1"
    assert rule("often", {"asked_if": {"question": "smokes", "options": [2]}}) == beyond
    answer = "must be an answer to this question: a category from 0 to 2 is needed"
    assert rule("often", {"filler": 3}) == answer
    number = "must be an answer to this question: a number from 0 to 40 is needed"
    assert rule("cigarettes", {"filler": 41}) == number


def test_numbers_and_lists_are_frozen_in_one_notation():
    draft = copy.deepcopy(routing.DRAFT)
    question(draft, "cigarettes").update(filler=1.50, asked_if={"question": "often", "options": [2, 1]})
    question(draft, "liked").update(filler=[1, 0])
    frozen = definitions.build(draft)
    assert question(frozen, "cigarettes")["filler"] == "1.5"
    assert question(frozen, "cigarettes")["asked_if"]["options"] == [1, 2]
    assert question(frozen, "liked")["filler"] == [0, 1]


def test_a_question_is_refused_once_where_the_one_it_depends_on_is():
    draft = routing.changed(routing.DRAFT, "smokes", {"alpha": "0"})
    assert [told.partition(":")[0] for told in refused(draft)] == ['question 1 (key "smokes"), alpha']


def test_alphas_add_up_over_all_questions_asked_or_not():
    assert definitions.alpha_total(definitions.build(routing.DRAFT)) == "10"


# Paths ----------------------------------------------------------------------------------------------------------------


def test_who_is_asked_what():
    questions = definitions.build(routing.DRAFT)["questions"]
    everybody = {"smokes", "drinks", "region"}
    some = [applicable(questions, answers) - everybody for answers in routing.paths({})]
    assert some[0] == {"often", "cigarettes", "wish", "liked", "glasses", "where", "coast"}
    assert some[1:] == [set(), {"often", "wish"}, {"often", "wish", "liked", "where"}]
    assert applicable(questions, {}) == everybody


def test_a_question_is_not_asked_where_the_one_that_decides_was_not_asked_whatever_its_filler_says():
    draft = routing.changed(routing.DRAFT, "often", {"filler": 2})
    questions = definitions.build(draft)["questions"]
    assert "cigarettes" in applicable(questions, {"smokes": 0, "often": 2})
    assert "cigarettes" not in applicable(questions, {"smokes": 1})
    assert "cigarettes" not in applicable(questions, {"smokes": 1, "often": 2}), (
        "an answer to what was not asked is none"
    )


def test_what_was_not_asked_is_filled_and_what_was_asked_is_not():
    questions = definitions.build(routing.DRAFT)["questions"]
    everything, nothing, *_ = routing.paths({})
    assert filled(questions, everything) == everything
    fillers = {"often": 0, "cigarettes": 0, "wish": 2, "liked": [False, False], "glasses": "0", "where": [0, 0]}
    assert filled(questions, nothing) == nothing | fillers | {"coast": 1}
    assert filled(questions, everything | nothing) == nothing | fillers | {"coast": 1}
