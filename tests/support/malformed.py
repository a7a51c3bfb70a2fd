"""Questions with a missing or malformed part. No page may ask them."""

import copy
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from ldp.mechanisms import MECHANISMS
from tests.support import mechanisms
from tests.support.certificate_cases import Case, sound_question


def altered(given: dict[str, Any], change: Callable[[dict[str, Any]], None]) -> Case:
    changed = copy.deepcopy(given)
    change(changed)
    return changed, False


def malformed(given: dict[str, Any]) -> Iterator[Case]:
    """Yield questions with each part missing or malformed."""
    wrong = {
        "alpha": ("0", "17", 1, "1e1", "", None, "01", "0.0000001", "2.0", "2.50"),
        "mechanism": ("unknown", "toString", "__proto__", None, 0, [given["mechanism"]]),
        "kind": ("unknown", "constructor", None, [given["kind"]]),
        "key": ("", "Q", "1", "__proto__", "a" * 41, None, ["q"], "q\n"),
        "text": ("", " ", None, 5, "a\u0000", "x" * 2001, "\ufeff", "\u0085"),
        "note": (None, "x" * 2001),
        "prefer_not_to_say": (None, 0, 1, ""),
        "unknown": (None, "x"),
        "table": (None, {}, [], "x"),
    }
    if "options" in given:
        d = len(given["options"])
        options = ["x" * (i + 1) for i in range(d)]
        wrong["options"] = (None, ["x"], "xxxx", [f"{i}" for i in range(257)], ["x"] * d, [*options[1:], ""])
        wrong["options"] += ([*options[1:], 5], [*options[1:], None], ["x" * 201, *options[1:]])
        wrong["right"] = (-1, d, "0", None, 0.5, True, [0])
    if "delta" in given:
        wrong["delta"] = (None, "0", "0.0", "1", "0.01", "1e-6", 0.00001)
    if "low" in given:
        wrong |= {"low": (None, "10", "x", -1.5, "1e0"), "high": (None, "-1.5", "-1.50", "-2", "", "9" * 13)}
    if "edges" in given:
        edges = given["edges"]
        wrong["edges"] = (None, edges[1:], [*edges, "99"], [edges[1], edges[0], *edges[2:]], [0, *edges[1:]])
        wrong["edges"] += (["1", *edges[1:]], ["1.0", *edges[1:]], ["-1e3", *edges[1:]], ["00", *edges[1:]])
    if "unit" in given:
        wrong["prefer_not_to_say"] += (True,)
        wrong["unit"] = (None, "x" * 41)
    if "items" in given:
        wrong["items"] = (None, [], ["i"], ["i", "i"], [f"{i}" for i in range(65)], ["i", ""], ["i", None])
    for name, values in wrong.items():
        for value in values:
            yield {**given, name: value}, False
        if name in given:
            yield {field: value for field, value in given.items() if field != name}, False
    if given["kind"] in ("yes_no", "single_choice", "ordered"):
        yield from (({**given, "right": right}, True) for right in (0, d - 1))
        yield {**given, "right": d - 1, "prefer_not_to_say": True}, False
        yield {**given, "right": d - 2, "prefer_not_to_say": True}, True
    if given["kind"] == "mean":
        yield from _steps(given)
    yield from malformed_numbers(given)
    yield from malformed_lists(given)


def _steps(given: dict[str, Any]) -> Iterator[Case]:
    """Yield a scale whose mean alone is asked, and malformed versions of it."""
    of_steps = {**given, "low": "1", "high": "3", "unit": "", "steps": ["a", "b", "c"]}
    yield of_steps, True
    for wrong in (
        None,
        "abc",
        ["a"],
        ["a", "b"],
        ["a", "a", "c"],
        ["a", "b", ""],
        ["a", "b", 3],
        ["a", "b", "x" * 201],
    ):
        yield {**of_steps, "steps": wrong}, False
    for field, value in (("low", "0"), ("low", 1), ("high", "4"), ("high", "3.0"), ("unit", "steps")):
        yield {**of_steps, field: value}, False


def malformed_numbers(given: dict[str, Any]) -> Iterator[Case]:
    """Yield tables with one number replaced by a wrong value. Of a long list, the first, a middle and the last numbers
    are replaced."""
    for name, value in given["table"].items():
        for path in _leaves(value):
            for wrong in (None, 0, -1, 0.5, 2**53, True, [], str(_at(value, path))):
                yield altered(given, lambda q, n=name, p=path, w=wrong: _put(q["table"], [n, *p], w))


def _leaves(value: Any) -> list[list[int]]:
    if not isinstance(value, list):
        return [[]]
    places = sorted({0, len(value) // 2, len(value) - 1})
    return [[i, *rest] for i in places for rest in _leaves(value[i])]


def _at(value: Any, path: list[int]) -> Any:
    for step in path:
        value = value[step]
    return value


def _put(container: Any, path: list[Any], value: Any) -> None:
    for step in path[:-1]:
        container = container[step]
    container[path[-1]] = value


def malformed_lists(given: dict[str, Any]) -> Iterator[Case]:
    """Yield lists of a wrong length and thresholds that do not increase."""
    table = given["table"]
    yield altered(given, lambda q: q["table"].update(more=1))
    for name in table:
        yield altered(given, lambda q, n=name: q["table"].pop(n))
    if "magnitude" in table:
        yield altered(given, lambda q: q["table"].update(magnitude=[]))
        yield altered(given, lambda q: q["table"].update(magnitude=[1] * 51))
    if "noise" in table:
        yield altered(given, lambda q: q["table"]["noise"].pop())
        yield altered(given, lambda q: q["table"].update(noise=[]))
        yield altered(given, lambda q: q["table"]["noise"].sort(reverse=True))
    if "rows" in table:
        yield altered(given, lambda q: q["table"]["rows"].pop())
        yield altered(given, lambda q: q["table"].update(rows=q["table"]["rows"][:1]))
        for i in (0, -1):
            yield altered(given, lambda q, i=i: q["table"]["rows"][i].pop())
            yield altered(given, lambda q, i=i: q["table"]["rows"][i].sort(reverse=True))
            yield altered(given, lambda q, i=i: q["table"]["rows"][i].__setitem__(0, q["table"]["rows"][i][1]))
    if "sample" in table:
        items, sample = len(given["items" if "items" in given else "options"]), given["table"]["sample"]
        yield altered(given, lambda q: q["table"].update(sample=items + 1, keep=1))
        yield altered(given, lambda q: q["table"].update(sample=sample + 1))  # the chance is for a smaller sample
    if "size" in table:
        yield altered(given, lambda q: q["table"].update(size=len(given["options"]), keep=1))
    if "sizes" in table:
        d = len(given.get("options", "01"))
        for sizes in ([], [1, 1], [d], [0], [-1], 1, "1", {}):
            yield altered(given, lambda q, sizes=sizes: q["table"].update(sizes=sizes, keep=1))
    if "keep" in table:
        yield altered(given, lambda q: q["table"].update(keep=q["table"]["keep"] + 1))


@cache
def cases(subject: str) -> list[Case]:
    """Return more cases for the faults: "malformed", or the subject of some mechanisms' certificates."""
    if subject == "malformed":
        return [case for name in MECHANISMS for case in malformed(sound_question(name))]
    return [case for home in mechanisms.homes().values() if subject == home.SUBJECT for case in home.cases()]
