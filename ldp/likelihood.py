"""The likelihood of reports, for a researcher's own models of the answers behind them (M40).

A model determines the shares of all combinations of answers, (K,), in the order of a sample (ldp/regression/sample.py).
For a draw that lists one option of each question the likelihood is a closed form of its counts; else it is a sum over
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
    """Return the log likelihood up to a constant; the shares, (K,), are above 0 and add up to 1."""
    return float(sample.counts @ np.log(sample.likelihoods(shares)))


def slope(sample: Sample, shares: Values) -> Values:
    """Return the derivatives of the log likelihood by the shares, (K,)."""
    return sample.likelihood_sums(sample.counts / sample.likelihoods(shares))


def expected_counts(sample: Sample, shares: Values) -> Values:
    """Return the expected numbers of respondents with each combination given the reports, (K,), if the population has
    these shares. They add up to n."""
    return np.asarray(shares * slope(sample, shares))


def em(sample: Sample, fitted: Callable[[Values], Values], close: float = 1e-9) -> Values:
    """Return the shares of greatest likelihood in a model, (K,), by EM (Dempster, Laird and Rubin 1977). `fitted`
    returns the model's shares, (K,), for counts of clear answers, (K,), which need not be whole. EM ends when no share
    moves by more than `close`, or after ROUNDS_MAX rounds."""
    k = len(sample.likelihood_sums(np.zeros(len(sample.counts))))
    shares = fitted(np.full(k, total(sample) / k))
    for _ in range(ROUNDS_MAX):
        before, shares = shares, fitted(expected_counts(sample, shares))
        if np.abs(shares - before).max() <= close:
            break
    return shares
