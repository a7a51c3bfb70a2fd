"""The type of a question as a definition freezes it, what is asked, and as it is drawn, how the answer is randomized.

Beside a field stands what the API's schema says of it; a field that only some questions have is NotRequired.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired, TypedDict, cast

RULES_MIN, RULES_MAX = 2, 5  # joined by all or any

Answers = dict[str, Any]  # by the key of the question; what an answer is, its kind says (ldp/kinds)


class Rule(TypedDict):
    """Holds of those who were asked an earlier question and gave one of these answers."""

    question: Annotated[str, "The key of an earlier question with options, of which a person gives one or several."]
    options: Annotated[list[int], "Positions of its options, from 0, increasing.", {"minItems": 1}]


Rules = Annotated[
    list[Rule], "About different questions, in their order.", {"minItems": RULES_MIN, "maxItems": RULES_MAX}
]


class AllRules(TypedDict):
    all: Rules


class AnyRule(TypedDict):
    any: Rules


class Question(TypedDict):
    """What is asked."""

    key: Annotated[str, {"pattern": "^[a-z][a-z0-9_]{0,39}$", "examples": ["by_bike"]}]
    kind: str
    text: str
    note: Annotated[str, "May be empty."]
    prefer_not_to_say: Annotated[bool, "Whether the last option says so."]
    options: NotRequired[
        Annotated[
            list[str], "Of every kind but mean; of a histogram its bins, of a date its spans, of a ranking pairs."
        ]
    ]
    items: NotRequired[Annotated[list[str], "grid: what the options are chosen for."]]
    ranked: NotRequired[
        Annotated[list[str], "ranking: the items; of each two, the earlier one A, the option “A > B” puts A first."]
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
            "histogram, mean: only whole, or decimal, numbers within the ends can be entered. Of whole numbers a bin "
            "ends before the next edge, the last one too. Without, numbers beyond the ends count there.",
        ]
    ]
    steps: NotRequired[
        Annotated[list[str], "mean: the steps of a scale, of which people choose one; they count 1, 2, 3 and so on."]
    ]
    asked_if: NotRequired[
        Annotated[Rule | AllRules | AnyRule, "Where only some people are asked. All send a report about it."]
    ]
    filler: NotRequired[Annotated[int | list[int] | str, "Randomized where the question was not asked."]]
    arm_of: NotRequired[
        Annotated[str, "The key of the question of which this is another version, asked of other people by lot."]
    ]
    right: NotRequired[
        Annotated[int, "An attention question: the position, from 0, of the answer that everybody should give."]
    ]


ALPHA = "The privacy parameter, a decimal string: of all answers of the draw together."
TABLE = "Whole numbers, from which every chance follows; of each mechanism its own."
DELTA = "osgt, gaussian: the chance for which alpha need not hold."


class Asked(TypedDict):
    """How one of several forms randomizes a question."""

    form: Annotated[int, "The position of the form, from 0."]
    weight: Annotated[int, "The form is drawn with this over the sum of all weights."]
    alpha: Annotated[str, ALPHA]
    mechanism: str
    table: Annotated[dict[str, Any], TABLE]
    delta: NotRequired[Annotated[str, DELTA]]
    joint: NotRequired[Annotated[bool, "Whether other answers are randomized by the same draw."]]
    together: NotRequired[Annotated[list[str], "joint: the keys of all questions of this draw."]]
    n: NotRequired[Annotated[int, "The reports of this form, once they are counted."]]


class Drawn(Question):
    """A question with the channel that its answer goes through, as if asked alone (M44).

    One of several forms has `asked`, and in place of `form` and `together` what stands there. Where its forms have one
    channel `alpha` and `table` are those of each of them. Where they differ neither is there (M45): who reads a channel
    takes it from each of `asked`, and who reads none of these has a KeyError. Its totals are then those of pooled
    scores (ldp/mechanisms/pooled.py).
    """

    alpha: Annotated[str, ALPHA]
    mechanism: str
    table: Annotated[dict[str, Any], TABLE]
    delta: NotRequired[Annotated[str, DELTA]]
    form: NotRequired[Annotated[int, "The position, from 0, of the only form that asks it."]]
    joint: NotRequired[Annotated[bool, "Whether other answers are randomized by the same draw, in some form at least."]]
    together: NotRequired[Annotated[list[str], "joint: the keys of all questions of this draw."]]
    asked: NotRequired[Annotated[list[Asked], "Where several forms ask it: how each does.", {"minItems": 2}]]


# What of a question in several forms is said of each.
CHANNEL = ("alpha", "mechanism", "table", "delta")


def has_channels(question: Mapping[str, Any]) -> bool:
    """Whether forms randomize the question in different ways, so that it has no alpha and no table of its own."""
    return "asked" in question and "table" not in question


def channels(question: Drawn) -> list[Drawn]:
    """The question as each form asks it, where they randomize it in different ways, else once."""
    return [of_asked(question, [each]) for each in question["asked"]] if has_channels(question) else [question]


def asked_in(question: Mapping[str, Any]) -> list[int] | None:
    """The forms that ask it; None where everybody is asked."""
    if "asked" in question:
        return [each["form"] for each in question["asked"]]
    return [question["form"]] if "form" in question else None


def of_asked(question: Mapping[str, Any], by_form: Sequence[Asked]) -> Drawn:
    """The question as one form or several ask it, by what else is said of it."""
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
