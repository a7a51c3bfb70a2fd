"""Which change two waves would have shown, and how many reports would show a small one (ldp/planning/waves.py)."""

from fractions import Fraction

from django.utils.translation import gettext as _

from ldp import search
from ldp.planning import waves
from ldp.planning.arms import Arm
from surveys.figures import numerals
from surveys.researcher.analyses.waves.changes import WaveChanges, WavesQuestion
from surveys.researcher.analyses.waves.sentences import scale

CHANGE = 0.05  # of all that is possible


def sentences(changes: WaveChanges, part: WavesQuestion) -> list[str]:
    """What is said of the last wave and the one before that asked. Nothing where intervals hold at every release, whose
    power is another, or where it is not known."""
    now, before = part.asked[-1], part.asked[-2]
    own, other = (Arm(each.question, Fraction(1)) for each in (now, before))
    planned, even = waves.design(own, other, before.n / now.n), waves.design(own, other, 1.0)
    if planned is None or even is None or now.watched or before.watched:
        return []
    error = 1 - changes.confidence
    least = waves.smallest(planned, now.n, changes.parts_of_error, error)
    words = {"chance": numerals.percent(search.POWER), "change": _size(part, least or CHANGE)}
    none = _("No change, however large, would have been found with a chance of %(chance)s.")
    one = _("With a chance of %(chance)s a change of %(change)s since the wave before would have been found.")
    texts = [(none if least is None else one) % words]
    if needed := (least is None or least > CHANGE) and waves.needed(even, CHANGE, changes.parts_of_error, error):
        words |= {"n": numerals.count_up(needed), "change": _size(part, CHANGE)}
        texts.append(_("About %(n)s reports in each of both waves would show a change of %(change)s.") % words)
    return texts


def _size(part: WavesQuestion, change: float) -> str:
    if part.now.is_mean:
        return numerals.with_unit(numerals.rounded_up(change * scale(part)), part.now.question["unit"])
    return _("%(points)s percentage points") % {"points": numerals.rounded_up(100 * change)}
