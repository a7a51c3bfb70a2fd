"""Storage, tally, recount and results at a million reports, on PostgreSQL or SQLite, with real workers.

    python -m benchmarks.scale [--reports 1000000] [--database sqlite]

The survey has ten questions. The Python twin draws 20,000 different reports, which are repeated under new ids: blocks
are shuffled and coded byte by byte, so repetition does not make them smaller. Needs requirements-dev.txt.
"""

import argparse
import math
import os
import random
import statistics
import subprocess
import tempfile
import time
import urllib.request
import uuid
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

from tests.services.postgres import Postgres
from tests.services.redis import Redis, free_port

ROOT = Path(__file__).parent.parent
DISTINCT = 20_000
QUESTIONS: list[dict[str, Any]] = [
    {"key": "a", "kind": "yes_no", "alpha": "1"},
    {"key": "b", "kind": "yes_no", "alpha": "0.5", "prefer_not_to_say": True},
    {"key": "c", "kind": "single_choice", "alpha": "1", "options": list("abcde")},
    {"key": "d", "kind": "single_choice", "alpha": "1", "options": list("abcd")},
    {"key": "e", "kind": "single_choice", "alpha": "1", "options": list("abcdef"), "mechanism": "randomized_response"},
    {"key": "f", "kind": "single_choice", "alpha": "1", "options": [f"{i}" for i in range(20)]},
    {"key": "g", "kind": "single_choice", "alpha": "2", "options": [f"{i}" for i in range(10)], "mechanism": "bitwise"},
    {"key": "h", "kind": "histogram", "alpha": "1", "edges": [f"{i}" for i in range(9)], "mechanism": "laplace"},
    {"key": "i", "kind": "histogram", "alpha": "2", "edges": [f"{i}" for i in range(17)], "mechanism": "bitwise"},
    {"key": "j", "kind": "ordered", "alpha": "2", "options": list("abcde"), "mechanism": "exponential"},
]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--reports", type=int, default=1_000_000)
    options.add_argument("--database", choices=("postgresql", "sqlite"), default="postgresql")
    asked = options.parse_args()
    reports, postgres, redis = asked.reports, Postgres(), Redis()
    try:
        with tempfile.TemporaryDirectory() as data:
            os.environ |= {"DATA_DIR": data, "REDIS_URL": redis.url}
            if asked.database == "postgresql":
                os.environ["DATABASE_URL"] = postgres.create("scale")
            os.environ |= {"DJANGO_SETTINGS_MODULE": "surveys.settings", "OMP_NUM_THREADS": "1"}
            import django

            django.setup()
            _measure(reports)
    finally:
        postgres.stop()
        redis.stop()


def _measure(reports: int) -> None:
    from django.core.management import call_command

    from surveys.life.lifecycle import close_survey, create_draft, open_survey

    call_command("migrate", verbosity=0)
    draft = {"title": "Ten questions", "questions": [{"text": "?"} | question for question in QUESTIONS]}
    small, large = (create_draft(draft, results_public=True) for _ in range(2))
    for survey in (small, large):
        open_survey(survey)
    information = sum(_entropy(question) for question in large.questions)
    _store(small, 1000)
    _store(large, reports)
    print(f"{reports:,} reports, {information:.1f} bits of information each (equal shares)")
    print(f"waiting: {_size('surveys_report') / (reports + 1000):.0f} bytes a report with its index")
    _take(small)
    batches: list[float] = []
    seconds = _take(large, batches)
    print(f"taken in batches: {reports / seconds:,.0f} reports a second on one worker")
    tenth = len(batches) // 10 or 1
    ratio = statistics.median(batches[-tenth:]) / statistics.median(batches[:tenth])
    print(f"the last tenth of the batches over the first: {ratio:.2f} of the time")
    for survey in (small, large):
        close_survey(survey)
        _take(survey)
    print(f"a taken id: {_size('surveys_reportid') / (reports + 1000):.0f} bytes with its index")
    blocks = _block_bytes(large)
    print(
        f"blocks: {8 * blocks / reports:.1f} bits a report, {8 * blocks / reports / information:.3f} of the information"
    )
    _recounts(large)
    _latencies(small, large)


