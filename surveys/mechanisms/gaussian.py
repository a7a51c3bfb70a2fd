"""Discrete Gaussian noise per bin (M6)."""

from surveys.mechanisms import noise_per_bin
from surveys.mechanisms.protocol import Mechanism
from surveys.mechanisms.words import _

MECHANISM = Mechanism(
    name=_("Discrete Gaussian noise per bin"),
    sent=_("Each browser sent a number for every bin, with random noise of a published law added to each."),
    entries={"noise": noise_per_bin.symmetric},
    table=noise_per_bin.TABLE,
    report=noise_per_bin.REPORT,
    scores={"sum": noise_per_bin.SUM},
    quantity=noise_per_bin.quantity,
    limit=noise_per_bin.LIMIT,
)
