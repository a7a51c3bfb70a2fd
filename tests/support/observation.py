"""Single reports to running surveys, sent one by one, with the moment of each acknowledgement."""

import json
import time
from pathlib import Path
from typing import Any

from ldp.privatize import draw_form, make_report
from ldp.words import system_words
from surveys.public.demo import client
from tests.services.system import System
from tests.support.journeys import open_survey, request

BITS = {"alpha": "1", "mechanism": "bitwise"}
LONG = 128  # options: no report of this length turns up by chance


def draft(options: int) -> dict[str, Any]:
    """Return a draft of two questions; the second has this many options."""
    questions = [_yes(), _which("which", options)]
    return {"title": "Watched", "introduction": "", "questions": questions}


def in_forms(options: int, forms: int = 20, short: int = 3) -> dict[str, Any]:
    """Return a draft in forms. One question is for all, and each form has one question of its own; the first four of
    these have `options` options. A ring of yes/no questions joins the forms: each form asks two neighbours together, so
    each question is in two forms."""
    ring = [f"often_{k}" for k in range(forms)]
    pairs = zip(ring, [*ring[1:], ring[0]], strict=True)
    asked = [_form(f"which_{k}", list(pair)) for k, pair in enumerate(pairs)]
    chosen = [_choice(f"which_{k}", options if k < 4 else short) for k in range(forms)]
    questions = [_yes(), *chosen, *({"key": key, "kind": "yes_no", "text": "Often?"} for key in ring)]
    return {"title": "Watched in forms", "introduction": "", "questions": questions, "forms": asked}


def _form(key: str, pair: list[str]) -> dict[str, Any]:
    return {"weight": 1, "draws": [{"questions": [key]} | BITS, {"questions": pair, "alpha": "1"}]}


def _yes() -> dict[str, Any]:
    return {"key": "yes", "kind": "yes_no", "text": "Yes or no?", "alpha": "1"}


def _which(key: str, options: int) -> dict[str, Any]:
    return _choice(key, options) | BITS


def _choice(key: str, options: int) -> dict[str, Any]:
    return {"key": key, "kind": "single_choice", "text": "Which?", "options": [f"Option {i}" for i in range(options)]}


# All reports of these drafts differ. They are long enough not to turn up by chance.
DRAFT, IN_FORMS = draft(LONG), in_forms(96)


def keys(draft: dict[str, Any]) -> list[str]:
    return [question["key"] for question in draft["questions"]]


class Single:
    """A survey on a running system, answered by one person after the other."""

    def __init__(self, system: System, directory: Path, *options: str, draft: dict[str, Any] = DRAFT) -> None:
        self.slug = open_survey(system, directory, *options, draft=draft)
        self.api = f"{system.url}/api/v1/surveys/{self.slug}"
        _, headers, canonical = request(f"{self.api}/definition")
        self.definition, self.digest = json.loads(canonical), headers["ETag"].strip('"')
        self._sender = client.Sender(f"{self.api}/reports")

    def body(self, k: int, form: int | None = None) -> str:
        """Return a report; `form` names the form, else it is drawn."""
        answers = {question["key"]: k % len(question["options"]) for question in self.definition["questions"]}
        if form is None:
            form = draw_form(self.definition, system_words)
        return make_report(self.definition, self.digest, answers, system_words, form)

    def send(self, k: int, form: int | None = None) -> tuple[dict[str, Any], float, float]:
        """Send a new report. Return the report and the times when it was sent and acknowledged (time.time)."""
        body, started = self.body(k, form), time.time()
        self._sender.send(body)
        return json.loads(body), started, time.time()

    def send_many(self, count: int) -> None:
        client.send_all(f"{self.api}/reports", (self.body(k) for k in range(count)), 8, lambda sent: None)
