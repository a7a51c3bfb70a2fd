"""The experience of an honest respondent while others try to starve the site."""

import http.client
import json
import math
import random
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, NamedTuple

from ldp.privatize import make_report
from tests.services.ledger import DRAFT
from tests.services.system import ROOT, System
from tests.support.invitations import INVITED, Invited

PATIENCE = 60.0  # seconds until an honest respondent gives up
RESULTS = 10 * PATIENCE  # the longest wait for a release, however busy the machine is

# A definition with the largest cost for the worker (surveys/survey/definition/cost.py).
_EDGES = [str(edge) for edge in range(101)]
_QUESTION = {"kind": "histogram", "text": "How many?", "unit": "items", "edges": _EDGES, "alpha": "0.01"}
LARGEST = DRAFT | {
    "title": "Largest",
    "questions": [_QUESTION | {"key": f"q{k}", "mechanism": "laplace"} for k in range(5)],
}

_OPEN = """
import json, sys
from surveys.life.lifecycle import create_draft, open_survey
survey = create_draft(json.load(sys.stdin), results_public=True)
open_survey(survey)
print(survey.slug)
"""


class Survey:
    """An open survey on a running system, and its respondents' reports."""

    def __init__(self, system: System, draft: dict[str, Any]) -> None:
        self.slug = system.manage("shell", "-c", _OPEN, stdin=json.dumps(draft)).split()[-1]
        self.path = f"/api/v1/surveys/{self.slug}"
        with urllib.request.urlopen(f"{system.url}{self.path}/definition", timeout=PATIENCE) as response:
            self.definition, self.digest = json.load(response), response.headers["ETag"].strip('"')

    def report(self, chance: random.Random) -> bytes:
        answers = {question["key"]: 0 for question in self.definition["questions"]}
        return make_report(self.definition, self.digest, answers, lambda: chance.getrandbits(32)).encode()


class Met(NamedTuple):
    """The experience of honest respondents: reports sent and acknowledged, seconds until the acknowledgement and until
    results."""

    sent: int
    acknowledged: int
    p50: float
    p99: float
    results: float | None
    hostile: dict[str, int]


class Host:
    """A process with a site's hostile clients, inside a `with` block. `plan` has the number of clients by kind."""

    def __init__(self, system: System, target: Survey, plan: dict[str, int], seconds: float) -> None:
        certificate = getattr(system, "certificate", None)
        self._description = {
            **{"host": "127.0.0.1", "port": system.connect_port, "name": system.url.partition("://")[2]},
            "staff": system.env.get("STAFF_URL", system.url).partition("://")[2],
            **{"certificate": str(certificate) if certificate else None, "seconds": seconds, "rate": 2000},
            **{"reports": f"{target.path}/reports", "definition": target.definition, "digest": target.digest},
            **plan,
            **(_invited(system) if plan.get("signatures") else {}),
        }
        self.done: dict[str, int] = {}

    def __enter__(self) -> "Host":
        # In reality, other machines' processors run these clients, so they must not slow this site.
        command = ["nice", "-n", "10", sys.executable, "-m", "tests.services.hostile"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(self._description) + "\n")
        self._process.stdin.flush()
        return self

    def at_work(self) -> None:
        """Wait until all kinds of clients are at work, or have given up."""
        assert self._process.stdout is not None
        self._process.stdout.readline()

    def __exit__(self, *_: object) -> None:
        said, _ = self._process.communicate()
        self.done = json.loads(said or "{}")


def _invited(system: System) -> dict[str, Any]:
    """Return an invitation, and the path on which it is signed."""
    survey = Survey(system, INVITED)
    link = system.manage("survey", "invite", survey.slug).split()[-1]
    person = Invited(
        SimpleNamespace(**vars(survey), questions=survey.definition["questions"]), link.rpartition("/")[2], 1
    )
    return {"signature": f"{survey.path}/signature", "invitation": person.request()}


def meet(system: System, target: Survey, plan: dict[str, int], reports: int, every: float, settle: float) -> Met:
    """Let honest respondents answer a survey, one every `every` seconds. They begin `settle` seconds after the hostile
    clients. Then wait for the first release."""
    honest, chance = Survey(system, DRAFT | {"title": "Honest"}), random.Random(repr(plan))
    bodies = [honest.report(chance) for _ in range(reports)]
    with Host(system, target, plan, settle + 2 * reports * every + RESULTS) as host:
        host.at_work()
        time.sleep(settle)
        seconds = [_answer(system, honest, body, every) for body in bodies]
        results = _until(lambda: _has_results(system, honest))
    there = sorted(second for second in seconds if second is not None)
    p99 = there[math.ceil(0.99 * len(there)) - 1] if there else math.inf
    return Met(reports, len(there), statistics.median(there or [math.inf]), p99, results, host.done)


def _answer(system: System, survey: Survey, body: bytes, every: float) -> float | None:
    """Return the seconds from a respondent's new connection to the acknowledgement, with a browser's retries. None if
    the respondent gives up."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        with suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection(system.url.partition("://")[2], timeout=PATIENCE)
            try:
                connection.sock = system.connect("127.9.9.9")
                connection.request("POST", f"{survey.path}/reports", body, {"Content-Type": "application/json"})
                if connection.getresponse().status in (200, 201):
                    took = time.monotonic() - began
                    time.sleep(max(0.0, every - took))
                    return took
            finally:
                connection.close()
        time.sleep(0.2)
    return None


def _until(condition: Callable[[], bool]) -> float | None:
    began = time.monotonic()
    while time.monotonic() - began < RESULTS:
        if condition():
            return time.monotonic() - began
        time.sleep(0.2)
    return None


def _has_results(system: System, survey: Survey) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"{system.url}{survey.path}/estimates", timeout=PATIENCE) as got:
        return bool(got.status == 200)
    return False
