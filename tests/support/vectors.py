"""Shared vectors: the same words give the same bytes in Python and in the browser.

Tests make the vectors when they run. A digest remembers the first version of each part. Kinds and mechanisms store the
digest of their questions; DIGESTS has the digests of whole surveys. A different digest means that old and new clients
differ.
"""

import hashlib
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from ldp.forms import definition as rules
from ldp.mechanisms import FITTING
from ldp.privatize import make_report
from ldp.routing import applicable
from surveys.public.demo.drafts import draft as demo_draft
from surveys.survey import definition as definitions
from tests.support import form_cases, kinds, mechanisms, routing

HOMES: dict[str, Any] = {
    **{f"kind {name}": home for name, home in kinds.homes().items()},
    **{f"mechanism {name}": home for name, home in mechanisms.homes().items()},
}


def _of_every_kind() -> Iterator[dict[str, Any]]:
    for kind, names in FITTING.items():
        yield from kinds.of(kind).QUESTIONS
        for name in names:
            yield from (question for question in mechanisms.of(name).QUESTIONS if question["kind"] == kind)


EVERY_KIND = {"title": "Every kind", "questions": list(_of_every_kind())}

DIGESTS = {
    "routed": "ae4f702448a067ef",
    "several": "2be3dffcc79cc76f",
    "demo": "d7a41f6af57ba74c",
    "cases": "b22331dfb208f6a9",
}

WORDS = {
    "random": lambda chosen: chosen.getrandbits(32),
    "zeros": lambda chosen: 0,
    # Ones alone never end: a uniform choice rejects the highest integers and draws again.
    "mostly ones": lambda chosen: 2**32 - 1 if chosen.random() < 0.8 else chosen.getrandbits(32),
}


WORDS_OF_EACH = ("random", "random", "random", "zeros", "mostly ones")


def digests() -> dict[str, str]:
    """Return the digests of each part's first vectors. A home without questions has none."""
    return DIGESTS | {name: home.DIGEST for name, home in HOMES.items() if home.QUESTIONS}


def digest(part: str) -> str:
    return hashlib.sha256(json.dumps(parts()[part], sort_keys=True).encode()).hexdigest()[:16]


def load() -> list[dict[str, Any]]:
    return [vector for part in parts().values() for vector in part]


@cache
def parts() -> dict[str, list[dict[str, Any]]]:
    """Return the vectors of each part, and the vectors of whole surveys."""
    own = {
        name: list(_of_draft(name, {"title": name, "questions": home.QUESTIONS}))
        for name, home in HOMES.items()
        if home.QUESTIONS
    }
    whole = {
        "every kind": EVERY_KIND,
        "routed": routing.DRAFT,
        "several": routing.SEVERAL,
        "demo": demo_draft(),
        "cases": form_cases.DRAFT,
        "lists": form_cases.LISTS,
    }
    return own | {name: list(_of_draft(name, draft)) for name, draft in whole.items()}


def _of_draft(name: str, draft: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a vector for each form of the survey and each choice of words."""
    chosen, definition = random.Random(name), definitions.build(draft)
    forms = range(len(definition["forms"])) if "forms" in definition else [None]
    for form in forms:
        questions = rules.questions_of(definition, form or 0)
        for kind in WORDS_OF_EACH:
            answers = {each["key"]: answer(each, chosen) for each in questions}
            on_the_way = applicable(questions, answers)
            answers = {key: answers[key] for key in answers if key in on_the_way}
            yield _vector(f"{name} {form}, {kind}", definition, answers, WORDS[kind], chosen, form)


def answer(question: dict[str, Any], chosen: random.Random) -> Any:
    """Return a random answer that a respondent could give."""
    return kinds.of(question["kind"]).answer(question, chosen)


def _vector(
    name: str, definition: dict[str, Any], answers: Any, draw: Any, chosen: random.Random, form: int | None
) -> dict[str, Any]:
    used: list[int] = []

    def record() -> int:
        used.append(draw(chosen))
        return used[-1]

    digest = definitions.digest(definition)
    body = make_report(definition, digest, answers, record, form or 0)
    text = definitions.canonical(definition).decode()
    made = {"name": name, "definition": text, "digest": digest, "answers": answers, "words": used, "body": body}
    return made if form is None else made | {"form": form}
