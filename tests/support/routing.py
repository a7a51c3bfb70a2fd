"""A survey in which every kind of question has a condition, and changes that no page may accept."""

import copy
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from surveys.survey import definition as definitions


def _asked(key: str, kind: str, **fields: Any) -> dict[str, Any]:
    return {"key": key, "kind": kind, "text": f"{key}?", "alpha": "1"} | fields


def _if(question: str, *options: int) -> dict[str, Any]:
    return {"question": question, "options": list(options)}


# The four kinds that can decide, and a chain of three questions.
DRAFT: dict[str, Any] = {
    "title": "Routed",
    "questions": [
        _asked("smokes", "yes_no"),
        _asked("often", "ordered", options=["seldom", "daily", "always"], asked_if=_if("smokes", 0)),
        _asked("cigarettes", "histogram", edges=["0", "1", "10", "40"], unit="a day", mechanism="laplace")
        | {"asked_if": _if("often", 1, 2)},
        _asked("wish", "yes_no", prefer_not_to_say=True, asked_if=_if("smokes", 0)),
        _asked("drinks", "multiple_choice", options=["beer", "wine", "spirits"]),
        _asked("liked", "multiple_choice", options=["taste", "company"], sample=2, asked_if=_if("drinks", 0, 1, 2)),
        _asked("glasses", "mean", low="0", high="20", asked_if=_if("drinks", 1)),
        _asked("where", "grid", items=["home", "pub"], options=["never", "often"], asked_if=_if("drinks", 0, 2)),
        _asked("region", "single_choice", options=["north", "south", "east"]),
        _asked("coast", "single_choice", options=["near", "far", "on it"], mechanism="bitwise")
        | {"asked_if": _if("region", 0, 2)},
    ],
}

# Conditions on several questions: on all of three, on any of two (one of these has a condition itself), and on both of
# these questions.
SEVERAL: dict[str, Any] = {
    "title": "By several questions",
    "questions": [
        _asked("smokes", "yes_no"),
        _asked("often", "ordered", options=["seldom", "daily", "always"], asked_if=_if("smokes", 0)),
        _asked("drinks", "multiple_choice", options=["beer", "wine", "spirits"]),
        _asked("region", "single_choice", options=["north", "south", "east"]),
        _asked("both", "yes_no") | {"asked_if": {"all": [_if("smokes", 0), _if("drinks", 0, 2), _if("region", 2)]}},
        _asked("either", "single_choice", options=["none", "one", "two"])
        | {"asked_if": {"any": [_if("often", 1, 2), _if("drinks", 1)]}},
        _asked("money", "mean", low="0", high="20") | {"asked_if": {"all": [_if("both", 0), _if("either", 1, 2)]}},
    ],
}

# Changes of DRAFT's questions, by key: fields that a draft and its definition may have, then fields that they may not
# have.
SOUND: list[tuple[str, dict[str, Any]]] = [
    ("often", {"asked_if": _if("smokes", 1)}),
    ("cigarettes", {"asked_if": _if("smokes", 1)}),
    ("coast", {"asked_if": _if("drinks", 0)}),
    ("coast", {"asked_if": _if("wish", 0, 2)}),
]
WRONG: list[tuple[str, dict[str, Any]]] = [
    *(
        ("often", {"asked_if": wrong})
        for wrong in (None, [], "smokes", 0, {}, {"question": "smokes"}, {"options": [0]})
    ),
    ("often", {"asked_if": _if("smokes", 0) | {"more": 1}}),
    *(("often", {"asked_if": {"question": "smokes", "options": o}}) for o in ([], [2], [-1], [0, 1], None, 0, "0")),
    *(("often", {"asked_if": {"question": "smokes", "options": o}}) for o in ([True], ["0"], [0, 0], [0.5], [[0]])),
    *(("often", {"asked_if": _if(key, 0)}) for key in ("often", "cigarettes", "drinks", "nobody", "", "__proto__")),
    *(("often", {"asked_if": {"question": key, "options": [0]}}) for key in (None, 0, ["smokes"])),
    *(("coast", {"asked_if": _if(key, 0)}) for key in ("cigarettes", "glasses", "where")),
    ("coast", {"asked_if": _if("region", 0, 1, 2)}),
    ("coast", {"asked_if": _if("drinks", 0, 3)}),
    ("coast", {"asked_if": _if("wish", 0, 1, 2)}),
]

