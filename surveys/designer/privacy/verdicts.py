"""How exactly an answer will be known, in a word: the same on "Privacy" and on "Open"."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from ldp.planning.outlook import HOPELESS


class Verdict(NamedTuple):
    """`name` is for style sheets."""

    name: str
    word: Promise


# The largest half-widths, as parts of the possible range, for each word.
PRECISE, ROUGH = 0.05, 0.1
VERDICTS = (
    (PRECISE, Verdict("precise", gettext_lazy("precise"))),
    (ROUGH, Verdict("rough", gettext_lazy("rough"))),
    (HOPELESS, Verdict("vague", gettext_lazy("very rough"))),
)
NOTHING = Verdict("nothing", gettext_lazy("no result"))


def verdict(half_width: float) -> Verdict:
    return next((words for most, words in VERDICTS if half_width <= most), NOTHING)
