"""The number of reports that shows that two questions depend on each other, against simulated surveys."""

import numpy as np
import pytest

from benchmarks.crossings_coverage import crossing_of, of_one_draw, question, sent
from ldp.forms.crossed import of_reports
from ldp.forms.joint_crossing import JointCrossing
from ldp.inference import association, crossed
from ldp.inference.variables import pair_of
from ldp.planning import associations
from ldp.planning.associations import Dependence
from ldp.planning.expectation import Way
from ldp.regression.expectation import MANY

LEVEL = 0.05


def even(shape, j=0, k=0):
    return Dependence(np.full(shape[0], 1 / shape[0]), np.full(shape[1], 1 / shape[1]), j, k)


def pair(mechanisms, shape, alpha):
    return pair_of([question(key, *one, alpha) for key, *one in zip("ab", mechanisms, shape, strict=True)], "a", "b")


def jointly(law, n, alpha="2", sizes=(3, 2), generator=None):
    """Return the crossing of two questions of a draw. It has a third question with two options, answered by chance."""
    first, second = pair_of(of_one_draw("abc", (*sizes, 2), alpha), "a", "b")
    lam = first.question["table"]["keep"] / 2**53
    chances = lam * law.ravel() + (1 - lam) / law.size
    counts = np.round(n * chances) if generator is None else generator.multinomial(n, chances)
    return crossing_of(first, second, counts)


def shown(found):
    """Return whether a cross-table shows dependence (surveys/researcher/analyses/crossings/grid.py)."""
    if isinstance(found, JointCrossing):
        test = found.independence()
        return test is not None and test.p_value <= LEVEL
    test, cells = association.whole_table(found), association.cells(found)
    level = LEVEL / 2 if test is not None and cells is not None else LEVEL
    return (test is not None and test.p_value <= level) or (cells is not None and cells.corrected.min() <= level)


def test_the_effect_is_the_difference_that_is_named_and_leaves_the_margins():
    effect = Dependence(np.array([0.2, 0.5, 0.3]), np.array([0.1, 0.6, 0.25, 0.05]), 1, 2)
    law = effect.law(0.12)
    assert law.sum(axis=1) == pytest.approx(effect.rows) and law.sum(axis=0) == pytest.approx(effect.columns)
    assert law[1, 2] / 0.5 - (law[0, 2] + law[2, 2]) / 0.5 == pytest.approx(0.12)
    assert law[0, 0] / law[0, 1] == pytest.approx(1 / 6) and law[1, 0] / law[1, 3] == pytest.approx(2)
    edge = effect.law(effect.most)
    assert edge.min() == pytest.approx(0, abs=1e-15) and effect.law(0.999 * effect.most).min() > 0


CELLS = [
    (("randomized_response", "randomized_response"), (2, 2), "2", 1300, 0.15),
    (("randomized_response", "randomized_response"), (3, 4), "2", 1600, 0.2),
    (("randomized_response 2", "randomized_response 2"), (5, 6), "2", 6200, 0.25),
    (("bitwise", "randomized_response"), (3, 2), "1", 12_000, 0.25),
    (("exponential", "randomized_response"), (5, 3), "2", 3800, 0.3),
    (("laplace", "bitwise"), (6, 4), "4", 500, 0.4),
]


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(("mechanisms", "shape", "alpha", "n", "difference"), CELLS, ids=str)
def test_power_is_that_of_simulated_surveys(mechanisms, shape, alpha, n, difference, length):
    first, second = pair(mechanisms, shape, alpha)
    law, generator = even(shape).law(difference), np.random.default_rng(5)
    found = 0
    for _ in range(length.surveys):
        people = generator.choice(law.size, n, p=law.ravel())
        answers = zip((first, second), divmod(people, shape[1]), strict=True)
        found += shown(of_reports(first, second, [tuple(sent(v.question, x, generator) for v, x in answers)]))
    planned = associations.power(associations.of_ways([Way(1, first, second)])(law), n)
    assert 0.6 < planned < 0.95 and abs(planned - found / length.surveys) < length.near


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("n", [700, 1100])
def test_so_it_is_where_two_questions_share_a_draw(n, length):
    law, generator = even((3, 2)).law(0.2), np.random.default_rng(6)
    found = sum(shown(jointly(law, n, generator=generator)) for _ in range(3 * length.surveys))
    expected = associations.expected(jointly(law, 100))(law)
    assert abs(associations.power(expected, n) - found / (3 * length.surveys)) < length.near


