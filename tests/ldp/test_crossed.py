"""The crossing of two variables (M17, M30, M31): exact where it can be, and intervals against simulation."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from benchmarks.crossings_coverage import Cell, held, question, sent
from ldp import crossing
from ldp.forms.crossed import of_reports
from ldp.inference import association, crossed, unseen, unseen_batch
from ldp.inference.unseen import Unseen
from ldp.inference.variables import NotCrossed, Variable, pair_of, variable, variables
from ldp.mechanisms import MECHANISMS, WITH_DELTA


def simulated(mechanisms, shape, alpha, n, law, seed):
    """Return a crossing of simulated reports, with their columns."""
    generator = np.random.default_rng(seed)
    questions = [question(key, *one, alpha) for key, *one in zip("ab", mechanisms, shape, strict=True)]
    people = generator.choice(shape[0] * shape[1], n, p=np.ravel(law))
    tables = tuple(sent(q, true, generator) for q, true in zip(questions, divmod(people, shape[1]), strict=True))
    return of_reports(*pair_of(questions, "a", "b"), [tables]), tables


DEPENDENT = np.array([[0.3, 0.1, 0.1], [0.05, 0.05, 0.4]])


def test_limits_of_many_rows_are_those_of_one():
    generator = np.random.default_rng(1)
    values, n = np.sort(generator.normal(size=(120, 4)), axis=1), 10 ** generator.integers(1, 7, 120)
    chances = generator.dirichlet([0.3] * 4, 120)
    counts = np.array([generator.multinomial(*pair) for pair in zip(n, chances, strict=True)]).astype(float)
    tails = 10 ** -generator.uniform(1.3, 5, 120)
    rows = zip(values, counts, tails, strict=True)
    one_by_one = [unseen.upper_limit(v, c, Unseen.at(v.max()), float(tail)) for v, c, tail in rows]
    assert unseen_batch.upper_limits(values, counts, tails) == pytest.approx(one_by_one, abs=1e-8)


@pytest.mark.parametrize("mechanisms", [("randomized_response", "bitwise"), ("randomized_response 2", "laplace")])
def test_the_estimates_are_those_of_the_products_of_scores(mechanisms):
    found, tables = simulated(mechanisms, (2, 3), "1", 500, DEPENDENT, 2)
    scores = [one.symbols(table).astype(int) for one, table in zip((found.first, found.second), tables, strict=True)]
    laws = found.first.moments, found.second.moments
    first, second = ((part - float(law.b)) / float(law.gap) for part, law in zip(scores, laws, strict=True))
    products = first[:, :, None] * second[:, None]
    rows, columns, joint = first.mean(axis=0), second.mean(axis=0), products.mean(axis=0)
    assert found.joint == pytest.approx(joint, abs=1e-12)
    assert found.margins[0][0] == pytest.approx(rows) and found.margins[1][0] == pytest.approx(columns)
    assert found.within_first()[1] == pytest.approx(joint[1] / rows[1])
    assert found.standard_errors[0] == pytest.approx(products.std(axis=0) / 500**0.5)
    # The same variance follows from the scores' law at the margins.
    moments = [(float(law.v_a) / float(law.gap) ** 2 + 1, float(law.v_b) / float(law.gap) ** 2) for law in laws]
    (a1, b1), (a2, b2) = moments
    r, c = rows[:, None], columns
    second_moment = joint * a1 * a2 + (r - joint) * a1 * b2 + (c - joint) * b1 * a2 + (1 - r - c + joint) * b1 * b2
    assert found.standard_errors[0] == pytest.approx(np.sqrt((second_moment - joint**2) / 500), rel=0.15)


@pytest.mark.parametrize(
    "name", ["randomized_response", "bitwise", "randomized_response 2", "exponential", "laplace", "osgt", "gaussian"]
)
def test_the_mean_score_of_each_true_category_is_one_there_and_zero_elsewhere(name):
    """The expected symbols follow from the mechanism's law, by its moments or its channel."""
    asked = question("a", "bitwise" if name in WITH_DELTA else name, 3, "2")
    if name in WITH_DELTA:
        table = MECHANISMS[name].table(Fraction(2), 3, delta=Fraction(1, 10**5))
        asked |= {"mechanism": name, "table": table, "delta": "0.00001"}
    found = variable([asked], "a")
    if found.phi is not None:
        rows = np.array(asked["table"]["rows"], dtype=float)
        channel = np.diff(np.column_stack((np.zeros(3), rows, np.full(3, 2.0**53))), axis=1) / 2**53
        assert channel @ found.phi == pytest.approx(np.eye(3), abs=1e-9)
    else:
        a, b = float(found.moments.a), float(found.moments.b)
        assert 0 < b < a < 1 and found.moments.binary
        if name in WITH_DELTA:
            # The noise is symmetric, so P(y >= 1) is b if the truth is elsewhere and 1 - b if it is not.
            assert a + b == pytest.approx(1, abs=1e-12)


