"""Rankings: the statements that follow from an order, and the mean ranks that follow from their shares (M9b, M32e)."""

import random
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
import scipy

from ldp import results
from ldp.inference import tallied
from ldp.inference.reading.ranks import Ranks
from ldp.inference.tallied import Tallied
from ldp.kinds import KINDS
from ldp.kinds.ranking import pairs, statements
from ldp.mechanisms import multiple, randomized_response
from surveys.survey.definition import build
from tests.support.questions import question

KIND = KINDS["ranking"]
THREE = {"ranked": ["tea", "coffee", "milk"]}


def asked(items, alpha="1"):
    (built,) = build({"title": "Rank", "questions": [question("drinks", "ranking", alpha, ranked=items)]})["questions"]
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
        before = [(a, b) if is_so else (b, a) for (a, b), is_so in zip(pairs(k), holds, strict=True)]
        assert [1 + sum(b == item for _, b in before) for item in order] == list(range(1, k + 1))


@pytest.mark.parametrize("wrong", [[0, 1], [0, 1, 1], [0, 1, 3], [False, 1, 2], "012", None, [0, 1, 2, 3], [0.0, 1, 2]])
def test_what_is_no_order_is_refused(wrong):
    with pytest.raises(ValueError, match="some order"):
        KIND.answer(THREE, wrong, lambda: 0)


@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(2)])
def test_no_report_is_likelier_for_one_order_than_alpha_allows(alpha):
    """The channel of orders itself, in fractions: a pair drawn evenly, and its bit kept with 1 - t/2^53."""
    table = multiple.table(alpha, 3)
    assert multiple.certified(table, 3, alpha)
    q = randomized_response.listed_chances(Fraction(table["keep"], 2**53), 1, 2)[1]

    def chance(order, place, bit):
        holds = KIND.answer(THREE, list(order), lambda: 0)[place]
        return Fraction(1, 3) * (1 - q if holds == bit else q)

    for place, bit in product(range(3), (False, True)):
        chances = [chance(order, place, bit) for order in permutations(range(3))]
        # 2^-60 below e^alpha: the partial sum of its series proves it.
        partial = sum(alpha**i / scipy.special.factorial(i, exact=True) for i in range(40))
        assert max(chances) <= partial * min(chances) and max(chances) > min(chances)


def test_people_who_are_invented_put_two_items_in_the_order_that_their_shares_say():
    """The largest difference of 10 shares of 20,000 people passes 4.5 standard errors once in 10,000 times."""
    shares, chance = [0.4, 0.3, 0.2, 0.1, 0.0], random.Random(5)
    built = {"ranked": ["x"] * 5}
    holds = [KIND.answer(built, KIND.invented_answer(built, shares, chance), lambda: 0) for _ in range(20_000)]
    expected = np.array(KIND.true_shares(built, shares))
    assert np.abs(np.mean(holds, axis=0) - expected).max() < 4.5 * 0.5 / 20_000**0.5


def ranks_of(totals, drawn, alpha="1", every_look=False):
    moments = multiple.moments(multiple.table(Fraction(alpha), len(totals)), len(totals))["support"]
    k = next(k for k in range(3, 9) if len(pairs(k)) == len(totals))
    rows = [
        Tallied(moments, None, [total], n, True, every_look) if n else None
        for total, n in zip(totals, drawn, strict=True)
    ]
    return Ranks(pairs(k), rows), moments


def test_a_mean_rank_is_one_and_the_shares_before_it():
    ranks, moments = ranks_of([30, 60, 45], [100, 120, 80])
    tea_coffee, tea_milk, coffee_milk = (
        (total / n - float(moments.b)) / float(moments.gap) for total, n in ((30, 100), (60, 120), (45, 80))
    )
    own = [1 + (1 - tea_coffee) + (1 - tea_milk), 1 + tea_coffee + (1 - coffee_milk), 1 + tea_milk + coffee_milk]
    assert [ranks.estimate(item) for item in range(3)] == pytest.approx(own)
    assert sum(own) == pytest.approx(6)  # mean ranks add up to 1 + 2 + 3, whatever the noise


def test_without_a_report_about_one_of_its_pairs_an_item_has_no_mean_rank():
    ranks, _ = ranks_of([30, 0, 45], [100, 0, 80])
    assert [ranks.estimate(item) is None for item in range(3)] == [True, False, True]
    assert ranks.interval(0, 0.95, "population") is None and ranks.standard_error(2) is None


@pytest.mark.parametrize("alpha", ["0.5", "2", "8"])
@pytest.mark.parametrize("drawn", [(1, 1), (4, 9), (12, 12), (30, 3), (1, 25), (7, 8)])
def test_no_mean_rank_is_covered_less_often_than_promised(alpha, drawn):
    """Exactly: all outcomes of an item's two pairs are summed, for 25 laws. Only the pairs' shares matter."""
    first, second = drawn
    for confidence in (0.8, 0.95, 0.999):
        spans = {}
        for totals in product(range(first + 1), range(second + 1)):
            ranks, moments = ranks_of([*totals, 0], [*drawn, 1], alpha)
            spans[totals] = ranks.interval(0, confidence, "population")
        for one, other in product(np.linspace(0, 1, 5), repeat=2):
            chances = [
                scipy.stats.binom.pmf(np.arange(n + 1), n, float(moments.b) + float(moments.gap) * share)
                for n, share in ((first, one), (second, other))
            ]
            true = 1 + (1 - one) + (1 - other)
            covered = sum(
                chances[0][a] * chances[1][b]
                for (a, b), (low, high) in spans.items()
                if low - 1e-9 <= true <= high + 1e-9
            )
            assert covered >= confidence