def test_what_is_expected_is_so_whichever_of_the_two_stands_first():
    law = even((3, 2)).law(0.2)
    there = associations.expected(jointly(law, 100))(law)
    back = associations.expected(jointly(law, 100).turned())(law.T)
    assert there.joint == pytest.approx(law, abs=1e-9) and back.joint == pytest.approx(law.T, abs=1e-9)
    first, second = pair(("randomized_response 2", "exponential"), (5, 3), "2")
    apart = associations.of_ways([Way(1, first, second)])(even((5, 3)).law(0.3))
    assert apart.joint == pytest.approx(even((5, 3)).law(0.3), abs=1e-9)


def test_the_reports_that_would_do_are_enough_and_a_tenth_fewer_are_not():
    first, second = pair(("randomized_response",) * 2, (3, 4), "2")
    for expected_of, effect in (
        (associations.of_ways([Way(1, first, second)]), even((3, 4))),
        (associations.expected(jointly(even((3, 2)).law(0.1), 100)), even((3, 2))),
    ):
        reports, expected = associations.Prospect(expected_of, effect).needed(0.1), expected_of(effect.law(0.1))
        assert associations.power(expected, reports) >= 0.8 > associations.power(expected, int(reports * 0.88))
        assert str(reports).rstrip("0").__len__() <= 2
    assert associations.Prospect(associations.of_ways([Way(1, first, second)]), even((3, 4))).needed(0) is None


def test_the_least_difference_grows_as_reports_get_fewer_until_there_is_none():
    first, second = pair(("randomized_response",) * 2, (2, 2), "1")
    expected, effect = associations.of_ways([Way(1, first, second)]), even((2, 2))
    prospect = associations.Prospect(expected, effect)
    least = [prospect.smallest(n) for n in (10**6, 10**5, 10**4, 100)]
    assert least[0] < least[1] < least[2] and least[3] is None
    assert associations.power(expected(effect.law(least[1])), 10**5) >= 0.8


def test_the_alpha_that_would_do_shows_it():
    law = even((3, 2)).law(0.2)
    found = jointly(law, 400)
    alpha = associations.Alphas(found, even((3, 2))).needed(0.2)
    assert associations.alpha_total(found) == 2 < alpha < 5
    assert associations.power(associations.with_alpha(found, alpha / 2)(law), found.n) >= 0.8
    assert associations.power(associations.with_alpha(found, (alpha - 0.1) / 2)(law), found.n) < 0.8
    first, second = pair(("randomized_response", "bitwise"), (3, 2), "1")
    apart = associations.of_ways([Way(1, first, second)])(law)
    few = crossed.Crossing(first, second, apart.counts // (MANY // 2000))
    alpha = associations.Alphas(few, even((3, 2))).needed(0.2)
    assert associations.alpha_total(few) == 2 < alpha
    assert associations.power(associations.with_alpha(few, alpha / 2)(law), few.n) >= 0.8


def test_where_too_few_reports_are_expected_for_any_test_there_is_no_power():
    law = even((3, 2)).law(0.2)
    assert associations.power(associations.expected(jointly(law, 100, "1"))(law), 100) == 0
    first, second = pair(("exponential", "randomized_response"), (5, 3), "2")
    assert associations.power(associations.of_ways([Way(1, first, second)])(even((5, 3)).law(0.2)), 20) == 0
