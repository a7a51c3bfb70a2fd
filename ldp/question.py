"""The type of a question as a definition freezes it, what is asked, and as it is drawn, how the answer is randomized.

Beside a field stands what the API's schema says of it; a field that only some questions have is NotRequired.
"""

from typing import Annotated, Any, NotRequired, TypedDict

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


class Drawn(Question):
    """A question with the channel that its answer goes through, as if it had been asked alone (M44)."""

    alpha: Annotated[str, ALPHA]
    mechanism: str
    table: Annotated[dict[str, Any], TABLE]
    delta: NotRequired[Annotated[str, DELTA]]
    form: NotRequired[Annotated[int, "The position, from 0, of the only form that asks it."]]
    joint: NotRequired[Annotated[bool, "Whether other answers are randomized by the same draw."]]
    together: NotRequired[Annotated[list[str], "joint: the keys of all questions of this draw."]]
