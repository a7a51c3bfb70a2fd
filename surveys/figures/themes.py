"""The palette as figures read it: one theme for each scheme of colours."""

from dataclasses import dataclass

from surveys.figures.palette import SCHEMES, colour


@dataclass(frozen=True)
class Theme:
    card: str  # what the plot lies on
    ink: str
    quiet: str
    grid: str
    zero: str
    accent: str
    band: str  # the interval of one category alone, behind the accent
    bar: str  # a bar, behind the band
    aside: tuple[str, str, str]  # the last three for "Prefer not to say"


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
