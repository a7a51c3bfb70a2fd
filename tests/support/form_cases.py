"""A survey in forms, with and without joint randomization, everything that may be of a joint form and a question for
everybody; and alterations that nobody may ask."""

import copy
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from ldp.exact import RESOLUTION
from ldp.forms import definition as rules
from ldp.mechanisms import joint
from surveys.survey import definition as definitions

DRAFT: dict[str, Any] = {
    "title": "In forms",
    "questions": [
        {"key": "region", "kind": "yes_no", "text": "Here?", "alpha": "0.5"},
        {"key": "drugs", "kind": "yes_no", "text": "Ever?"},
        {"key": "often", "kind": "single_choice", "text": "How often?", "options": ["rarely", "daily", "never"]}
        | {"asked_if": {"question": "drugs", "options": [0]}, "filler": 2},
        {
            "key": "age",
            "kind": "histogram",
            "text": "Age?",
            "edges": ["18", "40", "65", "99"],
            "prefer_not_to_say": True,
        },
        {"key": "income", "kind": "mean", "text": "Income?", "low": "0", "high": "9000", "unit": "euro"},
        {"key": "health", "kind": "ordered", "text": "Health?", "options": ["bad", "so so", "good"], "alpha": "1.25"},
        {"key": "devices", "kind": "multiple_choice", "text": "Which?", "options": ["tv", "car"], "alpha": "1.5"},
    ],
    "forms": [
        {"weight": 2, "questions": ["often", "drugs"], "alpha": 2},
        {"questions": ["age", "income"], "alpha": "1.50"},
        {"weight": 3, "questions": ["health", "devices"]},
    ],
}

Definition = dict[str, Any]
Change = Callable[[Definition], object]


def _forms(*forms: dict[str, Any]) -> Change:
    return lambda made: made.update(forms=list(forms))


def _form(place: int, **fields: Any) -> Change:
    return lambda made: made["forms"][place].update(fields)


def _question(place: int, **fields: Any) -> Change:
    return lambda made: made["questions"][place].update(fields)


def _table(form: int, alpha: str) -> Change:
    """Another alpha, and the table that keeps it."""

    def change(made: Definition) -> None:
        table = joint.table(Fraction(alpha), rules.sizes(made, form))
        made["forms"][form].update(alpha=alpha, table=table)

    return change


def _unit(form: int, by: int) -> Change:
    def change(made: Definition) -> None:
        made["forms"][form]["table"]["other"] += by

    return change


def _largest(form: int, more: int) -> Change:
    """The largest t of a table that does not favour other answers, and beyond."""

    def change(made: Definition) -> None:
        made["forms"][form]["table"]["other"] = RESOLUTION // joint.tuples(rules.sizes(made, form)) + more

    return change


