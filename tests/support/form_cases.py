"""A survey in forms and changes that no page may accept. Some forms are randomized jointly. One joint form has every
part that a joint form can have. One question is for all respondents."""

import copy
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from ldp.exact import RESOLUTION
from ldp.mechanisms import randomized_response, ranking
from ldp.subsets import CELLS_MAX, Items
from surveys.survey import definition as definitions
from tests.support.drawn import drawn

DRAFT: dict[str, Any] = drawn(
    {
        "title": "In forms",
        "questions": [
            {"key": "region", "kind": "yes_no", "text": "Here?", "alpha": "0.5"},
            {"key": "drugs", "kind": "yes_no", "text": "Ever?"},
            {"key": "often", "kind": "single_choice", "text": "How often?", "options": ["rarely", "daily", "never"]}
            | {"asked_if": {"question": "drugs", "options": [0]}},
            {
                "key": "age",
                "kind": "histogram",
                "text": "Age?",
                "edges": ["18", "40", "65", "99"],
                "prefer_not_to_say": True,
            },
            {"key": "income", "kind": "mean", "text": "Income?", "low": "0", "high": "9000", "unit": "euro"},
            {
                "key": "health",
                "kind": "ordered",
                "text": "Health?",
                "options": ["bad", "so so", "good"],
                "alpha": "1.25",
            },
            {"key": "devices", "kind": "multiple_choice", "text": "Which?", "options": ["tv", "car"], "alpha": "1.5"},
        ],
        "forms": [
            {"weight": 2, "questions": ["often", "drugs"], "alpha": 2},
            {"questions": ["age", "income"], "alpha": "1.50"},
            {"weight": 3, "questions": ["health", "devices"]},
        ],
    }
)

# The same survey, without the condition in a form.
FOR_EVERYONE = DRAFT | {
    "questions": [{name: value for name, value in each.items() if name != "asked_if"} for each in DRAFT["questions"]]
}

# Lists and grids drawn with other questions, some for all respondents, some in two forms.
LISTS: dict[str, Any] = {
    "title": "With lists",
    "questions": [
        {"key": "moved", "kind": "yes_no", "text": "Moved?"},
        {"key": "owns", "kind": "multiple_choice", "text": "Which?", "options": ["tv", "car", "boat", "bike"]},
        {"key": "region", "kind": "single_choice", "text": "Where?", "options": ["north", "south", "east"]},
        {
            "key": "stays",
            "kind": "grid",
            "text": "How?",
            "items": ["food", "rooms"],
            "options": ["bad", "so so", "good"],
        }
        | {"asked_if": {"question": "moved", "options": [0]}},
        {"key": "pay", "kind": "mean", "text": "Pay?", "low": "0", "high": "9", "unit": ""},
        {"key": "sees", "kind": "multiple_choice", "text": "Whom?", "options": ["a friend", "a doctor", "a priest"]},
    ],
    "draws": [{"questions": ["moved", "owns"], "alpha": "2", "sizes": [1, [3, 1]]}],
    "forms": [
        {"draws": [{"questions": ["region", "stays"], "alpha": "1.5", "sizes": [2, [2, 1]]}]},
        {"weight": 2, "draws": [{"questions": ["pay", "sees"], "alpha": "2"}]},
    ],
}

Definition = dict[str, Any]
Change = Callable[[Definition], object]
Draw = dict[str, Any]

# For each question, the number of values that its answer has in a draw of several questions.
COUNTS = {"region": 2, "drugs": 2, "often": 3, "age": 4, "income": 2, "health": 3}


def _draws(made: Definition) -> list[Draw]:
    return [*made["draws"], *(draw for form in made["forms"] for draw in form["draws"])]


def _single(made: Definition, key: str) -> Draw:
    """Return the draw of a question that is randomized by itself; make one if there is none."""
    there = next((draw for draw in _draws(made) if draw["questions"] == [key]), None)
    mechanism = "one_bit" if key == "income" else "randomized_response"
    table = randomized_response.table(Fraction(1), COUNTS.get(key, 2))
    return there or {"alpha": "1", "mechanism": mechanism, "table": table, "questions": [key]}


def _of(made: Definition, *keys: str) -> dict[str, Any]:
    """Return a form of these questions, randomized one by one."""
    return {"weight": 1, "draws": [copy.deepcopy(_single(made, key)) for key in keys]}


def _forms(*forms: list[str]) -> Change:
    return lambda made: made.update(forms=[_of(made, *keys) for keys in forms])


def _second(form: Any) -> Change:
    """Return a change to two forms: a sound one and this one."""
    return lambda made: made.update(forms=[_of(made, "health"), form])


def _third(*keys: str) -> Change:
    """Return a change of the last form's questions."""
    return lambda made: made["forms"][2].update(_of(made, *keys), weight=3)


