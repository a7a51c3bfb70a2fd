"""The findings of a cross-table as sentences. Tests decide whether the questions depend on each other
(ldp/inference/association.py). All numbers come from simultaneous intervals and are rounded outward."""

from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ldp.crossing import Cell, CrossingDocument, Quantity, QuantityName
from ldp.crossing import Side as CrossedSide
from surveys.figures import numerals
from surveys.researcher.analyses.crossings.grid import depends, level_of, options, pairs_tested, standing_out, tested
from surveys.researcher.analyses.frame.selection import AnalysisSelection
from surveys.rules.enumeration import all_of
from surveys.survey import mechanisms

NAMED_MAX = 4
Side = Literal["first", "second"]
SIDES: tuple[Side, Side] = ("first", "second")
TOO_FEW = gettext_lazy("There are too few reports to test whether the two questions are related.")


def headline(document: CrossingDocument, chosen: AnalysisSelection) -> str:
    if "asked" in document:
        return _("These shares describe only people who were asked both questions.")
    if depends(document, chosen):
        return _("The two questions are related: that is statistically significant.")
    if tested(document):
        return _("No statistically significant relation between the two questions.")
    return str(TOO_FEW)


def sentences(document: CrossingDocument, chosen: AnalysisSelection, by: Side | None = None) -> list[str]:
    """Return the findings as sentences. If not everyone was asked both questions, the sentences name the most common
    answer within each answer to `by`."""
    if "asked" in document and by:
        return [*_common(document, chosen, by), untested(document), *_too_small(document)]
    texts, above = [], standing_out(document, chosen)
    named = [(cell, sign) for cell, sign in zip(document["cells"], above, strict=True) if sign]
    named.sort(key=lambda pair: pair[0]["corrected"] or 0.0)
    texts += [_pair(document, chosen, cell, sign) for cell, sign in named[:NAMED_MAX]]
    if len(named) > NAMED_MAX:
        more = len(named) - NAMED_MAX
        texts.append(ngettext("The table marks %(n)d more.", "The table marks %(n)d more.", more) % {"n": more})
    if depends(document, chosen) and not named and pairs_tested(document):
        texts.append(_("That holds for the table as a whole; no single pair of answers stands out for certain."))
    if not depends(document, chosen) and tested(document):
        texts.append(_("A weak relation may still be hidden by the randomization."))
    if not pairs_tested(document):
        texts.append(untested(document))
    return [*texts, *_too_small(document)]


def untested(document: CrossingDocument) -> str:
    """Return the reason why no single pair of answers is tested."""
    if "asked" in document:
        return _(
            "Among people who were asked both questions this site does not test whether the two are related: compare "
            "the intervals."
        )
    if document["joint"]:
        return _(
            "The two questions were randomized together, by one draw. For such a table there is a test of the whole, "
            "but no exact one of each pair of answers."
        )
    if "channels" in document:
        return _(
            "Several forms ask both questions and randomize them in different ways. For such a table there is a test "
            "of the whole, but no exact one of each pair of answers."
        )
    sentences = (mechanisms.of(document[side]).untested for side in ("first", "second"))
    return str(next(filter(None, sentences), ""))


def _pair(document: CrossingDocument, chosen: AnalysisSelection, cell: Cell, sign: int) -> str:
    place = document["cells"].index(cell)
    rows, columns = options(document["first"]), options(document["second"])
    texts = {"row": rows[place // len(columns)], "column": columns[place % len(columns)]}
    texts |= {"first": document["first"]["text"], "second": document["second"]["text"]}
    more = _("“%(row)s” and “%(column)s” occur together more often than if the questions were unrelated.")
    fewer = _("“%(row)s” and “%(column)s” occur together less often than if the questions were unrelated.")
    text = (more if sign > 0 else fewer) % texts
    within = cell["within_first"]
    return text if within is None else f"{text} {_among(document, chosen, within, texts)}"


def _among(document: CrossingDocument, chosen: AnalysisSelection, within: Quantity, texts: dict[str, str]) -> str:
    least, most = within["levels"][level_of(document, chosen)]["simultaneous"]
    low, high = numerals.outward(100 * least, 100 * most, 0)
    text = _(
        "Among those who answered “%(row)s” to “%(first)s”, %(low)s to %(high)s%% answered “%(column)s” to "
        "“%(second)s”."
    )
    return text % (texts | {"low": low, "high": high})


def _common(document: CrossingDocument, chosen: AnalysisSelection, by: Side) -> list[str]:
    """Return a sentence for each answer to `by` that is common enough, largest share first."""
    named: QuantityName = "within_first" if by == "first" else "within_second"
    other: Side = "second" if by == "first" else "first"
    shown = {side: dict(zip(_names(document[side]), options(document[side]), strict=True)) for side in SIDES}
    largest: dict[str, Cell] = {}
    for cell in document["cells"]:
        known, here = largest.get(cell[by]), cell[named]
        if here and (known is None or here["estimate"] > (known[named] or here)["estimate"]):
            largest[cell[by]] = cell
    every = sorted(largest.values(), key=lambda cell: -(cell[named] or {"estimate": 0.0})["estimate"])
    texts = {"first": document[by]["text"], "second": document[other]["text"]}
    return [
        _among(document, chosen, within, texts | {"row": shown[by][cell[by]], "column": shown[other][cell[other]]})
        for cell in every[:NAMED_MAX]
        if (within := cell[named])
    ]


def _names(side: CrossedSide) -> list[str]:
    return [category["option"] for category in side["categories"]]


def _too_small(document: CrossingDocument) -> list[str]:
    """Return a sentence that names the answers with too few reports."""
    small = [
        name
        for side in (document["first"], document["second"])
        for name, category in zip(options(side), side["categories"], strict=True)
        if not category["subgroup"]
    ]
    if not small:
        return []
    text = ngettext(
        "Too few reports are about %(names)s to show shares within it.",
        "Too few reports are about %(names)s to show shares within them.",
        len(small),
    )
    return [text % {"names": all_of(small)}]
