"""A grid by sampling (M9)."""

from surveys.survey.mechanisms import report_words
from surveys.survey.mechanisms.entries import integer, threshold
from surveys.survey.mechanisms.protocol import PAIRS, Mechanism, ReportDescription
from surveys.survey.mechanisms.words import _

MECHANISM = Mechanism(
    name=_("Grid by sampling"),
    sent=_(
        "Each browser drew {sample} items by chance and sent the answer to each or, by published "
        "odds, one of the others."
    ),
    entries={"sample": integer(1, lambda question: len(question["items"])), "other": threshold},
    table="sample: how many items a report is about; other: the chance, out of 2^53, of each other option.",
    report=ReportDescription(PAIRS, "pairs [item, option] of the drawn items", report_words.picked),
    scores={"support": "1 where the option is the one sent, else 0, over the reports that are about the item"},
    labels=lambda question: question["options"],
)
