"""Forms and draws of several questions in drafts and definitions (M35, M44): frozen definitions keep the alpha that
they state."""

import copy
import json

import pytest

from ldp.forms import definition as rules
from surveys.survey import definition as definitions
from surveys.survey.definition import schema
from tests.support.form_cases import DRAFT, cases
from tests.support.hostile import altered

FORMS = DRAFT["forms"]
# The draft's two draws of several questions, and the other draws.
PAIR, OTHER = FORMS[0]["draws"][0], FORMS[1]["draws"][0]
HEALTH, DEVICES = FORMS[2]["draws"]
REGION, AGE = ({"questions": [key], "alpha": "0.5"} for key in ("region", "age"))
# The draft's questions, each with an alpha.
ALL = [question | {"alpha": "1"} for question in DRAFT["questions"]]


def with_forms(*forms, **fields):
    """Return the draft with other forms, and an alpha for each question that no form names."""
    draws = [draw for part in (fields, *forms) if isinstance(part, dict) for draw in part.get("draws", ())]
    named = {key for draw in draws if isinstance(draw, dict) for key in draw.get("questions", ())}
    questions = [{name: each[name] for name in each if name != "alpha" or each["key"] not in named} for each in ALL]
    return {**DRAFT, "questions": questions, "forms": list(forms), **fields}


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


def test_what_no_form_names_is_drawn_for_everyone_one_by_one(made):
    assert [own["questions"] for own in made["draws"]] == [["region"]]
    plain = {**DRAFT, "questions": [DRAFT["questions"][0], ALL[5]], "forms": []}
    everyone = definitions.build(plain)
    assert "forms" not in everyone and [own["questions"] for own in everyone["draws"]] == [["region"], ["health"]]
    assert made["format"] == everyone["format"] == 1
    without = {name: value for name, value in plain.items() if name != "forms"}
    assert definitions.canonical(everyone) == definitions.canonical(definitions.build(without))


def test_where_every_question_stands_in_a_form_no_one_else_is_asked_any():
    assert definitions.build(with_forms(FORMS[0], FORMS[1], {"draws": [REGION, *FORMS[2]["draws"]]}))["draws"] == []


def test_questions_say_nothing_of_how_they_are_randomized(made):
    assert not any({"alpha", "mechanism", "table", "delta"} & question.keys() for question in made["questions"])


def test_a_form_names_how_many_options_a_report_lists_of_each_of_its_questions():
    """The form has its own order of questions; the definition has the survey's."""
    named = definitions.build(with_forms({"draws": [PAIR | {"sizes": [2, 1]}]}, *FORMS[1:]))
    [draw] = named["forms"][0]["draws"]
    assert PAIR["questions"] == ["often", "drugs"]
    assert draw["questions"] == ["drugs", "often"] and draw["table"]["sizes"] == [1, 2]
    assert definitions.certified(definitions.canonical(named))


def test_the_surveys_alpha_is_that_of_its_largest_report(made):
    assert [float(rules.questionnaire(made).total(form)) for form in range(3)] == [2.5, 2.0, 3.25]
    assert definitions.alpha_total(made) == "3.25"


def test_the_schema_takes_forms():
    import jsonschema

    validator = jsonschema.Draft202012Validator(schema.schema("https://example.org/draft"))
    assert not list(validator.iter_errors(DRAFT))
    one = {"questions": ["a"], "alpha": "1"}
    for wrong in ({"draws": []}, {"weight": 0, "draws": [one]}, {"draws": [one | {"table": {}}]}, one):
        assert list(validator.iter_errors({**DRAFT, "forms": [wrong]}))
    assert not list(validator.iter_errors({**DRAFT, "draws": [one | {"questions": ["a", "b"], "sizes": [1, 1]}]}))
    for wrong in (one, one | {"questions": ["a", "b"], "mechanism": "bitwise"}):
        assert list(validator.iter_errors({**DRAFT, "draws": [wrong]}))


