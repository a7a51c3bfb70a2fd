"""All statistics of a question drawn with others (M44) follow from its channel and the draw's reports."""

from fractions import Fraction

import numpy as np
import pytest

from ldp.forms import marginals
from ldp.forms.marginals import JointTally
from ldp.inference import tallied, variables
from ldp.inference.crossed import Crossing
from ldp.inference.reading import among, apart, forged, pairs, quantiles, several, significance, weighted
from ldp.mechanisms import randomized_response
from tests.support.together import drawn, expected

SIZES, CONFIDENCE = (2, 5), 0.95
TABLE = randomized_response.table(Fraction(3), SIZES, (1, 1))
QUESTIONS = [
    {"key": "drugs", "text": "drugs", "kind": "yes_no", "options": ["No", "Yes"]},
    {"key": "health", "text": "health", "kind": "ordered", "options": list("abcde")},
]
PART = drawn(QUESTIONS, TABLE, "3", form=0)
EVERYONE = {
    **{"key": "region", "text": "region", "kind": "single_choice", "options": list("xyz"), "alpha": "1"},
    **{"mechanism": "randomized_response", "table": randomized_response.table(Fraction(1), 3)},
}


THETA = np.array([[0.2, 0.1, 0.1, 0.05, 0.05], [0.05, 0.05, 0.1, 0.1, 0.2]])


@pytest.fixture(scope="module")
def tally():
    counts = np.random.default_rng(8).multinomial(3000, expected(SIZES, TABLE, THETA))
    return JointTally(TABLE, SIZES, tuple(map(int, counts)))


@pytest.fixture(scope="module")
def scale(tally):
    """Return the second question's totals, as pages use them."""
    alone = PART.alone(1)
    [(key, read)] = tallied.of_question(alone, marginals.totals(alone, tally, 1), tally.n)
    assert key == "health" and read.totals == tally.tallied(1).totals and read.moments == tally.tallied(1).moments
    return read


TRUTH = THETA.sum(axis=0)


@pytest.mark.parametrize("every_look", [False, True])
def test_shares_hold_at_one_look_and_at_every_look(tally, every_look):
    for place, truth in ((0, THETA.sum(axis=1)), (1, TRUTH)):
        read = tally.tallied(place, every_look=every_look)
        for j, share in enumerate(truth):
            low, high = read.interval(j, 0.999, "population")
            assert low <= share <= high


def test_pairs_of_answers_several_answers_quantiles_ranks_and_quotients_are_read(scale):
    for (low, high), truth in [
        (pairs.interval(scale, 0, 1, 0.999), TRUTH[0] - TRUTH[1]),
        (several.interval(scale, [0, 1], 0.999, "population"), TRUTH[:2].sum()),
        (weighted.interval(scale, np.arange(5.0), 0.999, "population"), TRUTH @ np.arange(5)),
        (among.shares(scale, 4, 0.999, "population")[0].interval, TRUTH[0] / TRUTH[:4].sum()),
    ]:
        assert low - 1e-12 <= truth <= high + 1e-12
    assert pairs.p_value(scale, 0, 1) < 0.05
    assert quantiles.quantiles(scale, 5, (0.5,), CONFIDENCE, "population")
    assert significance.p_value(scale, 0, 0.9, "less", "population") < 1e-6
    assert forged.interval(scale, 0, 100, CONFIDENCE).low < scale.interval(0, CONFIDENCE, "population").low
    assert 0 < scale.effective_n(0.25) < scale.n


def test_questions_of_two_forms_are_compared_as_those_of_two_surveys(tally, scale):
    other = JointTally(TABLE, SIZES, tally.counts[::-1])
    one, two = (tally.tallied(0), 1), (other.tallied(0), 1)
    low, high = apart.interval(one, two, CONFIDENCE)
    assert low <= apart.estimate(one, two) <= high and apart.p_value(one, two, CONFIDENCE) is not None


def asked_of_everyone():
    return variables.pair_of([PART.alone(1), EVERYONE], "health", "region")


def test_a_question_of_a_form_is_crossed_with_one_for_everyone_without_bias(tally):
    """Counts in the ratio of the exact chances give the joint shares."""
    first, second = asked_of_everyone()
    theta = np.random.default_rng(2).dirichlet(np.ones(15)).reshape(5, 3)
    channels = []
    for variable, d in ((first, 5), (second, 3)):
        a, b = float(variable.moments.a), float(variable.moments.b)
        channels.append(np.full((d, d), b) + (a - b) * np.eye(d))
    both = channels[0].T @ theta @ channels[1]
    counts = np.zeros((6, 4))
    counts[1:, 1:] = both
    counts[1:, 0], counts[0, 1:], counts[0, 0] = both.sum(axis=1), both.sum(axis=0), 1
    whole = (counts * 1e15).astype(np.int64)
    assert Crossing(first, second, whole).joint == pytest.approx(theta, abs=1e-10)


def test_no_crossing_supposes_independent_noise_of_two_questions_of_one_draw(tally):
    """A crossing that assumes independent noise would be biased, because one draw has the noise of both."""
    asked = [PART.alone(place) for place in range(len(QUESTIONS))]
    first, second = variables.pair_of(asked, "drugs", "health")
    counts = np.zeros((3, 6), dtype=np.int64)
    cube = np.reshape(tally.counts, SIZES)
    counts[1:, 1:], counts[1:, 0], counts[0, 1:], counts[0, 0] = cube, cube.sum(axis=1), cube.sum(axis=0), tally.n
    with pytest.raises(ValueError, match="share one draw"):
        Crossing(first, second, counts)


def test_the_table_of_two_questions_of_one_draw_is_that_of_their_cells(tally):
    ends = tally.pair(0, 1).intervals(0.9999)
    assert ((ends[..., 0] <= THETA) & (ends[..., 1] >= THETA)).all()
