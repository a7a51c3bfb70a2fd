"""How likely reports are, for models of one's own of the answers behind them (M40).

A model gives shares of all combinations of answers, (K,), in the order of a sample (ldp/regression/sample.py). Of a
draw that lists one option of each the likelihood is a closed form of its counts; of other questions it is a sum over
the combinations for each different report.

    value = log_likelihood(sample, shares(parameters))      to be maximized
    em(sample, fitted)                                      where the model is easily fitted to clear counts
"""

from collections.abc import Callable

import numpy as np

from ldp.arrays import Values
from ldp.regression.sample import Sample, total

ROUNDS_MAX = 20_000


def log_likelihood(sample: Sample, shares: Values) -> float:
    """But for a constant; the shares are above 0, and add up to 1."""
    return float(sample.counts @ np.log(sample.likelihoods(shares)))


def slope(sample: Sample, shares: Values) -> Values:
    """The log likelihood's slope by each share, (K,)."""
    return sample.likelihood_sums(sample.counts / sample.likelihoods(shares))


def expected_counts(sample: Sample, shares: Values) -> Values:
    """How many respondents with each combination are expected behind the reports, (K,), where the shares are those of
    the population: they add up to n."""
    return np.asarray(shares * slope(sample, shares))


def em(sample: Sample, fitted: Callable[[Values], Values], close: float = 1e-9) -> Values:
    """The shares of greatest likelihood in a model, (K,), by EM (Dempster, Laird and Rubin 1977): `fitted` gives the
    model's shares for clear counts (K,), which need not be whole. It ends when no share moves by more than `close`."""
    k = len(sample.likelihood_sums(np.zeros(len(sample.counts))))
    shares = fitted(np.full(k, total(sample) / k))
    for _ in range(ROUNDS_MAX):
        before, shares = shares, fitted(expected_counts(sample, shares))
        if np.abs(shares - before).max() <= close:
            break
    return shares
