"""Bounds on everyone's answers to a question that only some people were asked, whatever the others would say (M34c)."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.inference.reading import unasked
from ldp.inference.reading.among import Bounds
from ldp.inference.reading.quantiles import SPENT
from ldp.inference.reading.unasked import Deciders
from surveys.figures import numerals
from surveys.figures.display import Result
from surveys.models import Release
from surveys.researcher.results import routing
from surveys.researcher.results.question.nonresponse import bounds_row
from surveys.researcher.results.question.parts import (
    PageSection,
    PageTable,
    decimals,
    level,
    mean_decimals,
    number_span,
)
from surveys.researcher.results.question.readings import Reading
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.reached import deciders, fillers, proved
from surveys.researcher.results.released import ReleasedQuestion

TOO_FEW_ASKED = gettext_lazy("Too few people may have been asked for a meaningful estimate. The intervals hold.")
ONLY_BOUNDED = gettext_lazy(
    "How many were asked depends on several answers together. Reports only bound it, so there is no estimate. The "
    "intervals hold."
)


def bounds(released: ReleasedQuestion, confidence: float) -> list[Bounds]:
    """Return bounds for the population, by category; none if everyone was asked."""
    deciding = deciders(released)
    if deciding is None:
        return []
    return unasked.bounds(released.rows, fillers(released), deciding, confidence, released.items)


def among_reached(released: ReleasedQuestion, confidence: float) -> Iterator[Reading]:
    """Yield the numbers among those who were asked; none if everyone was."""
    deciding = deciders(released)
    if deciding is None:
        return
    low, scale = released.scale
    quantity = "mean_among_asked" if released.is_mean else "share_among_asked"
    few = TOO_FEW_ASKED if deciding.exact else ONLY_BOUNDED
    every = unasked.among_reached(released.rows, fillers(released), deciding, confidence, released.items)
    for option, one in zip(released.options, every, strict=False):
        alone, at_once = ((low + scale * ends[0], low + scale * ends[1]) for ends in (one.interval, one.simultaneous))
        yield Reading(
            quantity, option, unit=released.question["unit"] if released.is_mean else "",
            estimate=None if one.estimate is None else low + scale * one.estimate, interval=alone, simultaneous=at_once,
            together=unasked.together(released.rows) * released.items, proved=proved(released, "population"),
            reason=few if one.estimate is None else "",
        )  # fmt: skip


def readings(released: ReleasedQuestion, confidence: float) -> Iterator[Reading]:
    """Yield the rows of the files: numbers among people who were asked, and bounds as if everyone had been."""
    yield from among_reached(released, confidence)
    yield from if_all_were(released, confidence)


def if_all_were(released: ReleasedQuestion, confidence: float) -> Iterator[Reading]:
    low, scale = released.scale
    quantity = "mean_if_all_were_asked" if released.is_mean else "share_if_all_were_asked"
    for option, one in zip(released.options, bounds(released, confidence), strict=False):
        alone, at_once = ((low + scale * ends[0], low + scale * ends[1]) for ends in (one.interval, one.simultaneous))
        yield Reading(
            quantity, option, unit=released.question["unit"] if released.is_mean else "",
            estimate=low + scale * one.low, estimate_high=low + scale * one.high, interval=alone,
            simultaneous=at_once, together=unasked.together(released.rows) * released.items,
            proved=proved(released, "population"),
        )  # fmt: skip


# In words -----------------------------------------------------------------------------------------------------------


def section(released: ReleasedQuestion, chosen: QuestionSelection, result: Result) -> PageSection | None:
    """Return the section; None if everyone was asked. `result` is as the page shows it."""
    texts, deciding = [], deciders(released)
    if deciding is not None:
        texts = [_condition(released, result)]
        texts += [_how_many(released, chosen, deciding), _worst_case(released)]
    if released.forms:
        texts.append(_by_lot())
    if not texts:
        return None
    tables = [] if deciding is None else [_table(released, chosen)]
    return PageSection("unasked", _("If everyone had been asked"), texts, tables)


def _condition(released: ReleasedQuestion, result: Result) -> str:
    survey = Release.objects.select_related("survey").get(survey__slug=released.slug, number=released.number).survey
    by_key = {one["key"]: one for one in survey.questions}
    return routing.sentence(released.question, by_key, result)


def _how_many(released: ReleasedQuestion, chosen: QuestionSelection, deciding: Deciders) -> str:
    share = unasked.unasked(deciding, 1 - (1 - chosen.confidence) * SPENT)
    places = numerals.decimals_for((share.most - share.estimate) / 3)
    most = numerals.outward(100 * share.most, 100 * share.most, places)[1]
    words = {"estimate": numerals.share(share.estimate, places), "most": most}
    words["level"] = numerals.percent(chosen.confidence)
    if not deciding.exact:
        text = _("At most about %(estimate)s%% of the population were not asked; %(most)s%% at %(level)s confidence.")
        return text % words
    text = _("About %(estimate)s%% of the population were not asked; at most %(most)s%% at %(level)s confidence.")
    return text % words


def _worst_case(released: ReleasedQuestion) -> str:
    if released.is_mean:
        return _(
            "We do not know what those who were not asked would have said. The table gives bounds for the mean of the "
            "whole population: from all of them at the lower end of the scale to all of them at the upper end."
        )
    return _(
        "We do not know what those who were not asked would have said. The table gives bounds for each share of the "
        "whole population: from none of them giving this answer to all of them."
    )


def _by_lot() -> str:
    return _(
        "A lot decided who was asked. So those who were not asked are like those who were, and no bounds are needed "
        "for them: the intervals for the population allow for the lot."
    )


def _table(released: ReleasedQuestion, chosen: QuestionSelection) -> PageTable:
    every, level_ = list(if_all_were(released, chosen.confidence)), level(chosen)
    at_once = _("%(level)s interval, all at once") % {"level": level_}
    alone = _("%(level)s interval, one alone") % {"level": level_}
    if released.is_mean:
        head = [_("Answer"), _("If all of them lowest"), _("If all of them highest"), _("%(level)s interval")]
        head[-1] %= {"level": level_}
        caption = _("Mean of the population if everyone had been asked")
        return PageTable("unasked-table", caption, head, [_mean_row(released, chosen, every[0])])
    places = decimals(released, chosen)
    head = [_("Answer"), _("If none of them"), _("If all of them"), at_once, alone]
    caption = _("Shares of the population if everyone had been asked, in percent")
    return PageTable("unasked-table", caption, head, [bounds_row(released, one, places) for one in every])


def _mean_row(released: ReleasedQuestion, chosen: QuestionSelection, one: Reading) -> list[str]:
    places = mean_decimals(released, chosen)
    assert one.estimate is not None and one.estimate_high is not None and one.interval is not None
    ends = [numerals.number(value, places) for value in (one.estimate, one.estimate_high)]
    return [_("Mean"), *ends, number_span(one.interval, places, released.question["unit"])]
