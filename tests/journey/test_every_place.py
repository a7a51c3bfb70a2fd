"""Every kind with every mechanism that fits it, in every place that must know it. A missing place fails here.

tests/browser/test_every_mechanism.py does the same for the page in Chromium. The reports of one survey with every kind
and mechanism go the whole way in tests/journey/test_every_kind.py and tests/researcher/results/test_every_kind.py.
"""

import csv
import functools
import io
import json
import math
import random
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from drf_spectacular.generators import SchemaGenerator

import ldp.kinds
import ldp.privatize
import ldp.results
from ldp.forms.report import alone
from ldp.mechanisms import FITTING, MECHANISMS, WITH_DELTA, of
from ldp.planning.plans import plan
from ldp.privatize import make_report
from ldp.tally import Field
from surveys.figures.layout import WIDTHS
from surveys.figures.themes import THEMES
from surveys.researcher.downloads import exports
from surveys.researcher.results import glossary, plots, presentation
from surveys.respondent.intake.envelope import parse
from surveys.survey import definition as definitions
from surveys.survey import kinds, mechanisms
from surveys.survey.definition.layout import Layout
from tests.support import faults, vectors
from tests.support.api_schema import validate
from tests.support.browser_faults import BROWSER_FAULTS

ROOT = Path(__file__).parents[2]
# A mean's question takes a number, or a step of a scale.
OF_STEPS = "mean of steps"
PAIRS = [(kind, name) for kind, names in (*FITTING.items(), (OF_STEPS, FITTING["mean"])) for name in names]
PEOPLE = 40
HEADER = {
    "survey": "a", "title": "b", "digest": "0" * 64, "release": 1, "date": "2030-01-31", "final": True, "n": PEOPLE,
    "totals_digest": "0" * 64, "confidence": 0.95, "alpha_total": "1", "software": "test",
}  # fmt: skip


def test_the_shared_vectors_hold_every_kind_and_every_mechanism():
    questions = alone(definitions.build(vectors.EVERY_KIND))
    assert {question["kind"] for question in questions} == set(FITTING)
    assert {question["mechanism"] for question in questions} == set(MECHANISMS)


@pytest.mark.parametrize(("kind", "mechanism"), PAIRS)
def test_a_kind_with_a_mechanism_goes_from_its_draft_to_its_download(kind, mechanism):
    draft = draft_of(kind, mechanism)
    definition = definitions.build(draft)
    (question,) = alone(definition)
    assert definitions.certified(definitions.canonical(definition)) and of(question).certified()
    counted = question, tallied(definition, question), HEADER["n"]
    published = json.loads(json.dumps(ldp.results.document(HEADER, [counted]) | {"efficiency": None}))
    said(published, question)
    drawn(published)
    downloaded(published)


def draft_of(kind, mechanism):
    of_kind = [question for question in vectors.EVERY_KIND["questions"] if kind_of(question) == kind]
    assert of_kind, f"tests/support/vectors.py has no question of the kind {kind}"
    question = of_kind[0]
    question = {name: value for name, value in question.items() if name not in ("delta", "size")} | {"alpha": "1"}
    delta = {"delta": "0.000001"} if mechanism in WITH_DELTA else {}
    return {"title": "Every place", "questions": [question | {"mechanism": mechanism} | delta]}


def kind_of(question):
    return OF_STEPS if "steps" in question else question["kind"]


def tallied(definition, question):
    """Return the totals of some reports. The intake takes and packs each report, and finds it again in the bits."""
    chance, layout, packing = random.Random(f"{question['kind']} {question['mechanism']}"), Layout(definition), None
    packed = []
    for _ in range(PEOPLE):
        answers = {question["key"]: ldp.kinds.of(question).random_answer(question, chance)}
        body = make_report(definition, "0" * 64, answers, lambda: chance.getrandbits(32))
        validate(json.loads(body), described_report())
        report = parse(body.encode()).answers
        packed.append(layout.pack(report))
        packing = of(question).packing()
        code = int.from_bytes(packed[-1], "big") >> (8 * layout.bytes - layout.bits)
        assert packing.decode(code) == report[question["key"]]
    bits = np.unpackbits(np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(PEOPLE, layout.bytes), axis=1)
    return of(question).tally(Field.of(bits[:, : packing.width]))


