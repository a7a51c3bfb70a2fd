"""The columns of the microdata: their names, what each is about, and what its numbers mean."""

from typing import Any, NamedTuple

from ldp.mechanisms import of
from surveys import kinds

Question = dict[str, Any]

_OPTIONS = ("randomized_response", "exponential", "grid")
_BITS = {
    "subset": ("Not in the set that was sent", "In the set that was sent"),
    "bitwise": ("The bit sent for this option is 0", "The bit sent for this option is 1"),
    "one_bit": ("The bit that was sent is 0: the lower end", "The bit that was sent is 1: the upper end"),
    "multiple": ("Sent: does not apply", "Sent: applies"),
}
# One less than Stata takes: so long are the names of labels at most that can be written.
STATA_NAME_MAX = 31


class Column(NamedTuple):
    """`about` is the option or item that its numbers are about, empty where they are about the whole question."""

    name: str
    label: str
    about: str
    low: int
    high: int
    values: dict[int, str]
    may_be_empty: bool


def of_question(question: Question) -> list[Column]:
    """In the order of the numbers in a report: one column for the question, or one for each option or item."""
    cells, labels = of(question).packing().columns, values(question)
    about = _about(question) if cells.size > 1 else [""]
    return [
        Column(
            name=f"{question['key']}.{place}" if cells.size > 1 else question["key"],
            label=f"{question['text']} — {text}" if text else question["text"],
            about=text,
            low=cells.low,
            high=cells.high,
            values=labels,
            may_be_empty=cells.drawn > 0,
        )
        for place, text in enumerate(about, 1)
    ]


def of_definition(questions: list[Question]) -> list[Column]:
    return [column for question in questions for column in of_question(question)]


def values(question: Question) -> dict[int, str]:
    """What each number says that was sent; empty where it is a quantity."""
    name = question["mechanism"]
    if name in _OPTIONS:
        return dict(enumerate(question["options"]))
    return dict(enumerate(_BITS.get(name, ())))


def quantity(question: Question) -> str:
    """What a number that is a quantity says; empty where `values` says it."""
    if values(question):
        return ""
    if question["kind"] == "mean":
        steps = len(question["table"]["rows"]) - 1
        return (
            f"A point of the scale with noise: {question['low']} is 0, {question['high']} is {steps}, and values "
            "below and above come from the noise alone."
        )
    return "1 for the bin of the answer, 0 for the others, each with noise added."


def _about(question: Question) -> list[str]:
    items: list[str] = kinds.of(question).items(question)
    return items or list(question["options"])


def stata_names(columns: list[Column]) -> list[str]:
    """Names that Stata takes: letters, digits and underscores, none too long, each once."""
    names: list[str] = []
    for column in columns:
        plain = column.name.replace(".", "_")
        name, more = plain[:STATA_NAME_MAX], 1
        while name in names:
            more += 1
            name = f"{plain[: STATA_NAME_MAX - 1 - len(str(more))]}_{more}"
        names.append(name)
    return names
