"""How many people are enough (M36c): the fewest with the forms that are best for them, whatever was expected; and no
wish makes a proposal worse."""

import random
from fractions import Fraction

import pytest
import scipy

from ldp.kinds.protocol import Size
from ldp.planning import proposals
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.form_plans import Brief, Plans, propose
from ldp.planning.form_prices import Wanted
from ldp.planning.outlook import HOPELESS
from tests.ldp.test_form_planning import SORTS, YES, some

FEWEST = 20
EXPECTED = (1, 25, 60, 120, 350, 1000, 20_000)


def plans(wanted, total, **more):
    return Plans(Brief(wanted, Fraction(total), FEWEST, **more))


def widest(planned, n):
    return max(planned.half_widths(planned.at(n).proposal, n).values())


@pytest.mark.parametrize("questions", [20, 50, 100])
def test_the_number_for_yes_no_questions_is_that_of_pairs_however_few_are_expected(questions):
    """A pair of the best forms under a total of 2 needs as many people as a pair of two such questions alone."""
    planned = plans([Wanted(YES)] * questions, 2)
    needed, pair = planned.people(0.05), plans([Wanted(YES)] * 2, 2, crossed=[(0, 1)])
    of_pair = propose([Wanted(YES)] * 4, Fraction(2), 10_000, fewest=FEWEST).proposal
    assert {len(form.questions) for form in of_pair.forms} == {2} and pair.people(0.05) is not None
    assert needed == pytest.approx(questions / 4 * of_pair.people(0.05), abs=questions / 2)
    for n in EXPECTED:
        assert needed <= planned.people_with(planned.at(n).proposal, 0.05)


@pytest.mark.parametrize("seed", range(0, 40, 4))
def test_so_many_people_reach_the_width_with_what_is_proposed_for_them_and_one_less_do_not(seed):
    wanted, total, _, pairs = some(seed)
    planned = plans(wanted, total, crossed=pairs)
    for width in (0.05, 0.11, 0.25):
        needed = planned.people(width)
        assert widest(planned, needed) <= width < widest(planned, needed - 1)
        assert propose(wanted, total, needed, fewest=FEWEST, crossed=pairs).proposal == planned.at(needed).proposal
    assert planned.people(1e-9) is None


@pytest.mark.parametrize("seed", [1, 5, 11])
def test_no_fewer_people_reach_a_wide_width_at_all(seed):
    wanted, total, _, _ = some(seed, 4)
    planned = plans([each._replace(wished=None) for each in wanted], total)
    needed = planned.people(0.3)
    assert all(widest(planned, n) > 0.3 for n in range(1, min(needed, 400)))


def test_what_everybody_is_asked_is_precise_with_them_too():
    planned = plans([Wanted(YES)] * 4, 2, own={2: Fraction(1, 10)})
    needed = planned.people(0.05)
    widths = planned.half_widths(planned.at(needed).proposal, needed)
    assert widths[2] <= 0.05 and max(widths.values()) == widths[2] and needed == planned.people(0.05, 2)


def test_one_questions_number_is_no_larger_than_that_of_all():
    planned = plans([Wanted(sort) for sort in SORTS], 3)
    each = [planned.people(HOPELESS, place) for place in range(len(SORTS))]
    assert max(each) == planned.people(HOPELESS) and min(each) < max(each)


# What is published ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fewest", [1, 10, 20, 100, 700])
def test_a_form_that_is_expected_so_often_has_enough_reports_almost_surely(fewest):
    expected = proposals.expected_for(fewest)
    for n in (round(1.5 * expected) + 1, round(10 * expected), 10**6):
        assert scipy.stats.binom.cdf(fewest - 1, n, expected / n) <= 1 - proposals.SURE
    assert scipy.stats.poisson.cdf(fewest - 1, expected * (1 - 1e-4)) > 1 - proposals.SURE


def test_every_proposed_form_is_published_at_the_end_almost_surely():
    for seed in range(20):
        wanted, total, n, pairs = some(seed, 10)
        found = propose(wanted, total, n, fewest=FEWEST, crossed=pairs).proposal
        if len(found.forms) > 1:
            chances = [scipy.stats.binom.sf(FEWEST - 1, n, found.part(form)) for form in found.forms]
            assert min(chances) >= proposals.SURE - 1e-3


# Wishes ---------------------------------------------------------------------------------------------------------------


def told(wanted, widths):
    missed = sum(widths[k] > each.wished for k, each in enumerate(wanted) if each.wished)
    return missed, sum(width > HOPELESS for width in widths.values())


@pytest.mark.parametrize("seed", range(12))
def test_a_wish_loses_no_result_and_misses_no_wish_that_would_be_reached_without_it(seed):
    chance = random.Random(seed)
    wanted = [Wanted(chance.choice(SORTS)) for _ in range(chance.randint(2, 12))]
    width = chance.choice((0.03, 0.1, 0.15, 0.3))
    wishing = [each._replace(wished=width) if chance.random() < 0.6 else each for each in wanted]
    total = chance.choice((1, 2, 4))
    for n in (60, 120, 400, 1500, 20_000):
        found, plain = (propose(each, Fraction(total), n, fewest=FEWEST).proposal for each in (wishing, wanted))
        one, other = (told(wishing, each.half_widths(n)) for each in (found, plain))
        assert one[0] <= other[0] and one[1] <= other[1]
        if other[0] == 0:
            assert found.forms == plain.forms, "a wish that is reached anyway changes nothing"


def test_a_wish_for_ten_points_loses_no_result():
    """Equal ratios would make all rough: a histogram, a scale and eight others, with few people."""
    wanted = [Wanted(PlannedQuestion("histogram", Size(12))), Wanted(PlannedQuestion("ordered", Size(11)))]
    wanted += [Wanted(YES)] * 8
    for n in (150, 300, 600):
        for wished in (wanted, [wanted[0]._replace(wished=0.1), *wanted[1:]], [w._replace(wished=0.1) for w in wanted]):
            found, plain = (propose(each, Fraction(2), n, fewest=FEWEST).proposal for each in (wished, wanted))
            one, other = (told(wished, each.half_widths(n)) for each in (found, plain))
            assert one[0] <= other[0] and one[1] <= other[1]
