"""Definitions altered in one place, and all answers that a form can give."""

import copy
import json
from collections.abc import Iterator
from decimal import Decimal
from itertools import permutations, product
from typing import Any

from surveys.survey import definition as definitions

Path = list[Any]

WRONG: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 1.5, 2**53, 10**30, [], {}, [1], ["x", "x"], ["x", "y"], {"x": 1}, ["mean"]),
    *(
        "",
        " ",
        "x",
        "0",
        "1",
        "-0",
        "1.0",
        "1e3",
        "0.0000001",
        "\ufeff",
        "\u2800",
        "\ufffe",
        "a\u0000b",
        "\u0085",
        "x" * 201,
        "__proto__",
    ),
    *("constructor", "mean", "yes_no", "histogram", "laplace", "one_bit"),
]
SPELLINGS = [('"', '"\\u0041'), (":1", ":1.0"), (":1", ":1e0"), (":", ": "), (",", ", "), (":0", ":-0")]


def altered(definition: dict[str, Any], *, whole: bool = True) -> Iterator[bytes]:
    """Yield the definition with one change, to its data or its text. If `whole` is false, only a third of the changes
    is made at each place, and each change is made at a third of the places. Fields that decide what the rest means get
    all changes. The thirds differ from place to place, because the number of changes is not divisible by three."""
    text = definitions.canonical(definition).decode()
    for number, (path, change) in enumerate(product(places(definition), CHANGES)):
        if whole or number % 3 == 0 or path[-1] in DECIDING:
            data = _along(definition, path)
            if change(data, path):
                yield definitions.canonical(data)
    yield from respelled(text)


def places(data: Any, limit: int = 4) -> Iterator[Path]:
    """Yield the paths to everything inside. Of a long list, yield only the first, a middle and the last places."""
    if isinstance(data, list) and len(data) > limit:
        keys: list[Any] = [0, 1, len(data) // 2, len(data) - 1]
    else:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
    for key in keys:
        yield [key]
        if isinstance(data[key], list | dict):
            yield from ([key, *rest] for rest in places(data[key], limit))


def _along(data: Any, path: Path) -> Any:
    """Return a copy in which everything on the path is copied. Everything beside the path is shared."""
    made = copy.copy(data)
    if len(path) > 1:
        made[path[0]] = _along(data[path[0]], path[1:])
    return made


def _inside(data: Any, path: Path) -> tuple[Any, Any]:
    for step in path[:-1]:
        data = data[step]
    return data, path[-1]


def _without(data: Any, path: Path) -> bool:
    container, key = _inside(data, path)
    del container[key]
    return True


def _doubled(data: Any, path: Path) -> bool:
    container, key = _inside(data, path)
    if isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    else:
        container[f"{key}_"] = container[key]
    return True


def _swapped(data: Any, path: Path) -> bool:
    container, key = _inside(data, path)
    if not isinstance(container, list) or key == 0:
        return False
    container[key - 1], container[key] = container[key], container[key - 1]
    return True


def _with_more(data: Any, path: Path) -> bool:
    """Add one unit, one place or one letter."""
    container, key = _inside(data, path)
    value = container[key]
    if isinstance(value, dict):
        return False
    more = [*value, *value[-1:]] if isinstance(value, list) else value + "0" if isinstance(value, str) else value + 1
    container[key] = more
    return True


def _with(value: Any) -> Any:
    def change(data: Any, path: Path) -> bool:
        container, key = _inside(data, path)
        container[key] = copy.deepcopy(value)
        return True

    return change


CHANGES = (_without, _doubled, _swapped, _with_more, *map(_with, WRONG))
DECIDING = ("kind", "mechanism", "format", "prefer_not_to_say")
assert len(CHANGES) % 3


def respelled(text: str) -> Iterator[bytes]:
    """Yield other bytes that a parser reads as the same data, or as data with a repeated field. A parser takes the last
    value of a repeated field."""
    yield from (
        made.encode() for made in (text + "\n", " " + text, "\ufeff" + text, text[:-1], text + text, "", "null")
    )
    yield text.encode().replace(b"q", b"\xff", 1)
    for old, new in SPELLINGS:
        if old in text:
            yield text.replace(old, new, 1).encode()
    yield text.replace('"title":"', '"title":"\\ud800', 1).encode()
    for name in sorted(set(_fields(json.loads(text)))):
        for value in ("true", "0", '"mean"', "[]"):
            yield text.replace(f'"{name}":', f'"{name}":{value},"{name}":', 1).encode()


def _fields(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        yield from data
    for inner in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _fields(inner)


# Answers --------------------------------------------------------------------------------------------------------------


def all_answers(question: dict[str, Any]) -> list[Any]:
    """Return every answer that the form can give, or many answers if it has many choices. A number also has texts that
    a person could type."""
    d, kind = len(question.get("options", ())), question["kind"]
    if "steps" in question:
        return list(range(len(question["steps"])))
    if kind == "mean":
        return typed([question["low"], question["high"]])
    if kind == "histogram":
        return [*typed(question["edges"]), *range(d)]
    if kind == "multiple_choice":
        one = [[i == j for j in range(d)] for i in range(d)]
        return [list(ticks) for ticks in product((False, True), repeat=d)] if d <= 6 else one
    if kind == "ranking":
        return [list(order) for order in permutations(range(len(question["ranked"])))][:24]
    if kind == "grid":
        return [[(i + j) % d for j in range(len(question["items"]))] for i in range(d)]
    return list(range(d))


def typed(ends: list[str]) -> list[str]:
    """Return numbers at the ends, one last digit below and above them, between them and far beyond them."""
    last = Decimal(1).scaleb(-15)
    some = [Decimal(end) for end in (ends if len(ends) < 9 else [*ends[:4], *ends[-4:]])]
    near = [number + step for number in some for step in (-last, 0, last, Decimal("0.5"))]
    far = [Decimal(f"{sign}999999999999999.999999999999999") for sign in ("", "-")]
    return [f"{number:f}" for number in [*near, *far]] + ["-0", "0", "007", "1.", ".5", "+2", "-0.000000000000001"]
