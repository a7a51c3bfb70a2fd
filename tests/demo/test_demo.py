"""`make demo`: nothing is lost when its processes are killed (-9) on the way (P5; tests/faults/test_faults.py does
worse), and a second run keeps what the first made: its survey, the survey for a visitor, the designer's password."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings

from tests.services.redis import free_port
from tests.services.system import OURS

pytestmark = [pytest.mark.system, pytest.mark.slow]

KILLS = {0.1: "intake", 0.25: "worker", 0.4: "pages", 0.55: "worker", 0.7: "intake", 0.85: "worker"}
REPORTS = {"fair": 6366, "anes96": 944}


class Ran(NamedTuple):
    people: str
    data: Path
    said: str


def start(data, people, errors):
    env = {name: value for name, value in os.environ.items() if name not in OURS} | {"DATA_DIR": str(data)}
    command = [sys.executable, "manage.py", "demo", "--port", str(free_port()), "--people", people]
    return subprocess.Popen(command, cwd=settings.BASE_DIR, env=env, stdout=subprocess.PIPE, stderr=errors)


def end(demo):
    """What it prints until it stays up; then it is ended."""
    said = ""
    for line in demo.stdout:
        said += line.decode()
        if "Researcher" in said:
            demo.send_signal(signal.SIGTERM)
            break
    said += demo.stdout.read().decode()
    assert demo.wait(60) == 0, said
    return said


# The answers of the voters are in the tables of test_respondents.py every day.
@pytest.fixture(scope="module", params=["fair", pytest.param("anes96", marks=pytest.mark.long)])
def first(request, tmp_path_factory):
    """A first run. tqdm's own line says how far the sending is: the parts die in the middle of it, not before or
    after."""
    data, kills = tmp_path_factory.mktemp("demo"), dict(KILLS)
    bar = data.parent / f"{request.param}.err"
    with bar.open("wb") as errors:
        demo = start(data, request.param, errors)
        while kills and demo.poll() is None:
            progress = max(map(int, re.findall(rb"(\d+)%\|", bar.read_bytes())), default=0) / 100
            for at in [at for at in kills if at <= progress]:
                parts = json.loads((data / "serve.json").read_text())["parts"]
                os.killpg(parts[kills.pop(at)]["pid"], signal.SIGKILL)
            time.sleep(0.02)
        said = end(demo)
    assert not kills, f"the sending was over before all parts were killed: {kills}\n{said}"
    return Ran(request.param, data, said)


def test_it_loses_nothing_when_intake_pages_and_worker_are_killed_while_it_sends(first):
    n = REPORTS[first.people]
    assert f"{n} reports acknowledged, {n} stored, {n} counted." in first.said


def test_a_second_run_reuses_the_first(first):
    second = end(start(first.data, first.people, subprocess.DEVNULL))
    assert f"An earlier run has sent {REPORTS[first.people]} reports" in second and "acknowledged" not in second

    def table(said):
        return [line for line in said.splitlines() if "%" in line]

    def links(said):
        return re.findall(r"/(?:[sr]|survey)/[^/\s]+/", said)

    assert table(first.said) == table(second) and links(first.said) == links(second)
    assert re.search(r"sign in as designer with the password \S+\n", first.said)
    assert "its password of the first run; manage.py changepassword designer sets another" in second
