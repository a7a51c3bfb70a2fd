"""The coverage of intervals on the whole path, for real people: `python -m benchmarks.voters [--surveys 200]`.

In each survey the 944 voters of the data set anes96 (surveys/public/demo) answer. Every answer is randomized anew and
sent by HTTP to an embedded system, which counts, releases, estimates and crosses. The truth is theirs, so intervals for
the respondents are judged. Cross-tables, and questions whose reports cover only some items, are judged by intervals for
a population; these hold for the respondents too. A promise is kept if as many surveys as promised have every true value
inside at once. Needs requirements-dev.txt.
"""

import argparse
import itertools
import json
from typing import Any

from scipy import stats
from tqdm import tqdm

import benchmarks.site  # noqa: F401
from benchmarks.tables import table, write
from ldp.privatize import make_report
from ldp.words import system_words
from surveys.public.demo import client, drafts, respondents, truth
from surveys.survey import definition as definitions
from tests.services.system import EmbeddedSystem

CONFIDENCE = 0.95
CROSSED = (("vote", "party"), ("vote", "placed.3"), ("news", "age"))
PATIENCE = 3600.0  # seconds

OPEN = """
import json, sys
from surveys.life.lifecycle import create_draft, open_survey
draft = json.load(sys.stdin)
for _ in range({surveys}):
    survey = create_draft(draft, results_public=True)
    open_survey(survey)
    print("opened", survey.slug)
"""
CLOSE = """
from surveys.life.lifecycle import close_survey
from surveys.models import Survey
for survey in Survey.objects.filter(state="open"):
    close_survey(survey)
"""
ASK = """
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.crossings.pairs import Pair
from surveys.researcher.analyses.frame.requests import ask
from surveys.models import Release
for release in Release.objects.filter(final=True):
    for first, second in {pairs!r}:
        ask(CROSSINGS, None, release, Pair(first, second))
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--surveys", type=int, default=200, help="how many times everybody answers (default: 200)")
    surveys = options.parse_args().surveys
    system = EmbeddedSystem(BATCH="100", CLIENT_REPORTS_PER_MINUTE="1000000")
    try:
        write("voters", "944 voters asked again and again", measured(system, surveys))
    finally:
        system.stop()


def measured(system: EmbeddedSystem, surveys: int) -> list[str]:
    definition = definitions.build(drafts.draft("anes96"))
    people = list(respondents.answers(definition, "anes96"))
    said = system.manage("shell", "-c", OPEN.format(surveys=surveys), stdin=json.dumps(drafts.draft("anes96")))
    slugs = [line.split()[1] for line in said.splitlines() if line.startswith("opened ")]
    digest = definitions.digest(definition)
    for slug in tqdm(slugs, desc="Sending", unit=" surveys"):
        bodies = (make_report(definition, digest, answers, system_words) for answers in people)
        sent = client.send_all(f"{system.url}/api/v1/surveys/{slug}/reports", bodies, 8, lambda _: None)
        assert sent == len(people)
    system.manage("shell", "-c", CLOSE)
    _count(system, "surveys_release WHERE final = 1 AND document IS NOT NULL", surveys)
    system.manage("shell", "-c", ASK.format(pairs=CROSSED))
    _count(system, "surveys_analysisrun WHERE state = 'ready'", surveys * len(CROSSED))
    documents = [json.loads(row[0]) for row in system.query("SELECT document FROM surveys_release WHERE final = 1")]
    crossings = [json.loads(row[0]) for row in system.query("SELECT document FROM surveys_analysisrun")]
    assert all(document["n"] == len(people) for document in documents)
    kept = _questions(documents, definition["questions"], people) | _crossings(crossings, definition, people)
    rows = [[name, f"{sum(held)} of {len(held)}", _luck(held)] for name, held in kept.items()]
    return table(["every true value inside at once", "surveys", "as few by chance at .95"], rows)


def _count(system: EmbeddedSystem, rows: str, expected: int) -> None:
    system.eventually(
        lambda: system.query(f"SELECT COUNT(*) FROM {rows}")[0][0] == expected, f"{expected} of {rows}", PATIENCE
    )


def _questions(documents: list[dict[str, Any]], questions: list[Any], people: list[Any]) -> dict[str, list[bool]]:
    """Return for each question whether all true values lay in their intervals, by survey; a grid has all its items."""
    held: dict[str, list[bool]] = {question["key"]: [] for question in questions}
    for document in documents:
        rows = truth.compare(document, questions, people)
        for key, own in itertools.groupby(rows, key=lambda row: row.question.partition(".")[0]):
            held[key].append(all(row.contained for row in own))
    return held


def _crossings(crossings: list[dict[str, Any]], definition: Any, people: list[Any]) -> dict[str, list[bool]]:
    held: dict[str, list[bool]] = {f"{first} by {second}": [] for first, second in CROSSED}
    for found in crossings:
        first, second = (found[side]["key"] for side in ("first", "second"))
        true = _joint(definition, people, first, second)
        spans = {(cell["first"], cell["second"]): _span(found, cell) for cell in found["cells"]}
        held[f"{first} by {second}"].append(all(low <= true[pair] <= high for pair, (low, high) in spans.items()))
    return held


def _span(found: dict[str, Any], cell: dict[str, Any]) -> list[float]:
    span: list[float] = cell["joint"]["levels"][found["confidences"].index(CONFIDENCE)]["simultaneous"]
    return span


def _joint(definition: Any, people: list[Any], first: str, second: str) -> dict[tuple[str, str], float]:
    """Return the true share of people with both answers, by the texts of the two options."""
    options = {question["key"]: question["options"] for question in definition["questions"] if "options" in question}

    def answer(person: dict[str, Any], variable: str) -> str:
        key, _, place = variable.partition(".")
        given = person[key][int(place) - 1] if place else person[key]
        return str(options[key][given])

    pairs = [(answer(person, first), answer(person, second)) for person in people]
    texts = [options[variable.partition(".")[0]] for variable in (first, second)]
    return {pair: pairs.count(pair) / len(pairs) for pair in itertools.product(*texts)}


def _luck(held: list[bool]) -> str:
    return f"{stats.binom.cdf(sum(held), len(held), CONFIDENCE):.3f}"


if __name__ == "__main__":
    main()
