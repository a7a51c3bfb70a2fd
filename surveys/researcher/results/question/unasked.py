"""A question that only some were asked: what everybody's answers may be, whatever the others would have said (M34c)."""

from collections.abc import Iterator

from django.http import Http404
from django.utils.translation import gettext as _

from ldp.inference.reading import unasked
from ldp.inference.reading.among import Bounds
from ldp.inference.reading.quantiles import SPENT
from ldp.inference.reading.unasked import Decider, Deciders
from ldp.kinds import KINDS
from ldp.question import Drawn, Rule
from ldp.routing import condition
from surveys.figures import numerals
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
from surveys.researcher.results.question.readings import Reading, sums_proved
from surveys.researcher.results.question.released import ReleasedQuestion, of_release
from surveys.researcher.results.question.selection import QuestionSelection

DECIDERS_MAX = 100  # questions, each as often as it decides; where it takes more nothing is said


def deciders(released: ReleasedQuestion, used: list[ReleasedQuestion] | None = None) -> Deciders | None:
    """The questions on which it depends who was asked, which also stand in `used` then; None where everybody was, or
    where too little is known of them."""
    rules, joined = condition(released.question)
    used = [] if used is None else used
    known = [_decider(released, rule, used) for rule in rules]
    each = [decider for decider in known if decider is not None]
    reported = [len(decider.options) if decider else 0 for decider in known]
    partial = reported != [len(rule["options"]) for rule in rules]
    return Deciders(each, joined, partial) if each and (joined is any or len(each) == len(rules)) else None


def _decider(released: ReleasedQuestion, rule: Rule, used: list[ReleasedQuestion]) -> Decider | None:
    """None where too little is known of the question."""
    try:
        own = of_release(released.slug, released.number, rule["question"])
    except Http404:
        return None  # no report is about it
    options = _reported(own, rule["options"])
    if not options or len(used) == DECIDERS_MAX:
        return None
    used.append(own)
    decider = Decider(own.rows, options, own.shared_totals is None)
    if "asked_if" not in own.question or not _leads_on(own.question, rule["options"]):
        return decider  # whoever was not asked that one is among those with another answer
    before = deciders(own, used)
    return decider._replace(before=before) if before else None


def _reported(own: ReleasedQuestion, options: list[int]) -> list[int]:
    """The places of these options among those that a report is about."""
    names = [own.question["options"][option] for option in options if own.shared_totals is None]
    return [own.options.index(name) for name in names if name in own.options] if names else list(options)


def _leads_on(question: Drawn, options: list[int]) -> bool:
    """Whether somebody who was not asked this question counts as one whose answer leads on."""
    filler = KINDS[question["kind"]].filler(question)
    return any(filler[option] for option in options) if isinstance(filler, list) else filler in options


def fillers(released: ReleasedQuestion) -> list[float]:
    """The filler's part in each category's share, or its place on the scale of a mean."""
    question, filler = released.question, KINDS[released.kind].filler(released.question)
    if released.is_mean:
        low, high = float(question["low"]), float(question["high"])
        return [(float(filler) - low) / (high - low)]
    if released.shared_totals is None:
        applies = KINDS[released.kind].answer(question, filler, lambda: 0)
        return [float(applies[question["options"].index(option)]) for option in released.options]
    place = filler[released.place - 1] if released.place else filler
    return [float(j == place) for j in range(len(released.options))]


def bounds(released: ReleasedQuestion, confidence: float) -> list[Bounds]:
    """Bounds for the population, for each category; none where everybody was asked."""
    deciding = deciders(released)
    if deciding is None:
        return []
    return unasked.bounds(released.rows, fillers(released), deciding, confidence, released.items)


