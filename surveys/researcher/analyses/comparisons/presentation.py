"""The context of the page of comparisons."""

from urllib.parse import urlencode

from django.utils.translation import get_language_bidi
from django.utils.translation import gettext as _

from ldp.inference.reading import pairs
from ldp.inference.tallied import Tallied
from surveys.figures import numerals
from surveys.figures.sentences import isolated
from surveys.models import Survey
from surveys.researcher.analyses.comparisons import sentences as comparison_sentences
from surveys.researcher.analyses.comparisons.family import WITH_MOST, Family
from surveys.researcher.analyses.comparisons.power import power
from surveys.researcher.analyses.comparisons.selection import ComparisonSelection, query
from surveys.researcher.analyses.frame.comparison import UNTESTED, Comparison, decimals, numbers
from surveys.researcher.results.question.parts import PageTable
from surveys.researcher.results.reached import share_among
from surveys.rules.context import Context
from surveys.rules.texts import decimal
from surveys.survey.definition.wording import wording

# The fields of each form on the page. The form keeps all other choices as hidden fields.
FORMS = {
    "view": ("question", "confidence"),
    "pairs": ("pairs",),
    "value": ("option", "value"),
    "between": ("version", "address"),
    "power": ("about", "first", "second", "difference"),
}


def page(family: Family) -> Context:
    headline, findings = comparison_sentences.of_pairs(family)
    context: Context = {
        "released": family.released,
        "chosen": family.chosen,
        "there": family.there,
        "n": numerals.count(family.released.n),
        "n_about": numerals.count(family.released.n_about) if family.released.place else "",
        "headline": headline,
        "findings": findings,
        "together": comparison_sentences.together(family),
        "pairs": _pairs(family),
        "notes": _notes(family),
        "power": power(family) if len(family.released.options) > 1 else None,
        "others": other_choices(family.chosen, len(family.released.options)),
        "query": urlencode(query(family.chosen, len(family.released.options))),
    }
    context["asks_power"] = any(name in FORMS["power"] for name in query(family.chosen, len(family.released.options)))
    if family.value is not None:
        context["value"] = {"headline": comparison_sentences.of_value(family), "table": _value(family, family.value)}
    if family.there is not None:
        between, sentences = comparison_sentences.of_between(family)
        context["between"] = {"headline": between, "findings": sentences, "table": _between(family)}
        context["checked"] = any(one.corrected is None for one in family.between) and not (
            family.released.watched or family.there.watched
        )
        # The form has checked that the reader may see that survey, and so its title.
        here, there = (Survey.objects.get(slug=one.slug) for one in (family.released, family.there))
        context["there_title"] = there.title
        context["worded_otherwise"] = wording(here.definition, family.released.question["key"]).differs(
            wording(there.definition, family.there.question["key"])
        )
        context["there_n"] = numerals.count(family.there.n_about)
    return context


def other_choices(chosen: ComparisonSelection, many: int) -> dict[str, list[tuple[str, str]]]:
    """Return the choices of all other forms for each form. The view changes the question, so it keeps none."""
    every = list(query(chosen, many).items())
    return {name: [pair for pair in every if pair[0] not in own] for name, own in FORMS.items()} | {"view": []}


def _pairs(family: Family) -> PageTable:
    options, places, rows = family.released.names, decimals(family.pairs), []
    page_direction = numerals.RIGHT_TO_LEFT * get_language_bidi()  # without it the first answer's letters decide
    for one in family.pairs:
        assert one.second is not None
        names = {"one": isolated(options[one.first]), "other": isolated(options[one.second])}
        more = options[one.first if one.more else one.second]
        verdict = _("yes: “%(more)s” is more common") % {"more": more} if one.shows else _("no")
        pair = page_direction + _("%(one)s against %(other)s") % names
        rows.append([pair, *numbers(one, places), verdict])
    caption = _("Differences of shares of the population, in percentage points")
    return PageTable("pairs-table", caption, _head(_("Pair"), family, _("Significant")), rows)


def _value(family: Family, one: Comparison) -> PageTable:
    value = family.chosen.value
    assert value is not None
    option, places = family.released.names[one.first], decimals([one])
    verdict = _("no") if not one.shows else _("yes: more") if one.more else _("yes: fewer")
    caption = _("Difference of the share from %(value)s%%, in percentage points") % {
        "value": numerals.decimal(decimal(value))
    }
    head = _head(_("Answer"), family, _("Differs"))
    return PageTable("value-table", caption, head, [[option, *numbers(one, places), verdict]])


def _between(family: Family) -> PageTable:
    assert family.there is not None
    rows, places = [], decimals(family.between)
    for one in family.between:
        both = (family.released, one.first), (family.there, one.second or 0)
        shares = [numerals.share(share_among(*each, family.at_once)[0], places) for each in both]
        verdict = _("no") if not one.shows else _("yes: more here") if one.more else _("yes: fewer here")
        rows.append([family.released.names[one.first], *shares, *numbers(one, places), verdict])
    head = _head(_("Answer"), family, _("Differs"))
    caption = _("Shares of both populations in percent, and their differences in percentage points")
    return PageTable("between-table", caption, [head[0], _("Here"), _("There"), *head[1:]], rows)


def _head(first: str, family: Family, last: str) -> list[str]:
    interval = _("%(level)s interval, all at once") % {"level": numerals.level(family.chosen.confidence)}
    return [first, _("Difference"), interval, _("p-value, corrected"), last]


def _notes(family: Family) -> list[str]:
    own, many = family.released.shared_totals, len(family.released.options)
    few = _("There are %(many)s answers. The page compares the chosen one with the %(most)s that follow it.")
    cut = [few % {"many": many, "most": WITH_MOST}] if many - 1 > WITH_MOST else []
    return cut + _guarantee(family, own)


def _guarantee(family: Family, own: Tallied | None) -> list[str]:
    if family.released.watched:
        return [
            _(
                "The survey is still open, or its end was not fixed before its first release. So the intervals hold "
                "for all its releases together."
            )
        ]
    if own is None:
        untested = {one.untested for one in family.pairs if one.untested}
        return [str(UNTESTED[reason]) for reason in sorted(untested)]
    if not pairs.proved(own):
        return [_("For this mechanism, tests and intervals held in every check, but there is no proof for them.")]
    return []
