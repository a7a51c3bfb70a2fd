"""The cost of an edit of a draft of 200 questions to the server, against the limit of 200 ms.

    python -m benchmarks.builder [--rounds 40] [--database sqlite]

Every request goes through the whole site in this process: middleware, session, view, database, templates. "built anew"
is the same request in a process that has built none of the 200 questions yet, as after a restart.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from typing import Any

from benchmarks.tables import table
from tests.services.postgres import Postgres

QUESTIONS = 200
LIMIT = 200  # ms
KINDS: list[dict[str, Any]] = [
    {"kind": "yes_no"},
    {"kind": "ordered", "options": ["Never", "Seldom", "Sometimes", "Often", "Always"]},
    {"kind": "mean", "low": "0", "high": "10", "unit": "hours"},
    {"kind": "single_choice", "options": ["North", "East", "South", "West"], "prefer_not_to_say": True},
    {"kind": "multiple_choice", "options": ["Bus", "Train", "Bicycle", "Car"]},
]
Answer = Any


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--rounds", type=int, default=40)
    arguments.add_argument("--database", choices=("postgres", "sqlite"), default="postgres")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as data:
        os.environ |= {"DATA_DIR": data, "DJANGO_SETTINGS_MODULE": "surveys.settings"}
        server = Postgres() if options.database == "postgres" else None
        try:
            if server:
                os.environ["DATABASE_URL"] = server.create("builder")
            import django
            from django.core.management import call_command

            django.setup()
            call_command("migrate", verbosity=0)
            measure(options.rounds)
        finally:
            if server:
                server.stop()


def draft() -> dict[str, Any]:
    """Return the draft. All alphas differ, because equal questions would be built once."""
    questions = [
        {"key": f"q{i}", "text": f"What about subject number {i}?", "alpha": f"{1 + i / 1000:.3f}"}
        | KINDS[i % len(KINDS)]
        for i in range(1, QUESTIONS + 1)
    ]
    held = [
        {"title": f"Part {i}", "text": "", "questions": [f"q{20 * i + j}" for j in range(1, 21)]} for i in range(10)
    ]
    return {"title": "Two hundred", "questions": questions, "sections": held}


def measure(rounds: int) -> None:
    from django.contrib.auth.models import User
    from django.test import Client

    from surveys.life.lifecycle import begin_draft
    from surveys.survey.definition import build_cache, refusals

    assert refusals(draft()) == ()
    user = User.objects.create_user("ada")
    client, number = Client(headers={"host": "127.0.0.1"}), begin_draft(user, draft()).pk
    client.force_login(user)
    rows = []
    for name, send in requests(client, f"/surveys/{number}/"):
        warm = [milliseconds(send, i) for i in range(rounds)]
        build_cache.KEPT = build_cache.TextCache(build_cache.CHARACTERS_MAX)
        anew = milliseconds(send, rounds)
        waited, computed = (statistics.median(each) for each in zip(*warm, strict=True))
        rows.append((name, *(f"{ms:.0f}" for ms in (waited, computed)), f"{waited / LIMIT:.0%}", f"{anew[1]:.0f}"))
    header = ("request", "median (ms)", "of it computing", f"of the {LIMIT} ms", "built anew, computing (ms)")
    print("\n".join(table(header, rows)))


def milliseconds(send: Callable[[int], Answer], i: int) -> tuple[float, float]:
    """Return the time of a request and this process's part, in ms. The rest is the database and other programs."""
    started, computed = time.perf_counter(), time.process_time()
    answer = send(i)
    took = 1000 * (time.perf_counter() - started), 1000 * (time.process_time() - computed)
    assert answer.status_code in (200, 302), answer.status_code
    return took


def requests(client: Any, at: str) -> list[tuple[str, Callable[[int], Answer]]]:
    """Return functions that send their i-th request, as the builder's script does."""
    script = {"X-Fragments": "1"}

    def save(key: str, fields: Callable[[int], dict[str, str]]) -> Callable[[int], Answer]:
        def send(i: int) -> Answer:
            return client.post(f"{at}questions/{key}/", fields(i) | {"mark": mark(at, key)}, headers=script)

        return send

    def deed(fields: Callable[[int], dict[str, str]]) -> Callable[[int], Answer]:
        return lambda i: client.post(f"{at}questions/", fields(i), headers=script)

    return [
        ("save a text", save("q100", lambda i: {"text": f"Another text {i}?"})),
        ("save options (a table is computed)", save("q101", lambda i: {"options": f"a\nb\nc\nd\ne {i}"})),
        ("save an alpha (a table is computed)", save("q101", lambda i: {"alpha": f"{2 + i / 1000:.3f}"})),
        ("move up", deed(lambda i: {"up": "q100", "here": "q100"})),
        ("drag to the top", deed(lambda i: {"move": f"q{199 - i}", "before": "q1", "here": "q100"})),
        ("remove one, duplicate another (two edits)", replace(client, at, script)),
        ("open an editor", lambda i: client.get(f"{at}questions/q{i + 1}/")),
        ("reload the preview", lambda i: client.get(f"{at}preview/")),
    ]


def mark(at: str, key: str) -> str:
    """Return what a browser has from the answer before. It is read from the database; the edit's time includes that."""
    from surveys.drafts import mark as mark_of
    from surveys.models import Survey

    questions = Survey.objects.get(pk=int(at.split("/")[2])).draft["questions"]
    return mark_of(next(question for question in questions if question["key"] == key))


def replace(client: Any, at: str, script: dict[str, str]) -> Callable[[int], Answer]:
    """Return a sender of two edits: a full draft has no room for a twin until one question is removed."""

    def send(i: int) -> Answer:
        client.post(f"{at}questions/", {"remove": f"q{i + 50}"}, headers=script)
        return client.post(f"{at}questions/", {"duplicate": "q10"}, headers=script)

    return send


if __name__ == "__main__":
    main()
