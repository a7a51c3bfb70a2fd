"""A mean by one bit (M8)."""

from surveys.survey.mechanisms import report_words
from surveys.survey.mechanisms.entries import threshold
from surveys.survey.mechanisms.protocol import WHOLE, Mechanism, ReportDescription
from surveys.survey.mechanisms.words import _

MECHANISM = Mechanism(
    name=_("One bit"),
    sent=_("Each browser sent a 1 or a 0: the higher the number on its scale, the likelier a 1, by published odds."),
    entries={"other": threshold},
    table="other: the chance, out of 2^53, that the bit is changed.",
    report=ReportDescription(WHOLE, "0 or 1", report_words.end),
    scores={"mean": "the bit"},
    labels=lambda question: ("The bit that was sent is 0: the lower end", "The bit that was sent is 1: the upper end"),
    one_for_both=True,
)
