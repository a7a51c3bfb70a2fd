"""Everything the results say about one question, from its table and its score totals.

A result is plain JSON data: the numbers of one table and one plot. Most questions have one; a grid has one for each
item. What no report has drawn yet (multiple choice, grid) has no numbers, and is left out until one has.
"""

import math
from typing import Any

import numpy as np

from ldp import bounds
from ldp.inference import estimates, intervals, published
from ldp.inference.estimates import Target
from ldp.inference.projected import onto_simplex
from ldp.inference.published import Published
from ldp.mechanisms import numeric, of
from ldp.mechanisms.randomizer import Randomizer
from ldp.planning import plans
from ldp.scores import ChannelMoments, ScoreMoments, Totals

Result = dict[str, Any]


def results(question: dict[str, Any], totals: Totals, n: int, confidence: float) -> list[Result]:
    """The results of a definition's question, to be read together with its texts, some of which they replace."""
    if question["mechanism"] == "grid":
        return _grid(question, totals, n, confidence)
    return [summarise(question, totals, n, confidence)]


def summarise(question: dict[str, Any], totals: Totals, n: int, confidence: float) -> Result:
    """The bound and, method by method (the default first), estimates with errors and intervals.

    `question` is one of a definition's but for a grid, `totals` its tally over n >= 1 reports.
    """
    if question["mechanism"] in ("one_bit", "laplace_mean"):
        return _mean(question, totals, n, confidence)
    if question["mechanism"] == "multiple":
        return _multiple(question, totals, n, confidence)
    return _shares(question, totals, n, confidence)


class Levels:
    """The confidence of one interval alone, and of each of `together` that hold at once (Bonferroni)."""

    def __init__(self, confidence: float, together: int) -> None:
        self.alone, self.at_once = confidence, intervals.bonferroni(confidence, together)


# Shares of d categories, of which one is each respondent's ---------------------------------------------------------


def _shares(question: dict[str, Any], totals: Totals, n: int, confidence: float) -> Result:
    randomizer = of(question)
    bound, guarantee = _guarantee(randomizer)
    levels = Levels(confidence, randomizer.d)
    return {
        "d": randomizer.d,
        "n_about": n,
        "together": randomizer.d,
        "informative_n": plans.informative_n(question, confidence),
        **guarantee,
        "risk_bound": bound,
        "methods": [
            _method(name, moments, _categories(question["options"], totals[name], n, moments, levels), n, bound)
            for name, moments in randomizer.moments().items()
        ],
    }


def _guarantee(randomizer: Randomizer) -> tuple[float | None, Result]:
    """The minimax bound, which is one for alpha alone, and what the table keeps."""
    realized = randomizer.realized()
    if realized.delta is not None:
        return None, {"realised_alpha": realized.alpha, "realised_delta": realized.delta}
    return bounds.sharp_constant(float(randomizer.alpha), randomizer.d), {"realised_alpha": realized.alpha}


def _method(name: str, moments: ScoreMoments, categories: list[Result], n: int, bound: float | None) -> Result:
    """How much the method tells, at equal shares and at the estimated ones, put on the simplex (M14, M19, M21)."""
    d = len(categories)
    found = onto_simplex([category["estimate"] for category in categories]).tolist()
    return {
        "method": name,
        "at_equal_shares": _worth(moments, n, [1 / d] * d, bound),
        "at_estimate": _worth(moments, n, found, bound),
        "categories": categories,
    }


def _worth(moments: ScoreMoments, n: int, shares: list[float], bound: float | None) -> Result:
    """`risk` is n times the total squared error. At shares other than equal ones the best mechanism's risk is the bound
    with its sampling error 1 - 1/d replaced by theirs: the noise of an unbiased estimate is the same at all shares."""
    risk, spread = bounds.risk(moments, shares), 1 - sum(share**2 for share in shares)
    best = bound and bound - (1 - 1 / len(shares)) + spread
    return {"risk": risk, "efficiency": best and best / risk, "effective_n": bounds.effective_n(moments, n, 0, shares)}


def _categories(
    options: list[str], totals: list[int], n: int, moments: ScoreMoments, levels: Levels, part: bool = False
) -> list[Result]:
    """One result per option; `part` says that the n reports are a random part of all (see _targets)."""
    shares = estimates.shares(moments.scores(totals), n, moments)
    spans = published.of(moments, n)
    errors = [_errors(moments, totals, j, n, part) for j in range(len(options))]
    return [
        {
            "option": option,
            "score": moments.scores(totals)[j],
            "estimate": float(shares[j]),
            "effective_n": _effective_n(float(shares[j]), errors[j]["population"]),
            **_targets(spans, errors[j], totals, j, levels, part),
        }
        for j, option in enumerate(options)
    ]


def _effective_n(estimate: float, error: float) -> float:
    """How many answers without privacy would tell this share as precisely (M21), at the estimate cut to [0, 1]."""
    share = min(max(estimate, 0.0), 1.0)
    return share * (1 - share) / error**2 if 0 < share < 1 else 0.0


def _errors(moments: ScoreMoments, totals: list[int], j: int, n: int, part: bool) -> dict[Target, float]:
    """Standard errors. Where the noise depends on the unknown answers (M7), from the observed second moment.

    That is the scores' own variance, and for the respondents what is left once the answers' part, a share, is gone.
    """
    estimate = estimates.shares([moments.scores(totals)[j]], n, moments)
    if not isinstance(moments, ChannelMoments):
        by = {target: estimates.standard_errors(estimate, n, moments, target)[0] for target in estimates.TARGETS}
    else:
        share, square = min(max(float(estimate[0]), 0.0), 1.0), moments.squares(totals)[j] / n
        by = {"population": math.sqrt((square - share**2) / n), "respondents": math.sqrt(max(square - share, 0.0) / n)}
    return {"population": float(by["population"]), "respondents": float(by["population" if part else "respondents"])}


