"""The type of a definition, of which the API's schema is made.

Beside a field stands what the schema says of it; a field that only some definitions or questions have is NotRequired.
"""

from typing import Annotated, Any, NotRequired, TypedDict

from surveys.definition.shape import FORMAT
from surveys.rules.languages import TAG


class Section(TypedDict):
    """Questions that are asked together."""

    title: str
    text: Annotated[str, "May be empty."]
    questions: Annotated[list[str], "The keys of its questions, in their order.", {"minItems": 1}]


class AskedIf(TypedDict):
    """Whom a question is asked: those who gave one of these answers to an earlier one."""

    question: Annotated[str, "The key of an earlier question with options, of which a person gives one or several."]
    options: Annotated[list[int], "Positions of its options, from 0, increasing.", {"minItems": 1}]


class Question(TypedDict):
    """What is asked, and how the answer is randomized."""

    key: Annotated[str, {"pattern": "^[a-z][a-z0-9_]{0,39}$", "examples": ["by_bike"]}]
    kind: str
    text: str
    note: Annotated[str, "May be empty."]
    prefer_not_to_say: Annotated[bool, "Whether the last option says so."]
    alpha: Annotated[str, "The privacy parameter, a decimal string."]
    mechanism: str
    table: Annotated[dict[str, Any], "Whole numbers, from which every chance follows; of each mechanism its own."]
    options: NotRequired[Annotated[list[str], "Of every kind but mean; of a histogram its bins."]]
    items: NotRequired[Annotated[list[str], "grid: what the options are chosen for."]]
    edges: NotRequired[Annotated[list[str], "histogram: decimal strings, increasing."]]
    low: NotRequired[Annotated[str, "mean: the lower end of the scale."]]
    high: NotRequired[Annotated[str, "mean: its upper end."]]
    unit: NotRequired[Annotated[str, "histogram, mean; may be empty."]]
    asked_if: NotRequired[Annotated[AskedIf, "Where only some people are asked. All send a report about it."]]
    filler: NotRequired[Annotated[int | list[int] | str, "Randomized where the question was not asked."]]
    delta: NotRequired[Annotated[str, "osgt, gaussian: the chance for which alpha need not hold."]]


class SectionTexts(TypedDict):
    """A section's texts in another language."""

    title: str
    text: Annotated[str, "Empty where the section has none."]


class QuestionTexts(TypedDict):
    """A question's texts in another language. Yes and no, bins, and "Prefer not to say" are the page's own words."""

    text: str
    note: Annotated[str, "Empty where the question has none."]
    options: NotRequired[Annotated[list[str], "Where they were written: by position, without “Prefer not to say”."]]
    items: NotRequired[list[str]]
    unit: NotRequired[str]


class Translation(TypedDict):
    """The survey's texts in another language, each where the survey's own language has one, by position."""

    title: str
    introduction: str
    consent: NotRequired[str]
    thanks: NotRequired[str]
    sections: NotRequired[list[SectionTexts]]
    questions: list[QuestionTexts]


class Definition(TypedDict):
    """What was frozen when the survey opened."""

    format: Annotated[int, {"const": FORMAT}]
    title: str
    introduction: Annotated[str, "May be empty."]
    consent: NotRequired[Annotated[str, "Agreed to before the first question; whether it was is never sent."]]
    thanks: NotRequired[Annotated[str, "Shown after sending."]]
    sections: NotRequired[Annotated[list[Section], "Every question stands in one of them, in the order of questions."]]
    language: NotRequired[
        Annotated[
            str, "The BCP 47 tag of these texts; without one, English.", {"pattern": f"^{TAG}$", "examples": ["de"]}
        ]
    ]
    translations: NotRequired[Annotated[dict[str, Translation], "By language tag; never of the survey's own language."]]
    questions: Annotated[list[Question], "In the order in which they are asked, and in which a report is packed."]
