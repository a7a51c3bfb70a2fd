"""The columns of the microdata: names, labels, and the meaning of their numbers."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypedDict

from ldp.forms import definition as definitions
from ldp.forms import report
from ldp.mechanisms import of
from ldp.question import Drawn, asked_in
from surveys.survey import kinds, mechanisms
from surveys.survey.definition.document import Definition

# The columns of a report's form and group. No other column has these names: keys have no dot, and the places of options
# are numbers.
FORM = "report.form"
GROUP = "report.group"

# The level of measurement, in the words of SPSS.
Measure = Literal["nominal", "ordinal", "scale"]


class MicrodataColumn(NamedTuple):
    """`about` is the option or item of the numbers, empty if they are about the whole question."""

    name: str
    label: str
    about: str
    low: int
    high: int
    values: dict[int, str]
    may_be_empty: bool
    measure: Measure
    # In SPSS and Stata files: the codes of some numbers, and the number that is a missing value.
    codes: Mapping[int, int] = {}
    refusal: int | None = None

    def code(self, number: int) -> int:
        return self.codes.get(number, number)


def of_question(question: Drawn) -> list[MicrodataColumn]:
    """Return columns in the order of a report's numbers: one per question, option, item, or option of each item."""
    cells, labels = of(question).columns, values(question)
    places = _places(question) if cells.size > 1 else [("", "")]
    if len(places) < cells.size:  # a report lists several options of an item
        options = list(enumerate(question["options"], 1))
        places = [(f"{name}.{k}", f"{item}: {option}") for name, item in places for k, option in options]
    return [
        MicrodataColumn(
            name=f"{question['key']}{place}",
            label=f"{question['text']} — {text}" if text else question["text"],
            about=text,
            low=cells.low,
            high=cells.high,
            values=labels,
            may_be_empty=cells.drawn > 0 or asked_in(question) is not None,
            measure=_measure(question, list(labels.values())),
            **_coding(question, list(labels.values())),
        )
        for place, text in places
    ]


def of_definition(definition: Definition) -> list[MicrodataColumn]:
    """Return all columns. With forms or groups, the first are the report's form and group."""
    return [*_first(definition), *(column for question in report.alone(definition) for column in of_question(question))]


def _first(definition: Definition) -> list[MicrodataColumn]:
    if "forms" in definition:
        return [of_forms(definition)]
    return [_of_groups(groups)] if (groups := definitions.groups(definition)) else []


def _of_groups(groups: list[str]) -> MicrodataColumn:
    """Return the column of the report's group, a number from 0. Its values are the groups' names."""
    label, values = "Group of those who were invited", dict(enumerate(groups))
    return MicrodataColumn(GROUP, label, "", 0, len(groups) - 1, values, may_be_empty=False, measure="nominal")


def of_forms(definition: Definition) -> MicrodataColumn:
    """Return the column of the report's form, a number from 0. Its values are the questions only in this form."""
    alone = [definitions.members(definition, form) for form in range(len(definitions.forms(definition)))]
    named = {form: ", ".join(question["key"] for question in own) for form, own in enumerate(alone)}
    return MicrodataColumn(
        name=FORM,
        label="Form, drawn before anything was asked",
        about="",
        low=0,
        high=len(named) - 1,
        values=named,
        may_be_empty=False,
        measure="nominal",
    )


def values(question: Drawn) -> dict[int, str]:
    """Return the meaning of each number in reports; empty if the numbers are quantities."""
    return dict(enumerate(mechanisms.of(question).labels(question)))


def _measure(question: Drawn, labels: list[str]) -> Measure:
    """Return the level of measurement of the reported numbers. The bits of some mechanisms have no order."""
    if not labels:
        return "scale"
    steps = kinds.of(question).ordinal and labels == list(question["options"])
    return "ordinal" if steps else "nominal"


class _Coding(TypedDict):
    codes: Mapping[int, int]
    refusal: int | None


def _coding(question: Drawn, labels: list[str]) -> _Coding:
    """Return the codes for SPSS and Stata if a number is an option's place: yes is 1, and a refusal is missing."""
    if labels != list(question.get("options", ())):
        return {"codes": {}, "refusal": None}
    return {"codes": kinds.of(question).codes, "refusal": len(labels) - 1 if question["prefer_not_to_say"] else None}


def _places(question: Drawn) -> list[tuple[str, str]]:
    """Return the ends of the columns' names, and what the columns are about: items, or else options."""
    items: list[str] = kinds.of(question).items(question)
    return [(f".{place}", text) for place, text in enumerate(items or question["options"], 1)]
