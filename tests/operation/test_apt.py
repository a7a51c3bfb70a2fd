"""apt-get while another process uses it: both programs that call it wait for its lock, and say so."""

import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("apt-get") is None, reason="apt-get is Debian's")

ROOT = Path(__file__).parents[2]
INSTALL = (ROOT / "docs" / "deploy" / "install.sh").read_text()
FUNCTIONS = "\n".join(re.findall(r"^(?:say|refuse|apt-get)\(\) \{(?:.*\}$|\n(?:.*\n)*?\}$)", INSTALL, re.MULTILINE))
HOLD = "import fcntl, sys; file = open(sys.argv[1], 'w'); fcntl.lockf(file, fcntl.LOCK_EX); print(flush=True); input()"
PROGRAMS = {
    "tests": [sys.executable, "-c", "import sys; from tests.services import apt; apt.run(*sys.argv[1:])"],
    "install.sh": ["bash", "-c", f'set -euo pipefail\n{FUNCTIONS}\napt-get "$@"', "install.sh"],
}


@pytest.fixture
def options(tmp_path):
    """Return the options of an apt-get that has no source of packages, with lists of its own."""
    (tmp_path / "lists" / "partial").mkdir(parents=True)
    (tmp_path / "status").touch()
    own = {"Dir::State::lists": tmp_path / "lists", "Dir::State::status": tmp_path / "status"}
    own |= {"Dir::Etc::sourcelist": "/dev/null", "Dir::Etc::sourceparts": "-", "Dir::Cache": tmp_path}
    return [text for name, value in own.items() for text in ("-o", f"{name}={value}")]


@contextmanager
def held(lock):
    """Hold this lock in another process; the test's own process could take it from itself."""
    with subprocess.Popen([sys.executable, "-c", HOLD, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        yield other
        other.stdin.close()


def started(program, arguments):
    return subprocess.Popen(
        [*PROGRAMS[program], *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_waits_for_the_lock_of_another_and_says_so(program, options, tmp_path):
    with held(tmp_path / "lists" / "lock") as other, started(program, [*options, "update"]) as own:
        assert "Another apt-get is at work: waiting for it, 0 minutes so far." in own.stdout.readline()
        other.stdin.write(b"\n")
        other.stdin.flush()
        assert own.wait(60) == 0


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_it_cannot_do_it_says_in_one_sentence(program, options):
    with started(program, [*options, "install", "no-such-package"]) as own:
        assert own.wait(60) != 0
        assert "no-such-package" in own.stderr.read()
