"""Noise with offset-symmetric Gaussian tails per bin (M6)."""

from surveys.survey.mechanisms import noise_per_bin
from surveys.survey.mechanisms.words import _

MECHANISM = noise_per_bin.symmetric(
    name=_("Offset-symmetric Gaussian tails (OSGT) per bin"),
    sent=_(
        "Each browser sent a number for every bin, with random noise of a published law added to each; its shape "
        "is between those of Laplace and Gaussian noise."
    ),
)
