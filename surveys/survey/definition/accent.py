"""A survey's accent colour. The page uses it for buttons, links, the focus and chosen answers.

A designer gives one colour, for the light page. For the dark page it is mixed with white, in as few hundredths as
needed, which keeps its hue. Both are frozen, so the page computes nothing and everyone sees the same. Both have a
contrast of at least 4.5:1 (WCAG 2, AA) with every background and with the text on them. A colour that passes on the
light page is too dark for the dark page, so the mix is always needed. Colours for the strength of protection are fixed.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_noop as _

from surveys.figures.palette import colour, contrast
from surveys.rules.refusals import Refusals, refuse
from surveys.rules.shapes import exactly, must
from surveys.rules.unchecked import Built, Unchecked

FIELD: Final = "accent"
TYPED = "#[0-9A-Fa-f]{6}"
PATTERN = "#[0-9a-f]{6}"
BESIDE = ("paper", "card", "tint", "on-accent")  # backgrounds, and the text on the accent
LEAST = 4.5


# Drafts ---------------------------------------------------------------------------------------------------------------


def build(draft: Unchecked, refusals: Refusals) -> Built:
    """Return the field of the definition; {} if the draft names no colour."""
    if draft.get(FIELD, "") == "":
        return {}
    light = refusals.attempt(_readable, draft[FIELD])
    return {FIELD: {"dark": lightened(light), "light": light}} if light else {}


def _readable(given: object) -> str:
    if not isinstance(given, str) or not re.fullmatch(TYPED, given):
        raise refuse(
            FIELD, "accent_format", _("must be a colour as #rrggbb: six digits, which may be 0 to 9 and a to f")
        )
    light = given.lower()
    if (ratio := least_contrast(light, "light")) < LEAST:
        rule = _("must be darker: on the light page its contrast is %(ratio)s:1, and text needs 4.5:1 (WCAG AA)")
        # Rounded down, so that a refused contrast never looks sufficient.
        raise refuse(FIELD, "accent_contrast", rule, ratio=f"{int(ratio * 100) / 100:.2f}")
    return light


def least_contrast(of: str, scheme: str) -> float:
    """Return the smallest contrast of the colour with the colours beside it, on the light or dark page."""
    return min(contrast(of, colour(name, scheme)) for name in BESIDE)


def lightened(light: str) -> str:
    """Return the colour for the dark page: the mix with the least white that is readable."""
    mixes = (_with_white(light, hundredths) for hundredths in range(101))
    return next(mix for mix in mixes if least_contrast(mix, "dark") >= LEAST)


def _with_white(given: str, hundredths: int) -> str:
    """Return the mix with white by channel, rounded half up."""
    channels = (int(given[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{(each * (100 - hundredths) + 255 * hundredths + 50) // 100:02x}" for each in channels)


# Definitions ----------------------------------------------------------------------------------------------------------


def check(data: Unchecked) -> None:
    """Raise Misshapen unless the field has two colours."""
    if FIELD in data:
        exactly(data[FIELD], {"dark", "light"})
        must(all(isinstance(each, str) and re.fullmatch(PATTERN, each) for each in data[FIELD].values()))


def text(definition: Mapping[str, Any]) -> str:
    """Return both colours for a designer; "" if the page has the site's colour."""
    return "{light} / {dark}".format(**definition[FIELD]) if FIELD in definition else ""
