"""Single reports to running surveys, one after the other, and how each was acknowledged."""

import json
import time
from pathlib import Path
from typing import Any

from ldp.privatize import draw_form, make_report
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
IN_FORMS: dict[str, Any] = {
    "title": "Watched in ten forms",
    "introduction": "",
    "questions": [
        {"key": "yes", "kind": "yes_no", "text": "Yes or no?", "alpha": "1"},
        *(
            {"key": f"which_{k}", "kind": "single_choice", "text": "Which?", "alpha": "1", "mechanism": "bitwise"}
            | {"options": [f"Option {i}" for i in range(96)]}
            for k in range(10)
        ),
    ],
    "forms": [{"questions": [f"which_{k}"]} for k in range(10)],
}
KEYS_IN_FORMS = [question["key"] for question in IN_FORMS["questions"]]


class Single:
    """A survey on a running system and those who answer it one by one."""

    def __init__(self, system: System, directory: Path, *options: str, draft: dict[str, Any] = DRAFT) -> None:
        self.slug = open_survey(system, directory, *options, draft=draft)
        self.api = f"{system.url}/api/v1/surveys/{self.slug}"
        _, headers, canonical = request(f"{self.api}/definition")
        self.definition, self.digest = json.loads(canonical), headers["ETag"].strip('"')
        self._sender = client.Sender(f"{self.api}/reports")

    def body(self, k: int, form: int | None = None) -> str:
        """Of a survey in forms, of the one that is named, or of one drawn by lot."""
        answers = {key: k % (2 if key == "yes" else 96) for key in (*KEYS, *KEYS_IN_FORMS)}
        if form is None:
            form = draw_form(self.definition, system_words)
        return make_report(self.definition, self.digest, answers, system_words, form)

    def send(self, k: int, form: int | None = None) -> tuple[dict[str, Any], float, float]:
        """A new report as acknowledged: the report, when it was sent and when acknowledged (time.time)."""
        body, started = self.body(k, form), time.time()
        self._sender.send(body)
        return json.loads(body), started, time.time()

    def send_many(self, count: int) -> None:
        client.send_all(f"{self.api}/reports", (self.body(k) for k in range(count)), 8, lambda sent: None)
