"""One question's results in the published document: estimates, errors and intervals from its totals.

An option or item that no report has drawn yet (multiple choice, grid) is left out.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from ldp import bounds
from ldp.document import Category, MethodResult, Precision, QuestionResult, Worth
from ldp.inference import estimates, intervals, published, sequences
from ldp.inference.estimates import onto_simplex
from ldp.inference.pooled import Pooled
from ldp.inference.published import Published
from ldp.mechanisms import of
from ldp.question import Asked, Drawn, of_asked
from ldp.scores import ChannelMoments, Counts, ScoreMoments, Target, Totals

# Fields of a definition's question that its result lacks.
_LEFT_OUT = ("note", "table", "items", "together")


class Level(NamedTuple):
    """The confidence of an interval alone, and of each of several intervals that hold at once."""

    alone: float
    at_once: float


def levels_of(confidences: Sequence[float], together: int) -> list[Level]:
    """Return the confidences, with those of each of `together` intervals that hold at once (Bonferroni)."""
    return [Level(confidence, intervals.bonferroni(confidence, together)) for confidence in confidences]


def result(
    question: Drawn,
    numbers: tuple[int, int, int],
    bound: float | None,
    methods: list[MethodResult],
    **texts: Any,
) -> QuestionResult:
    """Return the result without `informative_n`, which planning adds (ldp/results.py). `numbers` are d, n_about and
    together. `texts` replace or extend the texts of the definition's question."""
    d, n, together = numbers
    stated = {name: value for name, value in question.items() if name not in _LEFT_OUT}
    if "asked" in question:
        stated |= {"asked": [_channel(question, each) for each in question["asked"]]}
    realized = of(question).realized()
    numeric_fields = {
        "d": d,
        "n_about": n,
        "together": together,
        "realized_alpha": realized.alpha,
        "risk_bound": bound,
        "methods": methods,
    }
    chance = {} if realized.delta is None else {"realized_delta": realized.delta}
    return cast(QuestionResult, stated | texts | numeric_fields | chance)


def _channel(question: Drawn, channel: Asked) -> dict[str, Any]:
    """Return the result's entry for one of several forms that ask a question."""
    stated = {name: value for name, value in channel.items() if name not in (*_LEFT_OUT, "weight")}
    return stated | {"realized_alpha": of(of_asked(question, [channel])).realized().alpha}


# Shares of d categories, of which each respondent has one ------------------------------------------------------------


def shares(
    question: Drawn, totals: Totals, n: int, confidences: Sequence[float], every_look: bool = False
) -> QuestionResult:
    """Return the result of a question with options: every method's shares, the default first, and the minimax bound
    (M19). The bound is None if there is a delta."""
    randomizer = of(question)
    d, options = randomizer.d, question["options"]
    together = 1 if randomizer.mirrored else d
    levels = levels_of(confidences, together)
    bound = bounds.sharp_constant_of(randomizer.alphas, d) if randomizer.delta is None else None
    methods = [
        method(name, moments, categories(options, totals[name], n, moments, levels, every_look=every_look), n, bound)
        for name, moments in randomizer.moments().items()
    ]
    return result(question, (d, n, together), bound, methods)


def method(name: str, moments: ScoreMoments, categories: list[Category], n: int, bound: float | None) -> MethodResult:
    """Return the method's categories, with its precision at equal shares and at the estimates projected onto the
    simplex (M14, M19, M21)."""
    d = len(categories)
    projected = onto_simplex([category["estimate"] for category in categories]).tolist()
    return {
        "method": name,
        "at_equal_shares": _worth(moments, n, [1 / d] * d, bound),
        "at_estimate": _worth(moments, n, projected, bound),
        "categories": categories,
    }


def _worth(moments: ScoreMoments, n: int, shares: list[float], bound: float | None) -> Worth:
    """Return the precision at these shares. The least risk is the bound with the sampling part of these shares in place
    of 1 - 1/d, because an unbiased estimate's noise is the same at all shares."""
    risk, spread = bounds.risk(moments, shares), 1 - sum(share**2 for share in shares)
    best = bound and bound - (1 - 1 / len(shares)) + spread
    return {"risk": risk, "efficiency": best and best / risk, "effective_n": bounds.effective_n(moments, n, 0, shares)}


