"""What is expected of very many reports before anybody answers, by the law of their answers (M40).

A fit, its standard errors and whether it is refused rest on the means and products of the reports' scores alone, so
reports whose scores have the right mean and covariance at each answer stand for all that can be sent.
"""

from collections.abc import Sequence

import numpy as np

from ldp import exact
from ldp.arrays import Values
from ldp.forms.marginals import JointTally
from ldp.inference.estimates import channel_covariance, channel_rows, covariance
from ldp.inference.variables import Variable
from ldp.mechanisms import joint
from ldp.regression.sample import JointSample, ReportSample
from ldp.scores import ChannelMoments

# Counts are whole: of so many reports as expected, nothing is lost by that.
MANY = 10**12


def together(law: Values, table: exact.Table) -> JointSample:
    """Questions that are randomized together, by the table of their tuples; the law has the shape of their answers."""
    moments = joint.moments(table, law.shape)["support"]
    came = float(moments.b) + float(moments.gap) * law.ravel()
    counts = tuple(np.round(came * MANY).astype(np.int64).tolist())
    return JointSample(JointTally(table, law.shape, counts), tuple(range(law.ndim)))


def apart(law: Values, variables: Sequence[Variable]) -> ReportSample:
    """Questions with draws of their own, in the order of the law's axes. It has no likelihoods."""
    phi = tuple(
        np.concatenate([_reports(each, x) for x in range(d)]) for each, d in zip(variables, law.shape, strict=True)
    )
    each = [np.repeat(np.eye(d), 2 * d, axis=1) / (2 * d) for d in law.shape]
    chances = law
    for own in each:
        chances = np.tensordot(chances, own, (0, 0))
    places = np.indices(chances.shape).reshape(law.ndim, -1).T
    return ReportSample(law.shape, phi, phi, places, np.round(chances.ravel() * MANY).astype(np.int64))


def _reports(variable: Variable, x: int) -> Values:
    """Scores (2 d, d), each as often, with the mean and the covariance of those of reports of the answer x."""
    d = len(variable.options)
    values, vectors = np.linalg.eigh(_covariance(variable, np.eye(d)[x]))
    steps = (vectors * np.sqrt(d * np.maximum(values, 0))).T
    return np.asarray(np.eye(d)[x] + np.concatenate([steps, -steps]))


def _covariance(variable: Variable, shares: Values) -> Values:
    """That of a report's scores where the answers have these shares, (d, d)."""
    if isinstance(variable.moments, ChannelMoments) and variable.phi is not None:
        return channel_covariance(shares, 1, channel_rows(variable.moments), variable.phi, "population")
    return covariance(shares, 1, variable.moments, variable.pair, "population")