@functools.cache
def description():
    return SchemaGenerator().get_schema(request=None, public=True)


def described_report():
    path = description()["paths"]["/api/v1/surveys/{slug}/reports"]["post"]
    return path["requestBody"]["content"]["application/json"]["schema"]


def said(published, question):
    page = presentation.page(published, [question])
    (shown,) = page["questions"]
    assert shown["parts"]
    for part in shown["parts"]:
        assert part["findings"] or part["too_early"]
        assert part["alt"] and all(fact.term and fact.meaning for fact in part["facts"])
    words = mechanisms.of(question)
    assert words.name and words.sent
    assert {method["method"] for result in published["questions"] for method in result["methods"]} <= set(
        glossary.METHODS
    )
    estimates = description()["paths"]["/api/v1/surveys/{slug}/estimates"]["get"]["responses"]["200"]
    validate(published, estimates["content"]["application/json"]["schema"])


def drawn(published):
    result = published["questions"][0]
    for width in WIDTHS:
        plan = kinds.of(result).layout(result, width)
        assert plan.width > 0 and plan.height > 0
    assert plots.draw(result, published["confidence"], next(iter(THEMES)), "narrow").endswith(b"</svg>")


def downloaded(published):
    rows = list(csv.DictReader(io.StringIO(exports.csv_text(published), newline="")))
    estimates = [
        category["estimate"]
        for result in published["questions"]
        for method in result["methods"]
        for category in method["categories"]
    ]
    assert [float(row["estimate"]) for row in rows if row["target"] == "population"] == estimates


@pytest.mark.parametrize("alpha", ["0.01", "1", "16"])
@pytest.mark.parametrize(("kind", "mechanism"), PAIRS)
def test_reports_that_all_say_the_same_have_results_too(kind, mechanism, alpha):
    """A survey ends with one report, or with many equal ones. No error is zero, and nothing divides by zero."""
    draft = draft_of(kind, mechanism)
    draft["questions"][0]["alpha"] = alpha
    try:
        (question,) = alone(definitions.build(draft))
    except definitions.DraftRefused:
        assert mechanism in WITH_DELTA and alpha == "0.01"
        return
    packing = of(question).packing()
    answer = ldp.kinds.of(question).random_answer(question, random.Random(3))
    for seed in range(6):
        chance = random.Random(seed)
        report = ldp.privatize.randomize(question, answer, lambda chance=chance: chance.randrange(2**53))
        code = packing.encode(report)
        bits = np.array([[code >> place & 1 for place in reversed(range(packing.width))]], dtype=np.uint8)
        for n in (1, 2, 100):
            totals = of(question).tally(Field.of(np.repeat(bits, n, axis=0)))
            for result in ldp.results.results(question, totals, n, 0.95):
                for category in result["methods"][0]["categories"]:
                    assert category["population"]["standard_error"] > 0, (report, n)
                    assert math.isfinite(category["estimate"]) and category["respondents"]["standard_error"] >= 0


@pytest.mark.parametrize(("kind", "mechanism"), PAIRS)
def test_a_plan_knows_it(kind, mechanism):
    delta = Fraction(1, 10**6) if mechanism in WITH_DELTA else None
    sample = 2 if kind == "ranking" else 1
    planned = plan("mean" if kind == OF_STEPS else kind, 3, Fraction(1), 1000, items=3, sample=sample, delta=delta)
    assert mechanism in {option.mechanism for option in planned.options}


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_faults_of_it_are_seeded_on_both_sides(mechanism):
    assert any(fault.mechanism is MECHANISMS[mechanism] for fault in faults.PYTHON_FAULTS.values())
    assert mechanism in {name for name, _, _ in BROWSER_FAULTS.values()}


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_mechanism_rests_on_a_statement_of_the_mathematics(mechanism):
    headline = str(MECHANISMS[mechanism].__doc__).partition("\n")[0]
    [statement] = re.findall(r"\((M[0-9]+[a-z]?)[;)]", headline)
    assert f"\n**{statement}. " in (ROOT / "docs/mathematics.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", FITTING)
def test_the_documents_name_the_kind(kind):
    assert f"`{kind}`" in (ROOT / "docs/makers/drafts.md").read_text(encoding="utf-8")
