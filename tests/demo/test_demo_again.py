"""A second `make demo` keeps what the first has made: its survey, the survey for a visitor, the designer's password."""

import os
import re
import signal
import subprocess
import sys

import pytest
from django.conf import settings

from tests.services.redis import free_port
from tests.services.system import OURS

pytestmark = [pytest.mark.system, pytest.mark.slow]


def demo(data, *options):
    """What `make demo` prints until it stays up; then it is ended."""
    env = {name: value for name, value in os.environ.items() if name not in OURS} | {"DATA_DIR": str(data)}
    command = [sys.executable, "manage.py", "demo", "--port", str(free_port()), *options]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    running = subprocess.Popen(command, cwd=settings.BASE_DIR, env=env, **streams)
    said = ""
    for line in running.stdout:
        said += line
        if "Researcher" in line:
            running.send_signal(signal.SIGTERM)
    assert running.wait(60) == 0, said
    return said


def test_a_second_run_reuses_the_first(tmp_path):
    """With the voters of 1996, who are fewer; those of 1974 send theirs in tests/faults/test_crashes.py."""
    first, second = (demo(tmp_path, "--people", "anes96") for _ in range(2))
    assert "944 reports acknowledged, 944 stored, 944 counted." in first and "of 52 true values lie" in first
    assert "An earlier run has sent 944 reports" in second and "acknowledged" not in second
    for key in ("vote", "party", "placed.3", "news", "education", "age", "income"):
        assert re.search(rf"^{re.escape(key)} ", first, re.MULTILINE), key

    def table(said):
        return [line for line in said.splitlines() if "%" in line]

    def links(said):
        return re.findall(r"/(?:[sr]|survey)/[^/\s]+/", said)

    assert table(first) == table(second) and links(first) == links(second)
    assert re.search(r"sign in as designer with the password \S+\n", first)
    assert "its password of the first run; manage.py changepassword designer sets another" in second
