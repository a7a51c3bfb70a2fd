"""A grid by sampling (M9)."""

from surveys.survey.mechanisms import readings
from surveys.survey.mechanisms.entries import threshold, whole
from surveys.survey.mechanisms.protocol import PAIRS, Mechanism, Report
from surveys.survey.mechanisms.words import _

MECHANISM = Mechanism(
    name=_("Grid by sampling"),
    sent=_(
        "Each browser drew {sample} items by chance and sent the answer to each or, by published "
        "odds, one of the others."
    ),
    entries={"sample": whole(1, lambda question: len(question["items"])), "other": threshold},
    table="sample: how many items a report is about; other: the chance, out of 2^53, of each other option.",
    report=Report(PAIRS, "pairs [item, option] of the drawn items", readings.picked),
    scores={"support": "1 where the option is the one sent, else 0, over the reports that are about the item"},
    labels=lambda question: question["options"],
)
