"""The palette for figures: one theme for each colour scheme."""

from dataclasses import dataclass

from surveys.figures.palette import SCHEMES, colour


@dataclass(frozen=True)
class Theme:
    card: str  # the background
    ink: str
    quiet: str
    grid: str
    zero: str
    accent: str
    band: str  # the interval of one category alone, behind the accent
    bar: str  # a bar, behind the band
    aside: tuple[str, str, str]  # accent, band and bar of "Prefer not to say"


def _theme(scheme: str) -> Theme:
    return Theme(
        card=colour("card", scheme),
        ink=colour("ink", scheme),
        quiet=colour("quiet", scheme),
        grid=colour("faint", scheme),
        zero=colour("zero", scheme),
        accent=colour("estimate", scheme),
        band=colour("interval", scheme),
        bar=colour("bar", scheme),
        aside=(colour("aside-estimate", scheme), colour("aside-interval", scheme), colour("aside-bar", scheme)),
    )


THEMES = {scheme: _theme(scheme) for scheme in SCHEMES}