# Changes of SEVERAL's questions, in the same form.
SEVERAL_SOUND: list[tuple[str, dict[str, Any]]] = [
    ("both", {"asked_if": _if("region", 0)}),
    ("both", {"asked_if": {"any": [_if("smokes", 1), _if("drinks", 0, 1, 2)]}}),
    ("either", {"asked_if": {"all": [_if("often", 0), _if("region", 1, 2)]}}),
    ("money", {"asked_if": {"any": [_if(key, 1) for key in ("smokes", "often", "drinks", "region", "both")]}}),
]
SEVERAL_WRONG: list[tuple[str, dict[str, Any]]] = [
    *(("both", {"asked_if": {name: wrong}}) for name in ("all", "any") for wrong in ([], None, {}, "smokes", 0)),
    *(("both", {"asked_if": {name: [_if("smokes", 0)]}}) for name in ("all", "any", "none")),
    ("both", {"asked_if": {"none": [_if("smokes", 0), _if("region", 0)]}}),
    ("both", {"asked_if": {"all": [_if("smokes", 0), _if("smokes", 1)]}}),
    ("both", {"asked_if": {"all": [_if("smokes", 0), _if("region", 0)], "any": [_if("smokes", 0), _if("region", 0)]}}),
    ("both", {"asked_if": {"all": [_if("smokes", 0), _if("region", 0)]} | _if("smokes", 0)}),
    ("both", {"asked_if": {"all": [_if("smokes", 0), {"all": [_if("drinks", 0), _if("region", 0)]}]}}),
    ("both", {"asked_if": [_if("smokes", 0), _if("region", 0)]}),
    *(
        ("both", {"asked_if": {"any": [_if("smokes", 0), wrong]}})
        for wrong in (_if("region", 0, 1, 2), _if("region"), _if("region", 3), _if("either", 0), _if("gone", 0), None)
    ),
    ("money", {"asked_if": {"any": [_if("smokes", 0), _if("money", 0)]}}),
    (
        "money",
        {"asked_if": {"all": [_if(key, 0) for key in ("smokes", "often", "drinks", "region", "both", "either")]}},
    ),
]


def short() -> dict[str, Any]:
    """Return the definition of a part of DRAFT: several kinds, and a chain."""
    keys = ("smokes", "often", "cigarettes", "drinks", "liked", "where")
    return definitions.build(DRAFT | {"questions": [each for each in DRAFT["questions"] if each["key"] in keys]})


def by_several() -> dict[str, Any]:
    """Return the definition of a part of SEVERAL."""
    keys = ("smokes", "drinks", "region", "both")
    return definitions.build(SEVERAL | {"questions": [each for each in SEVERAL["questions"] if each["key"] in keys]})


def enumerated() -> Iterator[tuple[list[dict[str, Any]], dict[str, Any]]]:
    """Yield questions and answers. Two or three questions decide whether the last question is asked. The answers run
    through every combination. A question with a condition may also have no answer."""
    first = {"key": "first"}
    second = {"key": "second", "asked_if": _if("first", 0, 2)}
    several = {"key": "several"}
    rules = [(_if("first", 0), _if("first", 1, 2)), (_if("second", 0), _if("second", 1)), (_if("several", 0, 2),)]
    people = [
        {"first": one, "several": list(ticked)} | ({} if other is None else {"second": other})
        for one, other, ticked in product(range(3), (0, 1, None), product((False, True), repeat=3))
    ]
    for count, name in product((2, 3), ("all", "any")):
        for chosen in (each for homes in combinations(rules, count) for each in product(*homes)):
            last = {"key": "last", "asked_if": {name: list(chosen)}}
            yield from (([first, second, several, last], answers) for answers in people)


def changed(document: dict[str, Any], key: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the draft or definition with these fields in the question with this key."""
    made = copy.deepcopy(document)
    next(question for question in made["questions"] if question["key"] == key).update(copy.deepcopy(fields))
    return made


def without(document: dict[str, Any], key: str, field: str) -> dict[str, Any]:
    made = copy.deepcopy(document)
    del next(question for question in made["questions"] if question["key"] == key)[field]
    return made


def cases() -> Iterator[tuple[bytes, bool]]:
    """Yield the bytes of definitions, each with whether a page may ask it."""
    definition, several = definitions.build(DRAFT), definitions.build(SEVERAL)
    for document, right, wrong in ((definition, SOUND, WRONG), (several, SEVERAL_SOUND, SEVERAL_WRONG)):
        yield definitions.canonical(document), True
        for all_of, sound in ((right, True), (wrong, False)):
            for key, fields in all_of:
                yield definitions.canonical(changed(document, key, fields)), sound
    otherwise = {"any": [_if("region", 2), _if("smokes", 0)]}
    yield definitions.canonical(changed(several, "both", {"asked_if": otherwise})), False  # conditions out of order
    for question in definition["questions"]:
        yield definitions.canonical(changed(definition, question["key"], {"filler": 0})), False
    backwards = definition | {"questions": definition["questions"][::-1]}
    yield definitions.canonical(backwards), False
    unsorted = changed(definition, "cigarettes", {"asked_if": _if("often", 2, 1)})
    yield definitions.canonical(unsorted), False


def paths(definition: dict[str, Any]) -> list[dict[str, Any]]:
    """Return answers to DRAFT of four people. They are asked all questions, only the unconditional ones, and two
    different parts of the chains."""
    everything = {"smokes": 0, "often": 2, "cigarettes": 1, "wish": 0, "drinks": [True, True, False]}
    everything |= {"liked": [True, False], "glasses": "3.5", "where": [1, 0], "region": 2, "coast": 0}
    nothing = {"smokes": 1, "drinks": [False] * 3, "region": 1}
    seldom = nothing | {"smokes": 0, "often": 0, "wish": 1}
    spirits = seldom | {"drinks": [False, False, True], "liked": [False, True], "where": [0, 1]}
    return [everything, nothing, seldom, spirits]
