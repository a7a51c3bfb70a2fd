"""Versions of one question in drafts and definitions (M42b). A survey without versions is unchanged. A refusal names
the field and the rule."""

import copy
import json

import pytest

from ldp.forms.definition import arms_of
from surveys.rules.refusals import DraftRefused
from surveys.survey import definition as definitions
from surveys.survey.definition import arms, schema
from tests.support import arm_cases
from tests.support.arm_cases import BROKEN, DRAFT, KIND, MISSHAPEN, SOUND, YEARS
from tests.support.drawn import drawn
from tests.support.hostile import altered


def with_question(place, **fields):
    draft = copy.deepcopy(DRAFT)
    changed = draft["questions"][place] | fields
    draft["questions"][place] = {name: value for name, value in changed.items() if value is not None}
    return draft


def in_forms(*forms):
    """Return the draft with an alpha for each question and these forms, beside that of the third version."""
    draft = copy.deepcopy(DRAFT)
    for question in draft["questions"]:
        question["alpha"] = "1"
    listed = [{"questions": list(keys)} for keys in [*forms, ["short"]] if forms]
    draft = drawn(draft | {"forms": listed})
    return draft


def refused(draft):
    return {(each.field, each.code) for each in definitions.refusals(draft)}


def test_a_version_is_frozen_with_the_key_of_the_first_one():
    made = definitions.build(DRAFT)
    assert [question.get("arm_of") for question in made["questions"]] == [
        None,
        None,
        "plain",
        "plain",
        None,
        None,
        "age",
    ]
    assert arms_of(made["questions"], "short") == arms_of(made["questions"], "plain") == ["plain", "kind", "short"]
    assert arms_of(made["questions"], "here") == []


@pytest.mark.parametrize(
    ("draft", "field", "code"),
    [
        (with_question(KIND, arm_of=5), f"questions[{KIND}].arm_of", "arm_key"),
        (with_question(KIND, arm_of="nobody"), f"questions[{KIND}].arm_of", "arm_key"),
        (with_question(KIND, arm_of="kind"), f"questions[{KIND}].arm_of", "arm_key"),
        (with_question(KIND, arm_of="short"), f"questions[{KIND}].arm_of", "arm_chain"),
        (with_question(KIND, arm_of="here"), f"questions[{KIND}].arm_of", "arm_parts"),
        (with_question(KIND, options=["red", "blue"]), f"questions[{KIND}].arm_of", "arm_parts"),
        (with_question(KIND, kind="ordered"), f"questions[{KIND}].arm_of", "arm_parts"),
        (with_question(KIND, prefer_not_to_say=True), f"questions[{KIND}].arm_of", "arm_parts"),
        (with_question(YEARS, unit="years"), f"questions[{YEARS}].arm_of", "arm_parts"),
        (with_question(YEARS, edges=["0", "50", "99"]), f"questions[{YEARS}].arm_of", "arm_parts"),
        (with_question(YEARS, asked_if=None), f"questions[{YEARS}].arm_of", "arm_condition"),
        (in_forms(["plain", "kind"], ["age"]), f"questions[{YEARS}].arm_of", "arm_form"),
        (in_forms(["plain", "kind"], ["age"]), f"questions[{KIND}].arm_of", "arm_form"),
        (in_forms(), f"questions[{KIND}].arm_of", "arm_form"),
        (
            with_question(4, asked_if={"question": "short", "options": [0]}),
            "questions[4].asked_if.question",
            "arm_decides",
        ),
    ],
)
def test_a_broken_rule_is_refused_by_its_field_and_code(draft, field, code):
    assert (field, code) in refused(draft)


@pytest.mark.parametrize("place", range(len(BROKEN)))
def test_a_definition_breaks_the_rule_that_its_draft_breaks(place):
    change, code = BROKEN[place]
    made = arm_cases.changed(change)
    with pytest.raises(DraftRefused) as refusal:
        arms.check_draft(made["questions"], made.get("forms", []))
    assert code in {one.code for one in refusal.value.refusals}


def test_it_says_of_each_case_what_the_page_must_say():
    assert len(SOUND) > 5 and len(MISSHAPEN) == 5
    for data, sound in arm_cases.cases():
        assert definitions.certified(data) == sound, json.loads(data)


def test_an_altered_definition_is_certified_only_where_no_report_is_about_two_versions():
    verdicts = []
    for data in altered(definitions.build(DRAFT)):
        verdicts.append(definitions.certified(data))
        if verdicts[-1]:
            arms.check(json.loads(data))
    assert verdicts.count(False) > 1000 and verdicts.count(True) > 10


@pytest.mark.parametrize(("options", "versions", "many"), [(100, 2, 0), (101, 2, 1), (10, 5, 0), (7, 6, 1)])
def test_no_more_numbers_are_compared_than_a_page_can_make(options, versions, many):
    """Each answer is compared between every two versions: 100 comparisons at most."""
    own = {"kind": "single_choice", "options": [f"{i}" for i in range(options)], "alpha": "4", "text": "?"}
    questions = [own | {"key": f"q{k}"} | ({"arm_of": "q0"} if k else {}) for k in range(versions)]
    draft = drawn(
        {"title": "Many", "questions": questions, "forms": [{"questions": [each["key"]]} for each in questions]}
    )
    assert refused(draft) == ({(f"questions[{versions - 1}].arm_of", "arm_cost")} if many else set())


def test_the_schema_takes_versions():
    import jsonschema

    validator = jsonschema.Draft202012Validator(schema.schema("https://example.org/draft"))
    assert not list(validator.iter_errors(DRAFT))
    assert list(validator.iter_errors(with_question(KIND, arm_of=5)))
