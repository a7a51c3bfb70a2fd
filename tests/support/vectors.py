"""Shared vectors: the same words give the same bytes in Python and in the browser.

`DJANGO_SETTINGS_MODULE=surveys.settings python -m tests.support.vectors` writes vectors.json beside it anew; a change
there means that old and new clients differ.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ldp.forms import definition as rules
from ldp.privatize import make_report
from ldp.routing import applicable
from surveys import definition as definitions
from surveys.demo.respondents import draft as demo_draft
from tests.support import form_cases, routing

PATH = Path(__file__).with_name("vectors.json")


def _asked(key: str, kind: str, alpha: str, **fields: Any) -> dict[str, Any]:
    return {"key": key, "kind": kind, "text": f"{key}?", "alpha": alpha} | fields


EVERY_KIND = {
    "title": "Every kind",
    "questions": [
        _asked("warner", "yes_no", "1.098612"),
        _asked("three", "yes_no", "0.01", prefer_not_to_say=True),
        _asked("bits", "yes_no", "16", mechanism="bitwise"),
        _asked("many", "single_choice", "2", options=[f"Öption {i}" for i in range(20)]),
        _asked("few", "single_choice", "0.5", options=["a", "b", "c"], mechanism="randomized_response"),
        _asked("half", "single_choice", "0.01", options=[*"abcdef"], mechanism="subset"),
        _asked("all_but_one", "ordered", "0.02", options=[*"abc"], mechanism="subset", prefer_not_to_say=True),
        _asked("scale", "ordered", "1", options=["not", "little", "some", "much", "all"], mechanism="exponential"),
        _asked("steep", "ordered", "16", options=[*"abc"], mechanism="exponential", prefer_not_to_say=True),
        _asked("laplace", "histogram", "0.7", edges=["-1.5", "0", "2.25", "10"], mechanism="laplace")
        | {"prefer_not_to_say": True},
        _asked("counted", "histogram", "3", edges=["0", "1", "2"], mechanism="bitwise"),
        _asked("tails", "histogram", "1", edges=["0", "1", "2", "3"], mechanism="osgt", delta="0.000001"),
        _asked("bell", "histogram", "4", edges=["0", "1", "2"], mechanism="gaussian", delta="0.0010")
        | {"prefer_not_to_say": True},
        _asked("bit", "mean", "1", low="0", high="24", unit="hours"),
        _asked("noise", "mean", "2.3", low="-10.5", high="40.25", mechanism="laplace_mean"),
        _asked("ends", "mean", "0.2", low="-3", high="-0.000001", mechanism="laplace_mean"),
        _asked("any", "multiple_choice", "1", options=[*"abcde"]),
        _asked("some", "multiple_choice", "2", options=[*"abcdef"], sample=3, prefer_not_to_say=True),
        _asked("rows", "grid", "0.9", items=["tea", "coffee", "milk"], options=["never", "often"])
        | {"prefer_not_to_say": True},
        _asked("two_rows", "grid", "4", items=[*"vwxyz"], options=["never", "seldom", "often", "always"], sample=2),
        _asked("step", "mean", "1", steps=["never", "seldom", "often", "always"], mechanism="one_bit"),
        _asked("step_noise", "mean", "3", steps=[*"abcdefg"], mechanism="laplace_mean"),
    ],
}

WORDS = {
    "random": lambda chosen: chosen.getrandbits(32),
    "zeros": lambda chosen: 0,
    # Ones alone would be drawn again for ever where a uniform choice rejects the highest integers.
    "mostly ones": lambda chosen: 2**32 - 1 if chosen.random() < 0.8 else chosen.getrandbits(32),
}


WORDS_OF_EACH = ("random", "random", "random", "zeros", "mostly ones")


def load() -> list[dict[str, Any]]:
    vectors: list[dict[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))
    return vectors


def answer(question: dict[str, Any], chosen: random.Random) -> Any:
    """Some answer that a respondent could give; a number may lie at or beyond an end of its range."""
    d = len(question.get("options", question.get("steps", ())))
    if question["kind"] == "mean" and "steps" not in question:
        low, high = float(question["low"]), float(question["high"])
        inside = f"{chosen.uniform(low, high):.3f}"
        return chosen.choice([question["low"], question["high"], "-1000", "1000.5", inside, inside, inside])
    if question["kind"] == "multiple_choice":
        return [chosen.random() < 0.5 for _ in range(d)]
    if question["kind"] == "grid":
        return [chosen.randrange(d) for _ in question["items"]]
    return chosen.randrange(d)


def make() -> list[dict[str, Any]]:
    chosen = random.Random(20)
    vectors = []
    for name, draft in (("every kind", EVERY_KIND), ("routed", routing.DRAFT)):
        definition = definitions.build(draft)
        for kind in WORDS_OF_EACH:
            answers = {question["key"]: answer(question, chosen) for question in definition["questions"]}
            if name == "routed":
                answers = _of_the_asked(definition["questions"], answers)
            vectors.append(_vector(f"{name}, {kind}", definition, answers, WORDS[kind], chosen))
    return [*vectors, *_in_forms("demo", demo_draft(), chosen), *_in_forms("cases", form_cases.DRAFT, chosen)]


def _in_forms(name: str, draft: dict[str, Any], chosen: random.Random) -> Iterator[dict[str, Any]]:
    definition = definitions.build(draft)
    for form in range(len(definition["forms"])):
        questions = rules.questions_of(definition, form)
        for kind in WORDS_OF_EACH:
            answers = _of_the_asked(questions, {each["key"]: answer(each, chosen) for each in questions})
            yield _vector(f"{name} {form}, {kind}", definition, answers, WORDS[kind], chosen, form) | {"form": form}


def _of_the_asked(questions: list[Any], answers: dict[str, Any]) -> dict[str, Any]:
    paths = applicable(questions, answers)
    return {key: answers[key] for key in answers if key in paths}


def _vector(
    name: str, definition: dict[str, Any], answers: Any, draw: Any, chosen: random.Random, form: int = 0
) -> dict[str, Any]:
    used: list[int] = []

    def record() -> int:
        used.append(draw(chosen))
        return used[-1]

    digest = definitions.digest(definition)
    body = make_report(definition, digest, answers, record, form)
    text = definitions.canonical(definition).decode()
    return {"name": name, "definition": text, "digest": digest, "answers": answers, "words": used, "body": body}


if __name__ == "__main__":
    PATH.write_text(json.dumps(make(), indent=1) + "\n", encoding="utf-8")