def test_counts_of_batches_add_and_items_count_where_both_were_drawn():
    grid = {"key": "g", "kind": "grid", "text": "?", "items": ["x", "y"], "options": ["p", "q"], "alpha": "2"}
    grid |= {"mechanism": "grid", "table": MECHANISMS["grid"].table(Fraction(2), 2, sample=2) | {"items": 2}}
    pair = pair_of([grid], "g.1", "g.2")
    table = np.array([[0, 1], [1, 1], [0, -(2**15)], [-(2**15), 1]], dtype=np.int16)
    whole = crossed.joint_counts(*pair, [(table, table)])
    assert whole.tolist() == [[2, 0, 2], [1, 0, 1], [1, 0, 1]]
    parts = [(table[:1], table[:1]), (table[1:], table[1:])]
    assert (crossed.joint_counts(*pair, parts) == whole).all()
    with pytest.raises(NotCrossed, match="only one item of this question"):
        pair_of([grid | {"table": grid["table"] | {"sample": 1}}], "g.1", "g.2")
    with pytest.raises(ValueError, match="no report is about both"):
        of_reports(*pair, [(table[2:], table[2:])])
    assert [one.key for one in variables([grid])] == ["g.1", "g.2"]


# Tests of independence ------------------------------------------------------------------------------------------------


def test_cells_are_named_wrongly_no_more_often_than_promised_exactly():
    """The chances of all tables of twelve reports to two independent questions are summed, not simulated."""
    asked = [question(key, "randomized_response", 2, "6") for key in "ab"]
    pair, n, total = pair_of(asked, "a", "b"), 12, 0.0
    pi = [float(one.moments.b) + float(one.moments.gap) * share for one, share in zip(pair, (0.3, 0.6), strict=True)]
    chances = np.outer([pi[0], 1 - pi[0]], [pi[1], 1 - pi[1]]).ravel()
    for one, two, three in itertools.product(range(n + 1), repeat=3):
        if one + two + three <= n:
            table = np.array([[one, two], [three, n - one - two - three]])
            counts = np.block([[np.array([[n]]), table.sum(axis=0)[None]], [table.sum(axis=1)[:, None], table]])
            corrected = association.cells(crossed.Crossing(*pair, counts)).corrected
            total += stats.multinomial.pmf(table.ravel(), n, chances) * bool((corrected <= 0.05).any())
    assert 0 < total <= 0.05


def test_holm_is_between_bonferroni_and_nothing():
    p_values = np.array([[0.01, 0.04], [0.03, 0.005]])
    assert association.holm(p_values) == pytest.approx(np.array([[0.03, 0.06], [0.06, 0.02]]))


