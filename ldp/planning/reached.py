"""How narrow the intervals of a release are.

A half-width is the distance from the estimate to the farther end of its interval, a share of the scale, and never less
than the normal interval's that is cut nowhere: an interval that is cut at 0 or 1 counts no less for it, and luck at the
ends of the scale, or beyond them, ends no survey early (M37).
"""

from typing import Any

from ldp.document import Category, QuestionResult
from ldp.planning.outlook import Target, quantile


def half_width(
    results: list[QuestionResult],
    parts: int,
    confidence: float,
    low: float = 0.0,
    high: float = 1.0,
    target: Target = "population",
) -> float:
    """The widest of a question's intervals that hold at once, with this confidence, on its scale low..high, as a share
    of it; infinite while no report is about one of its `parts` or options."""
    complete = len(results) == parts and all(_complete(result) for result in results)
    sides = [
        max(_half(category, confidence, result["together"], target) for category in _categories(result))
        for result in results
        if _categories(result)
    ]
    return max(sides) / (high - low) if complete else float("inf")


def _half(category: Category, confidence: float, together: int, target: Target) -> float:
    about = category[target]
    cut = farther(category["estimate"], *about["simultaneous"])
    return max(cut, normal(about["standard_error"], confidence, together))


def normal(standard_error: float, confidence: float, together: int) -> float:
    """The half-width of a normal interval, cut nowhere, of which so many hold at once. The standard error is that of a
    possible share or mean, wherever the estimate lies, so this is what luck cannot shorten."""
    return quantile(confidence, together) * standard_error


def farther(estimate: float, low: float, high: float) -> float:
    """From the estimate, put between the ends, to the farther one."""
    inside = min(max(estimate, low), high)
    return max(inside - low, high - inside)


def _categories(result: QuestionResult) -> Any:
    return result["methods"][0]["categories"]


def _complete(result: QuestionResult) -> bool:
    return len(_categories(result)) == result["d"]
