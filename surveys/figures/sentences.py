"""The sentences that the simultaneous intervals of shares allow. surveys/researcher/results/findings.py explains why
they are true.

Categories are those of a method in an estimate's document.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from django.utils.translation import get_language, get_language_bidi, ngettext
from django.utils.translation import gettext as _

from surveys.figures import numerals
from surveys.figures.display import Category, Result
from surveys.figures.svg import FIRST_STRONG, POP
from surveys.figures.targets import targeted, width
from surveys.rules.enumeration import all_of, conjunction, disjunction

NAMED = 3  # options named in a sentence; more are counted instead
COARSE = 0.02  # margins above which percentages are whole
TENTH = 0.001  # of a point, as a share


def within(text: str) -> str:
    """Return a label or sentence inside of another one: it begins in lower case in English, and as it is elsewhere,
    since German's nouns never do."""
    return text[:1].lower() + text[1:] if get_language() in (None, "en") else text


def number(share: Sequence[float], claim: str, wide: float) -> str:
    """Return a share with its interval in words: 35% said yes (likely between 29% and 40%). `share`: its estimate and
    the ends of its interval; `wide`: the interval's width, as if it were cut nowhere. An estimate where no share can
    be, outside of its interval or that rounds to all or nothing is not named."""
    estimate, bottom, top = share
    places = decimals([wide])
    rounded = numerals.percentage(numerals.share(estimate, places))
    least, most = map(numerals.percentage, numerals.outward(100 * bottom, 100 * top, places))
    words = {"share": rounded, "claim": claim, "low": least, "high": most}
    if places and least == most and abs(estimate - bottom) < TENTH / 2:
        return _("%(share)s %(claim)s.") % (words | {"share": least})
    if bottom <= estimate <= top and 0 < round(100 * estimate, places) < 100:
        return _("%(share)s %(claim)s (likely between %(low)s and %(high)s).") % words
    if least == most:
        return _("Likely %(share)s %(claim)s.") % (words | {"share": least})
    return _("Likely between %(low)s and %(high)s %(claim)s.") % words


def isolated(name: str) -> str:
    """Return a name in its own direction on a page from right to left, so that a number behind it stays behind it."""
    return f"{FIRST_STRONG}{name}{POP}" if get_language_bidi() else name


def comma_separated(names: Iterable[str]) -> str:
    """Return the names with the page's comma between them, each in its own direction."""
    return _(", ").join(map(isolated, names))


def decimals(widths: Iterable[float]) -> int:
    """Return the decimals of percentages in sentences: none where a margin, half a width, is above two points."""
    return 0 if max(widths) / 2 > COARSE else 1


def share_of(result: Result, category: Category, claim: str = "") -> str:
    """Return the share of one option with its interval in words."""
    claim = claim or _("said “%(answer)s”") % {"answer": isolated(category["option"])}
    return number((category["estimate"], low(category), high(category)), claim, width(result, category))


def leading(categories: list[Category]) -> Category:
    """Return the option with the largest estimate of those that may be the most common one."""
    return max(_possible_leaders(categories), key=lambda category: float(category["estimate"]))


def standing(result: Result, exclusive: bool = True) -> str:
    """Say which option is the most common one, or that the intervals do not show it: it is among those whose interval
    reaches the highest lower end, because its share is at least the share that this lower end bounds. If everyone chose
    one of two options, a single share is enough for that: then say only that it is open."""
    categories = result["methods"][0]["categories"]
    possible = sorted(_possible_leaders(categories), key=lambda category: -float(category["estimate"]))
    if len(possible) == 1:
        text = _("“%(answer)s” is the most common answer.") % {"answer": possible[0]["option"]}
        return "" if len(categories) == 2 and exclusive else text
    if len(categories) == 2:
        return _("Either answer may be the more common one.")
    if len(possible) <= NAMED and len(possible) < len(categories):
        return _close(result, possible)
    if len(possible) == len(categories):
        return _("Any answer may be the most common one.")
    words = {"some": len(possible), "all": len(categories)}
    return _("%(some)s of the %(all)s answers may be the most common one.") % words


