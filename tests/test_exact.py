"""M1: thresholds are the smallest certified ones, and the certificate proves realised <= promised."""

import math
from fractions import Fraction

import pytest

from ldp.exact import RESOLUTION, certified, exp_below, parse_alpha, threshold
from ldp.mechanisms import MECHANISMS

ALPHAS = [
    Fraction(text) for text in ("0.01", "0.1", "0.5", "0.693147", "1", "1.098612", "2", "3.14159", "5", "8", "10")
]
CATEGORIES = [2, 3, 5, 10, 16, 64, 100, 255, 256]
# One unit of t moves alpha by 1/t + (d-1)/(2^53 - (d-1) t), at most 7.4e-12 for d <= 256 and alpha from 0.01 to 10.
LOSS_MAX = 8e-12


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
@pytest.mark.parametrize("d", CATEGORIES)
def test_no_table_realises_more_than_alpha_and_none_could_realise_closer(alpha, d):
    for mechanism in MECHANISMS.values():
        table = mechanism.table(alpha, d)
        assert mechanism.certified(table, alpha, d)
        assert float(alpha) - LOSS_MAX <= mechanism.realised_alpha(table, d) <= float(alpha) + 1e-14
        name = "other" if "other" in table else "flip"
        assert not mechanism.certified({**table, name: table[name] - 1}, alpha, d)


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
