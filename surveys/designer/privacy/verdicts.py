"""One word for the precision of an answer. “People and protection” and “Open” use the same words."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.planning.outlook import HOPELESS
from surveys.figures import numerals


class Verdict(NamedTuple):
    """A verdict. `name` is for style sheets."""

    name: str
    word: Promise


# The largest half-width for each word, as a part of the possible range.
PRECISE, ROUGH = 0.05, 0.1
VERDICTS = (
    (PRECISE, Verdict("precise", gettext_lazy("precise"))),
    (ROUGH, Verdict("rough", gettext_lazy("rough"))),
    (HOPELESS, Verdict("vague", gettext_lazy("very rough"))),
)
NOTHING = Verdict("nothing", gettext_lazy("no result"))


def planned_among(part: float | None) -> str:
    """Return words for the people whom a planned width is about; "" for everyone."""
    return "" if part is None else _("among about %(part)s of the people") % {"part": numerals.percent(part)}


def verdict(half_width: float) -> Verdict:
    return next((words for most, words in VERDICTS if half_width <= most), NOTHING)