def _store(survey: Any, n: int) -> None:
    import json

    from django.db import connection, transaction

    from ldp.privatize import make_report
    from surveys.survey.definition.layout import Layout

    chance, layout = random.Random(n), Layout(survey.definition)
    packed = []
    for _ in range(min(n, DISTINCT)):
        answers = {question["key"]: chance.randrange(len(question["options"])) for question in survey.questions}
        body = make_report(survey.definition, survey.digest, answers, lambda: chance.getrandbits(32))
        packed.append(layout.pack(json.loads(body)["answers"]))
    rows = ((uuid.uuid4(), survey.pk, packed[i % len(packed)]) for i in range(n))
    if connection.vendor == "postgresql":
        with (
            connection.cursor() as cursor,
            cursor.cursor.copy("COPY surveys_report (id, survey_id, packed) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)
        return
    with transaction.atomic(), connection.cursor() as cursor:
        values = ((key.hex, survey_id, content) for key, survey_id, content in rows)
        cursor.executemany("INSERT INTO surveys_report (id, survey_id, packed) VALUES (%s, %s, %s)", values)


def _take(survey: Any, each: list[float] | None = None) -> float:
    """Return the seconds, with pauses, in which a worker takes all waiting reports. It makes the release at the end
    too. `each` gets the seconds of each batch."""
    from worker import tasks

    take = tasks.take

    def timed(survey: Any) -> int:
        began = time.perf_counter()
        taken = take(survey)
        if each is not None and taken:
            each.append(time.perf_counter() - began)
        return taken

    started = time.perf_counter()
    with mock.patch.object(tasks, "take", timed):
        while tasks.unfinished().filter(pk=survey.pk).exists():  # turn by turn
            tasks.process(survey.pk)
    seconds = time.perf_counter() - started
    for release in survey.release_set.filter(document__isnull=True):
        tasks.estimate(release.pk)
    return seconds


def _size(table: str) -> int:
    """Return the bytes of the table with its indexes."""
    from django.db import connection

    parts = "SELECT name FROM sqlite_master WHERE tbl_name = %s"
    own = {"postgresql": "SELECT pg_total_relation_size(%s)"}
    size = own.get(connection.vendor, f"SELECT sum(pgsize) FROM dbstat WHERE name IN ({parts})")
    with connection.cursor() as cursor:
        cursor.execute(size, [table])
        return int(cursor.fetchone()[0])


def _block_bytes(survey: Any) -> int:
    """Return the stored bytes, with the overhead of rows and table."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM FULL surveys_block")
    return _size("surveys_block")


def _recounts(survey: Any) -> None:
    from django.core.management import call_command

    from surveys.operation.embedded.parts import worker_command

    single = 0.0
    for workers in (1, 2):
        command = worker_command(workers)
        worker = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        said = StringIO()
        try:
            call_command("recount", survey.slug, stdout=StringIO())  # waits until the worker has started
            started = time.perf_counter()
            call_command("recount", survey.slug, stdout=said)
            seconds = time.perf_counter() - started
        finally:
            worker.terminate()
            worker.wait()
        single = single or seconds
        print(
            f"recount, {workers} worker processes: {seconds:.1f} s ({seconds / single:.2f}), {said.getvalue().strip()}"
        )


def _latencies(small: Any, large: Any) -> None:
    port = free_port()
    from surveys.operation.embedded.parts import granian

    options = {"interface": "wsgi", "host": "127.0.0.1", "port": port, "blocking-threads": 4}
    web = subprocess.Popen(granian(options, "surveys.wsgi:application"), cwd=ROOT)
    try:
        for path in ("/r/{}/", "/api/v1/surveys/{}/estimates", "/api/v1/surveys/{}/estimates.csv"):
            medians = []
            urls = [f"http://127.0.0.1:{port}{path.format(survey.slug)}" for survey in (small, large)]
            _get(urls[0], 60)
            times: dict[str, list[float]] = {url: [] for url in urls}
            for _ in range(60):
                for url in urls:
                    times[url].append(_get(url, 5))
            medians = [statistics.median(times[url]) for url in urls]
            print(f"{path.format('<slug>'):<40} large over small: {medians[1] / medians[0]:.2f}")
    finally:
        web.terminate()
        web.wait()


def _get(url: str, patience: float) -> float:
    deadline = time.monotonic() + patience
    while True:
        started = time.perf_counter()
        try:
            with urllib.request.urlopen(url, timeout=30) as response:
                response.read()
            return time.perf_counter() - started
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


# The information in a report at equal shares, exactly ----------------------------------------------------------------


def _entropy(question: dict[str, Any]) -> float:
    d, table, mechanism = len(question["options"]), question["table"], question["mechanism"]
    if mechanism == "randomized_response":
        return math.log2(math.comb(d, table["sizes"][0]))
    if mechanism == "exponential":
        rows = [[0, *row, 2**53] for row in table["rows"]]
        chances = [sum(row[z + 1] - row[z] for row in rows) / d / 2**53 for z in range(d)]
        return sum(_bits(chance) for chance in chances)
    magnitudes = d * sum(_bits(c) + _bits(1 - c) for c in (Fraction(b, 2**53) for b in table.get("magnitude", [])))
    return magnitudes + _bit_string(d, table["flip"] / 2**53)


def _bit_string(d: int, q: float) -> float:
    """Return the entropy. A string with k ones has k-1 flips from an answer among them, k+1 from another."""
    total = 0.0
    for k in range(d + 1):
        inside = k / d * q ** (k - 1) * (1 - q) ** (d - k + 1) if k else 0.0
        outside = (d - k) / d * q ** (k + 1) * (1 - q) ** (d - k - 1) if k < d else 0.0
        total += math.comb(d, k) * _bits(inside + outside)
    return total


def _bits(chance: Any) -> float:
    return -float(chance) * math.log2(chance) if 0 < chance < 1 else 0.0


if __name__ == "__main__":
    main()
