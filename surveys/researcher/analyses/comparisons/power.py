"""The number of reports that would show a difference, at the level of each comparison on the page."""

from dataclasses import replace
from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.inference.estimates import onto_simplex
from ldp.kinds import KINDS
from ldp.planning import share_comparisons
from ldp.planning.candidates import size_of
from ldp.planning.share_comparisons import ComparisonDesign
from surveys.figures import numerals
from surveys.models import Survey
from surveys.researcher.analyses.comparisons.family import Family, one_drawn
from surveys.researcher.results.question.parts import PageTable
from surveys.researcher.results.released import ReleasedQuestion
from surveys.rules.texts import decimal

POWERS = (0.8, 0.9)


class Power(NamedTuple):
    headline: str
    texts: list[str]
    tables: list[PageTable]


def power(family: Family) -> Power:
    if family.is_narrowed:
        return Power(_("How many people are asked is uncertain, too, so no number can be given."), [], [])
    title, designed = _what(family), _design(family)
    if designed is None:
        no = _(
            "One report may be about both answers, and how the two go together is not known, so no number can be given."
        )
        return Power(no, [], [])
    if _ends_when_narrow(family):
        no = _("When this survey ends depends on its results, so no number of reports can be given for a single look.")
        return Power(no, [], [])
    (design, difference), n = designed, family.released.n
    rows, first = [], None
    for wanted in POWERS:
        local, plain = (
            share_comparisons.needed(each, difference, family.level, wanted) for each in (design, design.plain)
        )
        first = local if first is None else first
        rows.append([numerals.percent(wanted), _many(local), _many(plain)])
    points = numerals.decimal(decimal(family.chosen.difference))
    words = {"points": points, "what": title, "many": _many(first), "n": numerals.count(n)}
    headline = _("About %(many)s reports would show a difference of %(points)s points between %(what)s.") % words
    if first is None:
        headline = _("No number of reports would show a difference of %(points)s points between %(what)s.") % words
    needs = PageTable(
        "needed-table",
        _("Reports that show a difference of %(points)s points between %(what)s") % words,
        [_("Share of surveys that show it"), _("Reports"), _("Without privacy")],
        rows,
    )
    # Other intervals decide what a release shows before the last one (M29).
    now = [] if _watched(family) else [_now(family, design, difference, words)]
    return Power(headline, _texts(family, words), [needs, *now])


def needed(family: Family, first: int, second: int) -> int | None:
    """Return how many reports would show the page's difference between two answers in 80 of 100 surveys. Return None if
    that is unknown, or if no number would."""
    chosen = family.chosen._replace(about="pair", first=first, second=second)
    designed = None if _ends_when_narrow(family) or family.is_narrowed else _design(replace(family, chosen=chosen))
    if designed is None:
        return None
    design, difference = designed
    return share_comparisons.needed(design, difference, family.level, POWERS[0])


def _watched(family: Family) -> bool:
    there = family.there if family.chosen.about == "other" else None
    return family.released.watched or (there is not None and there.watched)


def _texts(family: Family, words: dict[str, str]) -> list[str]:
    texts = [
        _(
            "If the true difference is that large, this is how many reports this page needs to find it, given "
            "everything that it compares. The other shares are assumed to be about as estimated."
        )
    ]
    if family.chosen.about == "other":
        texts.append(_("This many reports in each of the two surveys, each with its own mechanism."))
    elif family.released.n_about < family.released.n or family.released.shared_totals is None:
        texts.append(_("Reports in all: each is about only some of the items, drawn by chance."))
    if family.released.forms and family.chosen.about != "other":
        texts.append(_("Reports of people who were asked this question; the survey as a whole needs more."))
    if _watched(family):
        texts.append(
            _("The numbers are for a single look after the survey has ended; looking at every release takes more.")
        )
    return texts


def _now(family: Family, design: ComparisonDesign, difference: float, words: dict[str, str]) -> PageTable:
    """Return the difference that the present number of reports can show, with and without privacy."""
    n = family.released.n
    row, widths = [], []
    for each in (design, design.plain):
        row.append(numerals.percent(round(share_comparisons.power(each, difference, family.level, n), 3)))
        width = 100 * share_comparisons.half_width(each, difference, family.level, n)
        widths.append(numerals.plus_minus(numerals.rounded_up(width)))
    caption = _("What %(n)s reports can show") % words
    head = [_("Of this release"), _("With these reports"), _("Without privacy")]
    names = [_("Chance to show it"), _("Interval of the difference, in points")]
    return PageTable("now-table", caption, head, [[names[0], *row], [names[1], *widths]])


def _many(n: int | None) -> str:
    return _("too many") if n is None else numerals.count_up(n)


# What is compared -----------------------------------------------------------------------------------------------------


def _what(family: Family) -> str:
    chosen, options = family.chosen, family.released.names
    words = {"one": options[chosen.first], "other": options[chosen.second]}
    if chosen.about == "value" and chosen.value is not None:
        return _("“%(one)s” and %(value)s%%") % {**words, "value": numerals.decimal(decimal(chosen.value))}
    if chosen.about == "other":
        return _("“%(one)s” here and there") % words
    return _("“%(one)s” and “%(other)s”") % words


def _design(family: Family) -> tuple[ComparisonDesign, float] | None:
    """Return the design and the difference as a fraction; None if two estimates depend on each other in an unknown way,
    or the other survey lacks the option."""
    released, chosen = family.released, family.chosen
    difference = float(chosen.difference) / 100
    own, j = released.rows[chosen.first]
    share = float(own.shares[j])
    if chosen.about == "value" and chosen.value is not None:
        value = float(chosen.value) / 100
        sign = 1 if value + difference <= 1 else -1
        return share_comparisons.of_value(own, j, value, rarity(released)), sign * min(
            difference, max(value, 1 - value)
        )
    if chosen.about == "other" and family.there is not None:
        there = dict(family.matched).get(chosen.first)
        if there is None:
            return None
        second, k = family.there.rows[there]
        middle = (share + float(second.shares[k])) / 2
        rows = (own, j, rarity(released)), (second, k, rarity(family.there))
        return share_comparisons.of_two(*rows, share=middle), difference
    second, k = released.rows[chosen.second]
    if released.shared_totals is not None:
        return share_comparisons.of_pair(
            released.shared_totals, j, k, onto_simplex(released.shared_totals.shares), rarity(released)
        ), difference
    if not one_drawn(released):
        return None
    rows = (own, j, rarity(released)), (second, k, rarity(released))
    return share_comparisons.of_two(*rows, share=(share + float(second.shares[k])) / 2), difference


def rarity(released: ReleasedQuestion) -> float:
    """Return the number of reports per report about one item or option."""
    return KINDS[released.kind].rarity(size_of(released.question))


def _ends_when_narrow(family: Family) -> bool:
    every = [one for one in (family.released, family.there) if one is not None]
    return Survey.objects.filter(slug__in={one.slug for one in every}, closes_at_half_width__isnull=False).exists()
