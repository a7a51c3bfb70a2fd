"""The cost of a report in forms, over its cost if everyone is asked everything.

`python -m benchmarks.forms_cost` asks the demo's questions both ways, in one process and turn by turn: the intake reads
and packs a report, the worker counts a batch and makes a release's estimates, while the survey is open and at its end.
Each figure is processor time per report or per release. Then the intake is measured over HTTP, started as by
benchmarks.intake (needs wrk and requirements-dev.txt): same server, database and run, turn by turn, the median of the
rounds. Status 0 only if nothing is more than a tenth dearer in forms; a run with fewer people does not judge.
"""

import argparse
import datetime
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import benchmarks.site  # noqa: F401
from benchmarks import intake, tables
from ldp.privatize import report
from ldp.words import system_words
from surveys.models import Release, Survey
from surveys.public.demo import drafts, respondents
from surveys.respondent.intake import replies
from surveys.respondent.intake.storage import Row
from surveys.survey import definition as definitions
from surveys.survey.definition.layout import Layout, body_limit, layouts
from tests.services.postgres import Postgres
from worker import batches, blocks, estimation

PEOPLE, ROUNDS, DEARER = 6366, 5, 1.1


class Way:
    """The demo's survey asked in one way, with the reports of its people."""

    def __init__(self, draft: dict[str, Any], people: int) -> None:
        self.definition = definitions.build(draft)
        fixed = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)  # ended as announced: intervals for one look
        canonical = definitions.canonical(self.definition).decode()
        self.survey = Survey(slug="demo", canonical=canonical, closes_at=fixed, closed_at=fixed)
        given = list(respondents.answers(self.definition))[:people]
        digest = definitions.digest(self.definition)
        self.bodies = [report(self.definition, digest, answers, system_words).encode() for answers in given]
        each: list[Layout] = layouts(self.definition)
        self.opened = replies.Opened(
            1, digest, each, "form" if "forms" in self.definition else None, max(map(body_limit, each)), False, []
        )
        self.rows = self.read()
        # A worker makes a release once. Each has fewer reports of every form, so no cached interval serves another.
        counts = [self.count(people - fewer * people // 60) for fewer in range(2 * ROUNDS)]
        self.releases = iter(counts)

    def read(self) -> list[Row]:
        rows = [replies.read(self.opened, body) for body in self.bodies]
        assert all(isinstance(row, Row) for row in rows)
        return rows  # type: ignore[return-value]

    def count(self, people: int | None = None) -> list[dict[str, Any]]:
        packed: list[list[bytes]] = [[] for _ in self.opened.layouts]
        for row in self.rows[:people]:
            packed[row.form].append(row.packed)
        return [self._count_batch(form, own) for form, own in enumerate(packed)]

    def _count_batch(self, form: int, packed: list[bytes]) -> dict[str, Any]:
        """Count a batch as the worker does, which shuffles it and makes it a block."""
        rows = blocks.shuffled(batches.as_rows(self.survey, form, packed))
        blocks.encode(rows)
        return batches.counted(self.survey, form, rows)

    def estimate(self, final: bool) -> None:
        tallies, day = next(self.releases), datetime.date(2026, 1, 1)
        n = sum(each["n"] for each in tallies)
        json.dumps(estimation.compose(Release(survey=self.survey, day=day, final=final, n=n, tallies=tallies)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--seconds", type=int, default=5, help="of each round over HTTP; 0 leaves it out")
    chosen = parser.parse_args()
    if chosen.seconds:
        intake.needed("wrk")
    in_forms = drafts.draft()
    everybody = in_forms | {"forms": [], "questions": [{"alpha": "1"} | one for one in in_forms["questions"]]}
    ways = Way(in_forms, chosen.people), Way(everybody, chosen.people)
    rows, ratios = [], []
    for name, step, per, repeated in (
        ("read and pack, µs a report", Way.read, chosen.people, 5),
        ("count, µs a report", Way.count, chosen.people, 30),
        ("estimates while it is open, µs", lambda way: way.estimate(False), 1, 1),
        ("estimates at its end, µs", lambda way: way.estimate(True), 1, 1),
    ):
        forms, plain = _times(ways, step, repeated)
        ratios.append(forms / plain)
        rows.append([name, f"{1e6 * forms / per:,.1f}", f"{1e6 * plain / per:,.1f}", f"{ratios[-1]:.2f}"])
    if chosen.seconds:
        forms, plain = over_http([in_forms, everybody], chosen.seconds)
        ratios.append(plain / forms)
        rows.append(["taken over HTTP, reports a second", f"{forms:,.0f}", f"{plain:,.0f}", f"{ratios[-1]:.2f}"])
    lines = tables.table(["step", "in forms", "all asked of everybody", "ratio"], rows)
    lines += ["", "Ratios are of what a report, or a release, costs in forms."]
    tables.write("forms_cost", "What a report costs in forms", lines)
    sys.exit(chosen.people == PEOPLE and any(ratio > DEARER for ratio in ratios))


def over_http(drafts: list[dict[str, Any]], seconds: int) -> list[float]:
    """Return the reports a second of each survey: medians of rounds, which take turns."""
    server, options = Postgres(), argparse.Namespace(processes=2, connections=32, seconds=seconds)
    rates: list[list[float]] = [[] for _ in drafts]
    try:
        with tempfile.TemporaryDirectory() as folder:
            env = os.environ | {"DATA_DIR": folder, "DATABASE_URL": server.create("intake")}
            slugs = []
            for number, draft in enumerate(drafts, 1):
                file = Path(folder) / f"{number}.json"
                file.write_text(json.dumps(draft), encoding="utf-8")
                slugs.append(intake.opened(env, file, number))
            for _ in range(ROUNDS):
                for slug, own in zip(slugs, rates, strict=True):
                    own.append(intake.measured(intake.PEERS["intake"], slug, env, options)["rate"])
    finally:
        server.stop()
    return [statistics.median(own) for own in rates]


def _times(ways: tuple[Way, Way], step: Callable[[Way], object], repeated: int) -> tuple[float, float]:
    """Return the least processor time of each way. They take turns, so both meet the same machine."""
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for way, times in zip(ways, found, strict=True):
            started = time.process_time()
            for _ in range(repeated):
                step(way)
            times.append((time.process_time() - started) / repeated)
    return min(found[0]), min(found[1])


if __name__ == "__main__":
    main()
