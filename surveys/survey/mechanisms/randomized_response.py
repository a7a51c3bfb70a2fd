"""Randomized response on product subsets (M44)."""

from collections.abc import Sequence
from typing import Any, cast

from ldp import subsets
from ldp.forms import definition as definitions
from ldp.question import Drawn, Question, has_channels
from surveys.rules.shapes import must
from surveys.rules.unchecked import Unchecked
from surveys.survey.mechanisms import report_words
from surveys.survey.mechanisms.entries import threshold
from surveys.survey.mechanisms.protocol import LIST, Mechanism, ReportDescription
from surveys.survey.mechanisms.words import _


def sizes(given: Any, questions: Sequence[Unchecked]) -> None:
    """Raise Misshapen unless each question of the draw has a size, from 1 to one less than its options. A list or grid
    has the number of drawn items and of options listed for each."""
    must(isinstance(given, list) and len(given) == len(questions))
    counts = definitions.counts(cast(Sequence[Question], questions))
    must(all(map(subsets.fits, counts, given)))


def listed(question: Drawn, size: int) -> Sequence[str]:
    """Return the meaning of the numbers in a download's column: the listed option if the size is 1, else whether the
    column's option is listed."""
    if size == 1:
        return question["options"]
    return ("Not among the options that were sent", "Among the options that were sent")


def labels(question: Drawn) -> Sequence[str]:
    """Return the meaning of the numbers in the question's columns. If forms differ and one lists several options, there
    is a column for each option."""
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
    "each question, of a multiple choice or grid how many items are drawn and how many options are in each list.",
    report=ReportDescription(LIST, "the indices of the options that are listed, increasing", report_words.among),
    scores={"support": "1 where the option is listed, else 0"},
    labels=labels,
)
