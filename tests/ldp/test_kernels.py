"""The fast sums equal the plain sums exactly, for every shape."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import aggregation
from ldp import kernels

# One row, a few rows, the sizes at which a slice or a byte's count is full, and one more than each.
SIZES = [0, 1, 7, 8, 9, 127, 128, 129, 255, 256, 257, 2048, 2049, 65_536, 65_537, 200_003]


def _random_rows(n, width):
    return np.random.default_rng([n, width]).integers(0, 256, (n, width), dtype=np.uint8)


@pytest.mark.parametrize("n", SIZES)
def test_column_sums_are_the_plain_sums(n):
    for width in (1, 2, 3, 8, 31, 32, 33):
        rows = _random_rows(n, width)
        assert kernels.column_sums(rows).tolist() == np.unpackbits(rows, axis=1).sum(axis=0, dtype=np.int64).tolist()


@pytest.mark.parametrize("n", SIZES)
def test_column_sums_carry_through_every_weight(n):
    """All bits are 1, so every full adder carries, and the sums are n."""
    assert kernels.column_sums(np.full((n, 3), 255, dtype=np.uint8)).tolist() == [n] * 24


def test_a_slice_of_reports_costs_less_than_one_full_adder(monkeypatch):
    """Five operations on whole words serve 64 lanes, so the sum runs at the speed of memory on any machine."""
    adders = []
    add = kernels._Adder._add
    monkeypatch.setattr(kernels._Adder, "_add", lambda *args: adders.append(1) or add(*args))
    rows = _random_rows(2048 * 100, 32)
    kernels.column_sums(rows)
    assert 0 < len(adders) < 100


def test_column_sums_of_rows_wider_than_a_slice():
    rows = _random_rows(20, 70_000)
    assert (kernels.column_sums(rows) == np.unpackbits(rows, axis=1).sum(axis=0, dtype=np.int64)).all()


def test_column_sums_read_bytes_that_no_one_may_write_and_leave_them_alone():
    stored = _random_rows(10_000, 5).tobytes()
    rows = np.frombuffer(stored, dtype=np.uint8).reshape(-1, 5)
    kernels.column_sums(rows)
    assert rows.tobytes() == stored


def test_column_sums_take_a_part_of_wider_rows():
    rows = _random_rows(1000, 9)
    expected = np.unpackbits(rows, axis=1)[:, 16:40].sum(axis=0, dtype=np.int64)
    assert kernels.column_sums(rows[:, 2:5]).tolist() == expected.tolist()


@settings(max_examples=60)
@given(st.integers(0, 700), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_column_sums_of_any_shape(n, width, seed):
    rows = np.random.default_rng(seed).integers(0, 256, (n, width), dtype=np.uint8)
    assert (kernels.column_sums(rows) == np.unpackbits(rows, axis=1).sum(axis=0, dtype=np.int64)).all()


@pytest.mark.parametrize("n", [0, 1, 8, 63, 64, 65, 1000, 70_001])
def test_bitmap_sums_are_the_plain_sums(n):
    ones = np.random.default_rng(n).random((5, n)) < 0.3
    assert aggregation.bitmap_sums(np.packbits(ones, axis=1)).tolist() == ones.sum(axis=1).tolist()


@pytest.mark.parametrize("width", range(1, 17))
def test_codes_are_the_bits_between(width):
    rows = _random_rows(50, 5)
    bits = np.unpackbits(rows, axis=1).astype(int)
    for start in range(0, 40 - width + 1):
        expected = bits[:, start : start + width] @ (1 << np.arange(width - 1, -1, -1))
        assert kernels.codes(rows, start, width).tolist() == expected.tolist()


@pytest.mark.parametrize("n", [0, 1, 2, 3, 10_001])
def test_code_counts_are_the_plain_counts(n):
    for d in (2, 3, 255, 256, 257, 4000):
        values = np.random.default_rng([n, d]).integers(0, d, n, dtype=np.uint8 if d <= 256 else np.uint16)
        assert kernels.code_counts(values, d).tolist() == np.bincount(values, minlength=d).tolist()
