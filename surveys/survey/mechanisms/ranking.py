"""A ranking by sampling (M9b)."""

from ldp.mechanisms.ranking import SAMPLE_MAX, SAMPLE_MIN
from surveys.survey.mechanisms import report_words
from surveys.survey.mechanisms.entries import integer, threshold
from surveys.survey.mechanisms.protocol import PAIRS, Mechanism, ReportDescription
from surveys.survey.mechanisms.words import _

MECHANISM = Mechanism(
    name=_("Ranking by sampling"),
    sent=_(
        "Each browser drew {sample} entries by chance. With a chance of {keep} it sent the true order of these; "
        "otherwise an order at random."
    ),
    entries={"sample": integer(SAMPLE_MIN, lambda question: SAMPLE_MAX), "keep": threshold},
    table="sample: how many entries a report is about; keep: the chance, out of 2^53, that it has their true order.",
    report=ReportDescription(
        PAIRS,
        "[pair, bit] for each pair of the drawn entries, the bit 1 where its first entry is before the other",
        report_words.ordered,
    ),
    scores={"support": "the pair's bit, over the reports that are about it"},
    labels=lambda question: ("Sent: the other way round", "Sent: in this order"),
)
