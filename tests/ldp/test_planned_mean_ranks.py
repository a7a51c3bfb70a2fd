"""The width of a ranking's mean ranks as planned is that of their intervals in results, within 3% (M32e)."""

import math

import numpy as np
import pytest

from ldp.inference.intervals import bonferroni
from ldp.inference.reading.ranks import Ranks
from ldp.inference.tallied import Tallied
from ldp.kinds.ranking import pairs
from ldp.mechanisms import of
from ldp.planning import thirds
from surveys.survey import definition


def built(k, alpha):
    ranking = {"key": "r", "kind": "ranking", "text": "?", "ranked": [*"abcdefgh"[:k]], "alpha": alpha}
    return definition.build({"title": "t", "questions": [ranking]})["questions"][0]


@pytest.mark.parametrize("k", range(3, 9))
@pytest.mark.parametrize("alpha", ["0.5", "1", "2", "4"])
@pytest.mark.parametrize("n", [1000, 4000, 20_000])
def test_the_planned_width_of_mean_ranks_is_that_of_their_intervals(k, alpha, n):
    question = built(k, alpha)
    planned = thirds.mean_rank_half_width(question, n)
    if planned > (k - 1) / 2.5:
        return  # intervals that are cut at the first and the last rank
    randomizer, chance = of(question), np.random.default_rng(k)
    (_name, moments), widths, every = randomizer.default(), [], math.comb(k, 2)
    for _ in range(40):
        numbers = chance.multinomial(n, [1 / every] * every)
        bits = chance.binomial(numbers, float(moments.b) + float(moments.gap) / 2)
        tallied = [Tallied(moments, None, [int(bit)], int(m)) for bit, m in zip(bits, numbers, strict=True)]
        ranks = Ranks(pairs(k), tallied)
        spans = [ranks.interval(place, bonferroni(0.95, k), "population") for place in range(k)]
        widths += [(span.high - span.low) / 2 for span in spans]
    assert planned == pytest.approx(float(np.mean(widths)), rel=0.03)
