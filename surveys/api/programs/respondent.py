"""Make a report from a definition and answers: an independent client in one file that needs only Python 3.11.

It draws as recompute.md describes, in the order of docs/vectors.json, and reproduces those vectors byte for byte. It is
a model for authors of clients and shares no code with the site. Three things that the site's page does are missing:
proving that tables keep their alpha, storing a report until it is acknowledged, and requesting an invitation's
signature. An answer is an option's number from 0; a number's decimal text; for a multiple choice a list of booleans;
for a grid a list of options; for a ranking the numbers of its items, the first one first.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from secrets import randbits
from typing import Any

R = 2**53
Words = Callable[[], int]  # returns the next uniform integer below 2^32
Question = Any  # a question of a definition
Answers = dict[str, Any]


def system_words() -> int:
    return randbits(32)


def report(definition: Question, digest: str, answers: Answers, words: Words = system_words) -> str:
    """Return the body to send for a person with these answers. The form is drawn first, before any answer is read."""
    return make_report(definition, digest, answers, words, draw_form(definition, words))


def draw_form(definition: Question, words: Words) -> int | None:
    """Return the form's place; None without forms."""
    if "forms" not in definition:
        return None
    weights: list[int] = [form["weight"] for form in definition["forms"]]
    u = choice(sum(weights), words)
    return sum(sum(weights[: place + 1]) <= u for place in range(len(weights) - 1))


def make_report(definition: Question, digest: str, answers: Answers, words: Words, form: int | None) -> str:
    """Return the body. Words are used in this order: four for the id, two for each uniform integer. Draws for everyone
    come first, then the form's."""
    body: Answers = {"report_id": uuid(words), "digest": digest}
    draws = definition["draws"]
    if form is not None:
        body["form"], draws = form, [*draws, *definition["forms"][form]["draws"]]
    keys = {key for draw in draws for key in draw["questions"]}
    given, values = filled([each for each in definition["questions"] if each["key"] in keys], answers), Answers()
    by_key = {each["key"]: each for each in definition["questions"]}
    for draw in draws:
        questions = [by_key[key] for key in draw["questions"]]
        own = [given[key] for key in draw["questions"]]
        drawn = DRAWS[way(draw["table"], questions[0])](draw["table"], questions, own, words)
        values |= zip(draw["questions"], drawn, strict=True)
    return json.dumps(body | {"answers": values}, separators=(",", ":"))


def filled(questions: Sequence[Question], answers: Answers) -> Answers:
    """Return an answer to every question: the filler if this person is not asked."""
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
    """Return the filler: the last option; in a grid for each item; no option of a multiple choice; a ranking's list
    order; the lowest number."""
    if question["kind"] == "multiple_choice":
        return [False] * len(question["options"])
    if "low" in question:
        return 0 if "steps" in question else question["low"]
    if "ranked" in question:
        return list(range(len(question["ranked"])))
    last = len(question["options"]) - 1
    return [last] * len(question["items"]) if "items" in question else last


# Chance ---------------------------------------------------------------------------------------------------------------


def uuid(words: Words) -> str:
    """Return a version 4 UUID from four words."""
    digits = list("".join(f"{words():08x}" for _ in range(4)))
    digits[12], digits[16] = "4", "89ab"[int(digits[16], 16) % 4]
    text = "".join(digits)
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def uniform(words: Words) -> int:
    """Return a uniform integer below 2^53."""
    high = words() % 2**21
    return high * 2**32 + words()


def choice(k: int, words: Words) -> int:
    while (u := uniform(words)) >= R - R % k:
        pass
    return u % k


def sample(n: int, m: int, words: Words) -> list[int]:
    """Return the first m places of a shuffle of 0..n-1."""
    deck = list(range(n))
    for i in range(m):
        j = i + choice(n - i, words)
        deck[i], deck[j] = deck[j], deck[i]
    return deck[:m]


def reached(thresholds: Sequence[int], words: Words) -> int:
    u = uniform(words)
    return sum(each <= u for each in thresholds)


# Draws ----------------------------------------------------------------------------------------------------------------


def way(table: Answers, question: Question) -> str:
    """Return how the draw is done, for its table and question."""
    if "sample" in table:
        kind: str = question["kind"]
        return kind
    names = {"keep": "lists", "noise": "noise", "rows": "rows", "magnitude": "laplace", "flip": "bits"}
    drawn_by = next(names[name] for name in names if name in table)
    return "mean of rows" if drawn_by == "rows" and question["kind"] == "mean" else drawn_by


def lists(keep: int, sizes: Sequence[int], options: Sequence[int], answers: Sequence[int], words: Words) -> list[Any]:
    """Return a list of options for each answer. With the chance `keep` the lists contain all answers, otherwise they
    are uniform."""
    kept, sets = uniform(words) < keep, []
    for size, d, answer in zip(sizes, options, answers, strict=True):
        steps = sample(d, size, words)
        if kept and 0 not in steps:
            steps[0] = 0
        sets.append(sorted((answer + step) % d for step in steps))
    return sets


