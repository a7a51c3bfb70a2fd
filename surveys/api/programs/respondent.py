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
from secrets import randbits
from typing import Any

R = 2**53
Words = Callable[[], int]  # gives the next uniform integer below 2^32
Question = Any  # of a definition
Draw = Any  # of a definition
Table = Any  # of a draw
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
    """Words in this order: four for the id, two for each uniform integer; draw by draw, everybody's before
    those of the form."""
    body: Answers = {"report_id": uuid(words), "digest": digest}
    draws: list[Draw] = definition["draws"]
    if form is not None:
        body["form"], draws = form, draws + definition["forms"][form]["draws"]
    asked = {key for draw in draws for key in draw["questions"]}
    questions = {each["key"]: each for each in definition["questions"] if each["key"] in asked}
    given, values = filled(list(questions.values()), answers), Answers()
    for draw in draws:
        own = [questions[key] for key in draw["questions"]]
        if "sizes" in draw["table"]:
            values |= _subsets(draw["table"], own, given, words)
        else:
            [each] = own
            values[each["key"]] = DRAWS[way(draw, each)](draw["table"], each, given[each["key"]], words)
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


def reached(thresholds: Sequence[int], words: Words) -> int:
    u = uniform(words)
    return sum(each <= u for each in thresholds)


# Draws ----------------------------------------------------------------------------------------------------------------


def subsets(table: Table, options: Sequence[int], answers: Sequence[int], words: Words) -> list[list[int]]:
    """For each answer so many of its options as the table's size says: with the chance `keep` every list holds the
    answer, otherwise all are random. All chance is drawn before an answer is looked at."""
    kept, steps = uniform(words) < table["keep"], []
    for d, size in zip(options, table["sizes"], strict=True):
        step = sample(d, size, words)
        if kept and 0 not in step:
            step[0] = 0
        steps.append(step)
    return [sorted((x + r) % d for r in step) for x, step, d in zip(answers, steps, options, strict=True)]


def _subsets(table: Table, questions: Sequence[Question], given: Answers, words: Words) -> Answers:
    """A number is rounded to an end of its range first."""
    means = [each["kind"] == "mean" for each in questions]
    options = [2 if mean else len(each["options"]) for each, mean in zip(questions, means, strict=True)]
    answers = [
        _rounded(each, given[each["key"]], 1, words) if mean else given[each["key"]]
        for each, mean in zip(questions, means, strict=True)
    ]
    listed = subsets(table, options, answers, words)
    return {each["key"]: own for each, own in zip(questions, listed, strict=True)}


def way(draw: Draw, question: Question) -> str:
    """How it is drawn, by what its table holds."""
    table, kind = draw["table"], question["kind"]
    if kind in ("mean", "grid", "multiple_choice", "ranking"):
        return kind if kind != "mean" else "mean of rows"
    names = {"noise": "noise", "rows": "rows", "magnitude": "laplace", "flip": "bits"}
    return next(names[name] for name in names if name in table)


def _bits(table: Table, question: Question, answer: int, words: Words) -> str:
    flips = [uniform(words) < table["flip"] for _ in question["options"]]
    return "".join(str(int((place == answer) != flip)) for place, flip in enumerate(flips))


def _laplace(table: Table, question: Question, answer: int, words: Words) -> list[int]:
    values = []
    for place in range(len(question["options"])):
        flip = uniform(words) < table["flip"]
        magnitude = sum(2**k for k, chance in enumerate(table["magnitude"]) if uniform(words) < chance)
        values.append(1 + magnitude if (place == answer) != flip else -magnitude)
    return values


def _noise(table: Table, question: Question, answer: int, words: Words) -> list[int]:
    drawn = [reached(table["noise"], words) - len(table["noise"]) // 2 for _ in question["options"]]
    return [each + (place == answer) for place, each in enumerate(drawn)]


def _rows(table: Table, question: Question, answer: int, words: Words) -> int:
    return reached(table["rows"][answer], words)


def _mean_of_rows(table: Table, question: Question, answer: Any, words: Words) -> int:
    rows = table["rows"]
    row = rows[_rounded(question, answer, len(rows) - 1, words)]
    return reached(row, words) - (len(row) + 1 - len(rows)) // 2


def _rounded(question: Question, answer: Any, steps: int, words: Words) -> int:
    """The point of a grid below the number or, with the chance of what is left, the one above."""
    ends = ("0", str(len(question["steps"]) - 1)) if "steps" in question else (question["low"], question["high"])
    low, high, number = (Fraction(str(each)) for each in (*ends, answer))
    place = (min(max(number, low), high) - low) / (high - low) * steps
    return int(place) + (uniform(words) < int(place % 1 * R))


def _drawn(table: Table, d: int, size: int, answer: Sequence[int], words: Words) -> list[tuple[int, list[int]]]:
    """Some of the items, and for each a list of its d answers, all randomized together."""
    items = sorted(sample(len(answer), table["sample"], words))
    own = {"keep": table["keep"], "sizes": [size] * len(items)}
    return list(zip(items, subsets(own, [d] * len(items), [answer[item] for item in items], words), strict=True))


def _grid(table: Table, question: Question, answer: Sequence[int], words: Words) -> list[list[Any]]:
    return [[item, listed] for item, listed in _drawn(table, len(question["options"]), table["size"], answer, words)]


def _multiple(table: Table, question: Question, answer: Sequence[bool], words: Words) -> list[list[int]]:
    return [[item, bit] for item, [bit] in _drawn(table, 2, 1, [int(each) for each in answer], words)]


def _ranking(table: Table, question: Question, answer: Sequence[int], words: Words) -> list[list[int]]:
    """For each two items whether the earlier one in the question comes first."""
    pairs = combinations(range(len(question["ranked"])), 2)
    return _multiple(table, question, [answer.index(one) < answer.index(other) for one, other in pairs], words)


DRAWS: dict[str, Callable[..., Any]] = {
    "bits": _bits,
    "laplace": _laplace,
    "noise": _noise,
    "rows": _rows,
    "mean of rows": _mean_of_rows,
    "multiple_choice": _multiple,
    "ranking": _ranking,
    "grid": _grid,
}
