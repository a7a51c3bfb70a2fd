"""A grid by sampling (M9)."""

from collections.abc import Sequence

from ldp.question import Drawn, channels
from surveys.survey.mechanisms import report_words
from surveys.survey.mechanisms.entries import integer, threshold
from surveys.survey.mechanisms.protocol import LISTS, Mechanism, ReportDescription
from surveys.survey.mechanisms.randomized_response import listed
from surveys.survey.mechanisms.words import _


def labels(question: Drawn) -> Sequence[str]:
    """Return the meaning of the numbers in an item's columns. If forms differ and some form lists several options,
    there is a column for each option."""
    return listed(question, max(own["table"]["size"] for own in channels(question)))


MECHANISM = Mechanism(
    name=_("Grid by sampling"),
    sent=_(
        "Each browser drew {sample} items by chance and sent {listed} of the {options} options for each. With a chance "
        "of {keep} the true answers are among these options; otherwise all is random."
    ),
    entries={
        "sample": integer(1, lambda question: len(question["items"])),
        "keep": threshold,
        "size": integer(1, lambda question: len(question["options"]) - 1),
    },
    table="sample: how many items a report is about; keep: the chance, out of 2^53, that every list holds the answer "
    "to its item; size: how many options are in each list.",
    report=ReportDescription(
        LISTS, "pairs [item, options] of the drawn items, the options increasing", report_words.picked
    ),
    scores={"support": "1 where the option is listed, else 0, over the reports that are about the item"},
    labels=labels,
)
