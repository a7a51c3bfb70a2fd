"""How surely the squares of the residual scores are above 0: what a fit rests on where an answer is rare (M40).

By the information identity the mean of (d @ grad l)^2 is the curvature along d. But the curvature takes its weights
mu (1 - mu) from the fitted parameters, so that noise which pushes a rare answer up makes it large, and seem known. The
squares are counted from the reports themselves, and have their noise: where an answer is given by nearly none of a
group they are that answer's share in the group, and its own standard error.
"""

from dataclasses import dataclass

import numpy as np

from ldp.arrays import Values
from ldp.regression.design import Design
from ldp.regression.models import Model
from ldp.regression.sample import Sample

_NONE = 1e-12


@dataclass(frozen=True)
class Squares:
    """The mean square in each direction: how many of its own standard errors it is above 0, infinite without an error,
    and by how much each different report differs from it, (v, directions)."""

    errors: Values
    differing: Values


def squares(design: Design, judged: Design, model: Model, sample: Sample, parameters: Values) -> Squares:
    """In the directions of the groups of the judged design."""
    along = (model.gradient(parameters) @ _directions(design, _groups(judged), len(parameters))) ** 2
    mean, n = sample.shares @ along, sample.counts.sum()
    differing = sample.weighted(along) - mean
    error = np.sqrt(sample.counts @ differing**2) / n
    known = error <= _NONE * np.abs(mean)
    return Squares(np.where(known, np.inf, mean / np.where(known, 1.0, error)), differing)


def _directions(design: Design, groups: Values, m: int) -> Values:
    """Each group of answers with each of the outcome's logits, and with all of them, (m, directions)."""
    columns = np.linalg.lstsq(design.x, groups)[0]
    p = len(columns)
    if design.specification.model == "ordered":
        return np.vstack([columns[1:], -np.repeat(columns[:1], m - p + 1, axis=0)])
    logits = [*np.eye(m // p), np.ones(m // p)]
    return np.hstack([np.kron(logit[:, None], columns) for logit in logits])


def _groups(design: Design) -> Values:
    """Everybody, those with each answer to a covariate, with scores the distance from either end, and products, (K,
    groups)."""
    products = [column for levels, column in zip(design.terms, design.x.T, strict=True) if len(levels) > 1]
    groups = [np.ones(len(design.options)), *products]
    for place, covariate in enumerate(design.specification.covariates, 1):
        given = design.options[:, place]
        if covariate.scores is None:
            groups += [(given == option).astype(np.float64) for option in range(design.shape[place])]
        else:
            scores = np.array(covariate.scores, dtype=np.float64)[given]
            groups += [scores - scores.min(), scores.max() - scores]
    return np.stack(groups, axis=1)
