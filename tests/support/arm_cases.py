"""A survey with versions of its questions, one of them in a joint form, and changes that no page may accept."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

from surveys.survey import definition as definitions
from surveys.survey.definition.arms import OF_PAGE
from tests.support.drawn import drawn

DRAFT: dict[str, Any] = drawn(
    {
        "title": "In versions",
        "questions": [
            {"key": "here", "kind": "yes_no", "text": "Here?", "alpha": "1"},
            {
                "key": "plain",
                "kind": "single_choice",
                "text": "Which?",
                "options": ["red", "blue", "none"],
                "alpha": "1",
            },
            {"key": "kind", "kind": "single_choice", "text": "Which, please?", "options": ["Red", "Blue", "Neither"]}
            | {"alpha": "4", "arm_of": "plain"},
            {"key": "short", "kind": "single_choice", "text": "Colour?", "options": ["r", "b", "0"], "arm_of": "plain"},
            {"key": "often", "kind": "yes_no", "text": "Often?"},
            {"key": "age", "kind": "histogram", "text": "Age?", "edges": ["0", "40", "99"], "alpha": "1"}
            | {"asked_if": {"question": "here", "options": [0]}},
            {"key": "years", "kind": "histogram", "text": "Years?", "edges": ["0", "40", "99"], "alpha": "2"}
            | {"asked_if": {"question": "here", "options": [0]}, "arm_of": "age"},
        ],
        "forms": [
            {"weight": 2, "questions": ["plain", "age"]},
            {"questions": ["kind", "years"]},
            {"questions": ["short", "often"], "alpha": "2"},
        ],
    }
)
PLAIN, KIND, SHORT, AGE, YEARS = 1, 2, 3, 5, 6

Definition = dict[str, Any]
Change = Callable[[Definition], object]


def _arm(place: int, **fields: Any) -> Change:
    return lambda made: made["questions"][place].update(fields)


def _without(place: int, *names: str) -> Change:
    return lambda made: [made["questions"][place].pop(name) for name in names]


def _forms(**moved: int) -> Change:
    """Return a change that moves the draws of these questions to other forms. Form -1 asks all respondents."""

    def change(made: Definition) -> None:
        places = {question["key"]: place for place, question in enumerate(made["questions"])}
        lists = [*(form["draws"] for form in made["forms"]), made["draws"]]
        for key, to in moved.items():
            source = next(draws for draws in lists if any(draw["questions"] == [key] for draw in draws))
            draw = next(draw for draw in source if draw["questions"] == [key])
            source.remove(draw)
            lists[to].append(draw)
        for draws in lists:
            draws.sort(key=lambda draw: places[draw["questions"][0]])

    return change


def _all_of_everyone(made: Definition) -> None:
    draws = [*made["draws"], *(draw for form in made.pop("forms") for draw in form["draws"])]
    places = {question["key"]: place for place, question in enumerate(made["questions"])}
    made["draws"] = sorted(draws, key=lambda draw: places[draw["questions"][0]])


SOUND: list[Change] = [
    lambda made: None,
    _without(KIND, "arm_of"),
    _without(SHORT, "arm_of"),
    _forms(age=1, years=0),
    _forms(kind=0, plain=1),
    _arm(KIND, text="Something else?"),
    _arm(YEARS, prefer_not_to_say=False),
]
# Each change breaks one rule. Each place that refuses the change answers with this code.
BROKEN: list[tuple[Change, str]] = [
    *((_arm(KIND, arm_of=key), "arm_key") for key in ("nobody", "kind", "__proto__", "")),
    (_arm(KIND, arm_of="short"), "arm_chain"),
    (_arm(PLAIN, arm_of="kind"), "arm_chain"),
    (_arm(KIND, arm_of="age"), "arm_form"),
    (_arm(KIND, options=["Red", "Neither"]), "arm_parts"),
    (_arm(YEARS, edges=["0", "50", "99"]), "arm_parts"),
    (_without(YEARS, "asked_if"), "arm_condition"),
    (_arm(YEARS, asked_if={"question": "here", "options": [1]}), "arm_condition"),
    (_forms(years=-1), "arm_form"),
    (_forms(kind=0), "arm_form"),
    (_forms(age=1), "arm_form"),
    (_all_of_everyone, "arm_form"),
    (_arm(4, asked_if={"question": "short", "options": [0]}), "arm_decides"),
]
MISSHAPEN: list[Change] = [_arm(KIND, arm_of=wrong) for wrong in (None, 1, True, ["plain"], {"question": "plain"})]


def changed(change: Change) -> Definition:
    made = copy.deepcopy(definitions.build(DRAFT))
    change(made)
    return made


def cases() -> Iterator[tuple[bytes, bool]]:
    """Yield definitions, each with whether a page may ask it."""
    for change in SOUND:
        yield definitions.canonical(changed(change)), True
    for change, code in BROKEN:
        yield definitions.canonical(changed(change)), code not in OF_PAGE
    for change in MISSHAPEN:
        yield definitions.canonical(changed(change)), False
