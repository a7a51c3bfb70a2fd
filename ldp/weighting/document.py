"""The document of a weighted question: its shares and mean with and without weights, and the price of weighting (M41).
It is for a population, and for one look at one release."""

from collections.abc import Callable, Iterator, Sequence
from typing import NotRequired, TypedDict

from ldp.arrays import Values
from ldp.confidences import CONFIDENCES
from ldp.document import Header
from ldp.forms.crossed import Crossed
from ldp.inference import intervals
from ldp.inference.variables import Variable
from ldp.tidy import Row, ends, release_row
from ldp.weighting import mean
from ldp.weighting.margin import Weighted, checked, weighted

FORMAT = 2


class Stratum(TypedDict):
    """An answer of the weighting question: its known share, and its estimated share among the people asked both."""

    option: str
    share: float
    estimate: float
    standard_error: float


class Level(TypedDict):
    """The interval of a weighted share alone, and the one that holds at once for all the question's shares."""

    interval: list[float]
    simultaneous: list[float]


class WeightedShare(TypedDict):
    """A weighted share. `levels` are at the document's confidences. `design_effect` is its variance over the unweighted
    share's. `effective_n` is the number of answers without privacy with the weighted share's error."""

    option: str
    estimate: float
    standard_error: float
    levels: list[Level]
    unweighted: float
    unweighted_standard_error: float
    design_effect: float
    effective_n: float


class MeanOfWeighted(TypedDict):
    """The mean among the people whose answer is a number. `quantity` is mean_rank for the steps of a scale, otherwise
    mean. `intervals`, each alone, are at the document's confidences. Bins have two means, of the lowest and the highest
    numbers (`_high`, otherwise None). The intervals contain both, and the standard error is the larger one.
    `effective_n` is None for a mean by one bit, because the spread of its numbers is unknown."""

    quantity: str
    unit: str
    estimate: float
    estimate_high: float | None
    standard_error: float
    intervals: list[list[float]]
    unweighted: float
    unweighted_high: float | None
    unweighted_standard_error: float
    design_effect: float
    effective_n: float | None


class Shares(TypedDict):
    """The common part of documents of weighted shares. `together` is the number of shares whose simultaneous intervals
    hold. `mean` is None if answers are not numbers, or too few people gave one; documents of format 1 lack it. A
    question that is averaged has only a mean."""

    format: int
    header: Header
    n_about: int
    confidences: list[float]
    together: int
    question: str
    text: str
    shares: list[WeightedShare]
    mean: NotRequired[MeanOfWeighted | None]


class WeightedDocument(Shares):
    by: str
    by_text: str
    strata: list[Stratum]


def document(header: Header, crossing: Crossed, shares: Sequence[float]) -> WeightedDocument:
    """Return the document of the second question, weighted by the known shares of the first one's answers. Raises what
    `margin.weighted` raises."""
    of = weighted(crossing, shares)
    return {
        "format": FORMAT,
        "header": header,
        "n_about": crossing.n,
        "confidences": list(CONFIDENCES),
        "together": crossing.second.together,
        "question": crossing.second.key,
        "text": crossing.second.text,
        "by": crossing.first.key,
        "by_text": crossing.first.text,
        "strata": _strata(crossing, shares),
        "shares": rows_of(crossing.second, of, CONFIDENCES),
        "mean": mean_of(crossing.second, of, CONFIDENCES),
    }


def _strata(crossing: Crossed, shares: Sequence[float]) -> list[Stratum]:
    estimates, errors = (part.tolist() for part in crossing.margins[0])
    known = checked(shares, crossing.shape[0]).tolist()
    return [
        {"option": option, "share": share, "estimate": estimate, "standard_error": error}
        for option, share, estimate, error in zip(crossing.first.options, known, estimates, errors, strict=True)
    ]


def levels_of(
    variable: Variable, intervals_at: Callable[[float], Values], confidences: Sequence[float]
) -> list[list[Level]]:
    """Return each option's intervals at each confidence, from all options' intervals, (d, 2)."""
    alone = [intervals_at(level).tolist() for level in confidences]
    together = [intervals_at(intervals.bonferroni(level, variable.together)).tolist() for level in confidences]
    return [
        [Level(interval=one[j], simultaneous=every[j]) for one, every in zip(alone, together, strict=True)]
        for j in range(len(variable.options))
    ]


def rows_of(variable: Variable, of: Weighted, confidences: Sequence[float]) -> list[WeightedShare]:
    levels = levels_of(variable, of.intervals, confidences)
    return [
        {
            "option": option,
            "estimate": float(of.estimates[j]),
            "standard_error": float(of.standard_errors[j]),
            "levels": levels[j],
            "unweighted": float(of.unweighted[j]),
            "unweighted_standard_error": float(of.unweighted_errors[j]),
            "design_effect": of.design_effects[j],
            "effective_n": of.effective_n[j],
        }
        for j, option in enumerate(variable.options)
    ]


def mean_of(question: Variable, of: Weighted, confidences: Sequence[float]) -> MeanOfWeighted | None:
    own = mean.mean(question, of)
    if own is None:
        return None
    in_bins = own.numbers.lows != own.numbers.highs
    return {
        "quantity": own.numbers.quantity,
        "unit": own.numbers.unit,
        "estimate": own.estimates[0],
        "estimate_high": own.estimates[1] if in_bins else None,
        "standard_error": own.standard_error,
        "intervals": [list(own.interval(level)) for level in confidences],
        "unweighted": own.unweighted[0],
        "unweighted_high": own.unweighted[1] if in_bins else None,
        "unweighted_standard_error": own.unweighted_error,
        "design_effect": own.design_effect,
        "effective_n": own.effective_n if question.scale is None else None,
    }


# Laid flat ------------------------------------------------------------------------------------------------------------


def rows(document: WeightedDocument) -> Iterator[Row]:
    """Yield a row for each category and confidence, and for the mean. Missing numbers are None."""
    yield from flat(document, document["by"], shares_text(document["strata"]))


def shares_text(strata: Sequence[Stratum]) -> str:
    return " ".join(format(stratum["share"], ".6g") for stratum in strata)


def flat(document: Shares, by: str, known_shares: str) -> Iterator[Row]:
    """Yield the rows of any document of weighted shares."""
    same = release_row(document["header"])
    same |= {"n_about": document["n_about"], "question": document["question"], "by": by, "known_shares": known_shares}
    same |= dict.fromkeys(("unit", "option", "together", "weighted_high", "unweighted_high"))
    mean = document.get("mean")
    for share in document["shares"]:
        for confidence, level in zip(document["confidences"], share["levels"], strict=True):
            own = _numbers(share) | {"quantity": "share", "option": share["option"], "together": document["together"]}
            yield same | own | _ends(confidence, **level)
    for confidence, interval in zip(document["confidences"], mean["intervals"] if mean else [], strict=False):
        assert mean is not None
        own = {"weighted_high": mean["estimate_high"], "unweighted_high": mean["unweighted_high"]}
        own |= {"quantity": mean["quantity"], "unit": mean["unit"]}
        yield same | _numbers(mean) | own | _ends(confidence, interval)


def _numbers(of: WeightedShare | MeanOfWeighted) -> Row:
    names = ("unweighted", "unweighted_standard_error", "standard_error", "design_effect", "effective_n")
    return {"weighted": of["estimate"]} | {name: of[name] for name in names}  # type: ignore[literal-required]


def _ends(confidence: float, interval: Sequence[float], simultaneous: Sequence[float | None] = (None, None)) -> Row:
    return {"confidence": confidence} | ends("interval", interval) | ends("simultaneous", simultaneous)
