"""Shared vectors: the same words give the same bytes in Python and in the browser.

`python -m tests.vectors` writes tests/vectors.json anew; a change there means that old and new clients differ.
"""

import json
import random
from pathlib import Path
from typing import Any

from ldp.privatize import make_report
from surveys import definition as definitions
from surveys.demo.respondents import draft as demo_draft

PATH = Path(__file__).with_name("vectors.json")

EVERY_KIND = {
    "title": "Every kind",
    "questions": [
        {"key": "warner", "kind": "yes_no", "text": "Yes?", "alpha": "1.098612"},
        {"key": "three", "kind": "yes_no", "text": "Yes?", "alpha": "0.01", "prefer_not_to_say": True},
        {"key": "bits", "kind": "yes_no", "text": "Yes?", "alpha": "16", "mechanism": "bitwise"},
        {
            "key": "many",
            "kind": "single_choice",
            "text": "Which?",
            "options": [f"Öption {i}" for i in range(20)],
            "alpha": "2",
        },
        {
            "key": "few",
            "kind": "single_choice",
            "text": "Which?",
            "options": ["a", "b", "c"],
            "alpha": "0.5",
            "mechanism": "randomized_response",
        },
        {
            "key": "laplace",
            "kind": "histogram",
            "text": "How many?",
            "edges": ["-1.5", "0", "2.25", "10"],
            "alpha": "0.7",
            "prefer_not_to_say": True,
        },
        {
            "key": "counted",
            "kind": "histogram",
            "text": "How many?",
            "edges": ["0", "1", "2"],
            "alpha": "3",
            "mechanism": "bitwise",
        },
    ],
}


def load() -> list[dict[str, Any]]:
    vectors: list[dict[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))
    return vectors


def make() -> list[dict[str, Any]]:
    chosen = random.Random(20)
    vectors = []
    for name, draft in (("demo", demo_draft()), ("every kind", EVERY_KIND)):
        definition = definitions.build(draft)
        for kind in ("random", "random", "random", "zeros", "ones"):
            answers = {q["key"]: chosen.randrange(len(q["options"])) for q in definition["questions"]}
            words = {"random": lambda: chosen.getrandbits(32), "zeros": lambda: 0, "ones": lambda: 2**32 - 1}[kind]
            used: list[int] = []

            def record(words: Any = words, used: list[int] = used) -> int:
                used.append(words())
                return used[-1]

            digest = definitions.digest(definition)
            body = make_report(definition, digest, answers, record)
            vectors.append(
                {
                    "name": f"{name}, {kind}",
                    "definition": definitions.canonical(definition).decode(),
                    "digest": digest,
                    "answers": answers,
                    "words": used,
                    "body": body,
                }
            )
    return vectors


if __name__ == "__main__":
    PATH.write_text(json.dumps(make(), indent=1) + "\n", encoding="utf-8")
