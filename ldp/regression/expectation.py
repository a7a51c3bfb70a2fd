"""The expected sample of very many reports, by the law of their answers (M40).

A fit, its standard errors and its refusal depend only on the means and products of the reports' scores. So reports
whose scores have the right mean and covariance at each answer can represent all possible reports.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial, reduce

import numpy as np

from ldp import exact
from ldp.arrays import Values
from ldp.forms.marginals import JointTally
from ldp.inference.crossed import score_covariance
from ldp.inference.product_subsets import Listing
from ldp.inference.variables import Variable
from ldp.regression.sample import JointSample, ReportSample, Sample

# Counts are whole. With this many expected reports rounding loses nothing.
MANY = 10**12


def together(law: Values, keep: int, sizes: Sequence[int]) -> Sample:
    """Return the sample of questions of one draw with this chance to keep, times 2^53, and these numbers of listed
    options. The law has an axis for each question. A sample has no likelihoods if reports list more than one option."""
    lam, d = keep / exact.RESOLUTION, law.size
    if any(size > 1 for size in sizes):
        return _by_answers(law, (law.size,), [_reports_of(_covariance_of_draw(law.shape, sizes, lam), d)], law.shape)
    came = (1 - lam) / d + lam * law.ravel()
    counts = tuple(np.round(came * MANY).astype(np.int64).tolist())
    table = {"keep": keep, "sizes": list(sizes)}
    return JointSample(JointTally(table, law.shape, counts), tuple(range(law.ndim)))


def _covariance_of_draw(shape: tuple[int, ...], sizes: Sequence[int], lam: float) -> Callable[[int], Values]:
    """Return a function from a combination to the covariance, (d, d), of all combinations' scores in reports of people
    with it."""
    d = math.prod(shape)
    listings = [Listing(k, a) for a, k in zip(sizes, shape, strict=True)]
    kept = [each.weights @ each.containing @ each.weights.T for each in listings]
    anyhow = [each.weights @ each.random @ each.weights.T for each in listings]
    off = (1 - lam) / lam / d

    def covariance(x: int) -> Values:
        places = np.unravel_index(x, shape)
        true = _crossed([own[place] for own, place in zip(kept, places, strict=True)])
        second = (lam * true + (1 - lam) * _crossed(anyhow)) / lam**2
        truth = np.eye(d)[x]
        # The mean of the product over lambda is the truth plus the shift that scores subtract.
        mean = truth + off
        return np.asarray(second - np.outer(mean, mean))

    return covariance


def _crossed(each: Sequence[Values]) -> Values:
    return reduce(lambda one, other: np.asarray(np.kron(one, other)), each)


def apart(law: Values, variables: Sequence[Variable]) -> ReportSample:
    """Return the sample of questions with separate draws, one for each axis of the law. It has no likelihoods."""
    each = [_reports_of(partial(_of_answer, own), d) for own, d in zip(variables, law.shape, strict=True)]
    return _by_answers(law, law.shape, each, law.shape)


def _by_answers(law: Values, sizes: tuple[int, ...], phi: Sequence[Values], shape: tuple[int, ...]) -> ReportSample:
    """Return the reports of factors with these numbers of combinations, in the order of the law."""
    law = law.reshape(sizes)
    each = [np.repeat(np.eye(d), 2 * d, axis=1) / (2 * d) for d in sizes]
    chances = law
    for spread in each:
        chances = np.tensordot(chances, spread, (0, 0))
    places = np.indices(chances.shape).reshape(len(sizes), -1).T
    own = tuple(phi)
    return ReportSample(shape, own, own, places, np.round(chances.ravel() * MANY).astype(np.int64))


def _reports_of(covariance: Callable[[int], Values], d: int) -> Values:
    """Return scores, (2 d d, d). For each of d answers, 2 d equally frequent scores have the mean and covariance of the
    scores in its reports."""
    each = []
    for x in range(d):
        values, vectors = np.linalg.eigh(covariance(x))
        steps = (vectors * np.sqrt(d * np.maximum(values, 0))).T
        each.append(np.eye(d)[x] + np.concatenate([steps, -steps]))
    return np.concatenate(each)


def _of_answer(variable: Variable, x: int) -> Values:
    return score_covariance(variable, np.eye(len(variable.options))[x])


def share_variance(variable: Variable) -> float:
    """Return the variance of a report's score of an option, averaged over the options, at equal shares."""
    d = len(variable.options)
    return float(np.diag(score_covariance(variable, np.full(d, 1 / d))).mean())
