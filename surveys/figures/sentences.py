"""The sentences about simultaneous intervals of shares. surveys/researcher/results/findings.py explains why they are
true. Categories are those of a method in an estimates document."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from django.utils.translation import get_language, get_language_bidi, ngettext
from django.utils.translation import gettext as _

from surveys.figures import numerals
from surveys.figures.display import Category, Result, is_estimated
from surveys.figures.svg import FIRST_STRONG, POP
from surveys.figures.targets import targeted, width
from surveys.rules.enumeration import all_of, conjunction, disjunction

NAMED = 3  # the most options that a sentence names; more are counted
COARSE = 0.02  # the fraction above which a margin makes percentages whole
TENTH = 0.001  # a tenth of a point, as a fraction


def within(text: str) -> str:
    """Return a label or sentence for use inside another one. In English it begins in lower case. Other languages keep
    its case, since German nouns have capitals."""
    return text[:1].lower() + text[1:] if get_language() in (None, "en") else text


def number(share: Sequence[float], claim: str, wide: float, estimated: bool = True) -> str:
    """Return a share with its interval in words: 35% said yes (likely between 29% and 40%). `share`: its estimate and
    the ends of its interval; `wide`: the interval's width, as if it were cut nowhere. An estimate where no share can
    be, outside of its interval or that rounds to all or nothing is not named, nor one that is not `estimated`."""
    estimate, bottom, top = share
    places = decimals([wide])
    rounded = numerals.percentage(numerals.share(estimate, places))
    least, most = map(numerals.percentage, numerals.outward(100 * bottom, 100 * top, places))
    words = {"share": rounded, "claim": claim, "low": least, "high": most}
    if estimated and places and least == most and abs(estimate - bottom) < TENTH / 2:
        return _("%(share)s %(claim)s.") % (words | {"share": least})
    if estimated and bottom <= estimate <= top and 0 < round(100 * estimate, places) < 100:
        return _("%(share)s %(claim)s (likely between %(low)s and %(high)s).") % words
    if least == most:
        return _("Likely %(share)s %(claim)s.") % (words | {"share": least})
    return _("Likely between %(low)s and %(high)s %(claim)s.") % words


def isolated(name: str) -> str:
    """Return a name in its own direction for a page from right to left, so that a number after it stays after it."""
    return f"{FIRST_STRONG}{name}{POP}" if get_language_bidi() else name


def comma_separated(names: Iterable[str]) -> str:
    """Return the names with the page's comma between them, each in its own direction."""
    return _(", ").join(map(isolated, names))


def decimals(widths: Iterable[float]) -> int:
    """Return the decimals of percentages in sentences: 0 if a margin, half a width, is above two points."""
    return 0 if max(widths) / 2 > COARSE else 1


def share_of(result: Result, category: Category, claim: str = "") -> str:
    """Return the share of one option with its interval in words."""
    claim = claim or _("said “%(answer)s”") % {"answer": isolated(category["option"])}
    share = category["estimate"], low(category), high(category)
    return number(share, claim, width(result, category), is_estimated(category))


def leading(categories: list[Category]) -> Category:
    """Return the option with the largest estimate among those that may be the most common."""
    return max(_possible_leaders(categories), key=lambda category: float(category["estimate"]))


def standing(result: Result, exclusive: bool = True) -> str:
    """Return which option is the most common, or that the intervals do not show it.

    The most common option is one of those whose intervals reach the highest lower end. If everyone chose one of two
    options (`exclusive`), the shares name the leader, so a leader needs no sentence.
    """
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
    """Return a sentence about options whose intervals all contain the highest lower end, so that none is apart. They
    lead together if each is above all others; otherwise one of them leads."""
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
    """Return an option in quotation marks, with its estimate if that is possible."""
    share = numerals.percentage(numerals.share(category["estimate"], places))
    words = {"answer": isolated(category["option"]), "share": share}
    inside = is_estimated(category) and low(category) <= category["estimate"] <= high(category)
    return (_("“%(answer)s” (%(share)s)") if inside else _("“%(answer)s”")) % words


def leader(categories: list[Category]) -> str | None:
    """Return the most common option; None if several can be."""
    possible = _possible_leaders(categories)
    return possible[0]["option"] if len(possible) == 1 else None


def _possible_leaders(categories: list[Category]) -> list[Category]:
    bar = max(low(category) for category in categories)
    return [category for category in categories if high(category) >= bar]


def near_zero(categories: list[Category]) -> str:
    """Return a sentence that names the answers whose intervals reach 0, however large the estimates."""
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
    """Return how many pairs of answers have intervals without overlap, so that the more common one is known. Only the
    comparison page calls differences "significant", by its own rule. Each rule finds pairs that the other misses."""
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
    """Return the pairs in words, or only the clearest of them, the more common answer first."""
    text = _("“%(more)s” is more common than “%(less)s”")
    named = "; ".join(text % {"more": more["option"], "less": less["option"]} for more, less in pairs[:NAMED])
    return f"{named}." if len(pairs) <= NAMED else _("For example: %(pairs)s.") % {"pairs": named}


def _pairs(categories: list[Category]) -> list[tuple[Category, Category]]:
    """Return the pairs of answers whose intervals do not overlap, more common answer first, widest gap first."""
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