def first(**fields):
    """Return forms whose first draw has these fields; a field of None is left out."""
    changed = {name: value for name, value in (PAIR | fields).items() if value is not None}
    return [{"draws": [changed]}, *FORMS[1:]]


def second(*draws):
    return [FORMS[0], {"draws": list(draws)}]


@pytest.mark.parametrize(
    ("forms", "field", "code"),
    [
        ("two", "forms", "form_count"),
        ([FORMS[0]], "forms", "form_count"),
        ([FORMS[0], FORMS[1] | {"weight": 10_001}], "forms[1].weight", "form_weight"),
        ([FORMS[0], FORMS[1] | {"weight": True}], "forms[1].weight", "form_weight"),
        ([FORMS[0], {"draws": "health"}], "forms[1].draws", "empty_form"),
        ([FORMS[0], {"draws": []}], "forms[1].draws", "empty_form"),
        ([FORMS[0], {"weight": 1}], "forms[1].draws", "missing"),
        ([FORMS[0], FORMS[1] | {"questions": ["age"]}], "forms[1].questions", "unknown_field"),
        ([FORMS[0], 5], "forms[1]", "not_an_object"),
        (second(5), "forms[1].draws[0]", "not_an_object"),
        (second(HEALTH | {"questions": "health"}), "forms[1].draws[0].questions", "empty_draw"),
        (second(HEALTH | {"questions": []}), "forms[1].draws[0].questions", "empty_draw"),
        (second(HEALTH | {"questions": ["nobody"]}), "forms[1].draws[0].questions", "draw_keys"),
        (second(HEALTH | {"questions": ["health", "health"]}), "forms[1].draws[0].questions", "repeated"),
        (second(HEALTH, OTHER, HEALTH), "forms[1].draws[2].questions", "draw_overlap"),
        (second(OTHER | {"questions": ["health", "devices"]}), "forms[1].draws[0].questions", None),
        *(
            (second(OTHER | {"questions": ["health", "devices"], "sizes": [1, size]}), "forms[1].draws[0].sizes", code)
            for size, code in (
                *(([drawn, 1], None) for drawn in (1, 2)),
                *((wrong, "sizes_form") for wrong in ("1", None, [1], [1, 1, 1], [1, "1"], [True, 1], [1, [1]])),
                *((wrong, "sizes_range") for wrong in (1, [0, 1], [3, 1], [1, 0], [1, 2])),
            )
        ),
        (second(OTHER | {"mechanism": "bitwise"}), "forms[1].draws[0].mechanism", "joint_own"),
        (second(OTHER | {"sample": 1}), "forms[1].draws[0].sample", "joint_own"),
        (second(HEALTH, {"questions": ["devices"]}), "forms[1].draws[1].alpha", "missing"),
        (second({"questions": ["age", "income"]}), "forms[1].draws[0].alpha", "missing"),
        (second(HEALTH, DEVICES | {"alpha": "x"}), "forms[1].draws[1].alpha", "alpha_format"),
        (second(HEALTH | {"mechanism": "laplace"}), "forms[1].draws[0].mechanism", "unknown_mechanism"),
        (second(DEVICES | {"sample": 9}), "forms[1].draws[0].sample", "sample_range"),
        (second(AGE | {"mechanism": "bitwise", "delta": "0.1"}), "forms[1].draws[0].delta", "delta_surplus"),
        (second(HEALTH | {"sizes": [3]}), "forms[1].draws[0].sizes", "size_range"),
        (second(HEALTH | {"sizes": [1], "mechanism": "bitwise"}), "forms[1].draws[0].sizes", "size_surplus"),
        (second(HEALTH | {"sizes": [1, 1]}), "forms[1].draws[0].sizes", "sizes_form"),
        (second(HEALTH | {"table": {}}), "forms[1].draws[0].table", "unknown_field"),
        (first(alpha="17"), "forms[0].draws[0].alpha", "alpha_range"),
        (first(questions=["often", "region", "drugs", "age", "income", "health"]), "forms[1].draws[0].questions", None),
        *(
            (first(sizes=sizes), "forms[0].draws[0].sizes", code)
            for sizes, code in (
                *((wrong, "sizes_form") for wrong in ([1], [1, 1, 1], "11", {}, [1, "1"], [1, 1.5], [True, 1])),
                *((wrong, "sizes_range") for wrong in ([3, 1], [2, 2], [0, 1], [1, 0])),
            )
        ),
    ],
)
def test_a_broken_draw_is_refused_by_its_field_and_rule(forms, field, code):
    found = refused(with_forms(*forms) if isinstance(forms, list) else DRAFT | {"forms": forms})
    assert (field, code) in found if code else not any(name.startswith("forms") for name, _code in found)


