"""What stands around the questions of a definition: a draft that has all of it, and alterations that nobody may ask."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

from surveys import definition as definitions


def _yes_no(key: str) -> dict[str, Any]:
    return {"key": key, "kind": "yes_no", "text": f"{key}?", "alpha": "1"}


DRAFT: dict[str, Any] = {
    "title": "In sections",
    "introduction": "Two of them.",
    "consent": "You take part of your own will.\n\nYou may stop at any time.",
    "thanks": "That was kind of you.",
    "sections": [
        {"title": "First", "text": "", "questions": ["one"]},
        {"title": "Second", "text": "Take your time.", "questions": ["two", "three"]},
    ],
    "questions": [_yes_no("one"), _yes_no("two"), _yes_no("three")],
}


def _sections(*keys: list[Any]) -> dict[str, Any]:
    return {"sections": [{"title": "a", "text": "", "questions": each} for each in keys]}


# Fields that a definition with these questions may have, and may not have.
SOUND: list[dict[str, Any]] = [
    *({"consent": "x" * 10_000}, {"thanks": "x" * 2000}, {"consent": " a "}, {"thanks": "\n."}),
    *(_sections(["one", "two", "three"]), _sections(["one"], ["two"], ["three"])),
    {"sections": [{"title": "x" * 200, "text": "x" * 2000, "questions": ["one", "two", "three"]}]},
]
WRONG: list[dict[str, Any]] = [
    *({"consent": wrong} for wrong in ("x" * 10_001, "", " \n", "\ufeff", "a\u0000", None, 5, ["x"])),
    *({"thanks": wrong} for wrong in ("x" * 2001, "", "\u0085", "a\t", None, 5, ["x"])),
    *({"sections": wrong} for wrong in (None, [], {}, "one", [None], [["one", "two", "three"]])),
    *(_sections(keys) for keys in ([], ["one", "two"], ["two", "one", "three"], ["one", "two", "three", "three"])),
    *(_sections(["one", "two", "three"], last) for last in ([], ["three"], [None], None, "x")),
    *(_sections(["two", "three"], ["one"]), _sections(["one"], [["two", "three"]]), _sections(["one"], "two")),
    {"sections": [{"title": "x" * 201, "text": "", "questions": ["one", "two", "three"]}]},
    {"sections": [{"title": " ", "text": "", "questions": ["one", "two", "three"]}]},
    {"sections": [{"title": "a", "text": "x" * 2001, "questions": ["one", "two", "three"]}]},
    {"sections": [{"title": "a", "text": None, "questions": ["one", "two", "three"]}]},
    {"sections": [{"title": "a", "questions": ["one", "two", "three"]}]},
    {"sections": [{"title": "a", "text": "", "questions": ["one", "two", "three"], "more": 1}]},
    {"more": "x"},
]


def framed(**fields: Any) -> dict[str, Any]:
    """The definition of DRAFT with these fields instead of its own."""
    return definitions.build(DRAFT) | fields


def cases() -> Iterator[tuple[bytes, bool]]:
    """Bytes of definitions, and whether they may be asked."""
    for all_of, sound in ((SOUND, True), (WRONG, False)):
        for fields in all_of:
            yield definitions.canonical(framed(**fields)), sound
    for name in ("consent", "thanks", "sections"):
        yield definitions.canonical({n: value for n, value in framed().items() if n != name}), True


def draft(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """DRAFT, changed."""
    changed = copy.deepcopy(DRAFT)
    change(changed)
    return changed
