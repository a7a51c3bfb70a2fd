"""The sentences about a page's comparisons. The chance of any error in them is the one that the page states."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.figures import numerals
from surveys.researcher.analyses.comparisons.family import Family
from surveys.researcher.analyses.frame.comparison import NAMED_MAX, Comparison
from surveys.rules.enumeration import all_of
from surveys.rules.texts import decimal


def of_pairs(family: Family) -> tuple[str, list[str]]:
    """Return a headline and sentences that say which answer is more common than which."""
    shown, options = [one for one in family.pairs if one.shows], family.released.names
    many = len(family.pairs)
    if not many:
        return _("There is no pair of answers to compare."), []
    if not shown:
        weak = _("They need not be equally common: with more reports a difference may show.")
        return _("No difference between these answers is statistically significant."), [weak]
    if len(shown) == many == 1:
        headline = _("The difference is statistically significant.")
    elif len(shown) == many:
        headline = _("All %(pairs)s differences between answers are statistically significant.") % {"pairs": many}
    else:
        headline = ngettext(
            "%(known)s of %(pairs)s differences between answers is statistically significant.",
            "%(known)s of %(pairs)s differences between answers are statistically significant.",
            len(shown),
        ) % {"pairs": many, "known": len(shown)}
    return headline, _ordered(shown, options)


def _ordered(pairs: list[Comparison], options: list[str]) -> list[str]:
    below: dict[int, list[int]] = {}
    for one in pairs:
        assert one.second is not None
        more, less = (one.first, one.second) if one.more else (one.second, one.first)
        below.setdefault(more, []).append(less)
    ranked = sorted(below.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    sentences = [
        _("“%(option)s” is more common than %(others)s.")
        % {"option": options[more], "others": all_of([options[place] for place in less])}
        for more, less in ranked[:NAMED_MAX]
    ]
    return sentences + ([_("The table has the rest.")] if len(ranked) > NAMED_MAX else [])


def of_value(family: Family) -> str:
    one, value = family.value, family.chosen.value
    assert one is not None and value is not None
    words = {"option": family.released.names[one.first], "value": numerals.decimal(decimal(value))}
    if not one.shows:
        return _("We do not know whether more or fewer than %(value)s%% say “%(option)s”.") % words
    if one.more:
        return _("More than %(value)s%% say “%(option)s”.") % words
    return _("Fewer than %(value)s%% say “%(option)s”.") % words


def of_between(family: Family) -> tuple[str, list[str]]:
    shown, options = [one for one in family.between if one.shows], family.released.names
    many = len(family.between)
    if not many:
        return _("No answer has reports in both surveys."), []
    if not shown:
        weak = _("They need not be alike: with more reports a difference may show.")
        return _("No difference between the two surveys is statistically significant."), [weak]
    headline = ngettext(
        "%(known)s of %(many)s differences between the two surveys is statistically significant.",
        "%(known)s of %(many)s differences between the two surveys are statistically significant.",
        len(shown),
    ) % {"known": len(shown), "many": many}
    sentences = []
    for one in shown[:NAMED_MAX]:
        more, fewer = (
            _("“%(option)s” is more common here than there."),
            _("“%(option)s” is less common here than there."),
        )
        sentences.append((more if one.more else fewer) % {"option": options[one.first]})
    return headline, sentences + ([_("The table has the rest.")] if len(shown) > NAMED_MAX else [])


def together(family: Family) -> list[str]:
    """Return sentences with the number of comparisons and how they are corrected for it."""
    many, tests = family.together, family.tests
    words = {
        "many": many,
        "tests": tests,
        "level": numerals.percent(family.chosen.confidence),
        "error": numerals.percent(1 - family.chosen.confidence),
        "each": numerals.corrected(family.at_once),
    }
    counted = (
        ngettext("This page compares %(many)s pair of numbers.", "This page compares %(many)s pairs of numbers.", many)
        % words
    )
    if family.released.watched or (family.there is not None and family.there.watched):
        rule = (
            _(
                "Here only intervals are valid, at every release: the page names a difference where its interval does "
                "not contain 0."
            )
            if not tests
            else _("Where there is no p-value, the interval decides.")
        )
    elif tests == many:
        rule = _("Each is tested, and the tests are corrected for their number by Holm's rule.")
    elif tests:
        rule = (
            _(
                "%(tests)s of them are tested, and the tests are corrected by Holm's rule. No exact test is "
                "known for the others, so the interval decides."
            )
            % words
        )
    else:
        rule = _("No exact test is known for them: the page names a difference where its interval does not contain 0.")
    promise = _(
        "The chance that the page names any difference that does not exist is at most %(error)s. The intervals hold "
        "all at once at %(level)s; for this, each one alone has %(each)s."
    )
    elsewhere = _(
        "The results page checks whether the intervals of two shares overlap. Each page may find a difference that the "
        "other does not find: each keeps its own confidence."
    )
    stepwise = _(
        "The interval of a named difference may still contain 0: the tests are corrected step by step and find more "
        "than intervals that hold all at once."
    )
    both = [stepwise] if any(one.shows and one.interval.low <= 0 <= one.interval.high for one in family.all) else []
    return [" ".join((counted % words, rule % words)), promise % words, *both, elsewhere]
