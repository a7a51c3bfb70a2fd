"""Proposed designs (M46) are never worse than the present one, near the best possible one, and as the brief says."""

import math
import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from ldp import numeric, pooled_scores
from ldp.forms.columns import keep_chance
from ldp.kinds.protocol import Size
from ldp.mechanisms import MECHANISMS, randomized_response
from ldp.planning import design_weights, draw_prices, thirds
from ldp.planning.candidates import PlannedQuestion, candidate
from ldp.planning.design import Brief, BriefQuestion, Design, DesignDraw, DesignForm
from ldp.planning.design_columns import Columns, draw_alone
from ldp.planning.design_needs import changes, people, people_with, possible
from ldp.planning.design_outcomes import expected_for, outcome
from ldp.planning.design_proposals import propose, propose_within
from ldp.planning.outlook import HOPELESS
from ldp.scores import indicator

YES = PlannedQuestion("yes_no", Size(2))
LIST, GRID = PlannedQuestion("multiple_choice", Size(6)), PlannedQuestion("grid", Size(4, 3))
SORTS = [
    YES,
    *(PlannedQuestion("single_choice", Size(d)) for d in (3, 5, 8)),
    PlannedQuestion("ordered", Size(11)),
    PlannedQuestion("histogram", Size(12)),
    PlannedQuestion("mean", Size(0)),
    LIST,
    GRID,
]
LEAST = expected_for(20)


def brief(asked, total, n=5000, **more):
    questions = tuple(BriefQuestion(f"q{place}", each) for place, each in enumerate(asked))
    return Brief(questions, Fraction(total), n, **more)


def options(*counts):
    return [YES if d == 2 else PlannedQuestion("single_choice", Size(d)) for d in counts]


def some(seed):
    """Return a brief of a few questions of all kinds, with pairs to be crossed."""
    chance = random.Random(seed)
    wished = chance.random() < 0.5
    questions = tuple(
        BriefQuestion(
            f"q{k}",
            chance.choice(SORTS),
            chance.choice((1.0, 1.0, 3.0)),
            chance.choice((0.05, 0.1)) if wished else None,
        )
        for k in range(chance.randint(2, 6))
    )
    keys = [each.key for each in questions]
    pairs = tuple(pair for pair in combinations(keys, 2) if chance.random() < 0.1)
    total, n = chance.choice(("0.5", "1", "2", "3.5", "8")), chance.choice((150, 350, 1500, 20_000))
    return Brief(questions, Fraction(total), n, crossed=pairs or "none")


def sizes(found):
    return sorted(len(form.keys) for form in found.design.forms)


SEEDS = range(12)


# What a design must keep ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_every_question_is_asked_once_in_a_report_that_keeps_the_total(seed):
    wanted = some(seed)
    design = propose(wanted).design
    order = {each.key: place for place, each in enumerate(wanted.questions)}
    assert {key for keys in design.reports for key in keys} == set(order)
    for _, draws in design.parts:
        keys = [key for draw in draws for key in draw.keys]
        assert len(keys) == len(set(keys)) and sum(draw.alpha for draw in draws) <= wanted.total
        for draw in draws:
            assert [*draw.keys] == sorted(draw.keys, key=order.get)
        assert [draw.keys[0] for draw in draws] == sorted((draw.keys[0] for draw in draws), key=order.get)
    if design.forms:
        assert len(design.forms) > 1 and math.gcd(*(form.weight for form in design.forms)) == 1
        assert min(part for part, _ in design.parts) * wanted.n >= LEAST * (1 - 1e-3)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_draw_has_a_table_that_keeps_its_alpha(seed):
    wanted = some(seed)
    asked = {each.key: each.asked for each in wanted.questions}
    for _, draws in propose(wanted).design.parts:
        for draw in draws:
            mechanism, own = MECHANISMS[draw.mechanism], [asked[key] for key in draw.keys]
            if len(own) > 1:
                counts = [draw_prices.joined(each) for each in own]
                table = randomized_response.table(draw.alpha, counts, draw.sizes)
                assert randomized_response.certified(table, counts, draw.alpha)
                continue
            named = {"sample": draw.sample, "size": draw.sizes[0] if draw.sizes else None}
            more = {name: value for name, value in named.items() if value}
            d = own[0].size.d
            assert mechanism.certified(mechanism.table(draw.alpha, d, **more), d, draw.alpha)


