"""The sentences about waves. They follow from the simultaneous intervals of all changes."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ldp.planning.outlook import HOPELESS
from surveys.figures import numerals
from surveys.researcher.analyses.waves.changes import WaveChange, WaveChanges, WavesAnswer, WavesQuestion

NAMED_MAX = 6


class Claim(NamedTuple):
    """A significant change since the wave before."""

    part: WavesQuestion
    answer: WavesAnswer
    change: WaveChange

    @property
    def least(self) -> float:
        """Return the least size of the change, as a fraction of the possible range."""
        return min(map(abs, self.change.interval)) / scale(self.part)


def scale(part: WavesQuestion) -> float:
    """Return 1 for shares, and the length of the scale for a mean."""
    question = part.now.question
    return float(question["high"]) - float(question["low"]) if part.now.is_mean else 1.0


def is_hopeless(part: WavesQuestion, change: WaveChange) -> bool:
    """Return whether the interval is too wide to say anything: it spans half of the possible range."""
    return (change.interval.high - change.interval.low) / 2 > HOPELESS * scale(part)


def claims(changes: WaveChanges) -> list[Claim]:
    """Return the changes since the wave before, the surest first."""
    every = [
        Claim(part, answer, answer.changes[0])
        for part in changes.parts
        for answer in part.answers
        if answer.changes[0].shows
    ]
    return sorted(every, key=lambda one: -one.least)


def headline(changes: WaveChanges, alone: bool = False) -> str:
    """Return the headline. `alone` is true if the survey follows no other, visible or not."""
    if alone:
        return _("This survey follows no other.")
    if claims(changes):
        return _("Some answers have changed since the wave before.")
    shown = [(part, answer.changes[0]) for part in changes.parts for answer in part.answers]
    if not shown:
        return _("No question was asked the same way in two waves that have results.")
    if all(is_hopeless(part, change) for part, change in shown):
        return _("Too few people answered to say whether anything changed.")
    return _("These reports do not show that any answer has changed since the wave before.")


def sentences(changes: WaveChanges) -> list[str]:
    every = claims(changes)
    sentences = [_sentence(one) for one in every[:NAMED_MAX]]
    if more := len(every[NAMED_MAX:]):
        sentences.append(
            ngettext("%(n)d more answer has changed.", "%(n)d more answers have changed.", more) % {"n": more}
        )
    if whole := sum(trend(part, answer) in WHOLE for part in changes.parts for answer in part.answers):
        text = ngettext(
            "From the first wave to the last %(n)d answer has changed, but not every change between waves is "
            "significant.",
            "From the first wave to the last %(n)d answers have changed, but not every change between waves is "
            "significant.",
            whole,
        )
        sentences.append(text % {"n": whole})
    elif not every and changes.parts:
        sentences.append(_("That does not prove that nothing did: chance added for privacy hides small changes."))
    return sentences


TRENDS: dict[str, Promise] = {
    "rising": gettext_lazy("It rose from each wave to the next."),
    "falling": gettext_lazy("It fell from each wave to the next."),
    "both": gettext_lazy("It rose between some waves and fell between others."),
    "higher": gettext_lazy(
        "It was higher in the last wave than in the first, but not every change between waves is significant."
    ),
    "lower": gettext_lazy(
        "It was lower in the last wave than in the first, but not every change between waves is significant."
    ),
    "too_few": gettext_lazy("Too few people answered to show a trend over all waves."),
    "unknown": gettext_lazy("No direction shows over all waves."),
}

WHOLE = ("higher", "lower")  # shown by the first and the last wave, but not by each step


def trend(part: WavesQuestion, answer: WavesAnswer) -> str:
    """Return what three or more waves show together, as a key of TRENDS; empty for fewer waves. The intervals of all
    changes hold at once."""
    last = len(answer.shares) - 1
    if last < 2:
        return ""
    steps = [answer.change(place, place + 1) for place in range(last)]
    directions = {(step.estimate > 0) - (step.estimate < 0) if step.shows else 0 for step in steps}
    if directions in ({1}, {-1}):
        return "rising" if directions == {1} else "falling"
    if {1, -1} <= directions:
        return "both"
    whole = answer.change(0, last)
    if whole.shows:
        return "higher" if whole.estimate > 0 else "lower"
    return "too_few" if is_hopeless(part, whole) else "unknown"


def _sentence(one: Claim) -> str:
    low, high = sorted(map(abs, one.change.interval))
    words = {"question": one.part.now.question["text"], "option": one.part.now.named(one.answer.option)}
    if one.part.now.is_mean:
        words["by"] = numerals.with_unit(numerals.to(*numerals.outward(low, high, 2, 0)), one.part.now.question["unit"])
        more, fewer = (
            _("The mean of “%(question)s” has risen by %(by)s."),
            _("The mean of “%(question)s” has fallen by %(by)s."),
        )
    else:
        words["by"] = numerals.span((low, high), 1, 0)
        more, fewer = (
            _("“%(option)s” to “%(question)s” has become more common, by %(by)s percentage points."),
            _("“%(option)s” to “%(question)s” has become less common, by %(by)s percentage points."),
        )
    return (more if one.change.estimate > 0 else fewer) % words
