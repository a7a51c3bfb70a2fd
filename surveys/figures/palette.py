"""The colours of all pages and figures, by purpose.

Style sheets contain a copy of the colours that they use (styles.py writes it). Figures read the colours from here. Text
has a contrast of at least 4.5:1 on all its backgrounds, lines and dots at least 3:1 on their card. People who confuse
red and green can distinguish the four strengths of protection (tests/house/test_palette.py).
"""

from typing import NamedTuple


class Colour(NamedTuple):
    light: str
    dark: str


SCHEMES = Colour._fields

_TEAL = Colour("#0f5c56", "#86d3c7")
_BLUE = Colour("#3557a8", "#9db7f5")
_AMBER = Colour("#8a5200", "#f0c077")
_RED = Colour("#8a1020", "#ff8f8f")
_GRAY = Colour("#5f6a66", "#adb8b3")

PALETTE = {
    # Grounds
    "paper": Colour("#f5f3ee", "#101514"),
    "card": Colour("#fffdfa", "#182020"),
    "tint": Colour("#e3efec", "#1d3532"),  # the page's own statements
    "warn-soft": Colour("#fdf3df", "#2a2416"),
    # Text
    "ink": Colour("#1d2423", "#e7ebe8"),
    "quiet": Colour("#55605d", "#a6b1ad"),
    "accent": _TEAL,
    "on-accent": Colour("#ffffff", "#0b2623"),
    "warn": _AMBER,
    "alarm": _RED,
    # Lines
    "line": Colour("#dcd7cc", "#36413f"),  # around areas that background and position show as well
    "faint": Colour("#ebe8e0", "#2c3635"),  # between rows, in a figure's grid, and behind a row in use
    "edge": Colour("#7b8582", "#74817d"),  # of a control
    # How well answers are protected
    "strong": _TEAL,
    "moderate": _BLUE,
    "weak": _AMBER,
    "hardly-any": _RED,
    # Figures of estimates
    "zero": Colour("#8b9591", "#74817d"),
    "estimate": _TEAL,
    "interval": Colour("#609c93", "#38736b"),  # of one category alone, behind the simultaneous one
    "bar": Colour("#d6e8e4", "#24433f"),
    "aside-estimate": _GRAY,  # of "Prefer not to say"
    "aside-interval": Colour("#8d938f", "#626e6a"),
    "aside-bar": Colour("#e9e8e2", "#2e3836"),
    # Curves of the lab
    "curve-none": _GRAY,
    "curve-curator": _BLUE,
    "curve-local": _TEAL,
    "curve-fourth": Colour("#a4510b", "#f0b06a"),
    "curve-fifth": Colour("#8a3568", "#e3a0c8"),
}


def colour(name: str, scheme: str) -> str:
    """Return a colour as #rrggbb for a scheme, one of SCHEMES."""
    return PALETTE[name][SCHEMES.index(scheme)]


def contrast(one: str, other: str) -> float:
    """Return the contrast of WCAG 2, from 1 to 21."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(of: str) -> float:
    red, green, blue = (_linear(int(of[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def blend(start: str, end: str, depth: float) -> str:
    """Return the colour at the fraction `depth` of the way from `start` to `end`, as #rrggbb."""
    ends = [[int(each[i : i + 2], 16) for i in (1, 3, 5)] for each in (start, end)]
    share = min(max(depth, 0.0), 1.0)
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(*ends, strict=True))