def _more(*keys: str) -> Change:
    return lambda made: made["forms"].append(_of(made, *keys))


def _again(key: str, **fields: Any) -> Change:
    """Return a change that adds a form. The form asks another form's question, drawn with other fields."""

    def change(made: Definition) -> None:
        _more(key)(made)
        made["forms"][-1]["draws"][0].update(fields)

    return change


def _everyone(*keys: str) -> Change:
    """Return a change that asks these questions of all respondents and removes them from their form."""

    def change(made: Definition) -> None:
        made["draws"] = [_single(made, key) for key in keys]
        made["forms"][2]["draws"] = [draw for draw in made["forms"][2]["draws"] if draw["questions"][0] not in keys]

    return change


def _form(place: int, **fields: Any) -> Change:
    return lambda made: made["forms"][place].update(fields)


def _draw(form: int, **fields: Any) -> Change:
    """Return a change of fields in a form's first draw."""
    return lambda made: made["forms"][form]["draws"][0].update(fields)


def _question(place: int, **fields: Any) -> Change:
    return lambda made: made["questions"][place].update(fields)


def _table(form: int, alpha: str, *sizes: int) -> Change:
    """Return a change of alpha, with a table that keeps it, of these sizes or the best ones."""

    def change(made: Definition) -> None:
        [draw] = made["forms"][form]["draws"]
        counts = [COUNTS[key] for key in draw["questions"]]
        draw.update(alpha=alpha, table=randomized_response.table(Fraction(alpha), counts, sizes or None))

    return change


def _unit(form: int, by: int) -> Change:
    def change(made: Definition) -> None:
        made["forms"][form]["draws"][0]["table"]["keep"] += by

    return change


def _keep(form: int, keep: Any) -> Change:
    return lambda made: made["forms"][form]["draws"][0]["table"].update(keep=keep)


def _sizes(form: int, sizes: Any) -> Change:
    return lambda made: made["forms"][form]["draws"][0]["table"].update(sizes=sizes)


def _with_list(sizes: Any, by: int = 0, stated: Any = None) -> Change:
    """Return a change that draws a scale and a multiple choice together, with these sizes. It keeps `by` units more
    than allowed, or its table states other sizes."""

    def change(made: Definition) -> None:
        table = randomized_response.table(Fraction(2), (3, Items(2, 2)), sizes)
        table = table | {"keep": table["keep"] + by} | ({} if stated is None else {"sizes": stated})
        draw = {"alpha": "2", "mechanism": "randomized_response", "table": table, "questions": ["health", "devices"]}
        made["forms"][2]["draws"] = [draw]

    return change


def _with_ranking(made: Definition) -> None:
    """Draw a scale and a ranking together, as if the pairs of items were the options of one answer."""
    items = ["tea", "milk", "juice"]
    pairs = [f"{one} > {other}" for place, one in enumerate(items) for other in items[place + 1 :]]
    made["questions"][6].update(kind="ranking", ranked=items, options=pairs)
    table = randomized_response.table(Fraction(2), (3, len(pairs)), [1, 1])
    draw = {"alpha": "2", "mechanism": "randomized_response", "table": table, "questions": ["health", "devices"]}
    made["forms"][2]["draws"] = [draw]


def _rankings(*alphas: str) -> Change:
    """Put a ranking in two forms, with draws of these alphas. Estimates pool draws that are the same."""

    def change(made: Definition) -> None:
        items = ["tea", "milk", "juice"]
        pairs = [f"{one} > {other}" for place, one in enumerate(items) for other in items[place + 1 :]]
        made["questions"][6].update(kind="ranking", ranked=items, options=pairs)
        draws = [
            {
                "alpha": alpha,
                "mechanism": "ranking",
                "table": ranking.table(Fraction(alpha), 3),
                "questions": ["devices"],
            }
            for alpha in alphas
        ]
        made["forms"][2]["draws"][1] = draws[0]
        made["forms"].append({"weight": 1, "draws": [draws[1]]})

    return change


def _list_twice(made: Definition) -> None:
    """Put a multiple choice in two forms, with a different other question in each."""
    _with_list([1, [1, 1]])(made)
    again = copy.deepcopy(made["forms"][2])
    table = randomized_response.table(Fraction(2), (4, Items(2, 2)), [1, [1, 1]])
    again["draws"][0].update(table=table, questions=["age", "devices"])
    made["forms"].append(again)


def _list_alike(made: Definition) -> None:
    """Put a multiple choice in two forms with the same draw."""
    _with_list([1, [1, 1]])(made)
    made["forms"].append(copy.deepcopy(made["forms"][2]))


