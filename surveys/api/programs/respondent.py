"""A second client of the protocol, one file that needs Python 3.11 alone: from a definition and answers to the report.

It draws as docs/recompute.md says, in the order of docs/vectors.json, which it passes byte for byte. It is for people
who write a client of their own, and shares no code with the site. What it does not do is what the site's page does
beside this: prove that the tables keep their alpha, keep a report until it is acknowledged, ask for an invitation's
signature. Answers are numbers of options from 0; of a number its decimal text; of a multiple choice a list of true and
false; of a grid a list of options; of a ranking the numbers of its items, the first one first.
"""

import json
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import prod
from secrets import randbits
from typing import Any

R = 2**53
Words = Callable[[], int]  # gives the next uniform integer below 2^32
Question = Any  # of a definition
Answers = dict[str, Any]


def system_words() -> int:
    return randbits(32)


def report(definition: Question, digest: str, answers: Answers, words: Words = system_words) -> str:
    """The body to send of somebody with these answers. The form is drawn first, before any answer is looked at."""
    return make_report(definition, digest, answers, words, draw_form(definition, words))


def draw_form(definition: Question, words: Words) -> int | None:
    """Its place; None where the definition has none."""
    if "forms" not in definition:
        return None
    weights: list[int] = [form["weight"] for form in definition["forms"]]
    u = choice(sum(weights), words)
    return sum(sum(weights[: place + 1]) <= u for place in range(len(weights) - 1))


def make_report(definition: Question, digest: str, answers: Answers, words: Words, form: int | None) -> str:
    """Words in this order: four for the id, two for each uniform integer; questions as the definition has them, those
    that are randomized together last: one for each number, then one for all."""
    body: Answers = {"report_id": uuid(words), "digest": digest}
    own: Question = {"questions": []}
    if form is not None:
        body["form"], own = form, definition["forms"][form]
    elsewhere = {key for each in definition.get("forms", ()) if each is not own for key in each["questions"]}
    questions = [each for each in definition["questions"] if each["key"] not in elsewhere]
    given, values = filled(questions, answers), Answers()
    together = [each for each in questions if "table" in own and each["key"] in own["questions"]]
    for each in questions:
        if each not in together:
            values[each["key"]] = DRAWS[way(each)](each, given[each["key"]], words)
    if together:
        values |= _together(own, together, given, words)
    return json.dumps(body | {"answers": values}, separators=(",", ":"))


def filled(questions: Sequence[Question], answers: Answers) -> Answers:
    """An answer to every question: of those that are not asked of this person the filler."""
    given, applicable = Answers(), set[str]()
    for each in questions:
        rule = each.get("asked_if", {"all": []})
        rules, joined = rule.get("all", rule.get("any", [rule])), any if "any" in rule else all
        if joined(one["question"] in applicable and _applies(given[one["question"]], one["options"]) for one in rules):
            applicable.add(each["key"])
            given[each["key"]] = answers[each["key"]]
        else:
            given[each["key"]] = _filler(each)
    return given


def _applies(answer: Any, options: Sequence[int]) -> bool:
    return any(answer[option] for option in options) if isinstance(answer, list) else answer in options


def _filler(question: Question) -> Any:
    filler = question["filler"]
    if question["kind"] == "multiple_choice":
        return [option in filler for option in range(len(question["options"]))]
    if question["kind"] == "histogram":
        return sum(Decimal(edge) <= Decimal(filler) for edge in question["edges"][1:-1])
    if "dates" in question:
        return sum(each <= filler for each in question["dates"][1:-1])
    return filler


# Chance ---------------------------------------------------------------------------------------------------------------


def uuid(words: Words) -> str:
    """A version 4 UUID of four words."""
    digits = list("".join(f"{words():08x}" for _ in range(4)))
    digits[12], digits[16] = "4", "89ab"[int(digits[16], 16) % 4]
    text = "".join(digits)
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def uniform(words: Words) -> int:
    """Below 2^53."""
    high = words() % 2**21
    return high * 2**32 + words()


def choice(k: int, words: Words) -> int:
    while (u := uniform(words)) >= R - R % k:
        pass
    return u % k


def sample(n: int, m: int, words: Words) -> list[int]:
    """The first m places of a shuffle of 0..n-1."""
    deck = list(range(n))
    for i in range(m):
        j = i + choice(n - i, words)
        deck[i], deck[j] = deck[j], deck[i]
    return deck[:m]


def shift(other: int, d: int, words: Words) -> int:
    """0, or each of 1..d-1 with the chance `other`."""
    u = uniform(words)
    return sum(u < k * other for k in range(1, d))


def reached(thresholds: Sequence[int], words: Words) -> int:
    u = uniform(words)
    return sum(each <= u for each in thresholds)


# Draws ----------------------------------------------------------------------------------------------------------------


