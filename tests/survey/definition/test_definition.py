"""A draft becomes a definition or is refused with the field and the rule."""

import copy
import hashlib
import json

import pytest

from ldp.forms.report import alone
from ldp.mechanisms import FITTING, WITH_DELTA, of
from surveys.survey import definition as definitions
from tests.support.factories import DRAFT


def _refusal(change):
    draft = copy.deepcopy(DRAFT)
    change(draft)
    with pytest.raises(definitions.DraftRefused) as refused:
        definitions.build(draft)
    (refusal,) = refused.value.refusals
    assert refusal.rule and str(refused.value).startswith(f"{refusal.place}: ")
    return refusal.field


def _first(**changes):
    return lambda draft: draft["questions"][0].update(changes)


def _last(**changes):
    return lambda draft: draft["questions"][2].update(changes)


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("title", lambda draft: draft.pop("title")),
        ("title", lambda draft: draft.update(title="  ")),
        ("title", lambda draft: draft.update(title="x" * 201)),
        ("title", lambda draft: draft.update(title=5)),
        ("title", lambda draft: draft.update(title="a\x00b")),
        ("title", lambda draft: draft.update(title="\ud800")),
        ("introduction", lambda draft: draft.update(introduction=None)),
        ("secret", lambda draft: draft.update(secret=1)),
        ("questions", lambda draft: draft.update(questions=[])),
        ("questions", lambda draft: draft.update(questions={})),
        ("questions", lambda draft: draft.update(questions=draft["questions"] * 67)),
        ("questions[0]", lambda draft: draft.update(questions=["text"])),
        ("questions[1].key", lambda draft: draft["questions"][1].update(key="yes")),
        ("questions[0].key", _first(key="Yes")),
        ("questions[0].key", _first(key="a" * 41)),
        ("questions[0].kind", _first(kind="free_text")),
        ("questions[0].kind", _first(kind=["yes_no"])),
        ("questions[0].kind", lambda draft: draft["questions"][0].pop("kind")),
        ("questions[0].text", _first(text="")),
        ("questions[0].alpha", _first(alpha=True)),
        ("questions[0].alpha", _first(alpha=[1])),
        ("questions[0].alpha", _first(alpha=17)),
        ("questions[0].alpha", _first(alpha=0.0000001)),
        ("questions[0].alpha", _first(alpha=float("nan"))),
        ("questions[0].alpha", _first(alpha=float("inf"))),
        ("questions[0].alpha", _first(alpha="0")),
        ("questions[0].alpha", _first(alpha="16.1")),
        ("questions[0].alpha", lambda draft: draft["questions"][0].pop("alpha")),
        ("questions[0].mechanism", _first(mechanism="laplace")),
        ("questions[0].mechanism", _first(mechanism=None)),
        ("questions[0].options", _first(options=["Yes", "No"])),
        ("questions[0].table", _first(table={"other": 1})),
        ("questions[0].prefer_not_to_say", _first(prefer_not_to_say="yes")),
        ("questions[1].options", lambda draft: draft["questions"][1].update(options=["a"])),
        ("questions[1].options", lambda draft: draft["questions"][1].update(options=["a", "a"])),
        ("questions[1].options", lambda draft: draft["questions"][1].update(options=["a", "Prefer not to say"])),
        ("questions[1].options", lambda draft: draft["questions"][1].update(options=[f"{i}" for i in range(257)])),
        ("questions[1]", lambda draft: draft["questions"][1].update(options=[f"{i}" for i in range(256)])),
        ("questions[1].options[1]", lambda draft: draft["questions"][1].update(options=["a", ""])),
        ("questions[2].edges", _last(edges=["1", "2"])),
        ("questions[2].edges", _last(edges=["1", "3", "2"])),
        ("questions[2].edges", _last(edges=["1", "1.0", "2"])),
        ("questions[2].edges[1]", _last(edges=["1", "1e3", "2"])),
        ("questions[2].edges[0]", _last(edges=[None, "2", "3"])),
        ("questions[2].edges[0]", _last(edges=[True, "2", "3"])),
        ("questions[2].edges[2]", _last(edges=[1, 2, 1e300])),
        ("questions[2].edges[2]", _last(edges=[1, 2, 10**12])),
        ("questions[2].unit", _last(unit="x" * 41)),
    ],
)
def test_a_draft_that_breaks_a_rule_is_refused_by_field(field, change):
    assert _refusal(change) == field


