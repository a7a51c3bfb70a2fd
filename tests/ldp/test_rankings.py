"""Rankings: the statements of an order, and the mean ranks that follow from their shares (M9b, M32e)."""

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest
import scipy

from ldp import results
from ldp.forms.report import alone
from ldp.inference.reading.ranks import Ranks
from ldp.kinds import KINDS
from ldp.kinds.protocol import Size
from ldp.kinds.ranking import statements
from ldp.mechanisms import of, ranking
from ldp.planning import draw_prices
from ldp.planning.candidates import PlannedQuestion
from ldp.tally import Field
from surveys.survey.definition import build
from tests.support.questions import question

KIND = KINDS["ranking"]
THREE = {"ranked": ["tea", "coffee", "milk"]}


def asked(items, alpha="1", sample=2):
    drinks = question("drinks", "ranking", alpha, ranked=items, sample=sample)
    (built,) = alone(build({"title": "Rank", "questions": [drinks]}))
    return built


def test_each_two_items_are_one_statement():
    assert statements(THREE["ranked"]) == ["tea > coffee", "tea > milk", "coffee > milk"]
    assert KIND.answer(THREE, [2, 0, 1], lambda: 0) == [True, False, False]


@pytest.mark.parametrize("k", [3, 4, 5])
def test_orders_and_their_statements_tell_the_same(k):
    orders = list(permutations(range(k)))
    told = [tuple(KIND.answer({"ranked": ["x"] * k}, list(order), lambda: 0)) for order in orders]
    assert len(set(told)) == len(orders)
    for order, holds in zip(orders, told, strict=True):
        before = [(a, b) if is_so else (b, a) for (a, b), is_so in zip(combinations(range(k), 2), holds, strict=True)]
        assert [1 + sum(b == item for _, b in before) for item in order] == list(range(1, k + 1))


@pytest.mark.parametrize("wrong", [[0, 1], [0, 1, 1], [0, 1, 3], [False, 1, 2], "012", None, [0, 1, 2, 3], [0.0, 1, 2]])
def test_what_is_no_order_is_refused(wrong):
    with pytest.raises(ValueError, match="some order"):
        KIND.answer(THREE, wrong, lambda: 0)


def chances(order, table, k):
    """Return the law of a report of a person with this order, in fractions: evenly drawn entries in true or any
    order."""
    s, lam = table["sample"], Fraction(table["keep"], 2**53)
    law = {}
    for drawn in combinations(range(k), s):
        true = tuple(item for item in order if item in drawn)
        for said in permutations(drawn):
            chance = (lam * (said == true) + (1 - lam) / math.factorial(s)) / math.comb(k, s)
            law[tuple((pair, said.index(pair[0]) < said.index(pair[1])) for pair in combinations(drawn, 2))] = chance
    return law


@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(2), Fraction(4)])
@pytest.mark.parametrize(("k", "sample"), [(3, 2), (3, 3), (4, 2), (4, 3)])
def test_no_report_is_likelier_for_one_order_than_alpha_allows(alpha, k, sample):
    table = ranking.table(alpha, math.comb(k, 2), sample)
    assert ranking.certified(table, math.comb(k, 2), alpha)
    every = [chances(order, table, k) for order in permutations(range(k))]
    # A partial sum of its series is below e^alpha.
    partial = sum(alpha**i / math.factorial(i) for i in range(40))
    for report in every[0]:
        of_orders = [law[report] for law in every]
        assert min(of_orders) < max(of_orders) <= partial * min(of_orders)


def test_a_table_that_keeps_less_or_draws_another_number_is_not_certified():
    table = ranking.table(Fraction(2), 6, 3)
    for change in ({"keep": table["keep"] + 1}, {"sample": 1}, {"sample": 2}, {"sample": 4}, {"keep": 0}):
        assert ranking.certified(table | change, 6, Fraction(2)) == (change == {"sample": 2})
    assert not ranking.certified(ranking.table(Fraction(2), 6, 2) | {"sample": 3}, 6, Fraction(2))