@pytest.mark.parametrize(("alpha", "m", "totals"), [("1", 200, (90, 120, 70)), ("4", 150, (4, 140, 75))])
def test_of_pairs_with_equal_numbers_a_mean_rank_has_clopper_and_pearsons_interval(alpha, m, totals):
    """With N = (k - 1) m reports; by Hoeffding's inequality (1963) 1.8 times the people would be needed, or more."""
    ranks, moments = ranks_of(totals, (m,) * 3, alpha)
    b, gap = float(moments.b), float(moments.gap)
    for item, total in ((0, 2 * m - totals[0] - totals[1]), (1, totals[0] + m - totals[2]), (2, totals[1] + totals[2])):
        exact = scipy.stats.binomtest(total, 2 * m).proportion_ci(0.95, "exact")
        low, high = (1 + 2 * min(max((end - b) / gap, 0), 1) for end in (exact.low, exact.high))
        span = ranks.interval(item, 0.95, "population")
        assert span.low == pytest.approx(low, abs=1e-9) and span.high == pytest.approx(high, abs=1e-9)
        hoeffding = 2 * (np.log(40) / 2 * 2 / m) ** 0.5 / gap
        assert (hoeffding / (span.high - span.low)) ** 2 > 1.8


@pytest.mark.statistical
def test_no_mean_rank_of_pairs_with_unlike_numbers_is_covered_less_often_than_promised():
    """Exactly, as above, of three pairs of four items with any laws: seeded, 30 numbers of reports."""
    generator = np.random.default_rng(3)
    for _ in range(30):
        drawn, alpha = generator.integers(1, 12, 3), str(generator.choice(["0.5", "2", "8"]))
        spans, laws = {}, [generator.choice([0, generator.random(), 1], 3) for _ in range(6)]
        for totals in product(*(range(n + 1) for n in drawn)):
            ranks, moments = ranks_of([*totals, 0, 0, 0], [*drawn, 1, 1, 1], alpha)
            spans[totals] = ranks.interval(0, 0.95, "population")
        ends = np.array([*spans.values()]).reshape(*(drawn + 1), 2)
        for law in laws:
            each = [
                scipy.stats.binom.pmf(np.arange(n + 1), n, float(moments.b) + float(moments.gap) * share)
                for n, share in zip(drawn, law, strict=True)
            ]
            chances, true = np.einsum("i,j,k->ijk", *each), 1 + (1 - law).sum()
            assert chances[(ends[..., 0] <= true + 1e-9) & (true <= ends[..., 1] + 1e-9)].sum() >= 0.95


def simulated(shares, people, alpha, seed, surveys):
    """The totals of surveys with these people, Plackett and Luce's, and each item's true mean rank."""
    k, chance = len(shares), random.Random(seed)
    built = asked([f"item {i}" for i in range(k)], alpha)
    orders = [KIND.invented_answer(built, shares, chance) for _ in range(people)]
    holds = np.array([KIND.answer(built, order, lambda: 0) for order in orders])
    generator = np.random.default_rng(seed)
    q = (1 - built["table"]["keep"] / 2**53) / 2
    d = holds.shape[1]
    for _ in range(surveys):
        place = generator.integers(d, size=people)
        bits = holds[np.arange(people), place] ^ (generator.random(people) < q)
        drawn = np.bincount(place, minlength=d)
        yield built, {"support": np.bincount(place, bits, d).astype(int).tolist(), "drawn": drawn.tolist()}, orders


@pytest.mark.parametrize(("people", "alpha"), [(120, "1"), (1000, "4")])
def test_the_mean_ranks_of_exactly_these_respondents_are_covered(people, alpha):
    """400 surveys of the same people, of whom chance draws which pair each tells: of 400 at .95 fewer than 360 cover
    once in 100,000 times or less (binomial)."""
    covered = np.zeros(4)
    for built, totals, orders in simulated([0.5, 0.3, 0.15, 0.05], people, alpha, 3, 400):
        parts = dict(tallied.of_question(built, totals, people))
        ranks = Ranks(pairs(4), [parts.get(f"drinks.{place}") for place in range(1, 7)])
        true = [1 + np.mean([order.index(item) for order in orders]) for item in range(4)]
        spans = [ranks.interval(item, 0.95, "respondents") for item in range(4)]
        covered += [span is None or span.low <= own <= span.high for span, own in zip(spans, true, strict=True)]
    assert (covered >= 360).all()


def test_shares_of_statements_are_unbiased():
    """The mean over 400 surveys of 6 shares is off by more than 4.5 of its standard errors once in 20,000 times."""
    every = []
    for built, totals, orders in simulated([0.5, 0.3, 0.15, 0.05], 600, "2", 11, 400):
        (result,) = results.results(built, totals, 600, 0.95)
        every.append([category["estimate"] for category in result["methods"][0]["categories"]])
        holds = np.mean([KIND.answer(built, order, lambda: 0) for order in orders], axis=0)
    off = (np.mean(every, axis=0) - holds) / (np.std(every, axis=0) / 20)
    assert np.abs(off).max() < 4.5


def test_at_every_look_an_interval_holds_and_is_wider():
    once, _ = ranks_of([300, 600, 450], [1000, 1200, 800])
    always, _ = ranks_of([300, 600, 450], [1000, 1200, 800], every_look=True)
    for item in range(3):
        one, other = once.interval(item, 0.95, "population"), always.interval(item, 0.95, "population")
        assert other.low <= one.low < one.high <= other.high