def _lists(table: Answers, questions: Sequence[Question], answers: Sequence[Any], words: Words) -> list[Any]:
    """Return one draw of all questions. A number's options are the ends of its scale. For a list or grid some items are
    drawn first, and each is randomized like a question."""
    given: list[Any] = [
        _rounded(each, answer, 1, words) if each["kind"] == "mean" else answer
        for each, answer in zip(questions, answers, strict=True)
    ]
    items: list[list[Any]] = [
        sorted(sample(len(answer), size[0], words)) if isinstance(size, list) else [None]
        for answer, size in zip(given, table["sizes"], strict=True)
    ]
    options, sizes, places = [], [], []
    for question, size, answer, own in zip(questions, table["sizes"], given, items, strict=True):
        options += [_ends_or_options(question)] * len(own)
        sizes += [size[1] if isinstance(size, list) else size] * len(own)
        places += [int(answer if item is None else answer[item]) for item in own]
    sets = iter(lists(table["keep"], sizes, options, places, words))
    return [_as_sent(question, own, sets) for question, own in zip(questions, items, strict=True)]


def _ends_or_options(question: Question) -> int:
    return 2 if question["kind"] in ("mean", "multiple_choice") else len(question["options"])


def _as_sent(question: Question, items: list[Any], sets: Iterator[list[int]]) -> list[Any]:
    """Return the next sets in a report's format: for an option, whether it applies."""
    if items == [None]:
        return next(sets)
    pairs = [[item, next(sets)] for item in items]
    return [[item, bit] for item, [bit] in pairs] if question["kind"] == "multiple_choice" else pairs


def _bits(table: Answers, questions: Sequence[Question], answers: Sequence[int], words: Words) -> list[str]:
    flips = [uniform(words) < table["flip"] for _ in questions[0]["options"]]
    return ["".join(str(int((place == answers[0]) != flip)) for place, flip in enumerate(flips))]


def _laplace(table: Answers, questions: Sequence[Question], answers: Sequence[int], words: Words) -> list[Any]:
    values = []
    for place in range(len(questions[0]["options"])):
        flip = uniform(words) < table["flip"]
        magnitude = sum(2**k for k, chance in enumerate(table["magnitude"]) if uniform(words) < chance)
        values.append(1 + magnitude if (place == answers[0]) != flip else -magnitude)
    return [values]


def _noise(table: Answers, questions: Sequence[Question], answers: Sequence[int], words: Words) -> list[Any]:
    noise = table["noise"]
    drawn = [reached(noise, words) - len(noise) // 2 for _ in questions[0]["options"]]
    return [[each + (place == answers[0]) for place, each in enumerate(drawn)]]


def _rows(table: Answers, questions: Sequence[Question], answers: Sequence[int], words: Words) -> list[int]:
    return [reached(table["rows"][answers[0]], words)]


def _mean_of_rows(table: Answers, questions: Sequence[Question], answers: Sequence[Any], words: Words) -> list[int]:
    rows = table["rows"]
    row = rows[_rounded(questions[0], answers[0], len(rows) - 1, words)]
    return [reached(row, words) - (len(row) + 1 - len(rows)) // 2]


def _rounded(question: Question, answer: Any, steps: int, words: Words) -> int:
    """Return the step below the number, or the one above with a chance equal to the remainder."""
    ends = ("0", str(len(question["steps"]) - 1)) if "steps" in question else (question["low"], question["high"])
    low, high, number = (Fraction(str(each)) for each in (*ends, answer))
    place = (min(max(number, low), high) - low) / (high - low) * steps
    return int(place) + (uniform(words) < int(place % 1 * R))


def _grid(table: Answers, questions: Sequence[Question], answers: Sequence[Any], words: Words) -> list[Any]:
    """Return a draw of some items, each with some of its options, randomized together."""
    return [_sampled(table, table["size"], len(questions[0]["options"]), answers[0], words)]


def _multiple(table: Answers, questions: Sequence[Question], answers: Sequence[Any], words: Words) -> list[Any]:
    """Return a draw of some options, each with whether it applies, randomized together."""
    drawn = _sampled(table, 1, 2, [int(each) for each in answers[0]], words)
    return [[[option, bit] for option, [bit] in drawn]]


def _ranking(table: Answers, questions: Sequence[Question], answers: Sequence[Any], words: Words) -> list[Any]:
    """Return a draw of some items. For each two, it says whether the earlier in the question comes first. The pairs
    always agree with one order of the items."""
    order, pairs = answers[0], list(combinations(range(len(answers[0])), 2))
    items = sorted(sample(len(order), table["sample"], words))
    orders = [[int(a < b) for a, b in combinations(places, 2)] for places in permutations(range(len(items)))]
    held = orders.index([int(a < b) for a, b in combinations(map(order.index, items), 2)])
    [[drawn]] = lists(table["keep"], [1], [len(orders)], [held], words)
    return [[[pairs.index(pair), bit] for pair, bit in zip(combinations(items, 2), orders[drawn], strict=True)]]


def _sampled(table: Answers, size: int, d: int, answer: Sequence[int], words: Words) -> list[Any]:
    items = sorted(sample(len(answer), table["sample"], words))
    own = [answer[item] for item in items]
    drawn = lists(table["keep"], [size] * len(items), [d] * len(items), own, words)
    return [[item, options] for item, options in zip(items, drawn, strict=True)]


DRAWS: dict[str, Callable[[Answers, Sequence[Question], Sequence[Any], Words], list[Any]]] = {
    "lists": _lists,
    "bits": _bits,
    "laplace": _laplace,
    "noise": _noise,
    "rows": _rows,
    "mean of rows": _mean_of_rows,
    "multiple_choice": _multiple,
    "ranking": _ranking,
    "grid": _grid,
}
"""Each gives what is sent of the questions of a draw, in their order."""
