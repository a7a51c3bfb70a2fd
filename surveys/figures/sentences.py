"""What the simultaneous intervals of shares allow to be said. See surveys/researcher/results/findings.py for what holds
them true.

Categories are those of a method in an estimate's document.
"""

from itertools import combinations

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from surveys.figures import numerals
from surveys.figures.display import Category, Result
from surveys.figures.targets import targeted, width
from surveys.rules.enumeration import all_of, any_of

NAMED = 3  # options named in a sentence; more are counted instead


def within(text: str) -> str:
    """A label or sentence inside of another one: it begins in lower case in English, and as it is elsewhere, since
    German's nouns never do."""
    return text[:1].lower() + text[1:] if get_language() in (None, "en") else text


def most_common(categories: list[Category]) -> str:
    """The most common option is among those whose interval reaches the highest lower end, because its share
    is at least the share that this lower end bounds."""
    possible = _possible_leaders(categories)
    two = len(categories) == 2
    if len(possible) == 1:
        text = _("“%(answer)s” is the more common answer.") if two else _("“%(answer)s” is the most common answer.")
        return text % {"answer": possible[0]}
    if len(possible) <= NAMED and len(possible) < len(categories):
        return _("The most common answer is %(answers)s; we do not know which.") % {"answers": any_of(possible)}
    if two:
        return _("We do not know which answer is more common: either one could be.")
    if len(possible) == len(categories):
        return _("We do not know which answer is the most common: every answer could be.")
    text = _("We do not know which answer is the most common: %(some)s of the %(all)s answers could be.")
    return text % {"some": len(possible), "all": len(categories)}


def leader(categories: list[Category]) -> str | None:
    """The most common option, where only one can be."""
    possible = _possible_leaders(categories)
    return possible[0] if len(possible) == 1 else None


def _possible_leaders(categories: list[Category]) -> list[str]:
    bar = max(low(category) for category in categories)
    return [category["option"] for category in categories if high(category) >= bar]


def near_zero(categories: list[Category]) -> str:
    """Which answers possibly nobody gave, however large their estimates."""
    none = [category["option"] for category in categories if low(category) <= 0]
    if not none:
        return ""
    if len(none) == len(categories):
        return _("All intervals reach 0: each of the answers may have been given by nobody.")
    if len(none) == 1:
        return _("The interval of “%(answer)s” reaches 0: possibly nobody gave this answer.") % {"answer": none[0]}
    if len(none) <= NAMED:
        text = _("The intervals of %(answers)s reach 0: each of these answers may have been given by nobody.")
        return text % {"answers": all_of(none)}
    counts = {"some": len(none), "all": len(categories)}
    text = _("The intervals of %(some)s of the %(all)s answers reach 0: each of these may have been given by nobody.")
    return text % counts


def apart(result: Result) -> str:
    """A sentence on order. Of two answers whose intervals do not overlap it is known which is more common. "Told
    apart" are answers on the page of comparisons only, by its own rule: either finds pairs that the other does not."""
    categories = result["methods"][0]["categories"]
    pairs, known = len(categories) * (len(categories) - 1) // 2, pairs_apart(categories)
    if pairs < 2:
        widest = min(1.0, max(width(result, category) for category in categories))
        text = _("The interval of each share is at most %(width)s percentage points wide.")
        return text % {"width": numerals.rounded_up(100 * widest)}
    if not known:
        return _("All intervals overlap: they alone do not show for any two answers which is more common.")
    if known == pairs:
        return _("No intervals overlap, so for any two answers we know which is more common.")
    text = ngettext(
        "The intervals of %(known)s of %(pairs)s pairs of answers do not overlap: we know which of the two is more "
        "common.",
        "The intervals of %(known)s of %(pairs)s pairs of answers do not overlap: we know which of the two is more "
        "common.",
        known,
    )
    return text % {"pairs": pairs, "known": known} + " " + _names(_pairs(categories))


def _names(pairs: list[tuple[Category, Category]]) -> str:
    """The pairs in words, or the clearest of them, the more common answer first."""
    text = _("“%(more)s” is more common than “%(less)s”")
    named = "; ".join(text % {"more": more["option"], "less": less["option"]} for more, less in pairs[:NAMED])
    return f"{named}." if len(pairs) <= NAMED else _("For example: %(pairs)s.") % {"pairs": named}


def _pairs(categories: list[Category]) -> list[tuple[Category, Category]]:
    """Two answers whose intervals do not overlap, the more common one first, the widest gap first."""
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
