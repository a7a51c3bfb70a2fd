"""The references of a regression's coefficients do not decide whether it is refused (M40)."""

import itertools

import numpy as np
import pytest

from benchmarks.relations import sent_jointly, sent_separately
from ldp.regression.effects import marginal
from ldp.regression.fitting import Separated, TooFewToFit, fit
from ldp.regression.specification import Covariate, Specification

LAW = np.array([0.62, 0.33, 0.05])[:, None] * np.array([0.86, 0.14])


def outcome(model, sample, references, product):
    """Return the refusal of a model with these references, or an effect with its interval."""
    covariates = tuple(Covariate(key, reference=reference) for key, reference in zip("ab", references, strict=True))
    try:
        found = fit(Specification(model, "y", covariates, (("a", "b"),) if product else ()), sample)
    except (TooFewToFit, Separated) as refused:
        return str(refused)
    effect = marginal(found, "a", 0)[0]
    return [effect.estimate, *effect.interval(0.95)]


@pytest.mark.parametrize("model", ["linear", "logistic", "ordered", "multinomial"])
def test_references_change_neither_refusals_nor_effects(model):
    share = 1 / (1 + np.exp(0.4 - 0.5 * np.arange(3)[:, None] - 0.3 * np.arange(2)))
    law, kinds = np.stack([LAW * share, LAW * (1 - share)]), set()
    if model not in ("linear", "logistic"):
        law = np.stack([LAW * share, LAW * (1 - share) * 0.7, LAW * (1 - share) * 0.3])
    for seed, n in itertools.product(range(3), (300, 1000, 4000)):
        generator = np.random.default_rng([5, seed, n])
        cells = generator.choice(law.size, n, p=law.ravel())
        if seed % 2:
            sample = sent_jointly(cells, law.shape, "5", generator)
        else:
            sample = sent_separately(cells, law.shape, "randomized_response", "4", generator)
        one, *others = (
            outcome(model, sample, each, product=seed == 2) for each in itertools.product(range(3), range(2))
        )
        kinds.add(type(one))
        for other in others:
            assert other == one if isinstance(one, str) else other == pytest.approx(one, abs=1e-6)
    assert kinds == {str, list}