def test_the_same_brief_has_the_same_design():
    from ldp.planning import design_proposals

    wanted = some(5)
    found = propose(wanted)
    design_proposals._searched.cache_clear()
    assert propose(wanted) == found


def test_questions_for_everyone_keep_their_alpha_and_the_others_share_what_is_left():
    alphas = (("q0", Fraction(1, 2)), ("q3", Fraction(1, 4)))
    design = propose(brief(options(*[3] * 6), 2, everyone=alphas)).design
    assert [(draw.keys, draw.alpha) for draw in design.everyone] == [
        (("q0",), Fraction(1, 2)),
        (("q3",), Fraction(1, 4)),
    ]
    assert {form.alpha for form in design.forms} == {Fraction(5, 4)} and design.alpha == 2
    for spent in ((("q0", Fraction(2)),), tuple((f"q{k}", Fraction(1, 4)) for k in range(6))):
        with pytest.raises(ValueError, match="must leave"):
            brief(options(*[3] * 6), 2, everyone=spent)


def test_what_must_be_together_or_apart_is():
    wanted = brief(
        [*options(2, 2, 3), LIST, *options(5)], 2, together=(("q0", "q3"), ("q1", "q2")), apart=(("q2", "q4"),)
    )
    for keys in propose(wanted).design.reports:
        assert ("q0" in keys) == ("q3" in keys) and ("q1" in keys) == ("q2" in keys)
        assert not {"q2", "q4"} <= {*keys}


def test_pairs_that_are_named_can_be_crossed_and_all_can():
    named = (("q0", "q4"), ("q1", "q2"))
    assert propose(brief(options(5, 5, 5, 5, 5), 2, crossed=named)).outcome.uncrossed == ()
    found = propose(brief(options(5, 5, 5, 5, 5), 2, crossed="all"))
    assert found.outcome.uncrossed == () and len(found.design.pairs) == 10
    assert 0 < found.crossing_cost < 0.12


# Many questions -------------------------------------------------------------------------------------------------------


def counted(monkeypatch, owner, name):
    """Return a list to which the calls of a method are added."""
    calls, method = [], getattr(owner, name)

    def counting(*positional, **named):
        calls.append(positional)
        return method(*positional, **named)

    monkeypatch.setattr(owner, name, counting)
    return calls


MANY = [SORTS[k % len(SORTS)] for k in range(40)]


@pytest.mark.parametrize("crossed", ["none", "all", (("q0", "q9"), ("q1", "q10"), ("q10", "q19"))])
def test_a_proposal_for_many_questions_takes_work_in_proportion_to_them_and_searches_for_nothing(monkeypatch, crossed):
    from ldp.planning.design_search import Search

    work = {}
    for count in (20, 40):
        with monkeypatch.context() as patched:
            searched = [counted(patched, Search, name) for name in ("relaxed", "neighbours", "partitions", "coverings")]
            columns = counted(patched, Columns, "column")
            propose(brief(MANY[:count], 2, 4321, crossed=crossed))
            work[count] = len(columns)
        assert not any(searched) and work[count] <= 20 * count
    assert work[40] <= 2.5 * work[20]


@pytest.mark.parametrize("n", [300, 3000, 200_000])
@pytest.mark.parametrize("crossed", ["none", "all", (("q0", "q9"), ("q1", "q10"), ("q10", "q19"))])
def test_a_proposal_for_many_questions_is_never_worse_than_equal_parts_or_what_stands(n, crossed):
    wanted = brief(MANY, 4, n, crossed=crossed, apart=(("q0", "q2"),) if n == 3000 else ())
    columns, found = Columns(wanted), propose(wanted)
    each = [draw_alone(question, wanted.total / 40) for question in wanted.questions]
    parts = Design(tuple(draw._replace(alpha=wanted.total / 40) for draw in each))
    others = [parts, propose(replace(wanted, n=10 * n)).design, propose(brief(MANY, 4, n)).design]
    for other in others:
        stood = propose(wanted, other)
        assert stood.outcome.merit.is_no_worse_than(outcome(columns, other).merit)
        assert stood.outcome.merit.is_no_worse_than(found.outcome.merit)
    if n != 3000:
        assert found.outcome.merit.is_no_worse_than(outcome(columns, parts).merit)


