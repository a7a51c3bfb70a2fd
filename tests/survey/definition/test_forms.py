"""Forms and draws of several questions in drafts and definitions (M35, M44): what is frozen keeps the alpha that it
states."""

import copy
import json

import pytest

from ldp.forms import definition as rules
from surveys.survey import definition as definitions
from surveys.survey.definition import schema
from tests.support.form_cases import DRAFT, cases
from tests.support.hostile import altered


@pytest.fixture(scope="module")
def made():
    return definitions.build(DRAFT)


def refused(draft):
    return {(each.field, each.code) for each in definitions.refusals(draft)}


def test_forms_are_frozen_with_their_tables_in_the_order_of_the_questions(made):
    together, pair, apart = made["forms"]
    [draw], [drawn] = together["draws"], pair["draws"]
    assert draw["questions"] == ["drugs", "often"] and draw["alpha"] == "2" and together["weight"] == 2
    assert drawn["questions"] == ["age", "income"] and drawn["alpha"] == "1.5" and pair["weight"] == 1
    assert set(drawn["table"]) == {"keep", "sizes"} and len(drawn["table"]["sizes"]) == 2
    assert apart["weight"] == 3 and [own["questions"] for own in apart["draws"]] == [["health"], ["devices"]]
    rules.check(made)


def test_what_no_form_names_is_drawn_for_everybody_one_by_one(made):
    assert [own["questions"] for own in made["draws"]] == [["region"]]
    plain = {**DRAFT, "questions": [DRAFT["questions"][0], DRAFT["questions"][5]], "forms": []}
    everybody = definitions.build(plain)
    assert "forms" not in everybody and [own["questions"] for own in everybody["draws"]] == [["region"], ["health"]]
    assert made["format"] == everybody["format"] == 1
    without = {name: value for name, value in plain.items() if name != "forms"}
    assert definitions.canonical(everybody) == definitions.canonical(definitions.build(without))


def test_where_every_question_stands_in_a_form_nobody_else_is_asked_any():
    forms = [*DRAFT["forms"][:2], {"questions": ["region", "health", "devices"]}]
    assert definitions.build(DRAFT | {"forms": forms})["draws"] == []


def test_questions_say_nothing_of_how_they_are_randomized(made):
    assert not any({"alpha", "mechanism", "table", "delta"} & question.keys() for question in made["questions"])


def test_a_form_names_how_many_options_a_report_lists_of_each_of_its_questions():
    """In the order of its questions, which the definition has in the survey's."""
    named = definitions.build(DRAFT | {"forms": [DRAFT["forms"][0] | {"sizes": [2, 1]}, *DRAFT["forms"][1:]]})
    [draw] = named["forms"][0]["draws"]
    assert DRAFT["forms"][0]["questions"] == ["often", "drugs"]
    assert draw["questions"] == ["drugs", "often"] and draw["table"]["sizes"] == [1, 2]
    assert definitions.certified(definitions.canonical(named))


def test_the_surveys_alpha_is_that_of_its_largest_report(made):
    assert [float(rules.questionnaire(made).total(form)) for form in range(3)] == [2.5, 2.0, 3.25]
    assert definitions.alpha_total(made) == "3.25"


def test_the_schema_takes_forms():
    import jsonschema

    validator = jsonschema.Draft202012Validator(schema.schema("https://example.org/draft"))
    assert not list(validator.iter_errors(DRAFT))
    for wrong in ([{"questions": []}], [{"weight": 0, "questions": ["a"]}], [{"questions": ["a"], "table": {}}]):
        assert list(validator.iter_errors({**DRAFT, "forms": wrong}))


def with_forms(*forms, **fields):
    return {**DRAFT, "forms": list(forms), **fields}