@pytest.mark.parametrize("draft", [None, [], "text", 5])
def test_a_draft_is_an_object(draft):
    with pytest.raises(definitions.DraftRefused, match="draft: must be an object"):
        definitions.build(draft)


def test_a_definition_has_canonical_bytes_and_their_digest():
    definition = definitions.build(DRAFT)
    canonical = definitions.canonical(definition)
    assert canonical == json.dumps(json.loads(canonical), sort_keys=True, separators=(",", ":")).encode()
    assert definitions.digest(definition) == hashlib.sha256(canonical).hexdigest()
    assert definitions.build(DRAFT) == definition


def test_every_question_states_its_options_and_a_certified_table():
    for question in alone(definitions.build(DRAFT)):
        assert of(question).certified()


def test_prefer_not_to_say_is_an_option_like_any_other():
    question = alone(definitions.build(DRAFT))[1]
    assert question["options"] == ["a", "b", "c", "Prefer not to say"]
    edges = {"kind": "histogram", "edges": ["0", "1", "2.50", "9"], "prefer_not_to_say": True}
    draft = {"title": "x", "questions": [{"key": "a", "text": "b", "alpha": "1.0"} | edges]}
    [question] = alone(definitions.build(draft))
    assert question["options"] == ["under 1", "1 to under 2.5", "2.5 or more", "Prefer not to say"]
    assert question["alpha"] == "1"


def test_total_alpha_is_the_exact_sum():
    assert definitions.alpha_total(definitions.build(DRAFT)) == "4"
    tenth = [{"key": f"q{i}", "kind": "yes_no", "text": "?", "alpha": "0.1"} for i in range(3)]
    assert definitions.alpha_total(definitions.build({"title": "x", "questions": tenth})) == "0.3"


def test_weak_protection_is_pointed_out():
    strong = [{"key": f"q{i}", "kind": "yes_no", "text": "?", "alpha": "4.5"} for i in range(2)]
    found = definitions.warnings(definitions.build({"title": "x", "questions": strong}))
    assert len(found) == 3 and "total alpha is 9" in found[2]
    assert definitions.warnings(definitions.build(DRAFT)) == []


def test_the_definition_with_most_questions_is_built():
    options = [f"{i}" for i in range(5)]
    questions = [
        {"key": f"q{i}", "kind": "single_choice", "text": "?", "options": options, "alpha": "0.01"} for i in range(200)
    ]
    definition = definitions.build({"title": "x", "questions": questions})
    assert definition["draws"][199]["mechanism"] == "randomized_response"
    assert definition["draws"][199]["table"]["sizes"] == [2]


# The kinds beyond yes_no, single_choice and histogram -----------------------------------------------------------------

OTHERS = {
    "ordered": {"options": ["not", "little", "much"]},
    "mean": {"low": "-1.50", "high": "24.0", "unit": "hours"},
    "multiple_choice": {"options": ["a", "b", "c"], "sample": 2},
    "ranking": {"ranked": ["tea", "milk", "beer"]},
    "grid": {"items": ["tea", "milk"], "options": ["never", "often"]},
    "histogram": {"edges": ["0", "1", "2"], "mechanism": "osgt", "delta": "0.0000010"},
    "date": {"dates": ["2000", "2001", "2002"], "mechanism": "osgt", "delta": "0.0000010"},
}


def _built(kind, **changes):
    question = {"key": "q", "kind": kind, "text": "?", "alpha": "1"} | OTHERS[kind] | changes
    [drawn] = alone(definitions.build({"title": "x", "questions": [question]}))
    return drawn


def test_every_kind_states_what_its_page_and_its_reports_need():
    assert _built("ordered")["options"] == ["not", "little", "much"]
    mean = _built("mean")
    assert (mean["low"], mean["high"], mean["unit"], mean["mechanism"]) == ("-1.5", "24", "hours", "one_bit")
    assert "options" not in mean and mean["prefer_not_to_say"] is False
    assert _built("multiple_choice")["table"]["sample"] == 2
    refusing = _built("multiple_choice", prefer_not_to_say=True, sample=4)
    assert refusing["options"] == ["a", "b", "c", "Prefer not to say"] and refusing["table"]["sample"] == 4
    grid = _built("grid", prefer_not_to_say=True)
    assert (grid["items"], grid["options"]) == (["tea", "milk"], ["never", "often", "Prefer not to say"])
    assert grid["table"]["sample"] == 1
    assert _built("histogram")["delta"] == "0.000001"


