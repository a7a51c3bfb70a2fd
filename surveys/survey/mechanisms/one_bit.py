"""A mean by one bit (M8)."""

from surveys.survey.mechanisms import randomized_response, report_words
from surveys.survey.mechanisms.entries import threshold
from surveys.survey.mechanisms.protocol import LIST, Mechanism, ReportDescription
from surveys.survey.mechanisms.words import _

MECHANISM = Mechanism(
    name=_("One bit"),
    sent=_(
        "Each browser rounded the number by chance to one end of its scale. With a chance of {keep} it sent this end; "
        "otherwise one of the two, by chance."
    ),
    entries={"keep": threshold, "sizes": randomized_response.sizes},
    table="keep: the chance, out of 2^53, that the bit is that of the answer; sizes: always [1].",
    report=ReportDescription(LIST, "one integer, 0 or 1", report_words.end),
    scores={"mean": "the bit"},
    labels=lambda question: ("The bit that was sent is 0: the lower end", "The bit that was sent is 1: the upper end"),
    one_for_both=True,
)