@pytest.mark.parametrize(("alpha", "least"), [("0.05", 0.5), ("8", 0.0)])
def test_no_cell_of_an_impossible_table_stands_out_more_than_one_of_the_nearest_possible(alpha, least):
    """Each table has only two pairs of answers, so that joint shares are 1,600 in 1 at alpha .05."""
    found, _ = simulated(("randomized_response",) * 2, (2, 2), alpha, 400, np.array([[0.5, 0], [0, 0.5]]), 4)
    counts = found.counts.copy()
    counts[1:, 1:], counts[0], counts[:, 0] = [[200, 0], [0, 200]], [400, 200, 200], [400, 200, 200]
    p_values = association.cells(crossed.Crossing(found.first, found.second, counts)).p_values
    assert p_values.min() >= least and (alpha != "8" or p_values.max() < 1e-9)


def test_the_whole_table_is_tested_by_pearsons_statistic_of_what_was_sent():
    found, _ = simulated(("randomized_response", "exponential"), (2, 3), "2", 400, DEPENDENT, 3)
    pearson = stats.chi2_contingency(found.counts[1:, 1:], correction=False)
    test = association.whole_table(found)
    assert test.statistic == pytest.approx(pearson.statistic) and test.degrees == pearson.dof == 2


def test_no_p_value_is_given_where_few_reports_are_expected():
    found, _ = simulated(
        ("randomized_response", "randomized_response"), (2, 3), "8", 60, [[0.9, 0.05, 0.05], [0, 0, 0]], 4
    )
    assert association.whole_table(found) is None and association.cells(found) is not None
    assert crossing.document({}, found)["independence"] is None


# What is shown --------------------------------------------------------------------------------------------------------


def test_too_small_subgroups_show_no_numbers():
    law = np.outer([0.02, 0.98], [0.5, 0.3, 0.2])
    found, _ = simulated(("randomized_response", "bitwise"), (2, 3), "1", 2000, law, 5)
    document = crossing.document({}, found)
    assert [category["subgroup"] for category in document["first"]["categories"]] == [False, True]
    assert [cell["within_first"] is None for cell in document["cells"]] == [True] * 3 + [False] * 3
    for cell in document["cells"]:
        for found_ in filter(None, (cell["joint"], cell["within_first"], cell["within_second"])):
            ends = [level["simultaneous"] for level in found_["levels"]]
            assert ends[2][0] <= ends[1][0] <= ends[0][0] <= ends[0][1] <= ends[1][1] <= ends[2][1]


def test_shares_within_a_category_of_one_choice_add_to_one():
    found, _ = simulated(("randomized_response", "randomized_response 2"), (2, 3), "2", 500, DEPENDENT, 6)
    assert found.within_first().sum(axis=1) == pytest.approx([1, 1])
    assert isinstance(found.first, Variable) and found.joint.sum() == pytest.approx(1)


# Surveys, and the least in which all intervals hold. Where each holds with .95 exactly, fewer do once in 26,000 runs of
# a cell; where with .5, so many do once in 120 runs of the short length, which has a dozen such figures.
SHORT, FULL = (30, 22), (200, 176)
CELLS = (
    Cell("randomized_response", "randomized_response", (3, 5), "8", 500, "sparse"),
    # Dependent answers are those of the last one, and a wide table of few reports that of the first, every day.
    pytest.param(
        Cell("randomized_response", "randomized_response", (2, 2), "8", 100, "dependent"), marks=pytest.mark.long
    ),
    Cell("randomized_response", "randomized_response", (2, 2), "8", 50, "sparse", "respondents"),
    pytest.param(Cell("bitwise", "randomized_response 2", (3, 5), "4", 50, "dependent"), marks=pytest.mark.long),
    Cell("bitwise", "randomized_response 2", (2, 2), "0.5", 2000, "diagonal"),
    Cell("laplace", "exponential", (3, 5), "8", 200, "dependent", "respondents"),
)


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_intervals_hold_together_also_where_noise_is_rare_and_few_cells_are_named_wrongly(cell, nightly):
    surveys, held_min = FULL if nightly else SHORT
    found = held(cell, surveys, 7)
    assert found.together >= held_min and found.within >= held_min
    assert found.named <= surveys - held_min
