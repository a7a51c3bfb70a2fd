"""The meaning of an alpha in frequencies of 100 and in beliefs, against the stated channels (M28)."""

from fractions import Fraction
from itertools import permutations, product
from math import prod

import pytest

from ldp import strength
from ldp.exact import RESOLUTION
from ldp.mechanisms import MECHANISMS
from ldp.planning.meaning import belief, factor, frequencies, identification, of_hundred, outward
from tests.support import stated_channels as stated
from tests.support.mechanisms import laplace


def question(mechanism, alpha="1", d=2, kind="single_choice", **more):
    """Return a question. A number behind the mechanism's name is how many options a report lists."""
    mechanism, _, size = mechanism.partition(" ")
    more |= {"size": int(size)} if size else {}
    extras = {"delta": Fraction(more["delta"])} if "delta" in more else {}
    extras |= {name: more.pop(name) for name in ("sample", "size") if name in more}
    table = MECHANISMS[mechanism].table(Fraction(alpha), d, **extras)
    options = [str(k) for k in range(d)]
    return {"kind": kind, "alpha": alpha, "mechanism": mechanism, "table": table, "options": options} | more


def chance(row, speaks):
    return sum((p for z, p in row.items() if speaks(z)), Fraction(0))


ONE_OF_SEVERAL = [
    ("randomized_response 1", 5, stated.randomized_response_channel, lambda z, x: x in z, True),
    ("randomized_response 1", 2, stated.randomized_response_channel, lambda z, x: x in z, True),
    ("randomized_response 2", 6, stated.randomized_response_channel, lambda z, x: x in z, False),
    ("bitwise", 3, stated.bitwise_channel, lambda z, x: z[x] == "1", False),
    ("laplace", 2, laplace.channel, lambda z, x: z[x] >= 1, False),
]


# Noise has few digits only at a large alpha.
ALPHAS = {"laplace": "8"}


@pytest.mark.parametrize(("mechanism", "d", "channel", "speaks", "exclusive"), ONE_OF_SEVERAL)
@pytest.mark.parametrize("alpha", ["0.5", "2"])
def test_frequencies_are_the_chances_of_the_channel(mechanism, d, channel, speaks, exclusive, alpha):
    asked = question(mechanism, ALPHAS.get(mechanism, alpha), d)
    rows, told = channel(d, asked["table"], RESOLUTION), frequencies(asked)
    assert told.exclusive is exclusive
    for x, y in product(range(d), repeat=2):
        found = chance(rows[y], lambda z, x=x: speaks(z, x))
        assert found == (told.same if x == y else told.other)


def test_where_the_chances_depend_on_the_answer_they_are_averages():
    d = 5
    asked = question("exponential", "3", d, "ordered")
    rows, told = stated.rows_channel(d, asked["table"], RESOLUTION), frequencies(asked)
    assert told.same == sum(rows[x][x] for x in range(d)) / d and told.exclusive
    assert told.other == sum(rows[y][x] for x in range(d) for y in range(d) if x != y) / (d * (d - 1))


@pytest.mark.parametrize("mechanism", ["one_bit", "laplace_mean"])
@pytest.mark.parametrize("alpha", ["0.3", "1", "5"])
def test_of_a_mean_the_two_ends_are_told_apart(mechanism, alpha):
    asked = question(mechanism, alpha, 2, "mean")
    if mechanism == "one_bit":
        rows = stated.randomized_response_channel(2, asked["table"], RESOLUTION)
        high = {(1,)}
    else:
        rows = stated.rows_channel(2, asked["table"], RESOLUTION)
        high = {z for z in rows[0] if z > Fraction(len(rows[0]) - 1, 2)}
    told = frequencies(asked)
    assert told.same == chance(rows[-1], high.__contains__)
    assert told.other == chance(rows[0], high.__contains__)


@pytest.mark.parametrize("mechanism", ["osgt", "gaussian"])
def test_where_noise_is_added_a_report_speaks_for_an_answer_by_a_number_of_one_or_more(mechanism):
    asked = question(mechanism, "2", 3, "histogram", delta="0.001")
    [inside], told = stated.noise_channel(1, asked["table"], RESOLUTION), frequencies(asked)
    assert float(told.same) == pytest.approx(float(chance(inside, lambda z: z[0] >= 1)), rel=1e-12)
    assert float(told.other) == pytest.approx(float(chance(inside, lambda z: z[0] >= 2)), rel=1e-12)
    assert not told.exclusive


