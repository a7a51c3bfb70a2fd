"""Bitwise randomized response (M3)."""

from surveys.survey.mechanisms import report_words
from surveys.survey.mechanisms.entries import threshold
from surveys.survey.mechanisms.protocol import BITS, Mechanism, ReportDescription
from surveys.survey.mechanisms.words import _

MECHANISM = Mechanism(
    name=_("Bitwise randomized response"),
    sent=_("Each browser sent a 1 or a 0 for every answer, each of them changed by published odds."),
    entries={"flip": threshold},
    table="flip: the chance, out of 2^53, that a bit is changed.",
    report=ReportDescription(BITS, "one character per option", report_words.marked),
    scores={"support": "the option's bit"},
    labels=lambda question: ("The bit sent for this option is 0", "The bit sent for this option is 1"),
)
