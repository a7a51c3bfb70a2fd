"""Subset selection (M4)."""

from surveys.survey.mechanisms import report_words
from surveys.survey.mechanisms.entries import integer, threshold
from surveys.survey.mechanisms.protocol import LIST, Mechanism, ReportDescription
from surveys.survey.mechanisms.words import _

MECHANISM = Mechanism(
    name=_("Subset selection"),
    sent=_("Each browser sent a set of answers; by published odds the true one is in it more often than any other."),
    entries={"m": integer(1, lambda question: len(question["options"]) - 1), "in": threshold},
    table="m: how many options are in a set; in: the chance, out of 2^53, that the true one is among them.",
    report=ReportDescription(LIST, "the indices of the chosen options, increasing", report_words.among),
    scores={"support": "1 where the option is in the set, else 0"},
    labels=lambda question: ("Not in the set that was sent", "In the set that was sent"),
)
