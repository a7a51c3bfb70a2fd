"""Coverage of totals whose law is known, as a sum, for benchmarks.coverage."""

from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction

from scipy import stats

from benchmarks.coverage_cells import CONFIDENCE, Cell
from ldp.inference import convolution, intervals, published
from ldp.inference.convolution import TotalLaw
from ldp.inference.estimates import TARGETS
from ldp.mechanisms import SAMPLING_OPTIONS
from ldp.scores import ScoreMoments, SumMoments, Target

ITEMS = 3
"""The items of a grid. The coverage of an item, or of an option of a multiple choice, is over the reports that drew it,
at any number of these."""


def laws_of_answers(d: int) -> dict[str, list[tuple[float, int]]]:
    """Return, by name, the shares, each with the number of categories that have it."""
    if d == 1:
        return {f"mean {share:g}": [(share, 1)] for share in (0.0, 0.01, 0.1, 0.5)}
    return {
        "equal": [(1 / d, d)],
        "all in one": [(1.0, 1), (0.0, d - 1)],
        "99, 1": [(0.99, 1), (0.01, 1), (0.0, d - 2)],
    }


def known(cell: tuple[str, str, str, int, int], moments: ScoreMoments) -> Iterator[Cell]:
    name, method, alpha, n, d = cell
    spans = published.of(moments, n)
    items = ITEMS if name == "grid" else 1
    together = intervals.bonferroni(CONFIDENCE, d * items)
    beyond = Tail(moments, n)
    for target in ("population",) if name == "one_bit" else TARGETS:
        for answers, shares in (laws_of_options(d) if name in SAMPLING_OPTIONS else laws_of_answers(d)).items():
            if target == "respondents" and any((share * n) % 1 for share, _ in shares):
                continue
            missed = [
                [miss(spans, beyond, n, share, level, target) for level in (CONFIDENCE, together)]
                for share, count in shares
            ]
            at_once = items * sum(count * pair[1] for pair, (_, count) in zip(missed, shares, strict=True))
            alone = max(pair[0] for pair in missed)
            yield Cell(name, method, target, alpha, n, d, answers, 1 - alone, 1 - at_once)


def laws_of_options(d: int) -> dict[str, list[tuple[float, int]]]:
    """Return laws in which every option applies to the same share of people."""
    return {f"each {share:g}": [(share, d)] for share in (0.0, 0.01, 0.2, 0.5)}


class Tail:
    """P(S >= total) at a share, and the range of totals."""

    def __init__(self, moments: ScoreMoments, n: int) -> None:
        self._law, self._n = moments, n
        self._total = TotalLaw(n, convolution.lattice(moments)) if isinstance(moments, SumMoments) else None
        self.totals = range(self._total.low, self._total.high + 2) if self._total else range(n + 2)

    def __call__(self, total: int, share: float, target: Target) -> float:
        if self._total:
            return self._total.at_least(total, share, target)
        if target == "respondents":
            return intervals.tails(total, self._n, round(share * self._n), self._law)[1]
        return float(stats.binom.sf(total - 1, self._n, float(self._law.b + self._law.gap * Fraction(share))))


def miss(spans: published.Published, beyond: Tail, n: int, share: float, level: float, target: Target) -> float:
    """Return the chance that the interval does not hold the share."""
    top = beyond.totals[-1]

    def ends(total: int) -> intervals.Interval:
        return intervals.Interval(1.0, 1.0) if total == top else spans.interval([total], 0, level, target)

    first = beyond.totals[bisect_left(beyond.totals, True, key=lambda total: ends(total).high >= share - 1e-12)]
    above = bisect_left(beyond.totals, True, key=lambda total: total == top or ends(total).low > share + 1e-12)
    over = beyond(beyond.totals[above], share, target) if beyond.totals[above] < top else 0.0
    return 1 - beyond(first, share, target) + over
