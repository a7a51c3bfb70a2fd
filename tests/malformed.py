"""Questions that miss something or hold it in a wrong form; no page may ask them."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

from ldp.exact import RESOLUTION
from tests.certificate_cases import Case


def altered(given: dict[str, Any], change: Callable[[dict[str, Any]], None]) -> Case:
    changed = copy.deepcopy(given)
    change(changed)
    return changed, False


def malformed(given: dict[str, Any]) -> Iterator[Case]:
    """Everything that a question needs, missing or of a wrong kind."""
    wrong = {
        "alpha": ("0", "17", 1, "1e1", "", None, "01", "0.0000001"),
        "mechanism": ("unknown", "toString", "__proto__", None, 0),
        "kind": ("unknown", "constructor", None),
        "table": (None, {}, [], "x"),
    }
    if "options" in given:
        wrong["options"] = (None, ["x"], "xxxx", ["x"] * 257)
    if "delta" in given:
        wrong["delta"] = (None, "0", "0.0", "1", "0.01", "1e-6", 0.00001)
    if "low" in given:
        wrong |= {"low": (None, "10", "x", -1.5), "high": (None, "-1.5", "-2", "")}
    if "items" in given:
        wrong["items"] = (None, [])
    for name, values in wrong.items():
        for value in values:
            yield {**given, name: value}, False
    yield from malformed_numbers(given)
    yield from malformed_lists(given)


def malformed_numbers(given: dict[str, Any]) -> Iterator[Case]:
    """Every number of a table (of long lists the first, a middle one and the last) replaced by what is none."""
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
    """Lists of a wrong length, and thresholds that do not increase."""
    table = given["table"]
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
        items, ends = (len(given["items"]), 4) if "items" in given else (len(given["options"]), 2)
        yield altered(given, lambda q: q["table"].update(sample=items + 1, other=RESOLUTION // ends))
        yield altered(given, lambda q: q["table"].update(sample=2))  # its threshold is for one
