"""An ordered scale: cumulative shares, median and mean rank."""

from django.utils.translation import gettext as _

from surveys.figures import numerals
from surveys.researcher.results.question import readings
from surveys.researcher.results.question.histogram import how_sure, not_while_watched
from surveys.researcher.results.question.parts import (
    PageSection,
    PageTable,
    decimals,
    level,
    number_span,
    share_row,
    whose,
)
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.released import ReleasedQuestion


def sections(released: ReleasedQuestion, chosen: QuestionSelection) -> list[PageSection]:
    about = _("The share with this step or one before it in the order of the scale.")
    return [cumulated(released, chosen, about), _middle(released, chosen)]


def cumulated(released: ReleasedQuestion, chosen: QuestionSelection, about: str) -> PageSection:
    """Return the section of cumulative shares of all people. `about` is its first sentence."""
    places = decimals(released, chosen)
    every = readings.cumulated(released, chosen.confidence, chosen.target)
    rows = [share_row(released, reading, places) for reading in every]
    head = [_("Up to"), _("Share"), _("%(level)s interval, all at once"), _("%(level)s interval, one alone")]
    head = [text % {"level": level(chosen)} if "%" in text else text for text in head]
    caption = _("Cumulative shares %(whose)s, in percent") % {"whose": whose(released, chosen)}
    return PageSection(
        "cumulated", _("Cumulative shares"), [about], [PageTable("cumulated-table", caption, head, rows)]
    )


def _middle(released: ReleasedQuestion, chosen: QuestionSelection) -> PageSection:
    rank = readings.mean_rank(released, chosen.confidence, chosen.target)
    assert rank.interval is not None
    places = numerals.places((rank.interval[1] - rank.interval[0]) / 4 or 1.0)
    mean = _("too few answered to say") if rank.estimate is None else numerals.number(rank.estimate, places)
    rows, notes = [[_("Mean rank"), mean, number_span(rank.interval, places)]], [how_sure(released, chosen.target)]
    median = readings.median(released, chosen.confidence, chosen.target)
    if median.places is None:
        notes.append(not_while_watched(released))
    else:
        interval = range_of_steps(released, median.places.first, median.places.last)
        rows.insert(0, [_("Median"), median.option, interval])
    head = [_("Among those who chose a step"), _("Estimate"), _("%(level)s interval") % {"level": level(chosen)}]
    caption = _("Middle of the scale %(whose)s") % {"whose": whose(released, chosen)}
    steps = {"first": released.options[0], "last": released.options[released.answers - 1], "n": released.answers}
    texts = [
        _("The first step, “%(first)s”, has rank 1, the last one, “%(last)s”, rank %(n)d.") % steps,
        _("A mean rank treats all steps as equally far apart; the median does not."),
    ]
    return PageSection(
        "middle", _("Median and mean rank"), texts, [PageTable("middle-table", caption, head, rows)], notes
    )


def range_of_steps(released: ReleasedQuestion, first: int, last: int) -> str:
    if first == last:
        return released.options[first]
    return _("%(low)s to %(high)s") % {"low": released.options[first], "high": released.options[last]}
