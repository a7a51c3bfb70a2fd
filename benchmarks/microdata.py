"""Files of a million reports: peak memory and time of a worker, against a tenth of them and against plain numpy.

    python -m benchmarks.microdata [--reports 1000000]

The survey has the ten questions of benchmarks.scale, 60 columns in all. 20,000 different reports are repeated; the
blocks have the usual size. Each measurement is a separate process, on SQLite; times are the processor's. Needs
requirements-dev.txt.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.scale import DISTINCT, QUESTIONS

ROOT = Path(__file__).parent.parent
BLOCK = 1 << 16


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--reports", type=int, default=1_000_000)
    options.add_argument("--part", choices=("export", "numpy"), help=argparse.SUPPRESS)
    asked = options.parse_args()
    if asked.part:
        _set_up()
        print(json.dumps({"export": _export, "numpy": _numpy}[asked.part]()))
        return
    found = {n: _measure(n) for n in (asked.reports // 10, asked.reports)}
    small, large = found.values()
    print(
        "| reports | processor seconds | peak memory | idle memory | CSV | Parquet | numpy's save | numpy's savetxt |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for n, row in found.items():
        memory = f"{row['peak']:.0f} MB | {row['idle']:.0f} MB"
        sizes = f"{row['csv'] / 1e6:.1f} MB | {row['parquet'] / 1e6:.1f} MB"
        print(f"| {n:,} | {row['seconds']:.1f} | {memory} | {sizes} | {row['save']:.2f} s | {row['savetxt']:.1f} s |")
    print(f"peak memory, large over small: {large['peak'] / small['peak']:.2f}")
    print(f"time over numpy's savetxt: {large['seconds'] / large['savetxt']:.2f}")


def _measure(n: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as data:
        os.environ["DATA_DIR"] = data
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        subprocess.run([sys.executable, "-c", f"from benchmarks import microdata; microdata._store({n})"], cwd=ROOT,
                       env=environment, check=True)  # fmt: skip
        row: dict[str, float] = {}
        for part in ("export", "numpy"):
            command = [sys.executable, "-m", "benchmarks.microdata", "--part", part]
            row |= json.loads(
                subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True).stdout
            )
    return row


def _set_up() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "surveys.settings"
    import django

    django.setup()


def _store(n: int) -> None:
    """Store a survey with a release of n reports in blocks."""
    _set_up()
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
    from worker import batches, blocks, estimation

    call_command("migrate", verbosity=0)
    survey = create_draft({"title": "Ten questions", "questions": [{"text": "?"} | question for question in QUESTIONS]})
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
    today = timezone.now().date()
    facts = {"number": 1, "day": today, "final": True, "n": n, "tallies": counted}
    release = Release.objects.create(survey=survey, **facts, digest=summing.totals_digest(counted))
    estimation.estimate(release)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _export() -> dict[str, float]:
    from django.utils import timezone

    from surveys.models import Export, Release
    from worker import exports

    export = Export.objects.create(release=Release.objects.get(), worked_at=timezone.now())
    idle, started = _peak(), time.process_time()
    exports.make(export.pk)
    seconds = time.process_time() - started
    export.refresh_from_db()
    assert export.state == Export.State.READY, (export.state, export.reason)
    sizes = {file.name: file.stored for file in export.files.all()}
    return {"seconds": seconds, "peak": _peak(), "idle": idle, "csv": sizes["microdata.csv"],
            "parquet": sizes["microdata.parquet"]}  # fmt: skip


def _numpy() -> dict[str, float]:
    """Return the seconds that numpy needs to write the same numbers as one array."""
    import numpy as np

    from ldp.mechanisms import of
    from ldp.microdata import unpacked
    from surveys.models import Block, Survey
    from surveys.survey.definition.layout import Layout
    from worker import blocks

    survey = Survey.objects.get()
    rows = np.concatenate(
        [blocks.decode(bytes(columns)) for columns in Block.objects.values_list("columns", flat=True)]
    )
    fields = zip(survey.questions, Layout(survey.definition).fields, strict=True)
    table = np.concatenate([unpacked(rows, field.start, of(q).packing().columns) for q, field in fields], axis=1)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, write in (("save", np.save), ("savetxt", lambda *names: np.savetxt(*names, fmt="%d", delimiter=","))):
            started = time.process_time()
            write(Path(folder) / f"{name}.npy", table)
            found[name] = time.process_time() - started
    return found


if __name__ == "__main__":
    main()