def _many(count: int) -> Change:
    """So many options of a question beside which another of a joint form has two."""

    def change(made: Definition) -> None:
        options = [f"{i}" for i in range(count)]
        made["questions"][2].update(options=options, filler=0)
        made["questions"][3] = {**made["questions"][2], "key": "age", "filler": 0}
        del made["questions"][3]["asked_if"], made["questions"][3]["filler"]
        made["forms"] = [
            {"weight": 1, "questions": ["drugs", "often", "age"], "alpha": "2", "table": {"other": 1}},
            {"weight": 1, "questions": ["health"]},
        ]
        made["questions"][4].update(alpha="1", mechanism="one_bit", table=joint.table(Fraction(1), (2,)))
        size = 2 * count * count
        if size <= joint.TUPLES_MAX:
            made["forms"][0]["table"] = joint.table(Fraction(2), (2, count, count))
        else:
            made["forms"][0]["table"] = {"other": RESOLUTION // size}

    return change


def _without(path: list[Any]) -> Change:
    def change(made: Definition) -> None:
        inside = made
        for step in path[:-1]:
            inside = inside[step]
        del inside[path[-1]]

    return change


def _apart(made: Definition) -> None:
    """The questions of the first form drawn one by one; the second of them asked for some answers to the first."""
    for place, key in ((1, "drugs"), (2, "often")):
        sizes = (2,) if key == "drugs" else (3,)
        made["questions"][place] |= {"alpha": "1", "mechanism": "randomized_response"}
        made["questions"][place]["table"] = joint.table(Fraction(1), sizes)
    made["forms"][0] = {"weight": 2, "questions": ["drugs", "often"]}


def _apart_with(*forms: list[str]) -> Change:
    def change(made: Definition) -> None:
        _apart(made)
        made["forms"][:1] = [{"weight": 1, "questions": keys} for keys in forms]

    return change


_HEALTH = {"weight": 1, "questions": ["health"]}
_DEVICES = {"weight": 1, "questions": ["devices"]}
_AGE = {"weight": 1, "questions": ["age"]}

# Tables that do not keep the alpha of questions which are randomized together.
WEAKER: list[Change] = [
    *(change for form in (0, 1) for change in (_unit(form, -1), _largest(form, 1))),
    _form(0, alpha="1.999999"),
    _form(2, alpha="1", table={"other": RESOLUTION // 12}),  # with a multiple choice
    _question(1, alpha="2", mechanism="randomized_response", table={"other": RESOLUTION // 4}),
]
SOUND: list[Change] = [
    lambda made: None,
    _apart,
    _form(0, weight=10_000),
    _form(2, questions=["health"]),
    _form(2, questions=["devices"]),
    _apart_with(["drugs", "often"], ["region"]),
    _apart_with(["often"]),
    *(_table(0, alpha) for alpha in ("0.01", "1", "2.5", "16")),
    *(_table(1, alpha) for alpha in ("0.01", "3", "16")),
    *(change for form in (0, 1) for change in (_unit(form, 1), _largest(form, 0))),
    _question(2, options=["a", "b", "c", "d"]),  # more combinations: the same table is stronger than it must be
    _many(45),
]
WRONG: list[Change] = [
    *(lambda made, wrong=wrong: made.update(forms=wrong) for wrong in (None, [], {}, "forms", 0, True, [None, None])),
    _without(["forms"]),
    _forms(_HEALTH),
    *(_forms(_HEALTH, each) for each in (_HEALTH, None, 5, [], {}, {"weight": 1}, {"questions": ["devices"]})),
    _forms(_HEALTH, _DEVICES),  # of whom nobody would be asked the rest with an alpha
    _forms(_HEALTH, _AGE),
    lambda made: made.update(format=1),
    lambda made: made.update(format=3),
    lambda made: made["forms"].append({"weight": 1, "questions": []}),
    lambda made: made["forms"].append({"weight": 1, "questions": ["nobody"]}),
    lambda made: made["forms"].append({"weight": 1, "questions": ["__proto__"]}),
    lambda made: made["forms"].append({"weight": 1, "questions": ["health"]}),
    lambda made: made["forms"].append({"weight": 1, "questions": ["drugs"]}),
    *(_form(2, weight=wrong) for wrong in (0, -1, 10_001, 1.5, "1", None, True, [1], 2**53, 10**30)),
    *(
        _form(2, questions=wrong)
        for wrong in ([], None, "health", {}, [[]], [None], ["health", "health"], [["health"]])
    ),
    *(_form(2, questions=wrong) for wrong in (["devices", "health"], ["health", "devices", "wealth"], ["wealth"])),
    _form(2, more=1),
    _form(2, alpha="1"),
    _form(2, table={"other": RESOLUTION // 6}),
    *(_form(0, alpha=wrong) for wrong in ("17", "0", "", "2.0", "02", "1e1", 2, None, ["2"], "0.0000001")),
    *(_form(0, table=wrong) for wrong in (None, {}, [], "x", 5, {"other": 1}, {"flip": 1})),
    *(_form(0, table={"other": wrong}) for wrong in (0, -1, 0.5, True, None, "1", [1], 2**53, 10**30, {})),
    lambda made: made["forms"][0]["table"].update(more=1),
    *(_without(["forms", 0, name]) for name in ("weight", "questions", "alpha", "table")),
    *WEAKER,
    _form(0, questions=["drugs"]),
    _form(0, questions=["often", "drugs"]),
    _form(0, questions=["region", "drugs"]),  # which has an alpha of its own
    _question(1, alpha="1"),
    _question(1, mechanism="randomized_response"),
    _question(1, table={"other": RESOLUTION // 4}),
    *(_question(1, **{name: 1}) for name in ("delta", "sample", "together", "joint")),
    *(_question(1, kind=wrong) for wrong in ("grid", "multiple_choice", "__proto__", None, ["yes_no"], "unknown")),
    *(_question(2, options=wrong) for wrong in (None, [], ["x"], "xxx", ["a", "a", "b"])),
    _question(2, asked_if={"question": "health", "options": [0]}),  # of another form
    _question(0, asked_if={"question": "drugs", "options": [0]}, filler=0),  # everybody, by one of a form
    _question(5, asked_if={"question": "age", "options": [0]}, filler=0),
    _apart_with(["drugs"], ["often"]),
    _apart_with(["drugs"]),
    *(_without(["questions", place, "alpha"]) for place in (0, 5)),
    _without(["questions", 5, "table"]),
    _many(46),
]


def built() -> Definition:
    return definitions.build(DRAFT)


def changed(change: Change) -> Definition:
    made = copy.deepcopy(built())
    change(made)
    return made


def cases() -> Iterator[tuple[bytes, bool]]:
    """Bytes of definitions, and whether they may be asked."""
    for all_of, sound in ((SOUND, True), (WRONG, False)):
        for change in all_of:
            yield definitions.canonical(changed(change)), sound
