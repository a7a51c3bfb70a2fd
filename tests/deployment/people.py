"""People who use a site while its parts die or are replaced."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

TOGETHER = 250  # reports


class People:
    """Respondents who answer over TLS all the time, a few hundred in a row. `acknowledged` counts their reports."""

    def __init__(self, manage: Callable[[str], str], slug: str) -> None:
        self._manage, self._over = manage, threading.Event()
        self.acknowledged, self.refused = 0, ""
        self._command = f"load --threads 4 --reports {TOGETHER} -- {slug}"
        self._thread = threading.Thread(target=self._answer)

    def __enter__(self) -> "People":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _answer(self) -> None:
        while not self._over.is_set():
            printed = self._manage(self._command)
            if "the database system is" in printed or "connection to server" in printed:
                continue  # `load` did not begin, because it could not read the survey
            if f"{TOGETHER} reports acknowledged" not in printed:
                self.refused = printed
                return
            self.acknowledged += TOGETHER


class Visits:
    """A respondent who requests the page ten times a second, and the answers."""

    def __init__(self, get: Callable[[str], int]) -> None:
        self._get, self._over = get, threading.Event()
        self._answers: list[tuple[float, float, int]] = []  # start, duration in seconds, status
        self._thread = threading.Thread(target=self._visit, daemon=True)

    def __enter__(self) -> "Visits":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def __str__(self) -> str:
        bad = [since for since, _, status in self._answers if status != 200]
        slowest = max(seconds for _, seconds, _ in self._answers)
        missed = f"; the others within {bad[-1] - bad[0]:.1f} s" if bad else ""
        answered = f"{len(self._answers) - len(bad)} of {len(self._answers)} visits answered"
        return f"{answered}, in {slowest:.1f} s at most{missed}"

    def _visit(self) -> None:
        while not self._over.is_set():
            since = time.monotonic()
            status = self._get("/s/")
            self._answers.append((since, time.monotonic() - since, status))
            self._over.wait(0.1)


def answer(url: str, certificate: Path, at: str = "127.0.0.1") -> int:
    """Return the status of an answer over TLS; 0 if none comes within five seconds."""
    name = url.split("/")[2]
    trust = ["--cacert", str(certificate), "--resolve", f"{name}:443:{at}"]
    command = ["curl", "-s", "-m", "5", "-o", "/dev/null", "-w", "%{http_code}", *trust, url]
    return int(subprocess.run(command, capture_output=True, text=True).stdout or 0)


def say(text: str) -> None:
    print(text, flush=True)


def wrong_unless(true: bool, what: str) -> None:
    if not true:
        sys.exit(f"WRONG: not {what}")
