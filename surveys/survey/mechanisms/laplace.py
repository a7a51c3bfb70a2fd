"""Discrete Laplace noise per bin (M5)."""

from collections.abc import Sequence
from typing import Any

from surveys.rules.shapes import must
from surveys.rules.unchecked import Unchecked
from surveys.survey.mechanisms import noise_per_bin
from surveys.survey.mechanisms.entries import threshold
from surveys.survey.mechanisms.protocol import Mechanism
from surveys.survey.mechanisms.words import _

DIGITS_MAX = 50


def digits(magnitude: Any, questions: Sequence[Unchecked]) -> None:
    must(isinstance(magnitude, list) and 1 <= len(magnitude) <= DIGITS_MAX)
    for t in magnitude:
        threshold(t, questions)


MECHANISM = Mechanism(
    name=_("Discrete Laplace noise per bin"),
    sent=_("Each browser sent a number for every bin, with random noise of a published law added to each."),
    entries={"flip": threshold, "magnitude": digits},
    table="flip: the chance, out of 2^53, that a bit is changed; magnitude: for the binary digits 1, 2, 4, ... of the "
    "magnitude the chance, out of 2^53, that each is 1.",
    report=noise_per_bin.REPORT,
    scores={"threshold": "1 where the bin's number is 1 or more, else 0", "sum": noise_per_bin.SUM},
    quantity=noise_per_bin.quantity,
)
