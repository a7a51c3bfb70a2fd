"""`make demo` loses nothing if its processes are killed with -9 (P5; tests/faults/test_faults.py does worse). A second
run keeps the survey, the survey for a visitor and the designer's password of the first."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings

from tests.services.redis import free_port
from tests.services.system import OURS, parts

pytestmark = [pytest.mark.system, pytest.mark.slow]

KILLS = {0.2: "intake", 0.4: "worker", 0.6: "pages"}
REPORTS = {"fair": 6366, "anes96": 944}


class Ran(NamedTuple):
    people: str
    data: Path
    port: int
    said: str


def environment(data, port):
    inherited = {name: value for name, value in os.environ.items() if name not in OURS}
    return inherited | {"DATA_DIR": str(data), "SITE": str(port)}


def start(data, people, errors, port):
    command = [sys.executable, "manage.py", "demo", "--people", people]
    return subprocess.Popen(
        command, cwd=settings.BASE_DIR, env=environment(data, port), stdout=subprocess.PIPE, stderr=errors
    )


def said_until_it_stays(demo):
    said = ""
    for line in demo.stdout:
        said += line.decode()
        if "Researcher" in said:
            break
    return said


def end(demo):
    """End the demo once it stays up. Return its output."""
    said = said_until_it_stays(demo)
    demo.send_signal(signal.SIGTERM)
    said += demo.stdout.read().decode()
    assert demo.wait(60) == 0, said
    return said


# Daily, the tables of test_respondents.py have the voters' answers.
@pytest.fixture(scope="module", params=["fair", pytest.param("anes96", marks=pytest.mark.long)])
def first(request, tmp_path_factory):
    """Yield the first run. Its parts die while tqdm's line shows the progress of sending."""
    data, kills = tmp_path_factory.mktemp("demo"), dict(KILLS)
    bar = data.parent / f"{request.param}.err"
    with bar.open("wb") as errors:
        demo = start(data, request.param, errors, port := free_port())
        while kills and demo.poll() is None:
            progress = max(map(int, re.findall(rb"(\d+)%\|", bar.read_bytes())), default=0) / 100
            for at in [at for at in kills if at <= progress]:
                os.killpg(parts(data)[kills.pop(at)], signal.SIGKILL)
            time.sleep(0.02)
        said = end(demo)
    assert not kills, f"the sending was over before all parts were killed: {kills}\n{said}"
    return Ran(request.param, data, port, said)


def test_it_loses_nothing_when_intake_pages_and_worker_are_killed_while_it_sends(first):
    n = REPORTS[first.people]
    assert f"{n} reports acknowledged, {n} stored, {n} counted." in first.said


class Running(NamedTuple):
    process: "subprocess.Popen[bytes]"
    data: Path
    port: int
    said: str


@pytest.fixture(scope="module")
def second(first):
    """Yield a second run, which stays up without SITE_URL."""
    port = free_port()
    demo = start(first.data, first.people, subprocess.DEVNULL, port)
    said = said_until_it_stays(demo)
    yield Running(demo, first.data, port, said)
    demo.terminate()
    demo.wait(60)


def test_a_second_run_reuses_the_first(first, second):
    second, port = second.said, second.port
    assert f"An earlier run has sent {REPORTS[first.people]} reports" in second and "acknowledged" not in second

    def table(said):
        return [line for line in said.splitlines() if "%" in line and "http" not in line]

    def links(said):
        return set(re.findall(r"/(?:[sr]|survey)/[^/\s]+/", said))

    assert table(first.said) == table(second) and links(first.said) == links(second)
    assert re.search(r"sign in as designer with the password \S+\n", first.said)
    change = f"SITE={port} manage.py changepassword designer"
    assert f"its password of the first run; {change} sets another" in second


def refusal(data, port, *arguments):
    """Return the output of a start that is refused."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=settings.BASE_DIR, env=environment(data, port), capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    return done.stdout + done.stderr


def test_another_start_names_the_one_that_runs_its_directory_and_its_port(second, tmp_path):
    said = refusal(second.data, free_port(), "demo", "--no-stay")
    by = (
        f"The site at http://127.0.0.1:{second.port} (process {second.process.pid}) already serves from {second.data}. "
    )
    assert by in said and "SITE=8002, and another DATA_DIR." in said
    said = refusal(tmp_path, second.port, "serve")
    assert f"Cannot listen on 127.0.0.1 port {second.port}: Address already in use." in said
    assert "granian" in said and f"SITE={max(second.port, 8001) + 1}" in said


def test_a_command_beside_it_names_the_address_at_which_it_answers(second):
    code = "from django.conf import settings; print(settings.SITE_URL, settings.STAFF_URL)"
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment(second.data, free_port()), capture_output=True, text=True
    )
    assert done.stdout.split() == [f"http://127.0.0.1:{second.port}"] * 2


def test_the_log_is_named_by_where_the_site_was_first_and_not_by_where_it_would_be(first, second):
    with urllib.request.urlopen(f"http://127.0.0.1:{second.port}/check/log/checkpoint") as answer:
        name = answer.readline().decode().strip()
    assert name == f"127.0.0.1:{first.port}/check/log"
