"""Randomized response on options (M2)."""

from surveys.survey.mechanisms import report_words
from surveys.survey.mechanisms.entries import threshold
from surveys.survey.mechanisms.protocol import WHOLE, Mechanism, ReportDescription
from surveys.survey.mechanisms.words import _

MECHANISM = Mechanism(
    name=_("Randomized response"),
    sent=_("Each browser sent the true answer or, by published odds, one of the others."),
    entries={"other": threshold},
    table="other: the chance, out of 2^53, of each other option.",
    report=ReportDescription(WHOLE, "index of an option, from 0 on", report_words.option),
    scores={"support": "1 where the option is the one sent, else 0"},
    labels=lambda question: question["options"],
)
