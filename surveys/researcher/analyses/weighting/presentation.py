"""Weighted shares and means as tables, with numbers as text."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.inference.variables import Variable
from ldp.weighting.document import MeanOfWeighted, Shares
from ldp.weighting.mean import numbers
from surveys.figures import numerals
from surveys.researcher.analyses.weighting import sentences
from surveys.rules.context import Context


class WeightedAnswer(NamedTuple):
    """An answer with its percentages, design effect and effective number of answers, as text."""

    answer: str
    weighted: str
    interval: str
    unweighted: str
    design_effect: str
    effective_n: str


def context(document: Shares, question: Variable, names: list[str], confidence: float) -> Context:
    """Return the context of a question's weighted shares and mean. `names` are the answers as shown."""
    place, mean = document["confidences"].index(confidence), document.get("mean")
    made: Context = {"level": numerals.level(confidence), "confidence": numerals.percent(confidence)}
    made |= {"table": [], "sentences": [], "mean": None}
    made["mean_missing"] = mean is None and "mean" in document and numbers(question) is not None
    if document["shares"]:
        made["table"] = table(document, names, place)
        made["sentences"] = sentences.sentences(document, names, place, decimals(document))
    if mean is not None:
        made["mean"] = own = mean_row(mean, place)
        interval, unweighted = (numerals.with_unit(text, unit(mean)) for text in (own.interval, own.unweighted))
        made["sentences"] += sentences.of_mean(mean, interval, unweighted, alone=not document["shares"])
    return made


def mean_row(mean: MeanOfWeighted, place: int) -> WeightedAnswer:
    digits, (low, high) = numerals.places(mean["standard_error"] or 1.0), mean["intervals"][place]
    name = _("Mean rank") if mean["quantity"] == "mean_rank" else _("Mean")
    return WeightedAnswer(
        f"{name} ({unit(mean)})" if unit(mean) else name,
        _between(mean["estimate"], mean["estimate_high"], digits),
        numerals.to(*numerals.outward(low, high, digits)),
        _between(mean["unweighted"], mean["unweighted_high"], digits),
        numerals.small(mean["design_effect"], 2),
        numerals.count(mean["effective_n"]),
    )


def unit(mean: MeanOfWeighted) -> str:
    """Return the unit as shown. Ranks have none."""
    return "" if mean["quantity"] == "mean_rank" else mean["unit"]


def _between(low: float, high: float | None, digits: int) -> str:
    """Return a number as text, or the two numbers between which it lies."""
    ends = [numerals.number(low, digits)] if high is None else [numerals.number(end, digits) for end in (low, high)]
    return ends[0] if len(ends) == 1 else numerals.to(*ends)


def decimals(document: Shares) -> int:
    """Return the decimals of percentages: at most one, as in the cross-table."""
    return min(1, numerals.decimals_for(max(share["standard_error"] for share in document["shares"])))


def table(document: Shares, names: list[str], place: int) -> list[WeightedAnswer]:
    """Return a row for each answer. `names` has the answers as shown; `place` is the index of the confidence in
    `levels`."""
    digits = decimals(document)
    return [
        WeightedAnswer(
            name,
            numerals.share(share["estimate"], digits),
            numerals.span(tuple(share["levels"][place]["simultaneous"]), digits),
            numerals.share(share["unweighted"], digits),
            numerals.small(share["design_effect"], 2),
            numerals.count(share["effective_n"]),
        )
        for name, share in zip(names, document["shares"], strict=True)
    ]