@pytest.mark.parametrize("count", [20, 40])
def test_many_questions_are_told_nearly_as_precisely_as_by_the_best_forms(count):
    """Forms of two yes/no questions in one draw are near the best, for forty questions as for twenty."""
    found = propose(brief([YES] * count, 2, 10**9))
    assert found.outcome.error == pytest.approx(count / 2 / keep_chance(2, 4) ** 2, rel=1e-3)


def test_the_number_of_people_for_many_questions_takes_one_proposal(monkeypatch):
    from ldp.planning import design_needs

    proposed = counted(monkeypatch, design_needs, "propose")
    wanted = brief(MANY, 4, 1)
    n = people(wanted, 0.1)
    assert len(proposed) == 1
    assert max(propose(replace(wanted, n=n)).outcome.half_widths.values()) <= 0.1


# How good it is -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_it_is_never_worse_than_what_stands_or_than_without_a_wish(seed):
    wanted = some(seed)
    columns, plain = (
        Columns(wanted),
        replace(wanted, questions=tuple(e._replace(wished=None) for e in wanted.questions)),
    )
    found = propose(wanted)
    assert found.outcome.merit.is_no_worse_than(outcome(columns, propose(plain).design).merit)
    for other in (propose(replace(wanted, n=100_000)).design, propose(replace(wanted, n=40)).design):
        stood = outcome(columns, other)
        kept_or_better = propose(wanted, other)
        assert kept_or_better.outcome.merit.is_no_worse_than(stood.merit)
        assert kept_or_better.outcome.merit.without_result <= stood.merit.without_result
        assert kept_or_better.stands == (not found.outcome.merit.is_no_worse_than(stood.merit))


@pytest.mark.statistical
def test_nothing_is_worse_with_a_wish_with_pairs_or_than_the_design_before_a_change(nightly):
    """Random briefs get a wish, a pair, twice the people or a larger total, or lose all pairs."""
    for seed in range(100, 400 if nightly else 108):
        chance = random.Random(seed)
        crossed, target = (
            chance.choice(("none", "all", some(seed).crossed)),
            chance.choice(("population", "respondents")),
        )
        wanted = replace(some(seed), crossed=crossed, target=target)
        columns, found = Columns(wanted), propose(wanted)
        plain = replace(wanted, questions=tuple(each._replace(wished=None) for each in wanted.questions))
        for other in (plain, replace(wanted, crossed="none")):
            assert found.outcome.merit.is_no_worse_than(outcome(columns, propose(other).design).merit), seed
        for change in changes(wanted, found.design):
            if change.standing:
                kept = outcome(Columns(change.brief), found.design)
                assert change.proposal.outcome.merit.is_no_worse_than(kept.merit), (seed, change.name)


@pytest.mark.parametrize("target", ["population", "respondents"])
def test_whole_weights_near_the_proposed_ones_have_no_smaller_loss(target):
    """The tolerance of .5% is for rounding, and for intervals that are a little longer than their errors."""
    wanted = brief([*options(5, 5, 5, 2), LIST], 3, 900, target=target)
    columns, found = Columns(wanted), propose(wanted)
    for place, form in enumerate(found.design.forms):
        for weight in (form.weight * 0.9, form.weight * 1.1):
            scaled = [each._replace(weight=100 * each.weight) for each in found.design.forms]
            scaled[place] = form._replace(weight=round(100 * weight))
            other = outcome(columns, Design(found.design.everyone, tuple(scaled)))
            assert found.outcome.merit.loss <= 1.005 * other.merit.loss


@pytest.mark.parametrize("crossed", ["all", (("q0", "q1"),)])
@pytest.mark.parametrize("asked", [(GRID, YES, *options(3)), (LIST, *options(3, 8)), (YES, *options(5), GRID)])
def test_it_is_never_worse_for_pairs_that_shall_be_crossed_than_without_them(asked, crossed):
    wished = tuple(
        BriefQuestion(f"q{k}", each, wished=wish)
        for k, (each, wish) in enumerate(zip(asked, (None, 0.05, 0.02), strict=True))
    )
    for total, n in product((Fraction(2), Fraction(11, 2)), (350, 20_000)):
        wanted = Brief(wished, total, n, crossed=crossed)
        plain = outcome(Columns(wanted), propose(replace(wanted, crossed="none")).design)
        assert propose(wanted).outcome.merit.is_no_worse_than(plain.merit)