def test_a_ranking_is_drawn_by_itself():
    ranking = {"key": "devices", "kind": "ranking", "text": "Which?", "ranked": ["tv", "car", "boat"]}
    draft = with_forms(*second(OTHER | {"questions": ["health", "devices"]}))
    draft["questions"] = [ranking if each["key"] == "devices" else each for each in draft["questions"]]
    assert ("forms[1].draws[0].questions", "joint_kind") in refused(draft)


def test_forms_draw_a_list_with_other_questions_and_other_numbers_of_items():
    together = {"questions": ["health", "devices"], "alpha": "2", "sizes": [1, [2, 1]]}
    others = together | {"questions": ["age", "devices"]}, {"questions": ["devices"], "alpha": "1", "sample": 1}
    made = definitions.build(with_forms({"draws": [together]}, *({"draws": [other]} for other in others)))
    assert [form["draws"][0]["table"].get("sizes") for form in made["forms"]] == [[1, [2, 1]], [1, [2, 1]], None]
    assert made["forms"][2]["draws"][0]["table"]["sample"] == 1
    assert definitions.certified(definitions.canonical(made))


@pytest.mark.parametrize(
    ("draws", "field", "code"),
    [
        ({}, "draws", "draw_count"),
        ([REGION], "draws[0].questions", "joint_count"),
        ([REGION | {"questions": ["region", "drugs"]}], "forms[0].draws[0].questions", "draw_overlap"),
        ([REGION | {"questions": ["region", "x"]}], "draws[0].questions", "draw_keys"),
        ([REGION | {"questions": ["region", "health"], "sizes": [1, 3]}], "draws[0].sizes", "sizes_range"),
    ],
)
def test_a_broken_draw_of_everyone_is_refused_by_its_field_and_rule(draws, field, code):
    assert (field, code) in refused(with_forms(FORMS[0], FORMS[1], draws=draws))


def test_a_question_that_draws_name_says_nothing_of_how_it_is_randomized():
    for name, value in (("alpha", "1"), ("mechanism", "bitwise"), ("size", 1), ("sample", 1), ("delta", "0.1")):
        questions = [each | ({name: value} if each["key"] == "health" else {}) for each in DRAFT["questions"]]
        assert (f"questions[5].{name}", "drawn_own") in refused(DRAFT | {"questions": questions})


def test_everyone_is_asked_several_questions_by_one_draw():
    draft = with_forms(draws=[{"questions": ["health", "region"], "alpha": "2", "sizes": [2, 1]}], forms=[])
    made = definitions.build(draft)
    assert made["draws"][0]["questions"] == ["region", "health"] and "forms" not in made
    assert made["draws"][0]["alpha"] == "2" and made["draws"][0]["table"]["sizes"] == [1, 2]
    assert definitions.certified(definitions.canonical(made))


# Questions of several forms -------------------------------------------------------------------------------------------


def overlapping(*draws):
    """Return two forms with these draws of health and another question each."""
    others = [PAIR, OTHER]
    return with_forms(*({"draws": [draw, other]} for draw, other in zip(draws, others, strict=True)))


