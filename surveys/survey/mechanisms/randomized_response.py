"""Randomized response on product subsets (M44)."""

from collections.abc import Sequence
from typing import Any

from ldp import kinds
from ldp.kinds.protocol import Size
from ldp.question import Drawn, has_channels
from surveys.rules.shapes import must
from surveys.rules.unchecked import Unchecked
from surveys.survey.mechanisms import report_words
from surveys.survey.mechanisms.entries import threshold
from surveys.survey.mechanisms.protocol import LIST, Mechanism, ReportDescription
from surveys.survey.mechanisms.words import _


def sizes(given: Any, questions: Sequence[Unchecked]) -> None:
    """One for each question of the draw: at least one of its options, and not all."""
    must(isinstance(given, list) and len(given) == len(questions))
    for size, question in zip(given, questions, strict=True):
        symbols = kinds.of(question).symbols(Size(len(question.get("options", ()))))
        must(type(size) is int and symbols and 1 <= size < symbols)


def listed(question: Drawn, size: int) -> Sequence[str]:
    """What a number of the downloads says: which option is listed where that is one, else of each whether it is."""
    if size == 1:
        return question["options"]
    return ("Not among the options that were sent", "Among the options that were sent")


def labels(question: Drawn) -> Sequence[str]:
    """As its columns are: where forms randomize it in different ways of each option if some form lists several."""
    tables = [each["table"] for each in question["asked"]] if has_channels(question) else [question["table"]]
    return listed(question, max(table["sizes"][0] for table in tables))


MECHANISM = Mechanism(
    name=_("Randomized response"),
    sent=_(
        "Each browser sent {listed} of the {options} options. With a chance of {keep} the true answer is among what "
        "was sent; otherwise all of it is random."
    ),
    entries={"keep": threshold, "sizes": sizes},
    table="keep: the chance, out of 2^53, that every list holds the answer; sizes: how many options are in the list of "
    "each question.",
    report=ReportDescription(LIST, "the indices of the options that are listed, increasing", report_words.among),
    scores={"support": "1 where the option is listed, else 0"},
    labels=labels,
)
