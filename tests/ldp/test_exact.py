"""M1: thresholds are the least certified ones, and the certificate proves realized <= promised."""

import math
from fractions import Fraction

import pytest

from ldp.exact import RESOLUTION, certified, exp_below, exp_short, parse_alpha, parse_delta, threshold
from ldp.mechanisms import MECHANISMS

ALPHAS = [
    Fraction(text) for text in ("0.01", "0.1", "0.5", "0.693147", "1", "1.098612", "2", "3.14159", "5", "8", "10")
]
CATEGORIES = [2, 3, 5, 10, 16, 64, 100, 255, 256]
# One unit of t moves alpha by 1/t + (d-1)/(2^53 - (d-1) t), at most 7.4e-12 for d <= 256 and alpha from 0.01 to 10.
LOSS_MAX = 8e-12


# The threshold that carries the guarantee, and whether the next smaller or the next larger one breaks it.
THRESHOLDS = {
    "randomized_response": ("keep", 1),
    "bitwise": ("flip", -1),
    "laplace": ("flip", -1),
    "one_bit": ("keep", 1),
    "multiple": ("keep", 1),
    "grid": ("keep", 1),
}


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_no_table_realizes_more_than_alpha_and_none_could_realize_closer(alpha):
    for d in CATEGORIES:
        for name, (threshold_name, weaker) in THRESHOLDS.items():
            mechanism = MECHANISMS[name]
            table = mechanism.table(alpha, d)
            assert mechanism.certified(table, d, alpha)
            assert float(alpha) - LOSS_MAX <= mechanism.realized_alpha(table, d) <= float(alpha) + 1e-14
            assert not mechanism.certified({**table, threshold_name: table[threshold_name] + weaker}, d, alpha)


# Weights of a table are rounded one by one: the smallest, about 2^53 e^-alpha over the row's total, decides the loss.
@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
@pytest.mark.parametrize(
    ("name", "d"), [("exponential", 2), ("exponential", 5), ("exponential", 32), ("laplace_mean", 2)]
)
def test_no_table_of_weights_realizes_more_than_alpha(alpha, name, d):
    mechanism = MECHANISMS[name]
    table = mechanism.table(alpha, d)
    assert mechanism.certified(table, d, alpha)
    assert float(alpha) * (1 - 1e-7) <= mechanism.realized_alpha(table, d) <= float(alpha) + 1e-14
    assert not mechanism.certified(table, d, alpha * Fraction(999_999, 1_000_000))


@pytest.mark.parametrize("sample", [1, 2, 4])
def test_what_is_asked_of_several_items_is_shared_among_them(sample):
    for name in ("multiple", "grid"):
        table = MECHANISMS[name].table(Fraction(2), 8, sample=sample)
        assert MECHANISMS[name].certified(table, 8, Fraction(2))
        assert MECHANISMS[name].realized_alpha(table, 8) == pytest.approx(2, abs=LOSS_MAX)
        one = MECHANISMS[name].table(Fraction(2), 8)
        assert sample == 1 or not MECHANISMS[name].certified({**one, "sample": sample}, 8, Fraction(2))
    assert not MECHANISMS["multiple"].certified({**table, "sample": 9}, 8, Fraction(2))
    assert not MECHANISMS["multiple"].certified({**table, "sample": 0}, 8, Fraction(2))


@pytest.mark.parametrize("d", CATEGORIES)
def test_certificate_holds_over_a_fine_grid_of_alphas(d):
    for hundredths in range(1, 1001, 7):
        alpha = Fraction(hundredths, 100)
        t = threshold(alpha, d)
        assert certified(t, alpha, d) and not certified(t - 1, alpha, d)


def test_partial_sums_stay_below_the_exponential_and_reach_53_bits():
    for alpha in [*ALPHAS, Fraction(16), Fraction(208, 10)]:
        # e^alpha = (e^(alpha/2^k))^(2^k): the sum at alpha cannot exceed the product of sums at finer steps.
        assert exp_below(alpha) <= exp_below(alpha / 2) ** 2
        assert exp_below(alpha / 2) ** 2 / exp_below(alpha) - 1 < Fraction(1, 2**64)


def test_certificate_refuses_tables_that_favour_another_category():
    # Beyond t = 2^53/d the true category is the least likely one, and the ratio grows again the other way.
    assert not certified(RESOLUTION // 2 + 1, Fraction(1), 2)
    assert not certified(RESOLUTION - 1, Fraction(16), 2)
    assert not certified(0, Fraction(16), 2)
    assert not certified(-1, Fraction(16), 2)


def test_warner_parameters_are_the_familiar_ones():
    # ln 3: truth with probability 3/4 (M2: "truthfully with probability 1/2, else a fair coin").
    t = threshold(Fraction(math.log(3)), 2)
    assert abs(Fraction(t, RESOLUTION) - Fraction(1, 4)) < Fraction(1, 10**15)


@pytest.mark.parametrize(
    "text",
    ["", "1e1", "+1", "-1", " 1", "1 ", "01", "1.", ".5", "1.1234567", "nan", "0", "0.009", "16.1", "１", 1, None],
)
def test_alpha_is_a_plain_decimal_in_range(text):
    with pytest.raises(ValueError, match="must be"):
        parse_alpha(text)


@pytest.mark.parametrize("text", ["0.01", "1", "1.50", "16", "16.000000"])
def test_alpha_is_read_exactly(text):
    assert parse_alpha(text) == Fraction(text)


@pytest.mark.parametrize(
    "text",
    ["", "1e-6", "0", "0.0", "0.01", "0.0000000000001", "0.0000000000009", ".001", "-0.001", "０.001", 1e-6, None],
)
def test_delta_is_a_small_plain_decimal(text):
    with pytest.raises(ValueError, match="must be"):
        parse_delta(text)


@pytest.mark.parametrize("text", ["0.001", "0.000001", "0.000000000001", "0.000100"])
def test_delta_is_read_exactly(text):
    assert parse_delta(text) == Fraction(text)


def test_the_short_bound_of_the_exponential_is_below_the_long_one():
    for alpha in [*ALPHAS, Fraction(16)]:
        assert exp_short(alpha) <= exp_below(alpha) < exp_short(alpha) + Fraction(1, 2**64)