@pytest.mark.parametrize("total", ["4.5", "5.5"])
def test_a_grid_is_crossed_though_several_forms_would_draw_it_in_different_ways(total):
    asked = zip((GRID, *options(5, 3, 2)), (4.0, 1.0, 4.0, 4.0), (None, 0.02, 0.05, None), strict=True)
    questions = tuple(BriefQuestion(f"q{k}", *each) for k, each in enumerate(asked))
    found = propose(Brief(questions, Fraction(total), 350, crossed=(("q0", "q3"),), target="respondents"))
    assert not found.outcome.uncrossed and not found.outcome.merit.without_result


@pytest.mark.parametrize(("total", "members", "variance"), [(1, 1, 23.41), (2, 2, 6.611), (4, 4, 2.108)])
def test_twenty_yes_no_questions_are_asked_in_equal_forms(total, members, variance):
    found = propose(brief([YES] * 20, total, 10**9))
    assert sizes(found) == [members] * (20 // members)
    assert found.outcome.error / 4 == pytest.approx(variance, rel=2e-3)


@pytest.mark.parametrize(("count", "total", "members"), [(3, 2, 2), (5, 2, 2), (7, 2, 2), (4, 3, 3), (5, 4, 4)])
def test_overlapping_forms_tell_as_much_as_any_channel_can(count, total, members):
    found = propose(brief([YES] * count, total, 10**6))
    assert set(sizes(found)) == {members}
    assert found.outcome.error == pytest.approx(count / members / keep_chance(total, 2**members) ** 2, rel=2e-3)
    assert found.efficiency.value == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize("kind", ["grid", "multiple_choice"])
def test_two_options_are_planned_with_as_many_intervals_as_results_have(kind):
    """The two shares of a grid's item are mirror images; those of two options of a multiple choice are not."""
    question = PlannedQuestion(kind, Size(2, 4) if kind == "grid" else Size(2))
    planned = draw_prices.alone(question, Fraction(1))
    size = question.size._replace(sample=planned.sample)
    assert planned.price.together == candidate(question._replace(size=size), Fraction(1)).together


def partitions(keys):
    """Yield all ways to divide keys among forms."""
    if not keys:
        yield []
        return
    first, *rest = keys
    for forms in partitions(rest):
        yield [(first,), *forms]
        for place, form in enumerate(forms):
            yield [*forms[:place], (first, *form), *forms[place + 1 :]]


@pytest.mark.parametrize(("asked", "gain"), [(LIST, 1.0408), (GRID, 1.0744)])
def test_a_list_stands_in_several_forms_where_disjoint_ones_need_more_people(asked, gain):
    wanted = brief([asked, YES, YES], 3, 10**6)
    found = propose(wanted)
    errors = [propose_within(wanted, forms).outcome.error for forms in partitions(["q0", "q1", "q2"])]
    assert min(errors) / found.outcome.error == pytest.approx(gain, rel=2e-3)
    assert sum("q0" in form.keys for form in found.design.forms) > 1


@pytest.mark.parametrize(("count", "total"), [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4)])
def test_few_yes_no_questions_are_drawn_together_for_everyone(count, total):
    design = propose(brief([YES] * count, total)).design
    assert [draw.sizes for draw in design.everyone] == [(1,) * count] and not design.forms


@pytest.mark.parametrize(("alpha", "sample", "gain"), [(2, 2, 1.30), (3, 3, 1.82), (4, 4, 2.04)])
def test_items_of_a_list_are_drawn_together(alpha, sample, gain):
    best = draw_prices.alone(PlannedQuestion("multiple_choice", Size(8)), Fraction(alpha))
    split = min(8 / s / 4 / keep_chance(alpha / s, 2) ** 2 for s in range(1, 9))
    assert best.sample == sample and split / best.price.variance == pytest.approx(gain, abs=0.006)