@pytest.mark.parametrize("kind", FITTING)
def test_every_mechanism_of_a_kind_can_be_named(kind):
    for mechanism in FITTING[kind]:
        own = OTHERS.get(kind, {"options": ["a", "b"]} if kind == "single_choice" else {})
        question = {"key": "q", "kind": kind, "text": "?", "alpha": "1"} | own | {"mechanism": mechanism}
        if mechanism not in WITH_DELTA:
            question.pop("delta", None)
        [built] = alone(definitions.build({"title": "x", "questions": [question]}))
        assert built["mechanism"] == mechanism
        assert of(built).certified()


def test_a_size_says_how_many_options_a_report_lists_and_means_randomized_response():
    sized = [_built("ordered", size=size) for size in (1, 2)]
    assert [(each["mechanism"], each["table"]["sizes"]) for each in sized] == [
        ("randomized_response", [1]),
        ("randomized_response", [2]),
    ]
    bins = {name: value for name, value in OTHERS["date"].items() if name == "dates"}
    question = {"key": "q", "kind": "date", "text": "?", "alpha": "1", "size": 1} | bins
    [drawn] = alone(definitions.build({"title": "x", "questions": [question]}))
    assert drawn["mechanism"] == "randomized_response" and drawn["table"]["sizes"] == [1]
    grid = _built("grid", options=["never", "often", "always"], size=2, sample=2)
    assert grid["table"]["size"] == 2 and grid["table"]["sample"] == 2 and of(grid).certified()


@pytest.mark.parametrize(
    ("field", "kind", "changes"),
    [
        ("options", "ordered", {"options": ["a"]}),
        ("mechanism", "ordered", {"mechanism": "exponential", "options": [f"{i}" for i in range(33)]}),
        ("mechanism", "ordered", {"mechanism": "laplace"}),
        ("delta", "ordered", {"delta": "0.001"}),
        ("low", "mean", {"low": [0]}),
        ("low", "mean", {"low": "1e3"}),
        ("high", "mean", {"high": "24h"}),
        ("high", "mean", {"low": "24"}),
        ("high", "mean", {"high": "-1.5"}),
        ("unit", "mean", {"unit": "x" * 41}),
        ("options", "mean", {"options": ["a", "b"]}),
        ("prefer_not_to_say", "mean", {"prefer_not_to_say": True}),
        ("mechanism", "mean", {"mechanism": "randomized_response"}),
        ("sample", "multiple_choice", {"sample": 0}),
        ("sample", "multiple_choice", {"sample": 4}),
        ("sample", "multiple_choice", {"sample": "1"}),
        ("sample", "multiple_choice", {"sample": True}),
        ("options[1]", "multiple_choice", {"options": ["a", " "]}),
        ("sample", "grid", {"sample": 3}),
        ("items", "grid", {"items": ["tea"]}),
        ("items", "grid", {"items": ["tea", "tea"]}),
        ("items", "grid", {"items": [f"{i}" for i in range(65)]}),
        ("items[0]", "grid", {"items": [5, "tea"]}),
        ("options", "grid", {"options": ["a", "Prefer not to say"]}),
        ("delta", "histogram", {"delta": "1e-6"}),
        ("delta", "histogram", {"delta": "0.01"}),
        ("delta", "histogram", {"delta": True}),
        ("delta", "histogram", {"delta": None}),
        ("delta", "histogram", {"mechanism": "laplace"}),
        ("mechanism", "histogram", {"alpha": "0.01"}),
        ("mechanism", "histogram", {"mechanism": "exponential"}),
        ("sample", "histogram", {"sample": 1}),
    ],
)
def test_a_question_that_breaks_a_rule_of_its_kind_is_refused_by_field(field, kind, changes):
    with pytest.raises(definitions.DraftRefused) as refused:
        _built(kind, **changes)
    assert [refusal.field for refusal in refused.value.refusals] == [f"questions[0].{field}"]


def test_a_mean_says_why_no_one_can_prefer_not_to_say():
    with pytest.raises(definitions.DraftRefused, match="every answer is a number; a histogram can have it"):
        _built("mean", prefer_not_to_say=True)


@pytest.mark.parametrize("field", ["low", "high", "delta", "items"])
def test_what_a_kind_needs_is_missed_by_name(field):
    kind = {"delta": "histogram", "items": "grid"}.get(field, "mean")
    question = {"key": "q", "kind": kind, "text": "?", "alpha": "1"} | OTHERS[kind]
    del question[field]
    with pytest.raises(definitions.DraftRefused, match=rf'^question 1 \(key "q"\), {field}: is missing'):
        definitions.build({"title": "x", "questions": [question]})
