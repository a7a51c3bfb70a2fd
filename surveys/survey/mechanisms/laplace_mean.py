"""A mean by discrete Laplace noise (M8)."""

from collections.abc import Sequence
from typing import Any

from ldp.question import Drawn
from surveys.rules.shapes import must
from surveys.rules.unchecked import Unchecked
from surveys.survey.mechanisms import report_words
from surveys.survey.mechanisms.entries import length
from surveys.survey.mechanisms.protocol import WHOLE, Mechanism, ReportDescription
from surveys.survey.mechanisms.words import _


def beyond_both_ends(rows: Any, _: Sequence[Unchecked]) -> None:
    beyond = length(rows) + 1 - len(rows)
    must(beyond >= 0 and beyond % 2 == 0)


def quantity(question: Drawn) -> str:
    steps = len(question["table"]["rows"]) - 1
    return (
        f"A point of the scale with noise: {question['low']} is 0, {question['high']} is {steps}, and values below and "
        "above come from the noise alone."
    )


MECHANISM = Mechanism(
    name=_("Discrete Laplace noise on the number"),
    sent=_(
        "Each browser rounded the number at random to one of a few points of the scale and sent it with random "
        "noise of a published law."
    ),
    entries={"rows": beyond_both_ends},
    table="rows: for each point 0 to G of the scale the chances of what is sent, from -B to G + B, added up one after "
    "the other, out of 2^53.",
    report=ReportDescription(WHOLE, "a whole number, which may be negative", report_words.point),
    scores={
        "mean": "phi(y) = (y + c_y)/G, where y is sent; c_y is 0 outside of 0..G, and inside it solves: the mean of "
        "phi at point x is x/G, for every x"
    },
    quantity=quantity,
)
