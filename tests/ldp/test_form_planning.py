"""Proposed forms (M36): never worse than what was, near the best there is, and what was asked for holds in them."""

import math
import random
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest

from ldp.kinds.protocol import Size
from ldp.planning import form_search, form_weights, scales, thirds
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.form_plans import merit, propose
from ldp.planning.form_prices import Wanted
from ldp.planning.form_search import UNABLE, Search
from ldp.planning.proposals import DesignedForm, designed, expected_for

YES = PlannedQuestion("yes_no", Size(2))
SORTS = [
    YES,
    *(PlannedQuestion("single_choice", Size(d)) for d in (3, 5, 8)),
    PlannedQuestion("ordered", Size(11)),
    PlannedQuestion("histogram", Size(12)),
    PlannedQuestion("mean", Size(0)),
    PlannedQuestion("multiple_choice", Size(6)),
    PlannedQuestion("grid", Size(4, 3)),
]
FEWEST = 20
EXPECTED = expected_for(FEWEST)


def choice(d):
    return Wanted(PlannedQuestion("single_choice", Size(d)))


def some(seed, most=7):
    """Questions, a total, n and pairs that must be crossed."""
    chance = random.Random(seed)
    questions = chance.randint(2, most)
    wished = chance.random() < 0.5
    wanted = [
        Wanted(
            chance.choice(SORTS),
            chance.choice((1.0, 1.0, 3.0)),
            chance.choice((0.02, 0.05, 0.1)) if wished else None,
        )
        for _ in range(questions)
    ]
    pairs = [pair for pair in combinations(range(questions), 2) if chance.random() < 0.08]
    return (
        wanted,
        Fraction(chance.choice(("0.5", "1", "2", "3.5", "8"))),
        chance.choice((150, 350, 1500, 20_000)),
        pairs,
    )


SEEDS = range(60)


def test_a_proposal_is_never_worse_than_everything_of_everybody_or_one_form_a_question():
    for seed in SEEDS:
        wanted, total, n, pairs = some(seed, 10)
        found = propose(wanted, total, n, fewest=FEWEST, crossed=pairs)
        assert found.everything is not None
        assert (found.alone is None) == (len(pairs) > 0 or len(wanted) * EXPECTED > n)
        wished = any(each.wished for each in wanted)
        for other in filter(None, (found.everything, found.alone)):
            if wished:
                one, two = (merit(wanted, each.half_widths(n)) for each in (found.proposal, other))
                assert one.is_no_worse_than(two) or not two.is_no_worse_than(one)
            else:
                assert found.proposal.value <= other.value


def test_the_search_for_many_questions_is_within_a_twentieth_of_all_partitions_of_few():
    for seed in SEEDS:
        wanted, total, n, _ = some(seed)
        search = Search(wanted, total, EXPECTED / n, [(k,) for k in range(len(wanted))])
        best = min(map(search.value, form_search.enumerated(len(wanted))))
        assert best < UNABLE
        assert search.value(search.heuristic()) <= 1.05 * best
        if not any(each.wished for each in wanted):
            assert propose(wanted, total, n, fewest=FEWEST).proposal.value <= 1.05 * best


def test_whole_weights_cost_next_to_nothing_where_one_question_needs_most_people():
    """Of five forms one needs half of all people, and the least weight of the others is more than their part."""
    sizes: list = [("histogram", 6, None), ("histogram", 6, None), ("single_choice", 5, None)]
    sizes += [("ordered", 11, 0.02), ("ordered", 5, 0.1)]
    wanted = [Wanted(PlannedQuestion(kind, Size(size)), wished=wished) for kind, size, wished in sizes]
    search = Search(wanted, Fraction(1), 0.1, [(k,) for k in range(len(wanted))])
    best = min(map(search.value, form_search.enumerated(len(wanted))))
    assert propose(wanted, Fraction(1), 1000, fewest=20).proposal.value <= 1.05 * best


def test_what_was_asked_for_holds_in_the_proposal():
    for seed in SEEDS:
        wanted, total, n, pairs = some(seed, 10)
        found = propose(wanted, total, n, fewest=FEWEST, crossed=pairs).proposal
        assert sorted(k for form in found.forms for k in form.questions) == list(range(len(wanted)))
        for form in found.forms:
            assert sum(form.way.alphas) == total
            assert len(form.way.alphas) == (1 if form.way.joint else len(form.questions))
            assert len(found.forms) == 1 or found.part(form) * n >= EXPECTED * (1 - 1e-3)
        for pair in pairs:
            assert any(set(pair) <= set(form.questions) for form in found.forms)


def test_questions_for_everybody_keep_their_alpha_and_the_others_share_what_is_left():
    own = {0: Fraction(1, 2), 3: Fraction(1, 4)}
    found = propose([choice(3)] * 6, Fraction(2), 5000, fewest=FEWEST, own=own, crossed=[(0, 1)]).proposal
    assert sorted(k for form in found.forms for k in form.questions) == [1, 2, 4, 5]
    assert {sum(form.way.alphas) for form in found.forms} == {Fraction(5, 4)}
    for spent in ({0: Fraction(2)}, dict.fromkeys(range(6), Fraction(1, 4))):
        with pytest.raises(ValueError, match="must leave"):
            propose([choice(3)] * 6, Fraction(2), 5000, fewest=FEWEST, own=spent)