def categories(
    options: list[str],
    totals: list[int],
    n: int,
    moments: ScoreMoments,
    levels: Sequence[Level],
    part: bool = False,
    every_look: bool = False,
) -> list[Category]:
    """Return the numbers of each option. `part`: the n reports are a random part of all (`_targets`)."""
    scores, spans = moments.scores(totals), published.of(moments, n, every_look)
    shares = estimates.shares(scores, n, moments).tolist()

    def category(j: int, option: str) -> Category:
        errors = standard_errors(moments, totals, j, n, part)
        by = _targets(spans, errors, totals, j, levels, part)
        return {
            "option": option,
            "score": scores[j],
            "estimate": shares[j],
            "effective_n": effective_n(shares[j], errors["population"]),
            "population": by["population"],
            "respondents": by["respondents"],
        }

    return [category(j, option) for j, option in enumerate(options)]


def effective_n(estimate: float, error: float) -> float:
    """Return the number of answers without privacy with the same error (M21), at the estimate cut to [0, 1]."""
    share = min(max(estimate, 0.0), 1.0)
    return share * (1 - share) / error**2 if 0 < share < 1 else 0.0


def standard_errors(moments: ScoreMoments, totals: Counts, j: int, n: int, part: bool) -> dict[Target, float]:
    """Return the standard errors of category j (M12), from the observed second moment if noise depends on answers
    (M7)."""
    estimate = estimates.shares([moments.scores(totals)[j]], n, moments)
    if isinstance(moments, ChannelMoments):
        by = _observed_errors(moments, float(estimate[0]), totals, j, n)
    else:
        by = {target: estimates.standard_errors(estimate, n, moments, target)[0] for target in estimates.TARGETS}
    return {"population": float(by["population"]), "respondents": float(by["population" if part else "respondents"])}


def _observed_errors(moments: ChannelMoments, estimate: float, totals: Counts, j: int, n: int) -> dict[Target, float]:
    """Return the population's error from the variance of the scores, and the respondents' without the sampling part.

    Both are kept possible: the noise is at least the least for any true answer, even if few or equal reports show less.
    """
    share, square = min(max(estimate, 0.0), 1.0), moments.squares(totals)[j] / n
    noise = [float(row[j]) for row in moments.variances]
    population = min(max(square - share**2, min(noise)), max(noise) + share * (1 - share))
    respondents = min(max(square - share, min(noise)), max(noise))
    return {"population": math.sqrt(population / n), "respondents": math.sqrt(respondents / n)}


def _targets(
    spans: Published, errors: dict[Target, float], totals: list[int], j: int, levels: Sequence[Level], part: bool
) -> dict[Target, Precision]:
    """Return standard errors and intervals for both targets.

    If the n reports are a random part of all, their senders sample the respondents without replacement, so the
    population's numbers are safe for the respondents. Pooled scores at every look have only the population's numbers.
    """
    by: dict[Target, Precision] = {}
    if isinstance(spans, Pooled):
        spans.expect(totals[j], [confidence for level in levels for confidence in level])
    for name in estimates.TARGETS:
        target: Target = "population" if part else name
        ends = [[list(spans.interval(totals, j, confidence, target)) for confidence in level] for level in levels]
        moving = name != target or (name == "respondents" and isinstance(spans, Pooled))
        by[name] = precision(errors[name], levels, ends, spans.method(target), moving)
    return by


def precision(
    error: float, levels: Sequence[Level], spans: Sequence[Sequence[list[float]]], method: str, moving: bool = False
) -> Precision:
    """Return one target's numbers from the intervals at each level: alone, and at once. `moving`: the population's
    interval serves for the respondents' share, which changes at every look, and its sequence is proved only for a
    constant share."""
    covered = method in published.PROVED and not (moving and method == sequences.METHOD)
    (alone, at_once), *others = spans
    stated: Precision = {
        "standard_error": error,
        "interval": alone,
        "simultaneous": at_once,
        "interval_method": method,
        "guarantee": "proved" if covered else "checked",
    }
    if others:
        stated["levels"] = [
            {"confidence": level.alone, "interval": one, "simultaneous": together}
            for level, (one, together) in zip(levels[1:], others, strict=True)
        ]
    return stated


def unbounded(name: str, categories: list[Category]) -> MethodResult:
    """Return the result of a method that has no bound and no total error over its categories."""
    nothing: Worth = {"risk": None, "efficiency": None, "effective_n": None}
    return {"method": name, "at_equal_shares": nothing, "at_estimate": nothing, "categories": categories}