@pytest.mark.parametrize(
    ("forms", "field", "code"),
    [
        ("two", "forms", "form_count"),
        ([DRAFT["forms"][0]], "forms", "form_count"),
        ([DRAFT["forms"][0], {"questions": ["health"], "weight": 10_001}], "forms[1].weight", "form_weight"),
        ([DRAFT["forms"][0], {"questions": ["health"], "weight": True}], "forms[1].weight", "form_weight"),
        ([DRAFT["forms"][0], {"questions": "health"}], "forms[1].questions", "empty_form"),
        ([DRAFT["forms"][0], {"questions": ["nobody"]}], "forms[1].questions", "form_keys"),
        ([DRAFT["forms"][0], {"questions": ["health", "health"]}], "forms[1].questions", "repeated"),
        ([DRAFT["forms"][0], {"questions": ["health", "drugs"]}], "forms[1].questions", "form_overlap"),
        ([DRAFT["forms"][0], {"questions": ["health"], "alpha": "1"}], "forms[1].questions", "joint_count"),
        ([DRAFT["forms"][0], {"questions": ["health", "devices"], "alpha": "1"}], "questions[6].kind", "joint_kind"),
        ([DRAFT["forms"][0], {"questions": ["health", "region"], "alpha": "1"}], "questions[5].alpha", "joint_own"),
        ([{"questions": ["drugs", "age"], "alpha": "1"}, DRAFT["forms"][2]], "questions[2].alpha", "missing"),
        ([DRAFT["forms"][0], {"questions": ["health"], "alpha": "x"}], "forms[1].alpha", "alpha_format"),
        ([DRAFT["forms"][0] | {"alpha": "17"}, DRAFT["forms"][2]], "forms[0].alpha", "alpha_range"),
        ([DRAFT["forms"][0], {"weight": 1}], "forms[1].questions", "missing"),
        ([DRAFT["forms"][0], {"questions": ["health"], "table": {}}], "forms[1].table", "unknown_field"),
        ([DRAFT["forms"][0], 5], "forms[1]", "not_an_object"),
        ([DRAFT["forms"][0], DRAFT["forms"][2] | {"sizes": [1, 1]}], "forms[1].sizes", "sizes_surplus"),
        *(
            ([DRAFT["forms"][0] | {"sizes": sizes}, *DRAFT["forms"][1:]], "forms[0].sizes", code)
            for sizes, code in (
                *((wrong, "sizes_form") for wrong in ([1], [1, 1, 1], "11", None, [1, "1"], [1, 1.5], [True, 1])),
                *((wrong, "sizes_range") for wrong in ([3, 1], [2, 2], [0, 1], [1, 0])),
            )
        ),
    ],
)
def test_a_broken_form_is_refused_by_its_field_and_rule(forms, field, code):
    assert (field, code) in refused(DRAFT | {"forms": forms})


def test_whoever_is_asked_a_question_was_asked_the_one_that_decides():
    apart = with_forms({"questions": ["drugs"]}, {"questions": ["often"]})
    everybody = with_forms({"questions": ["often"]}, {"questions": ["health"]})
    alone = with_forms({"questions": ["drugs"]}, {"questions": ["health"]})
    condition = ("questions[2].asked_if.question", "form_condition")
    assert condition in refused(apart) and condition in refused(alone)
    assert condition not in refused(everybody)


def test_odd_drafts_are_refused_and_break_nothing():
    for forms in (
        None,
        5,
        {},
        [None, None],
        [[], []],
        [{"questions": [[]]}] * 2,
        [{"alpha": [], "questions": ["drugs"]}] * 2,
    ):
        assert refused(DRAFT | {"forms": forms})
    assert refused(DRAFT | {"questions": [{"key": []}, {"key": {}}], "forms": DRAFT["forms"]})


@pytest.mark.parametrize("form", [0, 1])
def test_one_unit_more_of_what_a_draw_of_two_keeps_is_refused(made, form):
    weaker = copy.deepcopy(made)
    weaker["forms"][form]["draws"][0]["table"]["keep"] += 1
    assert definitions.certified(definitions.canonical(made))
    assert not definitions.certified(definitions.canonical(weaker))


def test_it_says_of_each_case_what_the_page_must_say():
    for data, sound in cases():
        assert definitions.certified(data) == sound, data


def test_an_altered_definition_is_certified_only_where_its_forms_keep_every_rule(made):
    """Whatever else was changed: what is certified can be drawn, asked and reported."""
    verdicts = []
    for data in altered(made):
        verdicts.append(definitions.certified(data))
        if verdicts[-1]:
            rules.check(json.loads(data))
    assert verdicts.count(False) > 1000 and verdicts.count(True) > 10
