"""A cross-table of 16 x 16 from a million reports: time and peak memory of a worker, against plain numpy.

    python -m benchmarks.crossings [--reports 1000000]

The survey has the ten questions of benchmarks.scale and two more of sixteen options, by randomized response and by
bits. 20,000 different reports are repeated; the blocks have the usual size. Numpy multiplies the same columns, already
unpacked in memory. Each measurement is a separate process, on SQLite; times are the processor's.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.microdata import _peak, _set_up
from benchmarks.scale import DISTINCT, QUESTIONS

ROOT = Path(__file__).parent.parent
BLOCK = 1 << 16
OPTIONS = [f"Option {i}" for i in range(16)]
CROSSED: list[dict[str, Any]] = [
    {"key": "one", "kind": "single_choice", "alpha": "2", "options": OPTIONS, "mechanism": "randomized_response"},
    {"key": "bits", "kind": "single_choice", "alpha": "2", "options": OPTIONS, "mechanism": "bitwise"},
]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--reports", type=int, default=1_000_000)
    options.add_argument("--part", choices=("store", "worker", "numpy"), help=argparse.SUPPRESS)
    asked = options.parse_args()
    if asked.part:
        _set_up()
        parts = {"store": lambda: _store(asked.reports), "worker": _worker, "numpy": _numpy}
        print(json.dumps(parts[asked.part]()))
        return
    found = {n: _measure(n) for n in (asked.reports // 10, asked.reports)}
    print("| reports | worker, seconds | of which intervals | peak memory | idle memory | numpy, seconds | ratio |")
    print("|---|---|---|---|---|---|---|")
    for n, row in found.items():
        counting = row["seconds"] - row["intervals"]
        memory = f"{row['peak']:.0f} MB | {row['idle']:.0f} MB"
        print(f"| {n:,} | {row['seconds']:.2f} | {row['intervals']:.2f} | {memory} | {row['numpy']:.2f} | "
              f"{counting / row['numpy']:.1f} |")  # fmt: skip


def _measure(n: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as data:
        environment = os.environ | {"OMP_NUM_THREADS": "1", "DATA_DIR": data}
        row: dict[str, float] = {}
        for part in ("store", "worker", "numpy"):
            command = [sys.executable, "-m", "benchmarks.crossings", "--part", part, "--reports", str(n)]
            done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
            row |= json.loads(done.stdout.splitlines()[-1])
        return row


def _store(n: int) -> dict[str, float]:
    """Store a survey with a release of n reports in blocks."""
    import random

    import numpy as np
    from django.core.management import call_command
    from django.utils import timezone

    import ldp.kinds
    from ldp.privatize import randomize
    from surveys.life import summing
    from surveys.life.lifecycle import close_survey, create_draft, open_survey
    from surveys.models import Block, Release
    from surveys.models.tally import nothing
    from surveys.survey.definition.layout import Layout
    from worker import batches, blocks

    call_command("migrate", verbosity=0)
    questions = [{"text": "?"} | question for question in (*QUESTIONS, *CROSSED)]
    survey = create_draft({"title": "Twelve questions", "questions": questions})
    open_survey(survey)
    chance, layout = random.Random(n), Layout(survey.definition)

    def sent(question: Any) -> Any:
        answer = ldp.kinds.of(question).random_answer(question, chance)
        return randomize(question, answer, lambda: chance.getrandbits(53))

    values = ({question["key"]: sent(question) for question in survey.questions} for _ in range(min(n, DISTINCT)))
    distinct = batches.as_rows(survey, 0, [layout.pack(value) for value in values])
    generator, counted = np.random.default_rng(n), nothing(1)
    for start in range(0, n, BLOCK):
        rows = distinct[generator.integers(0, len(distinct), min(BLOCK, n - start))]
        Block.objects.create(survey=survey, stage="released", n=len(rows), columns=blocks.encode(rows))
        summing.add(counted[0], summing.counted(survey, 0, rows))
    close_survey(survey)
    digest = summing.totals_digest(counted)
    facts = {"number": 1, "day": timezone.now().date(), "final": True}
    Release.objects.create(survey=survey, **facts, n=n, tallies=counted, digest=digest)
    return {}


def _worker() -> dict[str, float]:
    import numpy as np

    from ldp.crossing import document
    from ldp.inference.crossed import Crossing as Counted
    from ldp.inference.variables import pair_of
    from surveys.models import AnalysisRun, Release
    from surveys.researcher.analyses.crossings.analysis import CROSSINGS
    from surveys.researcher.analyses.frame import requests
    from worker import analyses, estimation

    release = Release.objects.select_related("survey").get()
    row = requests.ask(CROSSINGS, None, release, CROSSINGS.from_json({"first": "one", "second": "bits"}))
    idle, started = _peak(), time.process_time()
    analyses.make(row.pk)
    seconds = time.process_time() - started
    row.refresh_from_db()
    assert row.state == AnalysisRun.State.READY and row.document is not None, (row.state, row.reason)
    peak, started = _peak(), time.process_time()
    counted = Counted(*pair_of(release.survey.questions, "one", "bits"), np.array(row.document["counts"]))
    assert document(estimation.header(release), counted) == row.document
    return {"seconds": seconds, "intervals": time.process_time() - started, "peak": peak, "idle": idle}


def _numpy() -> dict[str, float]:
    """Return the seconds for the same counts from the same columns, all in memory, by one product."""
    import numpy as np

    from ldp.mechanisms import of
    from ldp.microdata import unpacked
    from surveys.models import AnalysisRun, Block, Survey
    from surveys.survey.definition.layout import Layout
    from worker import blocks

    survey = Survey.objects.get()
    every = Block.objects.values_list("columns", flat=True)
    rows = np.concatenate([blocks.decode(bytes(columns)) for columns in every])
    fields = {field.key: field for field in Layout(survey.definition).fields}
    columns = {question["key"]: of(question).packing().columns for question in survey.questions}
    one, bits = (unpacked(rows, fields[key].start, columns[key]) for key in ("one", "bits"))
    started = time.process_time()
    both = (one == np.arange(len(OPTIONS))).astype(np.float32).T @ bits.astype(np.float32)
    seconds = time.process_time() - started
    document = AnalysisRun.objects.values_list("document", flat=True).get()
    assert document is not None
    assert both.astype(int).tolist() == [row[1:] for row in document["counts"][1:]]
    return {"numpy": seconds}


if __name__ == "__main__":
    main()