@pytest.mark.parametrize(
    ("total", "everything", "alone", "proposed"),
    [(1, 400, 23.4, 23.4), (2, 100, 8.62, 6.61), (3, 44.6, 6.10, 3.39), (4, 25.2, 5.38, 2.11)],
)
def test_twenty_yes_no_questions_cost_what_the_mathematics_says(total, everything, alone, proposed):
    """n times the variance of a share of one half; 20 is no multiple of 3, where threes would have 3.36."""
    found = propose([Wanted(YES)] * 20, Fraction(total), 5000, fewest=FEWEST)
    values = [each.value / 4 for each in (found.everything, found.alone, found.proposal)]
    assert values == pytest.approx([everything, alone, proposed], rel=0.003)


def test_a_proposal_for_yes_no_questions_has_the_efficiency_of_the_whole_survey():
    two = propose([Wanted(YES)] * 20, Fraction(2), 5000, fewest=FEWEST)
    assert two.proposal.efficiency(Fraction(2)) == pytest.approx(1 / 1.388, abs=0.001)
    assert two.everything.efficiency(Fraction(2)) == pytest.approx(1 / 1.388 * 6.61 / 100.17, abs=0.001)
    assert propose([Wanted(YES)], Fraction(2), 5000, fewest=FEWEST).proposal.efficiency(Fraction(2)) == pytest.approx(1)
    assert propose([Wanted(YES), choice(3)], Fraction(2), 5000, fewest=FEWEST).proposal.efficiency(Fraction(2)) is None


def test_other_questions_cost_what_the_mathematics_says():
    five, ten = [choice(d) for d in (3, 5, 4, 6, 6)], [choice(5)] * 10
    for wanted, total, everything, alone in [(five, 2, 95.6, 15.3), (five, 4, 22.8, 5.9), (ten, 2, 403, 31.8)]:
        found = propose(wanted, Fraction(total), 5000, fewest=FEWEST)
        assert [found.everything.value, found.alone.value] == pytest.approx([everything, alone], rel=0.007)
    assert propose(five, Fraction(4), 5000, fewest=FEWEST).proposal.value == pytest.approx(4.89, abs=0.01)


def test_a_wish_draws_people_to_its_own_question():
    wanted = [Wanted(YES, wished=0.02), Wanted(YES, wished=0.1), Wanted(YES)]
    found = propose(wanted, Fraction(1), 30_000, fewest=FEWEST).proposal
    widths = found.half_widths(30_000)
    equal = propose([each._replace(wished=None) for each in wanted], Fraction(1), 30_000, fewest=FEWEST).proposal
    assert widths[0] < 0.8 * equal.half_widths(30_000)[0] and widths[1] > equal.half_widths(30_000)[1]
    assert widths[2] / form_weights.WISHED <= widths[0] / 0.02 * 1.01


