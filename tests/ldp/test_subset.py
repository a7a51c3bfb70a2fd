"""Subset selection (M4): exact at every m, and the best there is at equal shares (M19)."""

from fractions import Fraction

import pytest

from ldp import bounds, exact
from ldp.mechanisms import randomized_response, subset
from tests.support.channels import check_boundaries, enumerated, worst_ratio
from tests.support.mechanisms import subset as stated


@pytest.mark.parametrize(
    ("d", "m", "t", "resolution"), [(2, 1, 5, 6), (3, 2, 5, 6), (4, 1, 4, 6), (4, 3, 11, 12), (5, 2, 9, 12)]
)
def test_the_channel_is_the_stated_one_for_every_size(d, m, t, resolution):
    table = {"m": m, "in": t}
    channel = enumerated(subset.randomize, list(range(d)), d, table, resolution, 1 + m)
    assert channel == stated.channel(d, table, resolution)
    assert worst_ratio(channel) == Fraction(t * (d - m), (resolution - t) * m)


@pytest.mark.parametrize("alpha", ["0.01", "0.5", "1", "2", "4", "10"])
@pytest.mark.parametrize("d", [2, 3, 10, 64, 256])
def test_no_private_channel_is_more_precise_at_equal_shares(alpha, d):
    table = subset.table(Fraction(alpha), d)
    moments = subset.moments(table, d)["support"]
    assert bounds.efficiency(moments, float(alpha), d) == pytest.approx(1, abs=1e-9)


def test_size_is_near_the_published_one():
    """d/(e^alpha + 1), at least 1."""
    for d, alpha, m in [(10, 1, 3), (100, 1, 27), (256, 0.5, 97), (16, 2, 2), (5, 4, 1), (4, 0.01, 2)]:
        assert subset.table(Fraction(alpha), d)["m"] == m


def test_two_categories_are_randomized_response():
    for alpha in (Fraction(1, 100), Fraction(1), Fraction(10)):
        table = subset.table(alpha, 2)
        assert table == {"m": 1, "in": exact.RESOLUTION - randomized_response.table(alpha, 2)["other"]}


def test_certificate_refuses_sets_that_favour_another_answer():
    table = subset.table(Fraction(1), 6)
    fair = exact.RESOLUTION * table["m"] // 6 + 1
    assert subset.certified({**table, "in": fair}, 6, Fraction(1))
    for wrong in ({"in": fair - 1}, {"in": 0}, {"in": exact.RESOLUTION}, {"m": 0}, {"m": 6}):
        assert not subset.certified({**table, **wrong}, 6, Fraction(1))


@pytest.mark.parametrize("m", [1, 4, 5])
def test_every_position_decides_at_its_boundary_for_every_size(m):
    check_boundaries("subset", subset.randomize, 6, {"m": m, "in": 3 * 2**51 + 1})
