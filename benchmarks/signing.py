"""The intake while invitations are used: does signing slow the reports?

    python -m benchmarks.signing [--signatures 200] [--seconds 5] [--rounds 3] [--connections 32 1]
                                 [--database sqlite|postgres]

In turns, 32 connections send reports by an open link, alone and beside signatures. The signatures are for another
survey, 200 a second, each for an unused invitation. Prints requests a second and the latency that 99 of 100 stay below
(medians of the rounds), with and without, and how many were signed how soon. Signers, askers and senders share the
machine, and on few processors that slows the reports. So the same is printed for one report at a time. Needs wrk
(Debian's package) and requirements-dev.txt.
"""

import argparse
import http.client
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import benchmarks.site  # noqa: F401
from benchmarks.intake import DRAFT, PEERS, ROOT, measured, needed, opened
from surveys.survey.definition.invitations import BYTES, text_of
from tests.services.postgres import Postgres

AT_ONCE = 8  # connections that ask for signatures


class Signed(NamedTuple):
    """The seconds of each signature, the number refused, and the seconds from first to last."""

    each: list[float]
    refused: int
    lasted: float


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--signatures", type=int, default=200, help="a second (default: 200)")
    options.add_argument("--seconds", type=int, default=5)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--connections", type=int, nargs="+", default=(32, 1), help="in turn (default: 32 1)")
    options.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    chosen = options.parse_args()
    chosen.threads, chosen.processes = 16, 1 if chosen.database == "sqlite" else 2
    needed("wrk")
    server = Postgres() if chosen.database == "postgres" else None
    try:
        with tempfile.TemporaryDirectory() as data:
            url = server.create("signing") if server else ""
            _compare(os.environ | {"DATA_DIR": data, "DATABASE_URL": url, "CLIENT_REPORTS_PER_MINUTE": "0"}, chosen)
    finally:
        if server:
            server.stop()


def _compare(env: dict[str, str], chosen: argparse.Namespace) -> None:
    slug = opened(env, DRAFT)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as draft:
        draft.write(json.dumps({**json.loads(DRAFT.read_text(encoding="utf-8")), "invitations": True}))
        draft.flush()
        invited = opened(env, Path(draft.name), number=2)
    many, each = chosen.signatures * (chosen.seconds + 1), chosen.connections
    tokens = iter(_tokens(env, invited, len(each) * many * chosen.rounds))
    print(f"{'connections':<12} {'beside':<18} {'requests/s':>10} {'ratio':>6} {'p99 ms':>7}  signatures")
    for connections in each:
        chosen.connections = connections
        alone, beside, signed = [], [], []
        for _ in range(chosen.rounds):
            alone.append(measured(PEERS["intake"], slug, env, chosen))
            asking = Asking(invited, list(islice(tokens, many)), chosen.signatures)
            beside.append(measured(PEERS["intake"], slug, env, chosen, asking))
            signed.append(asking.result)
        _print(connections, "nothing", alone, alone, "")
        _print(connections, f"{chosen.signatures} signatures/s", beside, alone, _said(signed))


def _tokens(env: dict[str, str], slug: str, count: int) -> list[str]:
    command = [sys.executable, "manage.py", "survey", "invite", "--count", str(count), "--", slug]
    printed = subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True, text=True).stdout
    return [link.rpartition("/")[2] for link in printed.split()]


class Asking:
    """People who use their invitations at this rate while something else is measured."""

    def __init__(self, slug: str, tokens: Sequence[str], rate: int) -> None:
        self._path, self._tokens, self._rate = f"/api/v1/surveys/{slug}/signature", tokens, rate
        self._took: list[float] = []
        self._refused: list[float] = []
        self.result = Signed([], 0, 0)

    @contextmanager
    def __call__(self, port: int) -> Iterator[None]:
        done, (first, *others) = threading.Event(), self._tokens
        self._ask(port, [first], 0, done)  # starts the process that signs
        self._took.clear()
        parts = [others[k::AT_ONCE] for k in range(AT_ONCE)]
        start = time.monotonic()
        each = [
            threading.Thread(target=self._ask, args=(port, part, start + k / self._rate, done))
            for k, part in enumerate(parts)
        ]
        for one in each:
            one.start()
        try:
            yield
        finally:
            done.set()
            lasted = time.monotonic() - start
            for one in each:
                one.join()
            self.result = Signed(self._took, len(self._refused), lasted)

    def _ask(self, port: int, tokens: Sequence[str], due: float, done: threading.Event) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for token in tokens:
            if done.wait(max(0.0, due - time.monotonic())):
                break
            due += AT_ONCE / self._rate
            blinded = text_of(int.from_bytes(secrets.token_bytes(BYTES - 1)))  # below every modulus
            before = time.monotonic()
            body = json.dumps({"token": token, "blinded": blinded})
            connection.request("POST", self._path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            (self._took if answer.status == 200 else self._refused).append(time.monotonic() - before)
        connection.close()


def _said(signed: list[Signed]) -> str:
    times = sorted(each for one in signed for each in one.each)
    rate = len(times) / sum(one.lasted for one in signed)
    p99 = 1000 * times[int(0.99 * len(times))] if times else float("nan")
    return f"{rate:.0f} a second, p99 {p99:.0f} ms, {sum(one.refused for one in signed)} refused"


def _print(connections: int, name: str, runs: list[dict[str, float]], alone: list[dict[str, float]], more: str) -> None:
    rate, before = (statistics.median(run["rate"] for run in each) for each in (runs, alone))
    p99 = statistics.median(run["p99"] for run in runs)
    print(f"{connections:<12} {name:<18} {rate:>10.0f} {rate / before:>6.2f} {p99:>7.1f}  {more}", flush=True)


if __name__ == "__main__":
    main()