def test_ten_yes_no_questions_can_all_be_crossed_for_nothing():
    """One joint form of all ten would need 218 times as many people."""
    wanted = brief([YES] * 10, 2, 10**9, crossed="all")
    found, columns = propose(wanted), Columns(wanted)
    assert found.crossing_cost == pytest.approx(0, abs=1e-3) and found.outcome.error / 4 == pytest.approx(
        3.305, abs=1e-3
    )
    told = sum(part * columns.column(draws).information for part, draws in found.design.parts)
    whole = columns.column(
        [DesignDraw(Fraction(2), tuple(f"q{k}" for k in range(10)), "randomized_response", (1,) * 10)]
    )
    assert 1 / told[10:] == pytest.approx(119, abs=0.2) and 1 / whole.information[10:] == pytest.approx(26009, abs=1)


def test_no_column_would_lower_the_sum_by_more_than_a_thousandth():
    """The best weights of the found forms are compared with all forms of up to four questions with all sizes."""
    from ldp.planning.design_search import Search

    wanted = brief(options(2, 3, 4, 5), 3, crossed="all")
    columns = Columns(wanted)
    importance = np.array([0.25] * 4 + [0.001] * 6)
    forms = Search(columns, importance).relaxed()
    told = np.array([form.information for form in forms])
    weights = design_weights.best(told, importance, np.full(len(forms), 1 / len(forms)))
    least = design_weights.value(told, importance, weights)
    every = []
    for count in (1, 2, 3, 4):
        for places in combinations(range(4), count):
            counts = [columns.joined[k] for k in places]
            for listed in np.ndindex(*(d - 1 for d in counts)):
                every.append(columns.together({k: a + 1 for k, a in zip(places, listed, strict=True)}).information)
    slopes = np.array(every) @ (importance / (weights @ told) ** 2)
    assert slopes.max() <= least * 1.002


def test_the_weights_are_those_of_least_sum():
    """Two forms that share nothing get weights in proportion to the roots of their variances."""
    columns, importance = np.array([[4.0, 0.0], [0.0, 1.0]]), np.array([1.0, 1.0])
    assert design_weights.best(columns, importance, np.array([0.5, 0.5])) == pytest.approx([1 / 3, 2 / 3])
    assert design_weights.at_least(columns, importance, np.array([0.5, 0.5]), 0.4) == pytest.approx([0.4, 0.6])
    assert design_weights.whole_weights(columns, importance, np.array([1 / 3, 2 / 3]), 0.1) == (1, 2)


# What it promises -----------------------------------------------------------------------------------------------------


def test_a_question_alone_is_planned_as_by_any_two_that_give_the_third():
    for asked in SORTS[:7]:
        for target in ("population", "respondents"):
            found = propose(brief([asked], 2, 1000, target=target)).outcome.half_widths["q0"]
            assert found == pytest.approx(thirds.half_width(asked, Fraction(2), 1000, target=target), rel=1e-6)


def test_pooled_forms_are_planned_as_one_where_they_are_alike():
    own = draw_prices.with_others("single_choice", Size(5), 2, 0.4)
    for target in ("population", "respondents"):
        halves = draw_prices.pooled([(0.3, own), (0.3, own)])
        assert halves.half_width(1000, target) == pytest.approx(own.half_width(600, target))


def test_pooled_shares_vary_as_planned():
    """The variance of 20,000 surveys has a standard error of 1% (seed 46)."""
    chance, n = np.random.default_rng(46), 4000
    rows = [(0.5, 1, 0.5), (0.3, 2, 0.3), (0.2, 4, 0.6)]
    prices = [(part, draw_prices.with_others("single_choice", Size(5), a, keep)) for part, a, keep in rows]
    numbers = chance.multinomial(n, [part for part, _, _ in rows], size=20_000)
    weights = numbers / [price.variance for _, price in prices]
    weights = weights / weights.sum(axis=1, keepdims=True)
    found = np.zeros(20_000)
    for place, (_, a, keep) in enumerate(rows):
        q, gap = keep * (a - 1) / 4 + (1 - keep) * a / 5, keep * (5 - a) / 4
        heard = chance.binomial(numbers[:, place], q + gap / 5)
        found += weights[:, place] * (heard / numbers[:, place] - q) / gap
    assert n * found.var() == pytest.approx(draw_prices.pooled(prices).variance, rel=0.03)


