"""Everything the results say about one question, from its table and its score totals.

A result is plain JSON data: the numbers of one table and one plot. Most questions have one; a grid has one for each
item. What no report has drawn yet (multiple choice, grid) has no numbers, and is left out until one has.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from ldp import bounds
from ldp.exact import parse_alpha
from ldp.inference import estimates, intervals
from ldp.inference.estimates import Target
from ldp.mechanisms import Channel, noise, numeric, of
from ldp.scores import ChannelLaw, ScoreLaw
from ldp.tally import Totals

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


# Shares of d categories, of which one is each respondent's ---------------------------------------------------------


def _shares(question: dict[str, Any], totals: Totals, n: int, confidence: float) -> Result:
    channel, alpha = of(question), parse_alpha(question["alpha"])
    bound, guarantee = _guarantee(question, channel, alpha)
    return {
        "d": channel.d,
        "n": n,
        **guarantee,
        "bound": bound,
        "methods": [
            {
                "method": name,
                "interval_method": intervals.method(law),
                "efficiency": bound and bound / bounds.uniform_risk(law, channel.d),
                "effective_n": bounds.effective_n(law, n, channel.d),
                "categories": _categories(question["options"], totals[name], n, law, confidence),
            }
            for name, law in channel.mechanism.laws(channel.table, channel.d).items()
        ],
    }


def _guarantee(question: dict[str, Any], channel: Channel, alpha: Fraction) -> tuple[float | None, Result]:
    """The minimax bound, which is one for alpha alone, and what the table realises."""
    mechanism, d, table = channel
    if "delta" not in question:
        return bounds.sharp_constant(float(alpha), d), {"realised_alpha": mechanism.realised_alpha(table, d)}
    realised = noise.realised_alpha(table, d, Fraction(question["delta"]))
    return None, {"realised_alpha": realised, "realised_delta": noise.realised_delta(table, alpha)}


def _categories(
    options: list[str], totals: list[int], n: int, law: ScoreLaw, confidence: float, part: bool = False
) -> list[Result]:
    """One result per option; `part` says that the n reports are a random part of all (see _targets)."""
    scores = law.scores(totals)
    shares = estimates.shares(scores, n, law)
    together = intervals.bonferroni(confidence, len(options))
    return [
        {"option": option, "score": totals[j], "estimate": float(shares[j])}
        | _targets(scores[j], n, law.of(j, shares), (confidence, together), part)
        for j, option in enumerate(options)
    ]


def _targets(total: float, n: int, law: ScoreLaw, confidences: tuple[float, float], part: bool) -> Result:
    """Standard errors and intervals for both targets.

    Where n reports are a random part of all, those respondents are a sample even of the respondents: without
    replacement, so the population's numbers are safe for the respondents too.
    """
    estimate = estimates.shares([total], n, law)
    found: Result = {}
    for name in estimates.TARGETS:
        target: Target = "population" if part else name
        alone, together = (intervals.interval(total, n, law, c, target) for c in confidences)  # type: ignore[arg-type]
        error = estimates.standard_errors(estimate, n, law, target)[0]
        found[name] = _precision(error, alone, together)
    return found


def _precision(error: float, alone: Iterable[float], together: Iterable[float]) -> Result:
    return {"standard_error": float(error), "interval": list(alone), "simultaneous": list(together)}


# Several items, each counted over the reports that drew it (M9) ------------------------------------------------------


def _multiple(question: dict[str, Any], totals: Totals, n: int, confidence: float) -> Result:
    mechanism, d, table = of(question)
    (name, law), drawn = next(iter(mechanism.laws(table, d).items())), totals["drawn"]
    together = intervals.bonferroni(confidence, d)
    categories = []
    for j, option in enumerate(question["options"]):
        if drawn[j]:
            total = totals[name][j]
            estimate = float(estimates.shares([total], drawn[j], law)[0])
            part = drawn[j] < n
            precision = _targets(total, drawn[j], law, (confidence, together), part)
            categories.append({"option": option, "n": drawn[j], "score": total, "estimate": estimate} | precision)
    return {
        "d": d,
        "n": n,
        "options": [category["option"] for category in categories],
        "realised_alpha": mechanism.realised_alpha(table, d),
        "bound": None,
        "methods": [_method(name, law, categories)],
    }


def _grid(question: dict[str, Any], totals: Totals, n: int, confidence: float) -> list[Result]:
    mechanism, d, table = of(question)
    (name, law), found = next(iter(mechanism.laws(table, d).items())), []
    for i, item in enumerate(question["items"]):
        counts = totals[name][i * d : (i + 1) * d]
        drawn = sum(counts)
        if drawn:
            categories = _categories(question["options"], counts, drawn, law, confidence, part=drawn < n)
            effective = bounds.effective_n(law, drawn, d)
            found.append(
                {
                    "key": f"{question['key']}.{i + 1}",
                    "text": f"{question['text']} — {item}",
                    "d": d,
                    "n": drawn,
                    "realised_alpha": mechanism.realised_alpha(table, d),
                    "bound": None,
                    "methods": [_method(name, law, categories) | {"effective_n": effective}],
                }
            )
    return found


def _method(name: str, law: ScoreLaw, categories: list[Result]) -> Result:
    """No bound is known for what is asked here, so there is no efficiency."""
    method = intervals.method(law)
    empty = {"efficiency": None, "effective_n": None}
    return {"method": name, "interval_method": method, **empty, "categories": categories}


# The mean of a number (M8) -------------------------------------------------------------------------------------------


def _mean(question: dict[str, Any], totals: Totals, n: int, confidence: float) -> Result:
    """One category, "mean", on the question's own scale."""
    mechanism, d, table = of(question)
    low, high = float(question["low"]), float(question["high"])
    name, law = next(iter(mechanism.laws(table, d).items()))
    total = law.scores(totals[name])[0]
    category = {
        "option": "mean",
        "score": total,
        "estimate": low + (high - low) * float(estimates.shares([total], n, law)[0]),
    }
    for target in estimates.TARGETS:
        its_law, its_target = _mean_law(law, totals[name], n, target)
        error = estimates.standard_errors(estimates.shares([total], n, its_law), n, its_law, its_target)[0]
        span = [low + (high - low) * end for end in intervals.interval(total, n, its_law, confidence, its_target)]
        category[target] = _precision((high - low) * error, span, span)
    return {
        "d": 1,
        "n": n,
        "options": ["mean"],
        "realised_alpha": mechanism.realised_alpha(table, d),
        "bound": None,
        "methods": [_method(name, law, [category])],
    }


def _mean_law(law: ScoreLaw, counts: list[int], n: int, target: Target) -> tuple[ScoreLaw, Target]:
    """The law, and the target of the formulas, that give the variance for a target of the mean.

    One bit: the bits of a sample are Bernoulli with the same chance. Those of given respondents have different chances,
    which makes their sum less variable (Hoeffding 1956), so the same numbers are safe for the respondents.
    Laplace: the scores' own variance, kept between what the noise alone and what noise and the widest law of answers
    with this mean give; for the respondents the noise and the rounding to the grid, at most 1/(4 G^2).
    """
    if not isinstance(law, ChannelLaw):
        return law, "population"
    variances = numeric.noise(law)
    if target == "respondents":
        variance = float(max(variances)) + 1 / (4 * (len(variances) - 1) ** 2)
    else:
        mean = law.scores(counts)[0] / n
        share = min(max(mean, 0.0), 1.0)
        widest = float(max(variances)) + share * (1 - share)
        variance = float(np.clip(law.squares(counts)[0] / n - mean**2, float(min(variances)), widest))
    flat = Fraction(variance)
    return ScoreLaw(Fraction(1), flat, Fraction(0), flat), "respondents"
