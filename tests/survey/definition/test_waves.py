"""The earlier survey of a wave: in drafts, definitions and documents."""

import json

import jsonschema
import pytest

from surveys.designer.files import ours
from surveys.designer.xlsform import writer
from surveys.survey import definition as definitions
from surveys.survey.definition import schema, waves
from tests.support.factories import DRAFT
from tests.support.hostile import altered
from tests.support.waves import WAVE

NEXT = DRAFT | {"wave_of": WAVE}


def codes(**fields):
    return {(one.field, one.code) for one in definitions.refusals(DRAFT | {"wave_of": WAVE | fields})}


def test_it_is_frozen_and_a_survey_without_it_has_the_bytes_that_it_had():
    plain, named = definitions.build(DRAFT), definitions.build(NEXT)
    assert named == plain | {"wave_of": WAVE}
    assert b"wave_of" not in definitions.canonical(plain) and definitions.certified(definitions.canonical(named))


@pytest.mark.parametrize("alpha", ["1", "0.01", "16", "999999", "0.000001", "12.345678"])
def test_alphas_are_added_up_in_their_shortest_notation(alpha):
    assert not codes(alpha=alpha)


@pytest.mark.parametrize(
    "alpha", ["0", "0.0", "1.50", "01", "-1", "1e3", "1,5", "1000000", "0.0000001", " 1", "1\n", 2]
)
def test_no_other_notation_is(alpha):
    assert codes(alpha=alpha) == {("wave_of.alpha", "wave_format")}


@pytest.mark.parametrize("delta", ["0.000001", "0.000000000001", "0.09", "0.012"])
def test_deltas_stand_beside_them_where_there_are_any(delta):
    assert not codes(delta=delta)
    named = definitions.build(DRAFT | {"wave_of": WAVE | {"delta": delta}})
    assert named["wave_of"]["delta"] == delta and definitions.certified(definitions.canonical(named))


@pytest.mark.parametrize("delta", ["0", "0.0", "0.0000010", "0.1", "1", ".01", "1e-6", "0.0000000000001", 0.01])
def test_no_other_delta_is_taken(delta):
    assert codes(delta=delta) == {("wave_of.delta", "wave_format")}


def test_every_field_is_needed_and_no_other_is_known():
    assert codes(survey="-x", digest="A" * 64) == {(f"wave_of.{name}", "wave_format") for name in ("survey", "digest")}
    assert codes(more="") == {("wave_of.more", "unknown_field")}
    for name in WAVE:
        draft = DRAFT | {"wave_of": {other: WAVE[other] for other in WAVE if other != name}}
        assert {(one.field, one.code) for one in definitions.refusals(draft)} == {(f"wave_of.{name}", "missing")}
    assert {one.code for one in definitions.refusals(DRAFT | {"wave_of": "abc"})} == {"not_an_object"}


@pytest.mark.parametrize("wave", [WAVE, WAVE | {"delta": "0.000001"}], ids=["alpha", "delta"])
def test_an_altered_definition_is_certified_only_where_the_rules_hold(wave):
    verdicts = []
    for data in altered(definitions.build(DRAFT | {"wave_of": wave})):
        verdicts.append(definitions.certified(data))
        if verdicts[-1]:
            waves.check(json.loads(data))
    assert verdicts.count(False) > 500 and verdicts.count(True) > 5


def test_files_keep_it_and_the_schema_takes_it():
    assert ours.read(json.dumps(NEXT).encode())["wave_of"] == WAVE
    validator = jsonschema.Draft202012Validator(schema.schema("https://example.org/draft"))
    assert not list(validator.iter_errors(NEXT))
    assert list(validator.iter_errors(DRAFT | {"wave_of": WAVE | {"alpha": "1.50"}}))


def test_an_xlsform_says_that_it_leaves_it_out():
    sentence = "That the same people were asked before, and what their reports together can reveal."
    assert sentence in {remark.text for remark in writer.remarks(definitions.build(NEXT))}
    assert sentence not in {remark.text for remark in writer.remarks(definitions.build(DRAFT))}