def way(question: Question) -> str:
    """How it is drawn, by what its table holds and what it has beside it."""
    table, kind = question["table"], question["kind"]
    if kind in ("mean", "grid", "multiple_choice", "ranking"):
        return kind if kind != "mean" else "mean of rows" if "rows" in table else "one bit"
    names = {"m": "subset", "noise": "noise", "rows": "rows", "magnitude": "laplace", "flip": "bits"}
    return next((names[name] for name in names if name in table), "shift")


def _shift(question: Question, answer: int, words: Words) -> int:
    d = len(question["options"])
    return (answer + shift(question["table"]["other"], d, words)) % d


def _subset(question: Question, answer: int, words: Words) -> list[int]:
    d, m = len(question["options"]), question["table"]["m"]
    inside = uniform(words) < question["table"]["in"]
    steps = [step + 1 for step in sample(d - 1, m, words)]
    if inside:
        steps[m - 1] = 0
    return sorted((answer + step) % d for step in steps)


def _bits(question: Question, answer: int, words: Words) -> str:
    flips = [uniform(words) < question["table"]["flip"] for _ in question["options"]]
    return "".join(str(int((place == answer) != flip)) for place, flip in enumerate(flips))


def _laplace(question: Question, answer: int, words: Words) -> list[int]:
    table, values = question["table"], []
    for place in range(len(question["options"])):
        flip = uniform(words) < table["flip"]
        magnitude = sum(2**k for k, chance in enumerate(table["magnitude"]) if uniform(words) < chance)
        values.append(1 + magnitude if (place == answer) != flip else -magnitude)
    return values


def _noise(question: Question, answer: int, words: Words) -> list[int]:
    noise = question["table"]["noise"]
    drawn = [reached(noise, words) - len(noise) // 2 for _ in question["options"]]
    return [each + (place == answer) for place, each in enumerate(drawn)]


def _rows(question: Question, answer: int, words: Words) -> int:
    return reached(question["table"]["rows"][answer], words)


def _mean_of_rows(question: Question, answer: Any, words: Words) -> int:
    rows = question["table"]["rows"]
    row = rows[_rounded(question, answer, len(rows) - 1, words)]
    return reached(row, words) - (len(row) + 1 - len(rows)) // 2


def _one_bit(question: Question, answer: Any, words: Words) -> int:
    bit = _rounded(question, answer, 1, words)
    return (bit + shift(question["table"]["other"], 2, words)) % 2


def _rounded(question: Question, answer: Any, steps: int, words: Words) -> int:
    """The point of a grid below the number or, with the chance of what is left, the one above."""
    ends = ("0", str(len(question["steps"]) - 1)) if "steps" in question else (question["low"], question["high"])
    low, high, number = (Fraction(str(each)) for each in (*ends, answer))
    place = (min(max(number, low), high) - low) / (high - low) * steps
    return int(place) + (uniform(words) < int(place % 1 * R))


def _grid(question: Question, answer: Sequence[int], words: Words, d: int = 0) -> list[list[int]]:
    table, d = question["table"], d or len(question["options"])
    items = sorted(sample(len(answer), table["sample"], words))
    return [[item, (answer[item] + shift(table["other"], d, words)) % d] for item in items]


def _multiple(question: Question, answer: Sequence[bool], words: Words) -> list[list[int]]:
    return _grid(question, [int(each) for each in answer], words, 2)


def _ranking(question: Question, answer: Sequence[int], words: Words) -> list[list[int]]:
    """For each two items whether the earlier one in the question comes first."""
    pairs = combinations(range(len(question["ranked"])), 2)
    return _multiple(question, [answer.index(one) < answer.index(other) for one, other in pairs], words)


DRAWS: dict[str, Callable[..., Any]] = {
    "shift": _shift,
    "subset": _subset,
    "bits": _bits,
    "laplace": _laplace,
    "noise": _noise,
    "rows": _rows,
    "mean of rows": _mean_of_rows,
    "one bit": _one_bit,
    "multiple_choice": _multiple,
    "ranking": _ranking,
    "grid": _grid,
}


def _together(form: Question, questions: Sequence[Question], given: Answers, words: Words) -> Answers:
    """All stay, or all are replaced: one draw over the tuples, whose number has the first question's answer first."""
    sizes = [2 if each["kind"] == "mean" else len(each["options"]) for each in questions]
    symbols = [
        _rounded(each, given[each["key"]], 1, words) if each["kind"] == "mean" else given[each["key"]]
        for each in questions
    ]
    drawn, values = shift(form["table"]["other"], prod(sizes), words), Answers()
    for each, symbol, size in reversed(list(zip(questions, symbols, sizes, strict=True))):
        drawn, step = divmod(drawn, size)
        values[each["key"]] = (symbol + step) % size
    return dict(reversed(values.items()))
