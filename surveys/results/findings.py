"""What a question's estimates allow to be said, in sentences.

All of it follows from the simultaneous intervals that are shown, for whomever and at whatever confidence they are
(surveys/figures/shown.py), and from nothing else: wherever these hold, every
sentence is true, so that all sentences about one question (of a grid about all its items) hold together at the stated
confidence. Numbers in them are rounded outward. While the intervals span too much, no sentence but one is said.
"""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.planning.outlook import HOPELESS
from surveys import kinds
from surveys.figures import numerals
from surveys.figures.sentences import high, leader, low, pairs_apart

Result = dict[str, Any]

TOO_WIDE = 2 * HOPELESS  # of what is possible: where no interval is narrower, expect no result


def findings(result: Result) -> list[str]:
    """Sentences about a question of an estimate's document, by its first method."""
    kind = kinds.of(result)
    sentences = [kind.left_out(result), _too_early(result)] if too_early(result) else kind.sentences(result)
    return [sentence for sentence in sentences if sentence]


def findings_of_grid(results: list[Result], items: int) -> list[str]:
    """Sentences about all items together, whose intervals hold at once; `items` may be more than have reports."""
    known = [result for result in results if leader(result["methods"][0]["categories"]) is not None]
    if all(map(too_early, results)):
        sentences = [_("It is too early to say anything about any item.")]
    elif known:
        text = ngettext(
            "Of %(items)s items it is known for %(known)s which answer is the most common.",
            "Of %(items)s items it is known for %(known)s which answer is the most common.",
            len(known),
        )
        sentences = [text % {"items": items, "known": len(known)}]
    else:
        sentences = [
            _("For none of the %(items)s items it is known which answer is the most common.") % {"items": items}
        ]
    missing = items - len(results)
    if missing:
        text = _("No report is about %(missing)s of the items, so nothing is known about them.")
        sentences.append(text % {"missing": missing})
    return sentences


def too_early(result: Result) -> bool:
    """Whether every interval spans half of what is possible or more, and none of them singles an answer out."""
    categories = result["methods"][0]["categories"]
    limit = TOO_WIDE * kinds.of(result).scale(result).width
    return all(high(category) - low(category) >= limit for category in categories) and not pairs_apart(categories)


def impossible(result: Result, method: dict[str, Any]) -> bool:
    """Whether an estimate lies where no truth can."""
    return not all(map(kinds.of(result).scale(result).possible, method["categories"]))


def _too_early(result: Result) -> str:
    """The number is the survey's: of a multiple choice and a grid only a part of the reports is about one answer."""
    needed = result["informative_n"]
    if needed is None:
        return _("It is too early to say anything, and at this α no number of reports would change that.")
    if not result.get("planned", True):  # the number is of other intervals
        return _("It is too early to say anything.")
    text = _("It is too early to say anything. About %(many)s reports would say something.")
    return text % {"many": numerals.count_up(needed)}