def test_a_question_stands_in_several_forms_under_different_alphas():
    made = definitions.build(overlapping(HEALTH, HEALTH | {"alpha": "3"}))
    own = [draw for form in made["forms"] for draw in form["draws"] if draw["questions"] == ["health"]]
    assert [draw["alpha"] for draw in own] == ["1.25", "3"]
    assert {draw["mechanism"] for draw in own} == {"randomized_response"}, "which estimates can pool"
    assert definitions.certified(definitions.canonical(made))


def test_a_question_stands_in_one_form_alone_and_in_another_with_others():
    made = definitions.build(
        with_forms({"draws": [PAIR, HEALTH]}, {"draws": [OTHER | {"questions": ["age", "health"]}]})
    )
    assert [draw["questions"] for draw in made["forms"][1]["draws"]] == [["age", "health"]]
    assert definitions.certified(definitions.canonical(made))


def test_forms_ask_a_question_alike_or_with_scores_that_are_pooled():
    assert not refused(overlapping(DEVICES, DEVICES))
    assert not refused(overlapping(DEVICES, DEVICES | {"alpha": "2"}))
    other = ("forms[1].draws[0].mechanism", "draw_pooled")
    assert other in refused(overlapping(HEALTH, HEALTH | {"mechanism": "exponential"}))
    bitwise = HEALTH | {"mechanism": "bitwise"}
    assert not refused(overlapping(bitwise, bitwise))


def test_a_ranking_has_the_same_draw_in_all_its_forms():
    ranking = {"key": "devices", "kind": "ranking", "text": "Which?", "ranked": ["tv", "car", "boat"]}

    def found(*draws):
        draft = overlapping(*draws)
        draft["questions"] = [ranking if each["key"] == "devices" else each for each in draft["questions"]]
        return definitions.refusals(draft)

    alike = {"questions": ["devices"], "alpha": "2", "sample": 2}
    assert not found(alike, alike)
    rules = {refusal.field: str(refusal.rule) for refusal in found(alike, alike | {"alpha": "1"})}
    assert rules["forms[1].draws[0].mechanism"] == "must be the same in every form that asks the question"


def test_anyone_who_is_asked_a_question_was_asked_the_one_that_decides():
    drugs, often = ({"questions": [key], "alpha": "1"} for key in ("drugs", "often"))
    apart = with_forms({"draws": [drugs]}, {"draws": [often]})
    everyone = with_forms({"draws": [often]}, {"draws": [HEALTH]})
    alone = with_forms({"draws": [drugs]}, {"draws": [HEALTH]})
    further = with_forms({"draws": [drugs, often]}, {"draws": [often, HEALTH]})
    both = with_forms({"draws": [drugs, often]}, {"draws": [drugs, often, HEALTH]}, {"draws": [drugs, OTHER]})
    condition = ("questions[2].asked_if.question", "form_condition")
    assert condition in refused(apart) and condition in refused(alone) and condition in refused(further)
    assert condition not in refused(everyone) and condition not in refused(both)


def test_odd_drafts_are_refused_and_break_nothing():
    for forms in (
        None,
        5,
        {},
        [None, None],
        [[], []],
        [{"draws": [[]]}] * 2,
        [{"draws": [{"questions": [[]]}]}] * 2,
        [{"draws": [{"alpha": [], "questions": ["drugs"]}]}] * 2,
    ):
        assert refused(DRAFT | {"forms": forms})
        assert refused(DRAFT | {"draws": forms}) if forms else True
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
    """Everything certified can be drawn, asked and reported."""
    verdicts = []
    for data in altered(made):
        verdicts.append(definitions.certified(data))
        if verdicts[-1]:
            rules.check(json.loads(data))
    assert verdicts.count(False) > 1000 and verdicts.count(True) > 10
