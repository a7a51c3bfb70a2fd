"""A respondent's client, from docs/recompute.md and docs/data-flow.md alone: nothing of the product is imported here.

Answers are options' numbers, of a mean a number. `words` gives uniform integers below 2^32.
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
    """The body to send of somebody who drew this form and answers as is said."""
    own, values = definition["forms"][form], {}
    elsewhere = {key for other in definition["forms"] if other is not own for key in other["questions"]}
    for asked in definition["questions"]:
        if "table" in asked and asked["key"] not in elsewhere:
            values[asked["key"]] = DRAWN[asked["mechanism"]](asked, answers[asked["key"]], words)
    if "table" in own:
        values |= _together(definition, own, answers, words)
    return {"report_id": str(uuid.uuid4()), "digest": digest, "form": form, "answers": values}


def _together(
    definition: dict[str, Any], form: dict[str, Any], answers: dict[str, Any], words: Words
) -> dict[str, Any]:
    by_key = {asked["key"]: asked for asked in definition["questions"]}
    each = [by_key[key] for key in form["questions"]]
    sizes = [2 if asked["kind"] == "mean" else len(asked["options"]) for asked in each]
    given = [
        _rounded(asked, answers[asked["key"]], words) if asked["kind"] == "mean" else answers[asked["key"]]
        for asked in each
    ]
    shift = _shift(form["table"]["other"], math.prod(sizes), words)
    values = []
    for x, d in zip(given[::-1], sizes[::-1], strict=True):
        shift, step = divmod(shift, d)
        values.append((x + step) % d)
    return dict(zip(form["questions"], values[::-1], strict=True))


def uniform(words: Words) -> int:
    first, second = words(), words()
    return first % 2**21 * 2**32 + second


def choice(k: int, words: Words) -> int:
    while (u := uniform(words)) >= R - R % k:
        pass
    return u % k


def _shift(t: int, d: int, words: Words) -> int:
    u = uniform(words)
    return sum(u < k * t for k in range(1, d))


def _rounded(asked: dict[str, Any], number: float, words: Words) -> int:
    low, high = float(asked["low"]), float(asked["high"])
    if "steps" in asked:
        low, high = 0.0, len(asked["steps"]) - 1.0
    place = (min(max(number, low), high) - low) / (high - low)
    return int(place) + (uniform(words) < math.floor(place % 1 * R))


def _randomized_response(asked: dict[str, Any], answer: int, words: Words) -> int:
    d = len(asked["options"])
    return (answer + _shift(asked["table"]["other"], d, words)) % d


def _bitwise(asked: dict[str, Any], answer: int, words: Words) -> str:
    flips = [uniform(words) < asked["table"]["flip"] for _ in asked["options"]]
    return "".join(str(int((j == answer) != flip)) for j, flip in enumerate(flips))


def _laplace(asked: dict[str, Any], answer: int, words: Words) -> list[int]:
    values = []
    for bit in _bitwise(asked, answer, words):
        magnitude = sum(2**k for k, chance in enumerate(asked["table"]["magnitude"]) if uniform(words) < chance)
        values.append(1 + magnitude if bit == "1" else -magnitude)
    return values


def _one_bit(asked: dict[str, Any], answer: float, words: Words) -> int:
    return _rounded(asked, answer, words) ^ (uniform(words) < asked["table"]["other"])


DRAWN: dict[str, Callable[..., Any]] = {
    "randomized_response": _randomized_response,
    "bitwise": _bitwise,
    "laplace": _laplace,
    "one_bit": _one_bit,
}