def readings(released: ReleasedQuestion, confidence: float) -> Iterator[Reading]:
    """The bounds as rows of the files."""
    low, scale = released.scale
    used = [released]
    deciders(released, used)
    proved = all(sums_proved(each, "population") for each in used)
    quantity = "mean_if_all_were_asked" if released.is_mean else "share_if_all_were_asked"
    for option, one in zip(released.options, bounds(released, confidence), strict=False):
        alone, at_once = ((low + scale * ends[0], low + scale * ends[1]) for ends in (one.interval, one.simultaneous))
        yield Reading(
            quantity, option, unit=released.question["unit"] if released.is_mean else "",
            estimate=low + scale * one.low, estimate_high=low + scale * one.high, interval=alone,
            simultaneous=at_once, together=unasked.together(released.rows) * released.items, proved=proved,
        )  # fmt: skip


# In words -----------------------------------------------------------------------------------------------------------


def section(released: ReleasedQuestion, chosen: QuestionSelection) -> PageSection | None:
    """None where everybody was asked."""
    texts, deciding = [], deciders(released)
    if "asked_if" in released.question:
        texts = [_condition(released)]
    if deciding is not None:
        texts += [_how_many(released, chosen, deciding), _worst_case(released)]
    if released.forms:
        texts.append(_by_lot())
    if not texts:
        return None
    tables = [] if deciding is None else [_table(released, chosen)]
    return PageSection("unasked", _("If everybody had been asked"), texts, tables)


def _condition(released: ReleasedQuestion) -> str:
    survey = Release.objects.select_related("survey").get(survey__slug=released.slug, number=released.number).survey
    return routing.sentence(released.question, {one["key"]: one for one in survey.questions}, named=True)


def _how_many(released: ReleasedQuestion, chosen: QuestionSelection, deciding: Deciders) -> str:
    share = unasked.unasked(deciding, 1 - (1 - chosen.confidence) * SPENT)
    places = numerals.decimals_for((share.most - share.estimate) / 3)
    most = numerals.outward(100 * share.most, 100 * share.most, places)[1]
    words = {"estimate": numerals.share(share.estimate, places), "most": most, "level": level(chosen)}
    if not deciding.exact:
        text = _("At most about %(estimate)s%% of the population were not asked; %(most)s%% at %(level)s confidence.")
        return text % words
    text = _("About %(estimate)s%% of the population were not asked; at most %(most)s%% at %(level)s confidence.")
    return text % words


def _worst_case(released: ReleasedQuestion) -> str:
    if released.is_mean:
        return _(
            "What those who were not asked would have said is not known. The table says between which bounds the mean "
            "of the whole population lies whatever it is: from all of them at the lower end of the scale to all of "
            "them at the upper one."
        )
    return _(
        "What those who were not asked would have said is not known. The table says between which bounds each share of "
        "the whole population lies whatever it is: from none of them giving this answer to all of them."
    )


def _by_lot() -> str:
    return _(
        "Who was asked was drawn by lot. So those who were not asked are like those who were, and no bounds are needed "
        "for them: the intervals for the population allow for the lot."
    )


def _table(released: ReleasedQuestion, chosen: QuestionSelection) -> PageTable:
    every, level_ = list(readings(released, chosen.confidence)), level(chosen)
    at_once = _("%(level)s interval, all at once") % {"level": level_}
    alone = _("%(level)s interval, one alone") % {"level": level_}
    if released.is_mean:
        head = [_("Answer"), _("If all of them lowest"), _("If all of them highest"), _("%(level)s interval")]
        head[-1] %= {"level": level_}
        caption = _("Mean of the population if everybody had been asked")
        return PageTable("unasked-table", caption, head, [_mean_row(released, chosen, every[0])])
    places = decimals(released, chosen)
    head = [_("Answer"), _("If none of them"), _("If all of them"), at_once, alone]
    caption = _("Shares of the population if everybody had been asked, in percent")
    return PageTable("unasked-table", caption, head, [bounds_row(released, one, places) for one in every])


def _mean_row(released: ReleasedQuestion, chosen: QuestionSelection, one: Reading) -> list[str]:
    places = mean_decimals(released, chosen)
    assert one.estimate is not None and one.estimate_high is not None and one.interval is not None
    ends = [numerals.number(value, places) for value in (one.estimate, one.estimate_high)]
    return [_("Mean"), *ends, number_span(one.interval, places, released.question["unit"])]
