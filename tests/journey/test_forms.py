"""A survey in four forms on a running system; one form asks the questions of two others in another way. Another program
draws, randomizes and sends, and recomputes every published number. It was written from recompute.md and shares no code
with the product."""

import hashlib
import json
import random
from pathlib import Path

import pytest

from tests.support import client, recompute
from tests.support.drawn import drawn
from tests.support.journeys import open_survey, published, request

pytestmark = pytest.mark.system

PEOPLE = 360
ENDS = 1e-9
DRAFT = drawn(
    {
        "title": "Four forms",
        "questions": [
            {"key": "region", "kind": "single_choice", "text": "Where?", "options": ["a", "b", "c"], "alpha": "1"},
            {"key": "drugs", "kind": "yes_no", "text": "Ever?"},
            {"key": "health", "kind": "ordered", "text": "How well?", "options": ["bad", "so so", "good"]},
            {"key": "age", "kind": "histogram", "text": "How old?", "edges": ["18", "30", "50", "70", "99"]},
            {"key": "drinks", "kind": "histogram", "text": "How many?", "edges": ["0", "1", "8", "30"], "alpha": "1.5"},
            {"key": "vote", "kind": "single_choice", "text": "Whom?", "options": [*"abcd"], "alpha": "1"}
            | {"prefer_not_to_say": True},
            {"key": "income", "kind": "mean", "text": "How much?", "low": "0", "high": "4000", "unit": "euro"},
            {"key": "poor", "kind": "yes_no", "text": "Too little?"},
            {"key": "trust", "kind": "mean", "text": "How much trust?", "steps": [*"abcde"], "alpha": "1"},
            {"key": "mood", "kind": "mean", "text": "How well?", "steps": [*"abcd"]},
        ],
        "forms": [
            {"weight": 3, "questions": ["drugs", "health", "age"], "alpha": "3"},
            {"weight": 2, "questions": ["drinks", "vote", "trust"]},
            {"weight": 2, "questions": ["income", "poor", "mood"], "alpha": "2"},
            {"weight": 2, "questions": ["health", "income", "poor"], "alpha": "2.5", "sizes": [2, 1, 1]},
        ],
    }
)


def answers(chance):
    """Return the dependent answers of a person."""
    age = chance.randrange(4)
    poor = chance.random() < 0.3
    return {
        "region": min(chance.randrange(3), chance.randrange(3)),
        "drugs": int(chance.random() < 0.4 + age / 8),
        "health": min(2, chance.randrange(4 - age) if age < 3 else 0),
        "age": age,
        "drinks": min(chance.randrange(3), chance.randrange(3)),
        "vote": chance.choice([0, 0, 1, 2, 4]),
        "income": chance.uniform(0, 1500) if poor else chance.uniform(800, 5000),
        "poor": int(not poor),
        "trust": min(4, chance.randrange(7)),
        "mood": chance.randrange(2) if poor else chance.randrange(4),
    }


# Daily, test_journey.py and tests/browser/test_forms.py send and count reports on the embedded pair.
@pytest.mark.parametrize("system", [pytest.param("embedded", marks=pytest.mark.long), "production"], indirect=True)
def test_another_program_samples_sends_and_recomputes_a_survey_in_forms(system, tmp_path):
    slug = open_survey(system, tmp_path, draft=DRAFT)
    api = f"{system.url}/api/v1/surveys/{slug}"
    canonical = request(f"{api}/definition")[2]
    definition, digest = json.loads(canonical), hashlib.sha256(canonical).hexdigest()
    assert definition["format"] == 1

    chance, bodies = random.Random(11), []
    for _ in range(PEOPLE):
        form = client.draw_form(definition, lambda: chance.getrandbits(32))
        bodies.append(client.report(definition, digest, form, answers(chance), lambda: chance.getrandbits(32)))
    assert {request(f"{api}/reports", json.dumps(body))[0] for body in bodies} == {201}
    assert {form for form in range(4) for body in bodies if body["form"] == form} == {0, 1, 2, 3}

    system.manage("survey", "close", slug)
    document = published(system, slug, lambda document: document["final"])
    assert document["n"] == PEOPLE and document["digest"] == digest
    assert document["totals_digest"] == recompute.totals_digest(definition, bodies)
    confidences = [document["confidence"], 0.9, 0.99]
    for place, confidence in enumerate(confidences):
        mine = recompute.survey(definition, bodies, confidence)
        assert [result["key"] for result in document["questions"]] == list(mine)
        for theirs in document["questions"]:
            compare(theirs, *mine[theirs["key"]], place)


def compare(theirs, mine, place):
    """Compare the numbers at the document's confidence (0), or at one of its levels."""
    assert (theirs["n_about"], theirs["together"]) == (mine["n_about"], mine["together"])
    width = float(theirs["high"]) - float(theirs["low"]) if theirs["kind"] == "mean" else 1.0
    for method in theirs["methods"]:
        for one, other in zip(method["categories"], mine["methods"][method["method"]], strict=True):
            assert one["estimate"] == pytest.approx(other["estimate"], abs=ENDS * width)
            for target in ("population", "respondents"):
                error, *ends = other[target]
                its = one[target]["levels"][place - 1] if place else one[target]
                assert one[target]["standard_error"] == pytest.approx(error, abs=ENDS * width)
                assert [*its["interval"], *its["simultaneous"]] == pytest.approx(ends, abs=ENDS * width)


def test_the_other_client_shares_no_code():
    source = Path(client.__file__).read_text(encoding="utf-8")
    imports = [line for line in source.splitlines() if line.startswith(("import", "from"))]
    assert not [line for line in imports if "ldp" in line or "surveys" in line or "tests" in line]