def _many(count: int) -> Change:
    """Return a change that draws two questions with `count` options together with a question of two options."""

    def change(made: Definition) -> None:
        options = [f"{i}" for i in range(count)]
        made["questions"][2].update(options=options)
        made["questions"][3] = {**made["questions"][2], "key": "age"}
        del made["questions"][3]["asked_if"]
        made["draws"] = [_single(made, key) for key in ("region", "income", "devices")]
        keys, counts, sizes = ["drugs", "often", "age"], (2, count, count), (1, 1, 1)
        table = {"keep": 1, "sizes": [1, 1, 1]}
        if 2 * count * count <= CELLS_MAX:
            table = randomized_response.table(Fraction(2), counts, sizes)
        together = {"alpha": "2", "mechanism": "randomized_response", "table": table, "questions": keys}
        made["forms"] = [{"weight": 1, "draws": [together]}, _of(made, "health")]

    return change


def _without(path: list[Any]) -> Change:
    def change(made: Definition) -> None:
        inside = made
        for step in path[:-1]:
            inside = inside[step]
        del inside[path[-1]]

    return change


def _apart(made: Definition) -> None:
    """Draw the questions of the first form one by one. The second one has a condition on the first one."""
    made["forms"][0] = _of(made, "drugs", "often")


def _apart_with(*forms: list[str]) -> Change:
    def change(made: Definition) -> None:
        made["draws"] = [draw for draw in made["draws"] if not any(draw["questions"][0] in keys for keys in forms)]
        left = {"drugs", "often"} - {key for keys in forms for key in keys}
        made["draws"] += [_single(made, key) for key in ("drugs", "often") if key in left]
        made["forms"][:1] = [_of(made, *keys) for keys in forms]

    return change


def _jointly_for_all(made: Definition) -> None:
    """Ask the first form's questions of all respondents, by the same draw."""
    made["draws"] += made["forms"].pop(0)["draws"]


def _mixed(made: Definition) -> None:
    """Put a draw of two questions and a draw of one question into one form."""
    made["forms"][0]["draws"].append(made["forms"][2]["draws"].pop(0))