@pytest.mark.parametrize(("k", "sample"), [(3, 2), (3, 3), (4, 2), (4, 3), (5, 3)])
def test_shares_and_mean_ranks_are_unbiased_in_fractions(k, sample):
    """Every order is tried. The fractions of reports about a pair or an entry do not depend on it."""
    alpha, d = Fraction(3, 2), math.comb(k, 2)
    table = ranking.table(alpha, d, sample)
    moments = ranking.moments(table, d)["support"]
    for order in list(permutations(range(k)))[:: max(1, math.factorial(k) // 24)]:
        law = chances(order, table, k)
        for one, other in combinations(range(k), 2):
            about = [(p, bit) for report, p in law.items() for pair, bit in report if pair == (one, other)]
            assert sum(p for p, _ in about) == Fraction(math.comb(sample, 2), d)
            share = sum(p for p, bit in about if bit) / sum(p for p, _ in about)
            assert (share - moments.b) / moments.gap == (order.index(one) < order.index(other))
        for item in range(k):
            scores = [
                (p, Fraction(sum(bit == (pair[1] == item) for pair, bit in report if item in pair), sample - 1))
                for report, p in law.items()
                if any(item in pair for pair, _ in report)
            ]
            assert sum(p for p, _ in scores) == Fraction(sample, k)
            mean = sum(p * score for p, score in scores) / sum(p for p, _ in scores)
            assert 1 + (k - 1) * (mean - moments.b) / moments.gap == 1 + order.index(item)


def test_an_order_of_three_tells_more_of_a_share_from_alpha_one_and_a_half_on():
    """The ratios are the factors by which an order of three needs fewer people at alpha 2, 3 and 4: for a share of one
    half, and for a mean rank if all orders are equally common."""

    def variance(alpha, sample):
        return 1 / (4 * ranking.moments(ranking.table(alpha, 3, sample), 3)["support"].gap ** 2)

    shares, means = [], []
    for alpha in (2, 3, 4):
        ratio = variance(Fraction(alpha), 2) / variance(Fraction(alpha), 3)
        shares.append(3 * ratio)  # a report is about three pairs
        means.append(Fraction(9, 4) * ratio)  # places 0, 1, 2 have the variance 2/3, over 4; half more reports
    assert [round(float(each), 2) for each in shares] == [1.38, 2.12, 2.61]
    assert [round(float(each), 2) for each in means] == [1.03, 1.59, 1.96]
    planned = {
        alpha: draw_prices.alone(PlannedQuestion("ranking", Size(6, 1, 2)), alpha)
        for alpha in map(Fraction, ("1", "1.49", "1.5", "2"))
    }
    assert [planned[alpha].sample for alpha in planned] == [2, 2, 3, 3]
    # Exactly where sqrt(3) (e^alpha + 1) = e^alpha + 5.
    assert 1.49 < math.log((5 - 3**0.5) / (3**0.5 - 1)) < 1.5


def test_a_longer_list_of_orders_is_worth_it_nowhere():
    """With a of six orders in a report, a pair has the variance of a sum of a draws without replacement. If more than
    one would help a share, an order of two helps more."""
    for hundredths in range(1, 1601):
        growth = math.expm1(hundredths / 100)

        def variance(a, growth=growth):
            kept, gain = growth / (growth + 6 / a), 1 - (a - 1) / 5
            return a / 4 * (6 - a) / 5 / (kept * gain) ** 2

        pair = 3 / 4 / (growth / (growth + 2)) ** 2
        assert min(variance(1), pair) <= min(map(variance, range(2, 6)))


@pytest.mark.parametrize(("k", "sample"), [(3, 2), (3, 3), (5, 3), (8, 2), (8, 3)])
def test_what_is_drawn_is_packed_and_counted_as_it_is(k, sample):
    """In 4,000 orders each of the drawn orders comes as often as expected, within 5 standard errors."""
    chance, alpha, d = random.Random(k + sample), Fraction(2), math.comb(k, 2)
    table, order = ranking.table(alpha, d, sample), random.Random(7).sample(range(k), k)
    packing = ranking.packing(table, d)
    answer = KIND.answer({"ranked": ["x"] * k}, order, lambda: 0)
    reports = [ranking.randomize(answer, table, d, lambda: chance.randrange(2**53)) for _ in range(4000)]
    assert all(packing.decode(packing.encode(report)) == report for report in reports)
    pairs = list(combinations(range(k), 2))
    came = Counter(tuple((pairs[number], bool(bit)) for number, bit in report) for report in reports)
    for report, p in chances(order, table, k).items():
        assert abs(came[report] - 4000 * p) <= 5 * math.sqrt(4000 * p) + 1
    bits = np.array([[*map(int, format(packing.encode(report), f"0{packing.width}b"))] for report in reports])
    totals = ranking.tally(Field.of(bits.astype(np.uint8)), table, d)
    assert totals["support"] == [sum(pair == [j, 1] for report in reports for pair in report) for j in range(d)]
    assert totals["drawn"] == [sum(pair[0] == j for report in reports for pair in report) for j in range(d)]
    places = [[0] * sample for _ in range(k)]
    for report in reports:
        behind = Counter(pairs[number][1 if bit else 0] for number, bit in report)
        for item in {item for number, _ in report for item in pairs[number]}:
            places[item][behind[item]] += 1
    assert totals["places"] == [count for each in places for count in each]


@pytest.mark.parametrize(
    "wrong",
    [
        [[0, 1]],
        [[0, 1], [1, 1]],
        [[0, 1], [1, 0], [3, 1]],  # a circle: 0 before 1, 2 before 0, 1 before 2
        [[0, 0], [1, 1], [3, 0]],
        [[0, 1], [1, 1], [2, 1]],  # of entry 0 with all others
        [[0, 1], [1, 1], [5, 1]],
        [[1, 1], [0, 1], [3, 1]],
        [[0, 1], [1, 1], [3, 2]],
        [[0, True], [1, 1], [3, 1]],
        None,
    ],
)
def test_what_says_no_order_of_three_entries_is_refused(wrong):
    packing = ranking.packing(ranking.table(Fraction(2), 6, 3), 6)
    assert packing.encode([[0, 1], [1, 0], [3, 0]]) >= 0
    with pytest.raises(ValueError, match=r"^must (be|hold)"):
        packing.encode(wrong)


def test_people_who_are_invented_put_two_items_in_the_order_that_their_shares_say():
    """The largest difference of 10 shares of 20,000 people exceeds 4.5 standard errors once in 10,000 runs."""
    shares, chance = [0.4, 0.3, 0.2, 0.1, 0.0], random.Random(5)
    built = {"ranked": ["x"] * 5}
    holds = [KIND.answer(built, KIND.invented_answer(built, shares, chance), lambda: 0) for _ in range(20_000)]
    expected = np.array(KIND.true_shares(built, shares))
    assert np.abs(np.mean(holds, axis=0) - expected).max() < 4.5 * 0.5 / 20_000**0.5


def ranks_of(places, alpha="1", every_look=False):
    """Return the ranks of entries that reports put at their places this often."""
    k, sample = len(places), len(places[0])
    table = ranking.table(Fraction(alpha), math.comb(k, 2), sample)
    built = {
        "ranked": ["x"] * k,
        "options": ["x"] * math.comb(k, 2),
        "mechanism": "ranking",
        "table": table,
        "alpha": alpha,
    }
    return Ranks(built, {"places": [count for each in places for count in each]}, every_look)


def test_a_mean_rank_is_one_and_the_part_of_the_others_before_it():
    ranks = ranks_of([(30, 20, 50), (100, 0, 0), (0, 0, 0)])
    moments = ranking.moments(ranking.table(Fraction(1), 3, 3), 3)["support"]
    b, gap = float(moments.b), float(moments.gap)
    assert ranks.estimate(0) == pytest.approx(1 + 2 * (0.6 - b) / gap)
    assert ranks.estimate(1) == pytest.approx(1 - 2 * b / gap)
    assert ranks.standard_error(0) == pytest.approx(2 * math.sqrt((0.05 + 0.5 - 0.36) / 100) / gap)
    assert (ranks.estimate(2), ranks.standard_error(2), ranks.interval(2, 0.95)) == (None, None, None)


def test_mean_ranks_of_reports_about_everything_add_up():
    """The sum is 1 + 2 + 3 for any noise if every report has all entries."""
    assert sum(map(ranks_of([(3, 2, 5), (3, 5, 2), (4, 3, 3)]).estimate, range(3))) == pytest.approx(6)


@pytest.mark.parametrize("alpha", ["0.5", "2", "8"])
@pytest.mark.parametrize("n", [1, 2, 5, 12])
@pytest.mark.parametrize("sample", [2, 3])
def test_no_mean_rank_is_covered_less_often_than_promised(alpha, n, sample):
    """All outcomes of the n reports that drew an entry are enumerated, for all laws of its places in sixths."""
    table = ranking.table(Fraction(alpha), 3, sample)
    lam, places = table["keep"] / 2**53, range(sample)
    outcomes = [each for each in product(range(n + 1), repeat=sample) if sum(each) == n]
    laws = [each for each in product(range(7), repeat=sample) if sum(each) == 6]
    for confidence in (0.8, 0.95, 0.999):
        spans = np.array([ranks_of([each] * 3, alpha).interval(0, confidence) for each in outcomes])
        for law in laws:
            chance = scipy.stats.multinomial.pmf(outcomes, n, lam * np.array(law) / 6 + (1 - lam) / sample)
            true = 1 + 2 * float(np.array(law) @ places) / 6 / (sample - 1)
            assert chance[(spans[:, 0] <= true + 1e-9) & (true <= spans[:, 1] + 1e-9)].sum() >= confidence


@pytest.mark.parametrize(("alpha", "places"), [("1", (90, 120)), ("4", (4, 140))])
def test_of_pairs_a_mean_rank_has_clopper_and_pearsons_interval(alpha, places):
    moments = ranking.moments(ranking.table(Fraction(alpha), 3, 2), 3)["support"]
    exact = scipy.stats.binomtest(places[1], sum(places)).proportion_ci(0.95, "exact")
    low, high = (
        1 + 2 * min(max((end - float(moments.b)) / float(moments.gap), 0), 1) for end in (exact.low, exact.high)
    )
    span = ranks_of([places] * 3, alpha).interval(0, 0.95)
    assert span.low == pytest.approx(low, abs=1e-9) and span.high == pytest.approx(high, abs=1e-9)


def simulated(shares, people, alpha, seed, surveys, sample=2):
    """Yield the totals of surveys of these Plackett and Luce people, and the people's orders."""
    k, chance = len(shares), random.Random(seed)
    built = asked([f"item {i}" for i in range(k)], alpha, sample)
    orders = [KIND.invented_answer(built, shares, chance) for _ in range(people)]
    places = np.argsort(orders, axis=1)
    generator, d = np.random.default_rng(seed), math.comb(k, 2)
    packing, pairs = of(built).packing(), np.full((k, k), -1)
    pairs[np.triu_indices(k, 1)] = range(d)
    for _ in range(surveys):
        drawn = np.sort(generator.random((people, k)).argsort(axis=1)[:, :sample], axis=1)
        kept = generator.random((people, 1)) < built["table"]["keep"] / 2**53
        said = np.where(
            kept, np.take_along_axis(places, drawn, axis=1), generator.random((people, sample)).argsort(axis=1)
        )
        codes = np.zeros(people, dtype=np.int64)
        for one, other in combinations(range(sample), 2):
            codes = codes << (d - 1).bit_length() | pairs[drawn[:, one], drawn[:, other]]
            codes = codes << 1 | (said[:, one] < said[:, other])
        bits = codes[:, None] >> np.arange(packing.width - 1, -1, -1) & 1
        yield built, of(built).tally(Field.of(bits.astype(np.uint8))), orders


@pytest.mark.parametrize(("people", "alpha"), [(120, "1"), (1000, "4")])
@pytest.mark.parametrize("sample", [2, 3])
def test_the_mean_ranks_of_exactly_these_respondents_are_covered(people, alpha, sample):
    """Chance draws each person's entries in 200 surveys of the same people. At .95, fewer than 175 of 200 cover at most
    once in 100,000 runs (binomial)."""
    covered = np.zeros(4)
    for built, totals, orders in simulated([0.5, 0.3, 0.15, 0.05], people, alpha, 3, 200, sample):
        ranks = Ranks(built, totals)
        true = [1 + np.mean([order.index(item) for order in orders]) for item in range(4)]
        spans = [ranks.interval(item, 0.95) for item in range(4)]
        covered += [span.low <= own <= span.high for span, own in zip(spans, true, strict=True)]
    assert (covered >= 175).all()


@pytest.mark.parametrize("sample", [2, 3])
def test_shares_of_statements_and_mean_ranks_are_unbiased(sample):
    """The mean of 400 surveys of one of 10 numbers is 4.5 of its standard errors off once in 14,000 runs."""
    every, ranks, orders = [], [], []
    for built, totals, people in simulated([0.5, 0.3, 0.15, 0.05], 600, "2", 11, 400, sample):
        orders = people
        (result,) = results.results(built, totals, 600, 0.95)
        every.append([category["estimate"] for category in result["methods"][0]["categories"]])
        ranks.append(list(map(Ranks(built, totals).estimate, range(4))))
    holds = np.mean([KIND.answer(built, order, lambda: 0) for order in orders], axis=0)
    true = np.mean([[1 + order.index(item) for item in range(4)] for order in orders], axis=0)
    estimates, truth = np.hstack((every, ranks)), np.append(holds, true)
    off = (estimates.mean(axis=0) - truth) / (estimates.std(axis=0) / 20)
    assert np.abs(off).max() < 4.5


@pytest.mark.parametrize("sample", [2, 3])
@pytest.mark.parametrize("law", [(3, 1, 2), (0, 6, 0), (1, 0, 5)])
def test_intervals_of_mean_ranks_hold_at_all_looks_together(sample, law):
    """300 surveys are looked at 8 times while they double from 10 reports on. If 1 in 20 has a wrong look, more than 30
    have one once in 7,000 runs. `law` is that of an entry's places."""
    of_places = np.array(law[:sample]) / sum(law[:sample])
    lam, generator = ranking.table(Fraction(2), 3, sample)["keep"] / 2**53, np.random.default_rng(4)
    true, wrong = 1 + 2 * float(of_places @ np.arange(sample)) / (sample - 1), 0
    for _ in range(300):
        places, missed = np.zeros(sample, dtype=int), False
        for look in range(8):
            places += generator.multinomial(10 * 2 ** max(look - 1, 0), lam * of_places + (1 - lam) / sample)
            low, high = ranks_of([places.tolist()] * 3, "2", every_look=True).interval(0, 0.95)
            missed |= not low <= true <= high
        wrong += missed
    assert wrong <= 30


@pytest.mark.parametrize("places", [[(300, 600), (500, 450), (380, 320)], [(300, 500, 300), (900, 90, 110), (0, 0, 1)]])
def test_at_every_look_an_interval_holds_and_is_wider(places):
    once, always = ranks_of(places), ranks_of(places, every_look=True)
    for item in range(3):
        one, other = once.interval(item, 0.95), always.interval(item, 0.95)
        assert other.low <= one.low < one.high <= other.high