def test_half_widths_are_those_of_the_forms_own_people():
    found = propose([Wanted(YES), choice(5)], Fraction(1), 4000, fewest=FEWEST).alone
    for form in found.forms:
        [question] = form.questions
        asked = (YES, choice(5).asked)[question]
        expected = thirds.half_width(asked, Fraction(1), 4000 * form.weight // sum(f.weight for f in found.forms))
        assert found.half_widths(4000)[question] == pytest.approx(expected, rel=1e-3)


def test_with_few_people_there_are_as_many_forms_as_are_published():
    for n, forms in ((350, 10), (250, 7), (130, 4), (70, 2), (60, 1)):
        assert len(propose([Wanted(YES)] * 20, Fraction(2), n, fewest=FEWEST).proposal.forms) == forms
    assert len(propose([Wanted(YES)] * 20, Fraction(2), 150, fewest=0).proposal.forms) == 10


def test_many_questions_are_planned_too():
    wanted = [Wanted(SORTS[k % len(SORTS)]) for k in range(60)]
    found = propose(wanted, Fraction(3), 20_000, fewest=FEWEST)
    assert found.everything.value > 10 * found.proposal.value
    assert found.proposal.value <= found.alone.value


# A designer's own forms ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(0, 60, 6))
def test_a_proposal_put_together_by_hand_costs_the_same(seed):
    wanted, total, n, pairs = some(seed)
    for proposal in propose(wanted, total, n, fewest=FEWEST, crossed=pairs):
        if proposal is not None:
            forms = [DesignedForm(f.questions, f.way.alphas, f.way.joint, f.weight) for f in proposal.forms]
            own = designed(wanted, forms)
            assert own.value == pytest.approx(proposal.value)
            assert own.half_widths(n) == pytest.approx(proposal.half_widths(n))


def test_alphas_weights_and_joint_draws_are_the_designers():
    wanted = [Wanted(YES), Wanted(YES), choice(5)]
    forms = [DesignedForm((0, 1), [Fraction(2)], joint=True, weight=3), DesignedForm((2,), [Fraction(1)])]
    found = designed(wanted, forms)
    assert found.half_widths(4000)[2] == pytest.approx(thirds.half_width(choice(5).asked, Fraction(1), 1000))
    better = designed(wanted, [forms[0]._replace(weight=1), forms[1]._replace(alphas=[Fraction(2)])])
    assert better.value < found.value


def test_why_questions_cannot_be_joint_is_said():
    grid, large = Wanted(PlannedQuestion("grid", Size(4, 3))), choice(65)
    named = Wanted(PlannedQuestion("single_choice", Size(3), "bitwise"))
    for pair, why in [
        ((choice(3), grid), "one answer"),
        ((large, large), "at most 4096"),
        ((choice(3), named), "open"),
    ]:
        with pytest.raises(ValueError, match=why):
            designed(list(pair), [DesignedForm((0, 1), [Fraction(2)], joint=True)])


def test_what_makes_no_plan_is_refused():
    for one in (Wanted(YES, importance=0), Wanted(YES, wished=0.0)):
        with pytest.raises(ValueError, match="above 0"):
            propose([one, Wanted(YES)], Fraction(2), 1000, fewest=FEWEST)
    with pytest.raises(ValueError, match="one alpha"):
        designed([Wanted(YES)] * 2, [DesignedForm((0, 1), [Fraction(1)] * 2, joint=True)])


# Partitions and weights -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "bell"), [(1, 1), (2, 2), (3, 5), (4, 15), (7, 877)])
def test_all_partitions_are_enumerated_once(size, bell):
    found = {tuple(sorted(partition)) for partition in form_search.enumerated(size)}
    assert len(found) == len(list(form_search.enumerated(size))) == bell
    assert all(sorted(k for block in partition for k in block) == list(range(size)) for partition in found)


def test_neighbours_are_parted_as_cheaply_as_possible():
    chance = random.Random(3)
    for _ in range(20):
        size, prices = 6, {}

        def cost(block, prices=prices):
            return prices.setdefault(block, chance.random() * len(block) ** 0.5)

        found = {len(p): sum(map(cost, p)) for p in form_search.contiguous(range(size), cost, size, size)}
        for blocks in range(1, size + 1):
            cuts = combinations(range(1, size), blocks - 1)
            spans = ([0, *cut, size] for cut in cuts)
            best = min(sum(cost(tuple(range(a, b))) for a, b in pairwise(s)) for s in spans)
            assert found[blocks] == pytest.approx(best)


def test_exchanges_end_where_no_single_one_gains_anything():
    chance = random.Random(5)
    for _ in range(20):
        prices = {}

        def value(partition, prices=prices):
            return prices.setdefault(partition, chance.random())

        start = ((0, 1, 2), (3, 4), (5,))
        found = form_search.exchanged(start, value, 10**6)
        assert sorted(k for block in found for k in block) == list(range(6))
        assert value(found) <= value(start)
        assert form_search.exchanged(found, value, 10**6) == found
        assert form_search.exchanged(start, value, 0) == start


@pytest.mark.parametrize("goal", [form_weights.WeightedSum([Wanted(YES)]), form_weights.Widest()])
@pytest.mark.parametrize("least", [0.0, 0.1, 0.2, 0.25])
def test_no_other_parts_are_better(goal, least):
    chance = np.random.default_rng(2)
    for _ in range(20):
        costs = list(chance.gamma(0.5, size=4) + 0.01)
        own = form_weights.parts(costs, least)
        assert min(own) >= least - 1e-12 and math.fsum(own) == pytest.approx(1)
        others = least + (1 - 4 * least) * chance.dirichlet(np.ones(4), size=300)
        assert goal.value(costs, own) <= min(goal.value(costs, list(other)) for other in others) * (1 + 1e-9)


def test_weights_are_small_whole_numbers():
    goal = form_weights.WeightedSum([Wanted(YES)])
    assert form_weights.whole_weights([1.0] * 7, 0.0, goal) == (1,) * 7
    assert form_weights.whole_weights([2.0, 1.0, 1.0], 0.0, goal) == (2, 1, 1)
    uneven = form_weights.whole_weights([1.0, 0.3, 0.02], 0.1, goal)
    assert uneven[2] / sum(uneven) >= 0.1 and sum(uneven) < 100


def test_forms_that_cannot_all_have_a_batch_are_refused():
    with pytest.raises(ValueError, match="batch"):
        form_weights.parts([1.0, 1.0, 1.0], 0.4)


# Shares or a mean (M43) -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "by_shares"), [(11, 3.683), (16, 5.230)])
def test_the_mean_of_a_scale_costs_less_by_one_bit_than_by_its_shares(d, by_shares):
    found = scales.means(Fraction(1), d)
    assert found == pytest.approx((by_shares, 1 / (4 * math.tanh(0.5) ** 2)), abs=0.001)


def test_a_scale_of_two_steps_has_one_price():
    assert scales.means(Fraction(1), 2) == pytest.approx([1.1707, 1.1707], abs=1e-4)


def test_under_a_large_alpha_shares_are_the_cheaper_way_to_a_mean():
    found = scales.means(Fraction(4), 11)
    assert found.by_shares < found.by_number
