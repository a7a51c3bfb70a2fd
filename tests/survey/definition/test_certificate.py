"""The server's own certificate: a definition that no page would ask is never frozen, and both compute the same (P2)."""

import copy
import json
import random
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ldp.forms.report import alone
from ldp.kinds.histogram import category
from ldp.mechanisms import FITTING
from ldp.privatize import randomize
from surveys.survey import definition as definitions
from surveys.survey.definition import build_cache, randomization
from surveys.survey.definition.layout import Layout
from tests.support import vectors
from tests.support.certificate_cases import definition
from tests.support.hostile import all_answers, altered
from tests.support.malformed import cases


@pytest.mark.parametrize("subject", ["thresholds", "weights", "noise", "malformed"])
def test_it_says_of_each_case_what_the_page_must_say(subject):
    for question, sound in cases(subject):
        assert definitions.certified(definitions.canonical(definition(question))) == sound, question


def test_what_is_built_wrongly_is_never_opened(monkeypatch):
    """A fault in this program stops the opening, as it would stop the page."""
    draft = {"title": "x", "questions": [{"key": "q", "kind": "yes_no", "text": "?", "alpha": "1"}]}
    definitions.build(draft)
    build = randomization.build

    def weak(*arguments):
        made = copy.deepcopy(build(*arguments))
        made["table"]["keep"] += 1
        return made

    monkeypatch.setattr(randomization, "build", weak)
    monkeypatch.setattr(build_cache, "KEPT", build_cache.TextCache(0))
    with pytest.raises(definitions.NotCertified):
        definitions.build(draft)


def every_answer_is_reported(data: bytes) -> None:
    """Check that every answer the form can give makes a report that the intake can store."""
    made = json.loads(data)
    chance = random.Random(data)
    for question in alone(made):
        layout = Layout(
            {"questions": [question], "draws": [each for each in made["draws"] if question["key"] in each["questions"]]}
        )
        for answer in all_answers(question):
            if question["kind"] == "histogram" and isinstance(answer, str):
                answer = category(question, Decimal(answer))
            elif question["kind"] == "mean" and "steps" not in question:
                answer = plain(answer)
            report = randomize(question, answer, lambda: chance.getrandbits(53))
            assert len(layout.pack({question["key"]: json.loads(json.dumps(report))})) == layout.bytes


def plain(typed: str) -> str:
    """Return number.js's form of a typed number."""
    whole, _, decimals = typed.lstrip("+-").partition(".")
    return ("-" if typed.startswith("-") else "") + (whole or "0") + (f".{decimals}" if decimals else "")


@pytest.mark.parametrize("index", range(len(vectors.EVERY_KIND["questions"])))
def test_every_certified_alteration_still_reports_every_answer(index):
    draft = {"title": "é", "questions": [vectors.EVERY_KIND["questions"][index]]}
    verdicts = []
    for data in altered(definitions.build(draft)):
        verdicts.append(definitions.certified(data))
        if verdicts[-1]:
            every_answer_is_reported(data)
    assert verdicts.count(False) > 250 and 0 < verdicts.count(True) < len(verdicts) / 3


# Random drafts --------------------------------------------------------------------------------------------------------

decimals = st.decimals(-(10**6), 10**6, places=3).map(lambda number: f"{number + 0:.3f}")
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
several = st.lists(texts, min_size=2, max_size=9)


@st.composite
def drafts(draw):
    kind = draw(st.sampled_from(list(FITTING)))
    question = {"key": "q", "kind": kind, "text": draw(texts), "note": draw(texts)}
    question["alpha"] = draw(st.sampled_from(["0.01", "0.5", "1", "2.75", "16"]))
    question["mechanism"] = draw(st.sampled_from(FITTING[kind]))
    if kind in ("single_choice", "ordered", "multiple_choice", "grid"):
        question["options"] = draw(several)
    if kind == "ranking":
        question["ranked"] = draw(several)
    if kind == "grid":
        question["items"] = draw(several)
    if kind in ("grid", "multiple_choice"):
        question["sample"] = draw(st.integers(1, 3))
    if kind == "histogram":
        question["edges"] = sorted(draw(st.lists(decimals, min_size=3, max_size=9, unique_by=Decimal)), key=Decimal)
    if kind == "mean" and draw(st.booleans()):
        question["steps"] = draw(several)
    elif kind == "mean":
        question["low"], question["high"] = draw(decimals), draw(decimals)
    elif kind != "ranking":
        question["prefer_not_to_say"] = draw(st.booleans())
    if question["mechanism"] in ("osgt", "gaussian"):
        question["delta"] = "0.0001"
    return {"title": draw(texts), "questions": [question]}


@settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(drafts())
def test_every_definition_that_can_be_built_reports_every_answer(draft):
    try:
        made = definitions.build(draft)  # this certifies it
    except definitions.DraftRefused:
        assume(False)
    every_answer_is_reported(definitions.canonical(made))
