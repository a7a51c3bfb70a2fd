"""The test of whether an interval holds, without its ends (benchmarks/tails.py), agrees with the interval."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import forms_looks, reading, simulation, tails
from benchmarks.forms_simulated import empty
from ldp.inference.estimates import TARGETS
from ldp.inference.reading import pairs
from ldp.inference.tallied import Tallied

CONFIDENCE = 0.95


@pytest.mark.parametrize("truth", [-1.0, -0.4, 0.0, 0.35, 1.0])
@pytest.mark.parametrize(("alpha", "n"), [("1", 20), ("4", 20), ("4", 500)])
def test_tails_say_whether_the_interval_of_a_difference_holds(alpha, n, truth):
    start, generator = empty(alpha), np.random.default_rng(7)
    answers = generator.multinomial(n, [0.3, 0.3, 0.3, 0.1], size=40)
    totals = simulation.randomized_response_totals(answers, start.moments, generator)
    one, other = totals[:, 0], totals[:, 1]
    scores = np.tile(np.array([1.0, -1.0, 0.0]) / float(start.moments.gap), (len(totals), 1))
    counts = np.column_stack((one, other, n - one - other)).astype(float)
    least = tails.tails(scores, counts, truth, truth <= -1, truth >= 1)
    spans = [pairs.interval(Tallied(start.moments, start.pair, row, n), 0, 1, CONFIDENCE) for row in totals.tolist()]
    holds = np.array([reading.within(span, truth) for span in spans])
    assert ((least > (1 - CONFIDENCE) / 2) <= holds).all(), "it is never said to hold where it does not"
    possible = np.abs(one - other) <= n * float(start.moments.gap)
    assert ((least > (1 - CONFIDENCE) / 2) == holds)[possible].all(), "only an impossible estimate's is wider (M37)"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("alpha", ["1", "4"])
def test_a_martingale_says_whether_the_interval_at_a_look_holds(alpha, target):
    start, generator, n = empty(alpha, every_look=True), np.random.default_rng(8), 200
    shares = np.array([0.4, 0.0, 0.4, 0.2])
    answers = generator.multinomial(n, shares, size=60)
    totals = simulation.randomized_response_totals(answers, start.moments, generator)
    truth = np.broadcast_to(shares, totals.shape) if target == "population" else answers / n
    held = forms_looks.held(start, totals[:, None], np.array([[n]]), truth[:, None], 0.5, target)[:, 0]
    for row, its, decided in zip(totals.tolist(), truth, held, strict=True):
        tallied = replace(start, totals=row, n=n)
        holds = np.array([reading.within(tallied.interval(j, 0.5, target), its[j]) for j in range(start.d)])
        assert (decided <= holds).all()
        possible = (tallied.shares >= 0) & (tallied.shares <= 1)
        assert (decided == holds)[possible].all(), "only an impossible estimate's is wider (M37)"
