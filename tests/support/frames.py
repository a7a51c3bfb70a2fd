"""The texts around the questions of a definition: a draft with all these texts, and changes that no page may accept."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

from surveys.survey import definition as definitions


def _yes_no(key: str) -> dict[str, Any]:
    return {"key": key, "kind": "yes_no", "text": f"{key}?", "alpha": "1"}


DRAFT: dict[str, Any] = {
    "title": "In sections",
    "introduction": "Two of them.",
    "consent": "You take part of your own will.\n\nYou may stop at any time.",
    "thanks": "That was kind of you.",
    "completion_code": "C1A2-b3",
    "return_link": "https://survey.example.org:8443/index.php/123?part=2&lang=en",
    "accent": "#0A5c8f",
    "sections": [
        {"title": "First", "text": "", "questions": ["one"]},
        {"title": "Second", "text": "Take your time.", "questions": ["two", "three"]},
    ],
    "questions": [_yes_no("one"), _yes_no("two"), _yes_no("three")],
}


def _sections(*keys: list[Any]) -> dict[str, Any]:
    return {"sections": [{"title": "a", "text": "", "questions": each} for each in keys]}


# Fields that a definition with these questions may have, then fields that it may not have.
SOUND: list[dict[str, Any]] = [
    *({"consent": "x" * 10_000}, {"thanks": "x" * 2000}, {"consent": " a "}, {"thanks": "\n."}),
    *({"completion_code": code} for code in ("7", "_-", "x" * 32)),
    *(
        {"return_link": f"https://{rest}"}
        for rest in ("a.org/", "127.0.0.1/-._/?=&", "a/" + "x" * 400, "a" * 590 + "/", "a.org//b/../c")
    ),
    {"markup": 1},
    {"accent": {"light": "#000000", "dark": "#09afaf"}},
    *(_sections(["one", "two", "three"]), _sections(["one"], ["two"], ["three"])),
    {"sections": [{"title": "x" * 200, "text": "x" * 2000, "questions": ["one", "two", "three"]}]},
]
WRONG: list[dict[str, Any]] = [
    *({"consent": wrong} for wrong in ("x" * 10_001, "", " \n", "\ufeff", "a\u0000", None, 5, ["x"])),
    *({"thanks": wrong} for wrong in ("x" * 2001, "", "\u0085", "a\t", None, 5, ["x"])),
    *(
        {"completion_code": wrong}
        for wrong in ("", "-a", "a b", "x" * 33, "\u00e9", "a\n", "<b>", "{id}", None, 5, ["x"])
    ),
    *(
        {"return_link": f"https://{rest}"}
        for rest in ("", "/", "a.org", "A.org/", "a.org/" + "x" * 401, "a" * 591 + "/", "me@a.org/")
    ),
    *({"return_link": f"https://a.org/{rest}"} for rest in ("#a", "a\n", "a b", "%41", "\u00e9", "\\", '"', "'", "<")),
    *(
        {"return_link": f"https://a.org/?id={rest}"}
        for rest in ("{{ID}}", "${id}", "[pid]", "%ID%", "<id>", "@id", "#id")
    ),
    *({"return_link": wrong} for wrong in ("", "http://a.org/", "//a.org/", "javascript:alert(1)", "HTTPS://a.org/")),
    *({"return_link": wrong} for wrong in (" https://a.org/", "https:/a.org/", None, 5, ["https://a.org/"])),
    *({"accent": wrong} for wrong in (None, 5, "#0a5c8f", ["#0a5c8f", "#609bc0"], {}, {"light": "#0a5c8f"})),
    *(
        {"accent": {"light": wrong, "dark": "#609bc0"}}
        for wrong in ("", "#0A5C8F", "#0a5c8", "#0a5c8f0", "#0a5c8f\n", "red", "#fff;}*{", None, 5, ["#0a5c8f"])
    ),
    {"accent": {"light": "#0a5c8f", "dark": "rgb(0,0,0)"}},
    {"accent": {"light": "#0a5c8f", "dark": "#609bc0", "more": "#609bc0"}},
    *({"markup": wrong} for wrong in (0, 2, True, None, "1", [1])),
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
    """Return the definition of DRAFT with these fields replaced."""
    return definitions.build(DRAFT) | fields


def cases() -> Iterator[tuple[bytes, bool]]:
    """Yield the bytes of definitions, each with whether a page may ask it."""
    for all_of, sound in ((SOUND, True), (WRONG, False)):
        for fields in all_of:
            yield definitions.canonical(framed(**fields)), sound
    for name in ("consent", "thanks", "completion_code", "return_link", "accent", "sections"):
        yield definitions.canonical({n: value for n, value in framed().items() if n != name}), True


def draft(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Return a copy of DRAFT, changed by `change`."""
    changed = copy.deepcopy(DRAFT)
    change(changed)
    return changed