def test_what_an_interval_of_pooled_forms_adds_is_planned_as_published():
    rows = [(300, 1, 0.5), (200, 2, 0.3), (100, 4, 0.6)]
    laws = [randomized_response.chances({"keep": round(keep * 2**53), "sizes": [a]}, 5) for _, a, keep in rows]
    built, _ = pooled_scores.moments([(n, indicator(*law)) for (n, *_), law in zip(rows, laws, strict=True)], 5)
    price = draw_prices.pooled([(n / 600, draw_prices.with_others("single_choice", Size(5), *r)) for n, *r in rows])
    assert price.addition == pytest.approx(numeric.addition(built), rel=1e-9)


# What people can have -------------------------------------------------------------------------------------------------


def test_nothing_is_published_of_too_few_people_and_it_says_so():
    found = propose(brief(options(3, 4, 5, 6, 6), 2, 15)).outcome
    assert found.nothing and set(found.publishes.values()) == {"never"}
    forms = tuple(DesignForm(1, (DesignDraw(Fraction(2), (f"q{k}",), "randomized_response", (1,)),)) for k in range(5))
    stood = outcome(Columns(brief(options(3, 4, 5, 6, 6), 2, 25)), Design((), forms))
    assert stood.nothing and set(stood.half_widths.values()) == {math.inf}


def test_it_says_when_results_come():
    assert set(propose(brief([YES] * 10, 2, 300)).outcome.publishes.values()) == {"end"}
    assert set(propose(brief([YES] * 10, 2, 900)).outcome.publishes.values()) == {"before"}


def test_fewer_questions_are_known_more_precisely():
    one, three, every = possible(brief([YES] * 10, 2, 900))
    assert [len(each.keys) for each in (one, three, every)] == [1, 3, 10]
    assert one.most == pytest.approx(0.0436, abs=1e-3) and one.most < three.most < every.most == pytest.approx(
        0.123, abs=1e-3
    )


def test_every_change_has_its_outcome():
    wanted = brief([*options(5, 2), PlannedQuestion("ordered", Size(7))], 2, 900, crossed="all")
    found = {(change.name, change.key): change for change in changes(wanted)}
    assert {name for name, _ in found} == {"drop", "mean", "merge", "alpha", "people", "uncross"}
    error = propose(wanted).outcome.error
    for name in ("alpha", "people", "uncross"):
        assert found[name, ""].proposal.outcome.error <= error * (1 + 1e-9)
    assert found["drop", "q1"].brief.only(["q0"]).questions == wanted.questions[:1]
    assert found["people", ""].brief.n == 1800 and found["mean", "q2"].brief.questions[2].asked.kind == "mean"


@pytest.mark.parametrize("width", [0.05, 0.15, HOPELESS])
def test_so_many_people_reach_the_width(width):
    wanted = brief(options(2, 2, 3, 5), 2)
    needed = people(wanted, width)
    assert max(propose(replace(wanted, n=needed)).outcome.half_widths.values()) <= width
    assert people(wanted, width, "q0") <= needed <= people_with(wanted, propose(wanted).design, width)
    assert people(wanted, 1e-9) is None


def test_the_number_of_people_for_wishes_is_that_of_the_design_for_these_people():
    asked = [
        *options(3, 3, 6),
        PlannedQuestion("multiple_choice", Size(9)),
        *options(3),
        PlannedQuestion("grid", Size(5, 4)),
    ]
    wanted = brief([*asked, PlannedQuestion("mean", Size(0))], 2)
    wanted = replace(wanted, questions=tuple(each._replace(wished=0.05) for each in wanted.questions))
    needed = people(wanted, 0.05)
    enough, fewer = (propose(replace(wanted, n=round(n))).outcome.half_widths for n in (needed, 0.98 * needed))
    assert max(enough.values()) <= 0.05 < max(fewer.values())


def test_forms_that_stand_get_the_best_way_and_weight():
    found = propose_within(brief(options(2, 2, 5, 5, 3), 2), [("q0", "q1"), ("q2", "q3")])
    assert [draw.keys for draw in found.design.everyone] == [("q4",)]
    assert [form.keys for form in found.design.forms] == [("q0", "q1"), ("q2", "q3")] and found.design.alpha == 2
