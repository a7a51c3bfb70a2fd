"""The weighted mean of a question whose answers are numbers (M41): ranks of steps, bounds of bins, ends of a one-bit
mean.

Let v_j be the number of answer j, theta_j its weighted share, and theta_0 the share without an answer. The mean is

    m = c + (sum of (v_j - c) theta_j)/(1 - theta_0).

Let u_j be a report's score of theta_j. Its score of the mean is (sum of (v_j - c) u_j + (m - c) u_0)/(1 - theta_0), by
the delta method, as for the weights. Shares add up to 1, so the mean is the same for any c. The middle of the numbers
as c removes noise of bits. Numbers in bins have two means, of the lowest and highest numbers; the true mean is between.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ldp.arrays import Values
from ldp.inference.crossed import SUBGROUP_ERRORS_MIN
from ldp.inference.estimates import onto_simplex
from ldp.inference.intervals import Interval
from ldp.inference.variables import Variable
from ldp.kinds import of as kind_of
from ldp.kinds.protocol import Numbers
from ldp.weighting.margin import Weighted
from ldp.weighting.scores import Law


@dataclass(frozen=True)
class WeightedMean:
    """A weighted and an unweighted mean, if enough people gave an answer."""

    numbers: Numbers
    of: Weighted

    @cached_property
    def _bounds(self) -> tuple[Values, Values]:
        return np.array(self.numbers.lows), np.array(self.numbers.highs)

    @cached_property
    def _centre(self) -> float:
        return float(np.mean(self._bounds))

    @cached_property
    def estimates(self) -> tuple[float, float]:
        """The means of the lower and of the upper bounds."""
        return self._means(self.of.estimates)

    @cached_property
    def unweighted(self) -> tuple[float, float]:
        return self._means(self.of.unweighted)

    def _means(self, shares: Values) -> tuple[float, float]:
        low, high = (self._mean(shares, numbers) for numbers in self._bounds)
        return low, high

    def _mean(self, shares: Values, numbers: Values) -> float:
        k = len(numbers)
        return self._centre + float((numbers - self._centre) @ shares[:k] / (1 - shares[k:].sum()))

    @cached_property
    def _laws(self) -> tuple[Law, ...]:
        """The laws of both bounds' weighted scores."""
        return self.of.sums(self._sums(self.of.estimates, self.estimates))

    def _sums(self, shares: Values, means: Sequence[float]) -> Values:
        """Return the sums of shares whose errors are those of the two means, (d, 2)."""
        k, sums = len(self.numbers.lows), np.zeros((len(shares), 2))
        sums[:k] = np.stack(self._bounds, axis=1) - self._centre
        sums[k:] = np.array(means) - self._centre
        return np.asarray(sums / (1 - shares[k:].sum()))

    @property
    def standard_error(self) -> float:
        """The larger of both bounds' standard errors."""
        return self._error(self._laws)

    @cached_property
    def unweighted_error(self) -> float:
        return self._error(self.of.plain(self._sums(self.of.unweighted, self.unweighted)))

    def _error(self, laws: Sequence[Law]) -> float:
        return float(np.sqrt(max(law.variance for law in laws) / self.of.n))

    @property
    def design_effect(self) -> float:
        """The variance of the weighted mean over that of the unweighted one."""
        return (self.standard_error / self.unweighted_error) ** 2 if self.unweighted_error else 1.0

    @property
    def effective_n(self) -> float:
        """The number of answers from a random part of the population, without privacy, with the same error. A bin's
        numbers count as its middle."""
        k, middles = len(self.numbers.lows), np.mean(self._bounds, axis=0)
        shares = onto_simplex(self.of.estimates)[:k]
        shares = shares / max(shares.sum(), np.finfo(float).tiny)
        spread = float(shares @ (middles - shares @ middles) ** 2)
        return spread / self.standard_error**2 if self.standard_error else 0.0

    def interval(self, confidence: float) -> Interval:
        """Return the interval that contains both bounds, and so every mean between them."""
        spans = [
            law.share_interval(estimate, self.of.n, confidence, float(numbers.min()), float(numbers.max()))
            for law, estimate, numbers in zip(self._laws, self.estimates, self._bounds, strict=True)
        ]
        return Interval(spans[0].low, spans[1].high)


def numbers(question: Variable) -> Numbers | None:
    """Return the numbers that answers count as; None if answers are not numbers."""
    return kind_of(question.question).numbers(question.question) if question.place is None else None


def mean(question: Variable, of: Weighted) -> WeightedMean | None:
    """Return the weighted mean of a question with these shares; None if answers are not numbers, or the share who
    answered is not five standard errors above 0."""
    own = numbers(question)
    if own is None:
        return None
    d, k = len(of.estimates), len(own.lows)
    sums = np.repeat([[0.0], [1.0]], (k, d - k), axis=0)
    answered = [(1 - shares[k:].sum(), laws(sums)[0].variance) for shares, laws in
                ((of.estimates, of.sums), (of.unweighted, of.plain))]  # fmt: skip
    few = any(share <= SUBGROUP_ERRORS_MIN * np.sqrt(variance / of.n) for share, variance in answered)
    return None if few else WeightedMean(own, of)
