"""Single reports to running surveys, one after the other, and how each was acknowledged."""

import json
import time
from pathlib import Path
from typing import Any

from ldp.privatize import make_report
from ldp.words import system_words
from surveys.demo import client
from tests.services.system import System
from tests.support.journeys import open_survey, request

# Every report of it is another one, and long enough not to turn up by chance.
DRAFT: dict[str, Any] = {
    "title": "Watched",
    "introduction": "",
    "questions": [
        {"key": "yes", "kind": "yes_no", "text": "Yes or no?", "alpha": "1"},
        {"key": "which", "kind": "single_choice", "text": "Which?", "alpha": "1", "mechanism": "bitwise"}
        | {"options": [f"Option {i}" for i in range(128)]},
    ],
}
KEYS = [question["key"] for question in DRAFT["questions"]]


class Single:
    """A survey on a running system and those who answer it one by one."""

    def __init__(self, system: System, directory: Path, *options: str) -> None:
        self.slug = open_survey(system, directory, *options, draft=DRAFT)
        self.api = f"{system.url}/api/v1/surveys/{self.slug}"
        _, headers, canonical = request(f"{self.api}/definition")
        self.definition, self.digest = json.loads(canonical), headers["ETag"].strip('"')
        self._sender = client.Sender(f"{self.api}/reports")

    def body(self, k: int) -> str:
        answers = {"yes": k % 2, "which": k % 128}
        return make_report(self.definition, self.digest, answers, system_words)

    def send(self, k: int) -> tuple[dict[str, Any], float, float]:
        """A new report as acknowledged: the report, when it was sent and when acknowledged (time.time)."""
        body, started = self.body(k), time.time()
        self._sender.send(body)
        return json.loads(body), started, time.time()

    def send_many(self, count: int) -> None:
        client.send_all(f"{self.api}/reports", (self.body(k) for k in range(count)), 8, lambda sent: None)
