"""Everything the results say about one question, from its table and its score totals."""

from typing import Any

from ldp import bounds, estimates, intervals
from ldp.exact import parse_alpha
from ldp.mechanisms import MECHANISMS
from ldp.scores import ScoreLaw
from ldp.tally import Totals


def summarise(question: dict[str, Any], totals: Totals, n: int, confidence: float) -> dict[str, Any]:
    """The bound and, method by method (the default first), estimates with errors and intervals.

    `question` is one of a definition's, `totals` its tally over n >= 1 reports. The result is plain JSON data.
    """
    d, alpha = len(question["options"]), float(parse_alpha(question["alpha"]))
    mechanism = MECHANISMS[question["mechanism"]]
    laws = mechanism.laws(question["table"], d)
    return {
        "d": d,
        "realised_alpha": mechanism.realised_alpha(question["table"], d),
        "bound": bounds.sharp_constant(alpha, d),
        "methods": [
            {
                "method": name,
                "interval_method": intervals.method(law),
                "efficiency": bounds.efficiency(law, alpha, d),
                "effective_n": bounds.effective_n(law, n, d),
                "categories": _categories(question["options"], totals[name], n, law, confidence),
            }
            for name, law in laws.items()
        ],
    }


def _categories(
    options: list[str], totals: list[int], n: int, law: ScoreLaw, confidence: float
) -> list[dict[str, Any]]:
    shares = estimates.shares(totals, n, law)
    errors = {target: estimates.standard_errors(shares, n, law, target) for target in estimates.TARGETS}
    together = intervals.bonferroni(confidence, len(options))
    return [
        {"option": option, "score": total, "estimate": float(shares[j])}
        | {
            target: {
                "standard_error": float(errors[target][j]),
                "interval": list(intervals.interval(total, n, law, confidence, target)),
                "simultaneous": list(intervals.interval(total, n, law, together, target)),
            }
            for target in estimates.TARGETS
        }
        for j, (option, total) in enumerate(zip(options, totals, strict=True))
    ]
