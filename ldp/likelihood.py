"""The likelihood of reports, for a researcher's models of the true answers (M40).

A model gives the shares of all K combinations of answers, in the order of a sample (ldp/regression/sample.py). A draw
that lists one option per question has a closed-form likelihood of its counts. Any other needs a sum over the
combinations for each different report.

    value = log_likelihood(sample, shares(parameters))      to be maximized
    em(sample, fitted)                                      if the model is easily fitted to clear counts
"""

from collections.abc import Callable

import numpy as np

from ldp.arrays import Values
from ldp.regression.sample import Sample, total

ROUNDS_MAX = 20_000


def log_likelihood(sample: Sample, shares: Values) -> float:
    """Return the log likelihood up to a constant. The shares, (K,), are positive and add up to 1."""
    return float(sample.counts @ np.log(sample.likelihoods(shares)))


def slope(sample: Sample, shares: Values) -> Values:
    """Return the derivatives of the log likelihood with respect to the shares, (K,)."""
    return sample.likelihood_sums(sample.counts / sample.likelihoods(shares))


def expected_counts(sample: Sample, shares: Values) -> Values:
    """Return the expected numbers of respondents with each combination, (K,), given the reports and these shares of the
    population. They add up to n."""
    return np.asarray(shares * slope(sample, shares))


def em(sample: Sample, fitted: Callable[[Values], Values], close: float = 1e-9) -> Values:
    """Return a model's shares of greatest likelihood, (K,), by EM (Dempster, Laird and Rubin 1977). `fitted` turns
    counts of clear answers, (K,), whole or not, into the model's shares, (K,). EM ends when no share moves by more than
    `close`, or after ROUNDS_MAX rounds."""
    k = len(sample.likelihood_sums(np.zeros(len(sample.counts))))
    shares = fitted(np.full(k, total(sample) / k))
    for _ in range(ROUNDS_MAX):
        before, shares = shares, fitted(expected_counts(sample, shares))
        if np.abs(shares - before).max() <= close:
            break
    return shares
