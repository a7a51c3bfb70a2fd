"""The intake's side of the process that signs for invitations (surveys/respondent/intake/sign.py), apart from reports.

It starts at the first use of an invitation, and reads one request per line. When the intake ends, for any reason, the
process's input ends, and so does the process.
"""

import json
import subprocess
import sys
from typing import IO, NamedTuple

from django.conf import settings

from surveys.respondent.intake import refusals
from surveys.respondent.intake.replies import Reply, refuse


class Signer:
    """The intake's side of the process. Its methods block, so one thread outside the loop calls them."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def sign(self, slug: str, body: bytes) -> Reply:
        """Return the reply of signing.reply. If the process has died, start it again once; repeating a request is
        safe."""
        line = json.dumps([slug, body.decode("latin-1")]) + "\n"
        for _ in range(2):
            if answer := self._answer(line):
                status, text, kind, headers = json.loads(answer)
                return Reply(status, text.encode(), kind, tuple(map(tuple, headers)))
            self.end()
        return refuse(refusals.FAILED)

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _answer(self, line: str) -> str:
        """Return the reply's line; "" if the process ended first."""
        self._process = self._process or _started()
        ends = _ends(self._process)
        try:
            ends.requests.write(line)
            ends.requests.flush()
        except OSError:
            return ""
        answer = ends.answers.readline()
        return answer if answer.endswith("\n") else ""


class _Ends(NamedTuple):
    requests: IO[str]
    answers: IO[str]


def _ends(process: subprocess.Popen[str]) -> _Ends:
    assert process.stdin is not None and process.stdout is not None
    return _Ends(process.stdin, process.stdout)


def _started() -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "surveys.respondent.intake.sign"]
    ends = subprocess.PIPE
    return subprocess.Popen(command, cwd=settings.BASE_DIR, stdin=ends, stdout=ends, text=True)
