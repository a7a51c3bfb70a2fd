"""Types of a question in a definition and of a drawn question, which also has its answer's channel.

Annotations are texts of the API's schema. NotRequired fields exist for some questions only.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, TypedDict, cast

RULES_MIN, RULES_MAX = 2, 5  # joined by all or any

Answers = dict[str, Any]  # by question key; ldp/kinds has the type of each kind's answer


class Rule(TypedDict):
    """A rule that holds if an earlier question was asked and the answer is one of these options."""

    question: Annotated[str, "The key of an earlier question with options."]
    options: Annotated[list[int], "Positions of its options, from 0, increasing.", {"minItems": 1}]


Rules = Annotated[
    list[Rule], "About different questions, in their order.", {"minItems": RULES_MIN, "maxItems": RULES_MAX}
]


class AllRules(TypedDict):
    all: Rules


class AnyRule(TypedDict):
    any: Rules


class Question(TypedDict):
    """A question without its draw."""

    key: Annotated[str, {"pattern": "^[a-z][a-z0-9_]{0,39}$", "examples": ["by_bike"]}]
    kind: str
    text: str
    note: Annotated[str, "May be empty."]
    prefer_not_to_say: Annotated[bool, "Whether the last option says so."]
    options: NotRequired[
        Annotated[list[str], "Every kind but mean: options, bins of a histogram, spans of a date, pairs of a ranking."]
    ]
    items: NotRequired[Annotated[list[str], "grid: the items for which people choose options."]]
    ranked: NotRequired[
        Annotated[list[str], "ranking: the items. Where A is before B in this list, the option “A > B” puts A first."]
    ]
    edges: NotRequired[Annotated[list[str], "histogram: decimal strings, increasing."]]
    dates: NotRequired[
        Annotated[list[str], "date: ISO dates, all years, months or days, increasing; spans end before the next."]
    ]
    low: NotRequired[Annotated[str, "mean: the lower end of the scale."]]
    high: NotRequired[Annotated[str, "mean: its upper end."]]
    unit: NotRequired[Annotated[str, "histogram, mean; may be empty."]]
    limits: NotRequired[
        Annotated[
            Literal["whole", "decimal"],
            "histogram, mean: only whole, or decimal, numbers within the ends can be entered. Bins of whole numbers "
            "end before the next edge, the last one too. Without this field, numbers beyond the ends count as the "
            "ends.",
        ]
    ]
    steps: NotRequired[
        Annotated[list[str], "mean: the steps of a scale; people choose one, and steps count 1, 2, 3 and so on."]
    ]
    asked_if: NotRequired[
        Annotated[Rule | AllRules | AnyRule, "Who is asked, where not everyone is. Everyone sends a report about it."]
    ]
    exclusive: NotRequired[
        Annotated[int, "multiple_choice: the position, from 0, of the option that means none of these."]
    ]
    arm_of: NotRequired[
        Annotated[str, "The key of the question whose other version this is, which other people are asked by lot."]
    ]
    right: NotRequired[
        Annotated[int, "An attention question: the position, from 0, of the answer that everyone should give."]
    ]


ALPHA = "The privacy parameter of all answers of the draw together, a decimal string."
TABLE = "Whole numbers from which every chance follows; each mechanism has its own."
DELTA = "osgt, gaussian: the chance for which alpha need not hold."


class Asked(TypedDict):
    """A question's draw in one of several forms."""

    form: Annotated[int, "The position of the form, from 0."]
    weight: Annotated[int, "The form is drawn with this over the sum of all weights."]
    alpha: Annotated[str, ALPHA]
    mechanism: str
    table: Annotated[dict[str, Any], TABLE]
    delta: NotRequired[Annotated[str, DELTA]]
    joint: NotRequired[Annotated[bool, "Whether other answers are randomized by the same draw."]]
    together: NotRequired[Annotated[list[str], "joint: the keys of all questions of this draw."]]
    n: NotRequired[Annotated[int, "The reports of this form, once they are counted."]]
    drawn: NotRequired[Annotated[list[int], "A list or grid, once counted: how many of these reports drew each item."]]


class Drawn(Question):
    """A question with its answer's channel, as if asked alone (M44).

    A question of several forms has `asked` in place of `form` and `together`. If the forms share one channel, `alpha`
    and `table` describe it. Otherwise both fields are missing (M45), so that code that ignores `asked` fails with a
    KeyError, and totals are those of pooled scores (ldp/mechanisms/pooled.py).
    """

    alpha: Annotated[str, ALPHA]
    mechanism: str
    table: Annotated[dict[str, Any], TABLE]
    delta: NotRequired[Annotated[str, DELTA]]
    form: NotRequired[Annotated[int, "The position, from 0, of the only form that asks it."]]
    joint: NotRequired[Annotated[bool, "Whether other answers are randomized by the same draw, in some form at least."]]
    together: NotRequired[Annotated[list[str], "joint: the keys of all questions of this draw."]]
    asked: NotRequired[Annotated[list[Asked], "Where several forms ask it: how each does.", {"minItems": 2}]]
    item: NotRequired[Annotated[int, "The position of the only item that this is about (`about_item`)."]]


# A question of several forms has these fields for each form.
CHANNEL = ("alpha", "mechanism", "table", "delta")


def has_channels(question: Mapping[str, Any]) -> bool:
    """Return whether forms randomize the question in several ways, so that it has no single alpha and table."""
    return "asked" in question and "table" not in question


def channels(question: Drawn) -> list[Drawn]:
    """Return the question once for each form if forms randomize it in several ways, otherwise once."""
    return [of_asked(question, [each]) for each in question["asked"]] if has_channels(question) else [question]


def about_item(question: Drawn, place: int) -> Drawn:
    """Return a list or grid narrowed to one item. If forms draw the items in several ways, each form's `n` becomes the
    number of its reports that drew the item, once they are counted. Estimates pool these reports (M45)."""
    if not has_channels(question):
        return question
    channels = [
        {name: value for name, value in each.items() if name != "drawn"}
        | ({"n": each["drawn"][place]} if "drawn" in each else {})
        for each in question["asked"]
    ]
    return cast(Drawn, question | {"asked": channels, "item": place})


def asked_in(question: Mapping[str, Any]) -> list[int] | None:
    """Return the forms that ask the question, from 0; None if everyone is asked."""
    if "asked" in question:
        return [each["form"] for each in question["asked"]]
    return [question["form"]] if "form" in question else None


def of_asked(question: Mapping[str, Any], by_form: Sequence[Asked]) -> Drawn:
    """Return the question with these forms' channels in place of all others."""
    own = (*CHANNEL, "form", "joint", "together", "asked")
    made = {name: value for name, value in question.items() if name not in own}
    if len(by_form) == 1:
        return cast(Drawn, made | {name: value for name, value in by_form[0].items() if name in own})
    channels = [{name: value for name, value in each.items() if name in CHANNEL} for each in by_form]
    alike = all(each == channels[0] for each in channels)
    made |= channels[0] if alike else {"mechanism": channels[0]["mechanism"]}
    if any("joint" in each for each in by_form):
        made["joint"] = True
    return cast(Drawn, made | {"asked": list(by_form)})
