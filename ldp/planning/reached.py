"""How narrow the intervals of a release are.

A half-width is the distance from the estimate to the farther end of its interval, a share of the scale: an interval
that is cut at 0 or 1 counts no less for it, and luck at the ends of the scale ends no survey early.
"""

from typing import Any

from ldp.document import QuestionResult


def half_width(results: list[QuestionResult], parts: int, low: float = 0.0, high: float = 1.0) -> float:
    """The widest of a question's intervals that hold at once, on its scale low..high, as a share of it; infinite while
    no report is about one of its `parts` or options."""
    complete = len(results) == parts and all(_complete(result) for result in results)
    sides = [
        max(farther(category["estimate"], *category["population"]["simultaneous"]) for category in _categories(result))
        for result in results
        if _categories(result)
    ]
    return max(sides) / (high - low) if complete else float("inf")


def farther(estimate: float, low: float, high: float) -> float:
    """From the estimate, put between the ends, to the farther one."""
    inside = min(max(estimate, low), high)
    return max(inside - low, high - inside)


def _categories(result: QuestionResult) -> Any:
    return result["methods"][0]["categories"]


def _complete(result: QuestionResult) -> bool:
    return len(_categories(result)) == result["d"]
