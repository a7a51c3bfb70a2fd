"""The sentences about a question's estimates.

All sentences follow from the simultaneous intervals on the page, for its target and confidence
(surveys/figures/targets.py). If the intervals are right, every sentence is true. So all sentences about one question,
or about all items of a grid, are true together at the stated confidence. Their numbers are rounded outward. If the
intervals before clipping are too wide, the only sentence is that it is too early, or that too few people answered.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.inference.estimates import TARGETS
from ldp.planning.outlook import HOPELESS
from surveys.figures import numerals
from surveys.figures.display import Category, Method, Result
from surveys.figures.sentences import leader, leading, pairs_apart, share_of
from surveys.figures.targets import ended, target, width
from surveys.researcher.results import forms
from surveys.survey import kinds

TOO_WIDE = 2 * HOPELESS  # as a fraction of the possible range: if no interval is narrower, there is no result


def findings(result: Result) -> list[str]:
    """Return sentences about one result, by its first method."""
    kind = kinds.of(result)
    sentences = [kind.left_out(result), _too_early(result)] if too_early(result) else kind.sentences(result)
    return [sentence for sentence in sentences if sentence]


def findings_of_grid(results: list[Result], items: Sequence[str]) -> list[str]:
    """Return sentences about all items together. `items` also has the items without reports."""
    known = [result for result in results if leader(result["methods"][0]["categories"]) is not None]
    counts = {"items": len(items), "known": len(known)}
    if all(map(too_early, results)):
        few = _("Too few people answered to say anything precise about any item.")
        early = _("It is too early to say anything precise about any item.")
        sentences = [few if all(map(ended, results)) else early]
    else:
        text = ngettext(
            "%(known)s of %(items)s items has one most common answer, beyond the margin of error.",
            "%(known)s of %(items)s items have one most common answer, beyond the margin of error.",
            len(known),
        )
        none = _("No item has one most common answer beyond the margin of error.")
        sentences = [_highest(results, items), text % counts if known else none]
    missing = len(items) - len(results)
    if missing:
        text = _("No report is about %(missing)s of the items, so nothing is known about them.")
        sentences.append(text % {"missing": missing})
    return sentences


def _highest(results: list[Result], items: Sequence[str]) -> str:
    """Return the item and answer with the largest estimate, among the items with a result."""

    def clearest(result: Result) -> Category:
        return leading(result["methods"][0]["categories"])

    highest = max((each for each in results if not too_early(each)), key=lambda each: clearest(each)["estimate"])
    item = items[int(highest["key"].partition(".")[2]) - 1]
    return _("“%(name)s”: %(sentence)s") % {"name": item, "sentence": share_of(highest, clearest(highest))}


def too_early(result: Result) -> bool:
    """Return whether all intervals before clipping are too wide to show anything. They are if each spans the whole
    possible range: then only luck separates two. They also are if each spans half of it and no two are apart."""
    categories, possible = result["methods"][0]["categories"], kinds.of(result).scale(result).width
    narrowest = min(width(result, category) for category in categories)
    return narrowest >= possible or (narrowest >= TOO_WIDE * possible and not pairs_apart(categories))


def says_nothing(results: Sequence[Result]) -> bool:
    """Return whether it is too early for every one of a release's results."""
    return all(map(too_early, results))


def impossible(result: Result, method: Method) -> bool:
    """Return whether an estimate lies outside the possible range."""
    return not all(map(kinds.of(result).scale(result).possible, method["categories"]))


def _too_early(result: Result) -> str:
    """Return the sentence that it is too early, with the number of reports needed. The number counts reports of the
    survey, or of the question's form. In a multiple choice or grid, only some of them are about one answer."""
    needed = result["informative_n"]
    text = (
        _("Too few people answered to say anything precise.")
        if ended(result)
        else _("It is too early to say anything precise.")
    )
    if needed is None:
        return _("Nothing can be said at this α, whatever the number of reports.")
    if not result.get("planned", True):  # the needed number is for other intervals
        return text
    return f"{text} {forms.needed(numerals.count_up(needed), 'form' in result, target(result) == TARGETS[1])}"
