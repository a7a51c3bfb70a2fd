"""A respondent's client, written from recompute.md and data-flow.md alone. It imports nothing of the product.

An answer is the number of an option; the answer to a mean is a number. `words` gives uniform integers below 2^32.
"""

import math
import uuid
from collections.abc import Callable
from itertools import accumulate
from typing import Any

R = 2**53

Words = Callable[[], int]


def draw_form(definition: dict[str, Any], words: Words) -> int:
    weights = [form["weight"] for form in definition["forms"]]
    place = choice(sum(weights), words)
    return sum(end <= place for end in list(accumulate(weights))[:-1])


def report(definition: dict[str, Any], digest: str, form: int, answers: dict[str, Any], words: Words) -> dict[str, Any]:
    """Return the report of a person with this form and these answers."""
    by_key = {asked["key"]: asked for asked in definition["questions"]}
    values = {}
    for draw in [*definition["draws"], *definition["forms"][form]["draws"]]:
        each = [by_key[key] for key in draw["questions"]]
        if "sizes" in draw["table"]:
            drawn = _lists(draw["table"], each, answers, words)
        else:
            [asked] = each
            drawn = [DRAWN[draw["mechanism"]](draw["table"], asked, answers[asked["key"]], words)]
        values |= zip(draw["questions"], drawn, strict=True)
    return {"report_id": str(uuid.uuid4()), "digest": digest, "form": form, "answers": values}


def _lists(table: dict[str, Any], each: list[dict[str, Any]], answers: dict[str, Any], words: Words) -> list[list[int]]:
    """Return a list of options for each question. If the draw keeps the answers, every list holds its answer."""
    counts = [2 if asked["kind"] == "mean" else len(asked["options"]) for asked in each]
    given = [
        _rounded(asked, answers[asked["key"]], words) if asked["kind"] == "mean" else answers[asked["key"]]
        for asked in each
    ]
    kept, lists = uniform(words) < table["keep"], []
    for x, d, size in zip(given, counts, table["sizes"], strict=True):
        steps = sample(d, size, words)
        if kept and 0 not in steps:
            steps[0] = 0
        lists.append(sorted((x + step) % d for step in steps))
    return lists


def uniform(words: Words) -> int:
    first, second = words(), words()
    return first % 2**21 * 2**32 + second


def choice(k: int, words: Words) -> int:
    while (u := uniform(words)) >= R - R % k:
        pass
    return u % k


def sample(n: int, m: int, words: Words) -> list[int]:
    deck = list(range(n))
    for i in range(m):
        j = i + choice(n - i, words)
        deck[i], deck[j] = deck[j], deck[i]
    return deck[:m]


def _rounded(asked: dict[str, Any], number: float, words: Words) -> int:
    low, high = float(asked["low"]), float(asked["high"])
    if "steps" in asked:
        low, high = 0.0, len(asked["steps"]) - 1.0
    place = (min(max(number, low), high) - low) / (high - low)
    return int(place) + (uniform(words) < math.floor(place % 1 * R))


def _bitwise(table: dict[str, Any], asked: dict[str, Any], answer: int, words: Words) -> str:
    flips = [uniform(words) < table["flip"] for _ in asked["options"]]
    return "".join(str(int((j == answer) != flip)) for j, flip in enumerate(flips))


def _laplace(table: dict[str, Any], asked: dict[str, Any], answer: int, words: Words) -> list[int]:
    values = []
    for j in range(len(asked["options"])):
        flip = uniform(words) < table["flip"]
        magnitude = sum(2**k for k, chance in enumerate(table["magnitude"]) if uniform(words) < chance)
        values.append(1 + magnitude if (j == answer) != flip else -magnitude)
    return values


DRAWN: dict[str, Callable[..., Any]] = {"bitwise": _bitwise, "laplace": _laplace}
