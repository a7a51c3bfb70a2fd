"""A histogram's density, quantiles and mean, by whole bins: the numbers inside a bin are unknown."""

from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.inference.reading import quantiles, weighted
from ldp.kinds.histogram import bin_ends
from ldp.scores import Target
from surveys.figures import numerals
from surveys.figures.layout import equally_wide
from surveys.researcher.results.question import readings
from surveys.researcher.results.question.parts import PageSection, PageTable, level, number_span, share_row, whose
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.released import ReleasedQuestion
from surveys.rules.enumeration import all_of
from surveys.rules.texts import decimal
from surveys.survey.kinds import numbers
from surveys.survey.kinds.fields import WHOLE


def sections(released: ReleasedQuestion, chosen: QuestionSelection) -> list[PageSection]:
    return [_quantiles(released, chosen), _mean(released, chosen), _density(released, chosen)]


def _edges(released: ReleasedQuestion) -> list[str]:
    return [numerals.decimal(decimal(Decimal(edge))) for edge in released.question["edges"]]


def of_bins(released: ReleasedQuestion, first: int, last: int) -> str:
    """Return the range from the first bin to the last. The outer bins are open."""
    edges, unit = _edges(released), released.question["unit"]
    bins = len(edges) - 1
    if first == 0 and last == bins - 1:
        return _("any number")
    if released.question.get("limits") == WHOLE and last < bins - 1:
        highest = numerals.decimal(decimal(bin_ends(released.question)[last][1]))
        return numerals.with_unit(numerals.to(edges[first], highest), unit)
    if first == 0:
        return numerals.with_unit(_("under %(edge)s") % {"edge": edges[last + 1]}, unit)
    if last == bins - 1:
        return numerals.with_unit(_("%(edge)s or more") % {"edge": edges[first]}, unit)
    ends = {"low": edges[first], "high": edges[last + 1]}
    return numerals.with_unit(_("%(low)s to under %(high)s") % ends, unit)


def _quantiles(released: ReleasedQuestion, chosen: QuestionSelection) -> PageSection:
    title, levels = _("Median and other quantiles"), sorted({*readings.LEVELS, chosen.level})
    readings_of = readings.of_levels(released, levels, chosen.confidence, chosen.target)
    rows = []
    for percent, places in ((each.level, each.places) for each in readings_of):
        if percent is None or places is None:
            return PageSection("quantiles", title, [not_while_watched(released)])
        name = _("Median (50%)") if percent == 50 else numerals.percentage(numerals.local(decimal(percent)))
        estimate = of_bins(released, places.estimate, places.estimate)
        rows.append([name, estimate, of_bins(released, places.first, places.last)])
    head = [_("Below it lies"), _("Estimated bin"), _("%(level)s interval") % {"level": level(chosen)}]
    caption = _("Quantiles %(whose)s, in whole bins") % {"whose": whose(released, chosen)}
    texts = [
        _(
            "The stated share of all numbers lies below each quantile. Its interval is a range of whole bins and holds "
            "for one quantile that you picked before looking. We do not know where in its bin a quantile lies."
        )
    ]
    return PageSection(
        "quantiles", title, texts, [PageTable("quantiles-table", caption, head, rows)], _atoms(released), "quantile"
    )


def _atoms(released: ReleasedQuestion) -> list[str]:
    assert released.shared_totals is not None
    names = [released.options[k] for k in quantiles.atoms(released.shared_totals, released.answers)]
    if not names:
        return []
    text = ngettext(
        "By its estimate, the bin %(bins)s holds a quarter of all numbers or more: for a quantile in it, only the bin "
        "is known.",
        "By their estimates, each of the bins %(bins)s holds a quarter of all numbers or more: for a quantile in one "
        "of them, only the bin is known.",
        len(names),
    )
    return [text % {"bins": all_of(names)}]


def not_while_watched(released: ReleasedQuestion) -> str:
    if released.forms:
        return _(
            "Not shown for only those who were asked: their quantile moves with every report, and no interval is known "
            "that holds at all releases. For the population there is one."
        )
    return _(
        "Not shown for only these respondents: their quantile moves with every report, and no interval is known that "
        "holds at all releases. For the population there is one."
    )


def _mean(released: ReleasedQuestion, chosen: QuestionSelection) -> PageSection:
    mean = readings.mean_of_bins(released, chosen.confidence, chosen.target)
    assert mean.interval is not None
    (low, high), unit = mean.interval, released.question["unit"]
    places = numerals.places((high - low) / 4 or 1.0)
    between = _("too few answered to say")
    if mean.estimate is not None and mean.estimate_high is not None:
        between = number_span((mean.estimate, mean.estimate_high), places, unit)
        if mean.estimate == mean.estimate_high:
            between = numerals.with_unit(numerals.number(mean.estimate, places), unit)
    rows = [[_("Mean"), between, number_span(mean.interval, places, unit)]]
    head = [
        _("Among those who gave a number"),
        _("Estimated between"),
        _("%(level)s interval") % {"level": level(chosen)},
    ]
    caption = _("Mean %(whose)s, as far as bins show it") % {"whose": whose(released, chosen)}
    texts = []
    if any(low < high for low, high in bin_ends(released.question)):
        text = _(
            "Bins give only two bounds for the mean: one takes each number as the lowest of its bin, the other as the "
            "highest. The interval holds both."
        )
        texts.append(text)
    if "limits" not in released.question:
        texts.append(_("Numbers beyond the outer edges count as the edge, since nothing says how far beyond they are."))
    return PageSection(
        "mean", _("Mean"), texts, [PageTable("mean-table", caption, head, rows)], [how_sure(released, chosen.target)]
    )


def how_sure(released: ReleasedQuestion, target: Target) -> str:
    """Return the certainty of a weighted sum's interval, in words (M32b)."""
    assert released.shared_totals is not None
    if weighted.proved(released.shared_totals, target):
        return _("This interval is proved to hold whatever the answers are; that is why it is wide.")
    return _("This interval held in every check, for few reports too, but is not proved.")


def _density(released: ReleasedQuestion, chosen: QuestionSelection) -> PageSection:
    """Return the section of densities: shares divided by widths."""
    heights = list(readings.density(released, chosen.confidence, chosen.target))
    places = numerals.decimals_for(max(height.standard_error or 0.0 for height in heights))
    rows = [share_row(released, height, places) for height in heights]
    unit = numerals.with_unit("1", released.question["unit"])
    head = [_("Bin"), _("Height"), _("%(level)s interval, all at once"), _("%(level)s interval, one alone")]
    head = [text % {"level": level(chosen)} if "%" in text else text for text in head]
    caption = _("Density %(whose)s: percent of all in a width of %(unit)s") % {
        "whose": whose(released, chosen),
        "unit": unit,
    }
    texts = [
        _(
            "The height of a bar is its share divided by the width of its bin, so its area is its share even where the "
            "bins differ in width."
        )
    ]
    low, *_inner, high = _edges(released)
    sentence = _(
        "The outer bins are taken to end at %(low)s and %(high)s: numbers beyond count as if they were inside."
    )
    notes = [numbers.limits_in_words(released.question) or sentence % {"low": low, "high": high}]
    if equally_wide([float(edge) for edge in released.question["edges"]]):
        notes.append(_("All bins are equally wide here."))
    return PageSection("density", _("Density"), texts, [PageTable("density-table", caption, head, rows)], notes)
