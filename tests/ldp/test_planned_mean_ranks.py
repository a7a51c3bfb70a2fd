"""The planned width of a ranking's mean ranks is that of their intervals in results, within 3% (M32e)."""

import numpy as np
import pytest

from ldp.forms.report import alone
from ldp.inference.intervals import bonferroni
from ldp.inference.reading.ranks import Ranks
from ldp.planning import thirds
from surveys.survey import definition


def built(k, alpha, sample):
    ranking = {
        "key": "r",
        "kind": "ranking",
        "text": "?",
        "ranked": [*"abcdefgh"[:k]],
        "alpha": alpha,
        "sample": sample,
    }
    return alone(definition.build({"title": "t", "questions": [ranking]}))[0]


@pytest.mark.parametrize("k", [3, 5, 8])
@pytest.mark.parametrize("sample", [2, 3])
@pytest.mark.parametrize("alpha", ["0.5", "2", "4"])
@pytest.mark.parametrize("n", [1000, 20_000])
def test_the_planned_width_of_mean_ranks_is_that_of_their_intervals(k, sample, alpha, n):
    question = built(k, alpha, sample)
    planned = thirds.mean_rank_half_width(question, n)
    if planned > (k - 1) / 2.5:
        return  # intervals that are cut at the first and the last rank
    chance, widths = np.random.default_rng(k), []
    for _ in range(20):
        places = chance.multinomial(round(n * sample / k), [1 / sample] * sample).tolist()
        ranks = Ranks(question, {"places": places * k})
        span = ranks.interval(0, bonferroni(0.95, k))
        widths.append((span.high - span.low) / 2)
    assert planned == pytest.approx(float(np.mean(widths)), rel=0.03)