def _close(result: Result, possible: list[Category]) -> str:
    """Return whether all of these intervals contain the highest lower end, so that none of them is apart from another.
    They lead together if each is above all others; else one of them does."""
    others = [category for category in result["methods"][0]["categories"] if category not in possible]
    together = min(map(low, possible)) > max(map(high, others))
    places = decimals(width(result, each) for each in possible)
    names = [_with_share(category, places) for category in possible]
    if together and len(names) == 2:
        text = _("%(answers)s lead; the difference is within the margin of error.")
    elif together:
        text = _("%(answers)s lead; the differences are within the margin of error.")
    else:
        text = _("%(answers)s is the most common answer: the intervals do not show which.")
    return text % {"answers": (conjunction if together else disjunction)(names)}


def _with_share(category: Category, places: int) -> str:
    """Return an option in quotation marks with its estimate, where that is a possible one."""
    share = numerals.percentage(numerals.share(category["estimate"], places))
    words = {"answer": isolated(category["option"]), "share": share}
    inside = low(category) <= category["estimate"] <= high(category)
    return (_("“%(answer)s” (%(share)s)") if inside else _("“%(answer)s”")) % words


def leader(categories: list[Category]) -> str | None:
    """Return the most common option, where only one can be."""
    possible = _possible_leaders(categories)
    return possible[0]["option"] if len(possible) == 1 else None


def _possible_leaders(categories: list[Category]) -> list[Category]:
    bar = max(low(category) for category in categories)
    return [category for category in categories if high(category) >= bar]


def near_zero(categories: list[Category]) -> str:
    """Name the answers whose interval reaches 0, however large their estimates are."""
    none = [category["option"] for category in categories if low(category) <= 0]
    if not none:
        return ""
    if len(none) == len(categories):
        return _("Every answer may be as rare as 0%.")
    if len(none) <= NAMED:
        return _("%(answers)s may be as rare as 0%%.") % {"answers": all_of(none)}
    counts = {"some": len(none), "all": len(categories)}
    return _("%(some)s of the %(all)s answers may be as rare as 0%%.") % counts


def apart(result: Result) -> str:
    """Say of how many pairs of answers the intervals do not overlap, so that it is known which is more common.
    "Significant" are differences on the page of comparisons only, by its own rule: either finds pairs that the other
    does not."""
    categories = result["methods"][0]["categories"]
    pairs, known = len(categories) * (len(categories) - 1) // 2, pairs_apart(categories)
    if pairs < 2:
        return ""
    if not known:
        return _("All differences between answers are within the margin of error.")
    if known == pairs:
        return _("All differences between answers are beyond the margin of error.")
    text = ngettext(
        "%(known)s of %(pairs)s differences between answers is beyond the margin of error.",
        "%(known)s of %(pairs)s differences between answers are beyond the margin of error.",
        known,
    )
    return text % {"pairs": pairs, "known": known} + " " + _names(_pairs(categories))


def _names(pairs: list[tuple[Category, Category]]) -> str:
    """Return the pairs in words, or the clearest of them, the more common answer first."""
    text = _("“%(more)s” is more common than “%(less)s”")
    named = "; ".join(text % {"more": more["option"], "less": less["option"]} for more, less in pairs[:NAMED])
    return f"{named}." if len(pairs) <= NAMED else _("For example: %(pairs)s.") % {"pairs": named}


def _pairs(categories: list[Category]) -> list[tuple[Category, Category]]:
    """Return pairs of answers whose intervals do not overlap, the more common one first, the widest gap first."""
    both = ((one, other) for each in combinations(categories, 2) for one, other in (each, each[::-1]))
    return sorted(
        ((more, less) for more, less in both if high(less) < low(more)), key=lambda pair: high(pair[1]) - low(pair[0])
    )


def pairs_apart(categories: list[Category]) -> int:
    return len(_pairs(categories))


def low(category: Category) -> float:
    return float(targeted(category)["simultaneous"][0])


def high(category: Category) -> float:
    return float(targeted(category)["simultaneous"][1])
