"""Several selections by sampling (M9)."""

from surveys.survey.mechanisms import report_words
from surveys.survey.mechanisms.entries import integer, threshold
from surveys.survey.mechanisms.protocol import PAIRS, Mechanism, ReportDescription
from surveys.survey.mechanisms.words import _

MECHANISM = Mechanism(
    name=_("Multiple selection by sampling"),
    sent=_(
        "Each browser drew {sample} answers by chance. With a chance of {keep} it sent for all of these whether they "
        "apply; otherwise all of it is random."
    ),
    entries={"sample": integer(1, lambda question: len(question["options"])), "keep": threshold},
    table="sample: how many options a report is about; keep: the chance, out of 2^53, that all of its bits are those "
    "of the answer.",
    report=ReportDescription(
        PAIRS, "pairs [option, bit] of the drawn options, the bit 1 for “applies”", report_words.ticked
    ),
    scores={"support": "the option's bit, over the reports that are about it"},
    labels=lambda question: ("Sent: does not apply", "Sent: applies"),
)