def _targets(
    spans: Published, errors: dict[Target, float], totals: list[int], j: int, levels: Levels, part: bool
) -> Result:
    """Standard errors and intervals for both targets.

    Where n reports are a random part of all, those respondents are a sample even of the respondents: without
    replacement, so the population's numbers are safe for the respondents too.
    """
    found: Result = {}
    for name in estimates.TARGETS:
        target: Target = "population" if part else name
        alone, at_once = (list(spans.interval(totals, j, c, target)) for c in (levels.alone, levels.at_once))
        found[name] = _precision(errors[name], alone, at_once, spans.method(target))
    return found


def _precision(error: float, alone: list[float], at_once: list[float], method: str) -> Result:
    return {
        "standard_error": error,
        "interval": alone,
        "simultaneous": at_once,
        "interval_method": method,
        "guarantee": "proved" if method in published.PROVED else "checked",
    }


# Several items, each counted over the reports that drew it (M9) ------------------------------------------------------


def _multiple(question: dict[str, Any], totals: Totals, n: int, confidence: float) -> Result:
    randomizer, drawn = of(question), totals["drawn"]
    (name, moments), d = randomizer.default(), randomizer.d
    levels = Levels(confidence, d)
    categories = [
        {"n_about": drawn[j]} | _item(option, totals[name][j], drawn[j], moments, levels, drawn[j] < n)
        for j, option in enumerate(question["options"])
        if drawn[j]
    ]
    return {
        "d": d,
        "n_about": n,
        "together": d,
        "informative_n": plans.informative_n(question, confidence),
        "options": [category["option"] for category in categories],
        "realised_alpha": randomizer.realized().alpha,
        "risk_bound": None,
        "methods": [_unbounded(name, categories)],
    }


def _item(option: str, total: int, n: int, moments: ScoreMoments, levels: Levels, part: bool) -> Result:
    return _categories([option], [total], n, moments, levels, part)[0]


def _unbounded(name: str, categories: list[Result]) -> Result:
    """No bound is known for what is asked here, and no total over its parts."""
    nothing = {"risk": None, "efficiency": None, "effective_n": None}
    return {"method": name, "at_equal_shares": nothing, "at_estimate": nothing, "categories": categories}


def _grid(question: dict[str, Any], totals: Totals, n: int, confidence: float) -> list[Result]:
    """The intervals of all options of all items hold together, drawn or not."""
    randomizer, found = of(question), []
    (name, moments), d = randomizer.default(), randomizer.d
    together = d * len(question["items"])
    levels = Levels(confidence, together)
    for i, item in enumerate(question["items"]):
        counts = totals[name][i * d : (i + 1) * d]
        drawn = sum(counts)
        if drawn:
            categories = _categories(question["options"], counts, drawn, moments, levels, part=drawn < n)
            found.append(
                {
                    "key": f"{question['key']}.{i + 1}",
                    "text": f"{question['text']} — {item}",
                    "d": d,
                    "n_about": drawn,
                    "together": together,
                    "informative_n": plans.informative_n(question, confidence),
                    "realised_alpha": randomizer.realized().alpha,
                    "risk_bound": None,
                    "methods": [_method(name, moments, categories, drawn, None)],
                }
            )
    return found


# The mean of a number (M8) -------------------------------------------------------------------------------------------


def _mean(question: dict[str, Any], totals: Totals, n: int, confidence: float) -> Result:
    """One category, "mean", on the question's own scale."""
    randomizer = of(question)
    low, high = float(question["low"]), float(question["high"])
    name, moments = randomizer.default()
    total = moments.scores(totals[name])[0]
    category = {
        "option": "mean",
        "score": total,
        "estimate": low + (high - low) * float(estimates.shares([total], n, moments)[0]),
        "effective_n": None,
    }
    spans = published.of(moments, n)
    for target in estimates.TARGETS:
        # The bits of given respondents have different chances, which makes their sum less variable (Hoeffding 1956):
        # the population's numbers are safe for the respondents too.
        its: Target = target if isinstance(moments, ChannelMoments) else "population"
        span = [low + (high - low) * end for end in spans.interval(totals[name], 0, confidence, its)]
        error = (high - low) * math.sqrt(_mean_variance(moments, totals[name], n, its) / n)
        category[target] = _precision(error, span, span, spans.method(its))
    return {
        "d": 1,
        "n_about": n,
        "together": 1,
        "informative_n": plans.informative_n(question, confidence),
        "options": ["mean"],
        "realised_alpha": randomizer.realized().alpha,
        "risk_bound": None,
        "methods": [_unbounded(name, [category])],
    }


def _mean_variance(moments: ScoreMoments, counts: list[int], n: int, target: Target) -> float:
    """n times the variance of the mean, the range being 0..1.

    Laplace: the scores' own variance, kept between what the noise alone and what noise and the widest law of answers
    with this mean give; for the respondents the noise and the rounding to the grid, at most 1/(4 G^2).
    """
    mean = float(estimates.shares([moments.scores(counts)[0]], n, moments)[0])
    share = min(max(mean, 0.0), 1.0)
    if not isinstance(moments, ChannelMoments):
        return float(estimates.unit_variances(np.array(share), moments, "population"))
    variances = numeric.noise(moments)
    if target == "respondents":
        return float(max(variances)) + 1 / (4 * (len(variances) - 1) ** 2)
    widest = float(max(variances)) + share * (1 - share)
    return float(np.clip(moments.squares(counts)[0] / n - mean**2, float(min(variances)), widest))