# Changes whose tables do not keep the alpha of their draw.
WEAKER: list[Change] = [
    *(change for form in (0, 1) for change in (_unit(form, 1), _keep(form, RESOLUTION - 1))),
    _draw(0, alpha="1.999999"),
    _draw(2, alpha="1"),
    _sizes(1, [1, 1]),  # for smaller sizes, the same chance is too large
    *(_with_list(sizes, by=1) for sizes in ([1, [1, 1]], [1, [2, 1]])),
    _with_list([1, [1, 1]], stated=[1, [2, 1]]),  # the chance is for fewer items
]
SOUND: list[Change] = [
    lambda made: None,
    _apart,
    _form(0, weight=10_000),
    _everyone("region", "health"),
    _everyone("region", "devices"),
    _apart_with(["drugs", "often"], ["region"]),
    _apart_with(["often"]),
    _jointly_for_all,
    _mixed,
    *(_more(*keys) for keys in (("health",), ("drugs",), ("drugs", "often"), ("income", "devices"), ("devices",))),
    *(_table(0, alpha) for alpha in ("0.01", "1", "2.5", "16")),
    *(_table(1, alpha) for alpha in ("0.01", "3", "16")),
    *(_table(0, "2", *sizes) for sizes in ((1, 1), (1, 2))),
    *(_table(1, "2", *sizes) for sizes in ((1, 1), (2, 1), (3, 1))),
    *(change for form in (0, 1) for change in (_unit(form, -1), _keep(form, 1))),
    _many(45),
    *(_with_list(sizes) for sizes in ([1, [1, 1]], [1, [2, 1]], [2, [1, 1]])),
    _with_list([1, [2, 1]], by=-1),
    _list_alike,
    _list_twice,
    _again("devices", alpha="2"),
    _rankings("1.5", "1.5"),
]
WRONG: list[Change] = [
    *(lambda made, wrong=wrong: made.update(forms=wrong) for wrong in (None, [], {}, "forms", 0, True, [None, None])),
    _without(["forms"]),
    _forms(["health"]),
    *(_second(form) for form in (None, 5, [], {}, {"weight": 1}, {"draws": []})),
    _forms(["health"], ["health"]),
    _forms(["health"], ["devices"]),  # no form asks the other questions
    _forms(["health"], ["age"]),
    lambda made: made.update(format=2),
    lambda made: made.update(format=3),
    lambda made: made["forms"].append({"weight": 1, "draws": []}),
    *(_more(key) for key in ("nobody", "__proto__", "region")),
    _again("health", mechanism="bitwise", table={"flip": 3 << 50}),  # estimates cannot pool it with randomized response
    _rankings("1.5", "2"),  # estimates cannot pool these
    lambda made: made["forms"][1]["draws"].append(copy.deepcopy(made["forms"][1]["draws"][0])),
    lambda made: made["forms"][0]["draws"].append(_single(made, "drugs")),  # it asks a person twice
    *(_form(2, weight=wrong) for wrong in (0, -1, 10_001, 1.5, "1", None, True, [1], 2**53, 10**30)),
    *(_form(2, draws=wrong) for wrong in ([], None, "health", {}, [[]], [None], [{}])),
    *(_third(*keys) for keys in (("health",), ("devices",), ("devices", "health"), ("health", "health", "devices"))),
    *(
        _draw(2, questions=wrong)
        for wrong in ([], None, "health", {}, [[]], [None], ["health", "health"], [["health"]], ["wealth"])
    ),
    _draw(2, questions=["health", "devices"]),  # with the table for one question
    *(
        _with_list([1, [1, 1]], by=-(2**50), stated=[1, wrong])
        for wrong in (1, None, [], [1], [1, 1, 1], [0, 1], [3, 1], [1, 0], [1, 2], [1.5, 1], [True, 1], ["1", 1], "11")
    ),
    _with_list([1, [1, 1]], by=-(2**50), stated=[1, {"0": 1, "1": 1, "length": 2}]),
    _with_ranking,
    _with_list([1, [1, 1]], by=-(2**50), stated=[[1, 1], [1, 1]]),
    *(lambda made, wrong=wrong: made.update(draws=wrong) for wrong in (None, {}, "draws", 0, [], [None], [[]])),
    _without(["draws"]),
    lambda made: made["draws"].append(made["draws"][0]),
    lambda made: made["draws"].insert(0, made["forms"][2]["draws"].pop(0)),  # ahead of a question that comes first
    _form(2, more=1),
    _form(2, alpha="1"),
    _form(2, questions=["health", "devices"]),
    *(_draw(0, **{name: 1}) for name in ("more", "delta", "sample", "weight")),
    *(_draw(0, alpha=wrong) for wrong in ("17", "0", "", "2.0", "02", "1e1", 2, None, ["2"], "0.0000001")),
    *(_draw(0, mechanism=wrong) for wrong in ("bitwise", "one_bit", "subset", "__proto__", "", None, 5, ["bitwise"])),
    *(_draw(2, mechanism=wrong) for wrong in ("bitwise", "one_bit", "multiple", "__proto__", "", None, 5)),
    *(_draw(0, table=wrong) for wrong in (None, {}, [], "x", 5, {"keep": 1}, {"sizes": [1, 1]}, {"other": 1})),
    *(_keep(0, wrong) for wrong in (0, -1, 0.5, True, None, "1", [1], 2**53, 10**30, {})),
    *(_sizes(0, wrong) for wrong in (None, {}, "11", 1, [], [1], [1, 1, 1], [0, 1], [2, 1], [1, 3], [1, -1])),
    *(_sizes(0, [1, wrong]) for wrong in (1.5, "1", True, None, [1], 10**30)),
    lambda made: made["forms"][0]["draws"][0]["table"].update(more=1),
    *(_without(["forms", 0, name]) for name in ("weight", "draws")),
    *(_without(["forms", 0, "draws", 0, name]) for name in ("alpha", "mechanism", "table", "questions")),
    *WEAKER,
    _draw(0, questions=["drugs"]),
    _draw(0, questions=["often", "drugs"]),
    _draw(0, questions=["region", "drugs"]),  # all respondents are asked "region"
    *(_question(1, **{name: 1}) for name in ("alpha", "mechanism", "table", "delta", "sample", "together", "joint")),
    *(_question(1, kind=wrong) for wrong in ("grid", "multiple_choice", "__proto__", None, ["yes_no"], "unknown")),
    *(_question(2, options=wrong) for wrong in (None, [], ["x"], "xxx", ["a", "a", "b"])),
    _question(2, options=["a", "b", "c", "d"]),  # with more combinations, the same chance reveals more
    _question(2, asked_if={"question": "health", "options": [0]}),  # the condition is on another form's question
    _question(0, asked_if={"question": "drugs", "options": [0]}),  # all are asked, on a condition from one form
    _question(5, asked_if={"question": "age", "options": [0]}),
    _apart_with(["drugs"], ["often"]),
    _apart_with(["drugs"]),
    _many(46),
]


def built() -> Definition:
    return definitions.build(DRAFT)


def changed(change: Change) -> Definition:
    made = copy.deepcopy(built())
    change(made)
    return made


def cases() -> Iterator[tuple[bytes, bool]]:
    """Yield the bytes of definitions, each with whether a page may ask it."""
    for all_of, sound in ((SOUND, True), (WRONG, False)):
        for change in all_of:
            yield definitions.canonical(changed(change)), sound