@pytest.mark.parametrize(("mechanism", "kind", "d"), [("multiple", "multiple_choice", 3), ("grid", "grid", 2)])
def test_of_items_they_are_those_of_an_item_that_was_drawn(mechanism, kind, d):
    more = {"items": ["a", "b", "c"]} if kind == "grid" else {}
    asked = question(mechanism, "1", d, kind, sample=2, **more)
    given = [[0, 0, 0], [1, 0, 0]]
    rows, told = stated.sampled_channel(given, 2, 3, asked["table"], RESOLUTION), frequencies(asked)
    drawn = Fraction(2, 3)
    for answer, row in zip(given, rows, strict=True):
        says_one = chance(row, lambda z: (0, (1,)) in z) / drawn
        assert says_one == (told.same if answer[0] else told.other)


# Beliefs --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mechanism", "d", "channel", "speaks", "exclusive"), ONE_OF_SEVERAL)
@pytest.mark.parametrize("prior", [Fraction(1, 20), Fraction(1, 2)])
def test_no_report_moves_a_belief_further_and_some_report_moves_it_as_far(
    mechanism, d, channel, speaks, exclusive, prior
):
    asked = question(mechanism, ALPHAS.get(mechanism, "1"), d)
    rows, bounds = channel(d, asked["table"], RESOLUTION), belief(prior, factor(asked))
    after = [
        prior * mine[z] / (prior * mine[z] + (1 - prior) * other[z])
        for mine, other in product(rows, repeat=2)
        for z in mine
        if mine[z]
    ]
    assert bounds.low <= min(after) and max(after) <= bounds.high
    assert float(bounds.low) == pytest.approx(float(min(after)), rel=1e-9)
    assert float(bounds.high) == pytest.approx(float(max(after)), rel=1e-9)


STATED = {"0.5": (8.0, 29.2, 62.2), "1": (12.5, 40.5, 73.1), "2": (28.0, 64.9, 88.1), "4": (74.2, 93.2, 98.2)}


@pytest.mark.parametrize("alpha", STATED)
def test_beliefs_are_those_that_m28_states_and_are_rounded_outward(alpha):
    asked = question("randomized_response", alpha)
    for prior, stated_high in zip((5, 20, 50), STATED[alpha], strict=True):
        found = belief(Fraction(prior, 100), factor(asked))
        assert round(float(100 * found.high), 1) == stated_high
        low, high = outward(found)
        assert low <= 100 * found.low < low + 1 and high - 1 < 100 * found.high <= high


def test_of_a_hundred_people_so_many_reports_say_the_same():
    same = [of_hundred(frequencies(question("randomized_response", alpha)).same) for alpha in ("0.5", "1", "2", "4")]
    assert same == [62, 73, 88, 98]
    five = frequencies(question("randomized_response 1", "1", 5))
    assert (of_hundred(five.same), of_hundred(five.other)) == (40, 15)
    assert [of_hundred(Fraction(k, 200)) for k in (0, 1, 2, 199, 200)] == [0, 1, 1, 100, 100]


# Steps ----------------------------------------------------------------------------------------------------------------


def test_each_step_ends_at_its_threshold():
    beyond = Fraction(1, 10**6)
    for k, threshold in enumerate(strength.QUESTION):
        assert strength.of_question(threshold) == strength.STEPS[k]
        assert strength.of_question(threshold + beyond) == strength.STEPS[k + 1]


def test_a_survey_is_as_weak_as_its_total_and_as_its_weakest_question():
    half, two, five = Fraction(1, 2), Fraction(2), Fraction(5)
    assert strength.of_survey([half] * 2) == "strong"
    assert strength.of_survey([half] * 3) == strength.of_survey([half] * 4) == "moderate"
    assert strength.of_survey([half] * 5) == strength.of_survey([half] * 16) == "weak"
    assert strength.of_survey([two]) == "moderate"
    assert strength.of_survey([half] * 17) == strength.of_survey([five]) == "hardly_any"


@pytest.mark.parametrize("n", [2, 3])
def test_no_one_names_a_persons_report_more_often_than_stated_no_matter_who_answered_what(n):
    """M39b: all answers, all reports and all assignments of reports to people are tried; some reach the bound."""
    asked = question("randomized_response", "1", 2)
    channel, chances = stated.randomized_response_channel(2, asked["table"], RESOLUTION), []
    for answers in product(range(2), repeat=n):
        for reports in product(range(2), repeat=n):
            ways = [
                [channel[answers[who]][(reports[row],)] for who, row in enumerate(way)]
                for way in permutations(range(n))
            ]
            likely = [prod(way) for way in ways]
            mine = sum(chance for chance, way in zip(likely, permutations(range(n)), strict=True) if way[0] == 0)
            chances.append(mine / sum(likely))
    lam = Fraction(asked["table"]["keep"], RESOLUTION)
    bound = identification(1 + lam * len(asked["options"]) / (1 - lam), n)
    assert max(chances) == bound
