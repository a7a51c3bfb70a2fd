"""An ordered scale: how much lies up to each step, its median, and its mean rank."""

import numpy as np
from django.utils.translation import gettext as _

from ldp.inference import intervals
from ldp.inference.reading import among, quantiles, several
from surveys.figures import numerals
from surveys.results.question.choices import Choices
from surveys.results.question.histogram import how_sure, not_while_watched
from surveys.results.question.parts import Section, Table, decimals, level, number_span, span, whose
from surveys.results.question.released import ReleasedQuestion


def sections(released: ReleasedQuestion, chosen: Choices) -> list[Section]:
    return [_cumulated(released, chosen), _middle(released, chosen)]


def _cumulated(released: ReleasedQuestion, chosen: Choices) -> Section:
    """Cumulated shares of all people: those who prefer not to say lie up to no step."""
    assert released.one is not None
    rows, places = [], decimals(released, chosen)
    steps = released.answers if released.answers < len(released.options) else released.answers - 1
    at_once = intervals.bonferroni(chosen.confidence, max(steps, 1))
    for k in range(1, steps + 1):
        together, alone = (
            several.interval(released.one, range(k), each, chosen.target) for each in (at_once, chosen.confidence)
        )
        estimate = numerals.share(several.estimate(released.one, range(k)), places)
        rows.append([released.options[k - 1], estimate, span(together, places), span(alone, places)])
    head = [_("Up to"), _("Share"), _("%(level)s interval, all at once"), _("%(level)s interval, one alone")]
    head = [text % {"level": level(chosen)} if "%" in text else text for text in head]
    caption = _("Cumulative shares %(whose)s, in percent") % {"whose": whose(released, chosen)}
    texts = [_("Of all who were asked, the share that chose this step or one before it in the order of the scale.")]
    return Section("cumulated", _("Cumulative shares"), texts, [Table("cumulated-table", caption, head, rows)])


def _middle(released: ReleasedQuestion, chosen: Choices) -> Section:
    assert released.one is not None
    ranks = np.arange(1.0, released.answers + 1)
    shown, interval = among.mean(released.one, ranks, ranks, chosen.confidence, chosen.target)
    places = numerals.places((interval.high - interval.low) / 4 or 1.0)
    mean = numerals.number(shown[0], places) if shown else _("too few answered to say")
    rows, notes = [[_("Mean rank"), mean, number_span(interval, places)]], [how_sure(released)]
    found = quantiles.quantiles(released.one, released.answers, [0.5], chosen.confidence, chosen.target)
    if found is None:
        notes.append(not_while_watched(released))
    else:
        [median] = found
        rows.insert(0, [_("Median"), released.options[median.estimate], _steps(released, median.first, median.last)])
    head = [_("Of those who chose a step"), _("Estimate"), _("%(level)s interval") % {"level": level(chosen)}]
    caption = _("Middle of the scale %(whose)s") % {"whose": whose(released, chosen)}
    steps = {"first": released.options[0], "last": released.options[released.answers - 1], "n": released.answers}
    texts = [
        _("The first step, “%(first)s”, has rank 1, the last one, “%(last)s”, rank %(n)d.") % steps,
        _("A mean rank takes all steps to be equally far apart; the median does not."),
    ]
    return Section("middle", _("Median and mean rank"), texts, [Table("middle-table", caption, head, rows)], notes)


def _steps(released: ReleasedQuestion, first: int, last: int) -> str:
    if first == last:
        return released.options[first]
    return _("%(low)s to %(high)s") % {"low": released.options[first], "high": released.options[last]}
