"""What a report costs in forms, over what it costs where everybody is asked everything.

`python -m benchmarks.forms_cost`. The demo's questions both ways, in one process and turn by turn: reading and packing
a report as the intake does, counting a batch as the worker does, and the document of a release. Each is processor time
per report, or per release. Status 0 only if none is dearer in forms by more than a tenth; a look with fewer people
does not judge.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import benchmarks.site  # noqa: F401
from benchmarks import tables
from ldp import results
from ldp.confidences import OTHERS, USUAL
from ldp.forms.results import FormTally, counted
from ldp.privatize import report
from ldp.words import system_words
from surveys import definition as definitions
from surveys.definition.layout import Layout, body_limit, layouts
from surveys.demo import respondents
from surveys.intake import replies
from surveys.intake.storage import Row
from surveys.models import Survey
from worker import batches

PEOPLE, ROUNDS, DEARER = 6366, 5, 1.1
HEADER: Any = {"n": 0, "confidence": USUAL, "title": "", "digest": ""}


class Way:
    """The demo's survey asked in one way, with the reports of its people."""

    def __init__(self, draft: dict[str, Any], people: int) -> None:
        self.definition = definitions.build(draft)
        self.survey = Survey(canonical=definitions.canonical(self.definition).decode())
        given = list(respondents.answers(self.definition))[:people]
        digest = definitions.digest(self.definition)
        self.bodies = [report(self.definition, digest, answers, system_words).encode() for answers in given]
        each: list[Layout] = layouts(self.definition)
        self.opened = replies.Opened(1, digest, each, "forms" in self.definition, max(map(body_limit, each)), False)
        self.rows = self.read()
        self.tallies = self.count()

    def read(self) -> list[Row]:
        rows = [replies.read(self.opened, body) for body in self.bodies]
        assert all(isinstance(row, Row) for row in rows)
        return rows  # type: ignore[return-value]

    def count(self) -> list[dict[str, Any]]:
        packed: list[list[bytes]] = [[] for _ in self.opened.layouts]
        for row in self.rows:
            packed[row.form].append(row.packed)
        each = enumerate(packed)
        return [batches.counted(self.survey, form, batches.as_rows(self.survey, form, own)) for form, own in each]

    def estimate(self) -> None:
        pairs = zip(self.opened.layouts, self.tallies, strict=True)
        tallies = [
            FormTally(each["n"], tuple(each["totals"][field.key] for field in layout.fields)) for layout, each in pairs
        ]
        found = list(counted(self.definition, tallies))
        json.dumps(results.document(HEADER, found, OTHERS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--people", type=int, default=PEOPLE)
    people = parser.parse_args().people
    in_forms = respondents.draft()
    everybody = in_forms | {"forms": [], "questions": [{"alpha": "1"} | one for one in in_forms["questions"]]}
    ways = Way(in_forms, people), Way(everybody, people)
    rows = []
    for name, step, per in (
        ("read and pack, µs a report", Way.read, people),
        ("count, µs a report", Way.count, people),
        ("document of a release, µs", Way.estimate, 1),
    ):
        forms, plain = _times(ways, step)
        rows.append([name, f"{1e6 * forms / per:,.1f}", f"{1e6 * plain / per:,.1f}", f"{forms / plain:.2f}"])
    lines = tables.table(["step", "in forms", "all asked of everybody", "ratio"], rows)
    tables.write("forms_cost", "What a report costs in forms", lines)
    sys.exit(people == PEOPLE and any(float(row[-1]) > DEARER for row in rows))


def _times(ways: tuple[Way, Way], step: Callable[[Way], object]) -> tuple[float, float]:
    """The least processor time of each way; they take turns, so that both meet the same machine."""
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for way, times in zip(ways, found, strict=True):
            started = time.process_time()
            step(way)
            times.append(time.process_time() - started)
    return min(found[0]), min(found[1])


if __name__ == "__main__":
    main()
