"""Randomized reports as the columns of a table, from their packed bits and back.

A question's columns hold what its browsers sent, never an answer: an option's number, a bit or a number for each
option, or for items drawn by chance a number where the report is about the item and MISSING elsewhere. Both ways are
exact, so a table has the totals of the reports it was made of.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ldp import kernels
from ldp.arrays import Integers
from ldp.packing import Columns
from ldp.tally import Bits, Field

MicrodataTable = npt.NDArray[np.int16]  # (n, columns)

# Of items that a report is not about: below every number that a report can hold.
MISSING = np.iinfo(np.int16).min


def unpacked(rows: kernels.Rows, start: int, columns: Columns) -> MicrodataTable:
    """The columns of the question whose bits begin at `start` of each packed report, shape (n, size)."""
    if columns.drawn:
        return _drawn(rows, start, columns)
    codes = [kernels.codes(rows, start + k * columns.bits, columns.bits) for k in range(columns.size)]
    return np.asarray(np.stack(codes, axis=1).astype(np.int16) + np.int16(columns.low))


def digits(rows: kernels.Rows, start: int, width: int, sizes: Sequence[int]) -> list[MicrodataTable]:
    """The columns of the questions of a joint form, (n, 1) each, whose answers are one number of mixed radix."""
    codes, columns = kernels.codes(rows, start, width), list[MicrodataTable]()
    for d in reversed(sizes):
        codes, places = np.divmod(codes, d)
        columns.append(places.astype(np.int16)[:, None])
    return columns[::-1]


def tuple_numbers(tables: Sequence[MicrodataTable], sizes: Sequence[int]) -> MicrodataTable:
    """The tuples' numbers, (n, 1), of a joint form's columns, as `digits` takes them apart. ValueError where no report
    has such a row."""
    total = np.zeros((len(tables[0]), 1), dtype=np.int64)
    for table, d in zip(tables, sizes, strict=True):
        _check(table, Columns(1, 0, d - 1))
        total = total * d + table
    return total.astype(np.int16)


def _drawn(rows: kernels.Rows, start: int, columns: Columns) -> MicrodataTable:
    table = np.full((len(rows), columns.size), MISSING, dtype=np.int16)
    place_bits = (columns.size - 1).bit_length()
    every = np.arange(len(rows))
    for _ in range(columns.drawn):
        places = kernels.codes(rows, start, place_bits)
        table[every, places] = kernels.codes(rows, start + place_bits, columns.bits)
        start += place_bits + columns.bits
    return table


def field(table: npt.ArrayLike, columns: Columns) -> Field:
    """The packed bits of a question's columns, ready to be tallied. ValueError where no report has such a row."""
    numbers = np.asarray(table).reshape(-1, columns.size)
    if columns.drawn:
        return Field.of(_drawn_bits(numbers, columns))
    _check(numbers, columns)
    return Field.of(_bits(numbers - columns.low, columns.bits))


def _drawn_bits(numbers: Integers, columns: Columns) -> Bits:
    about = numbers != MISSING
    if not (about.sum(axis=1) == columns.drawn).all():
        raise ValueError(f"a report is about {columns.drawn} of the {columns.size} columns, and the others are empty")
    places = np.nonzero(about)[1].reshape(-1, columns.drawn)
    values = np.take_along_axis(numbers, places, axis=1)
    _check(values, columns)
    widths = (columns.size - 1).bit_length(), columns.bits
    pairs = [
        _bits(part, width).reshape(*places.shape, width) for part, width in zip((places, values), widths, strict=True)
    ]
    return np.concatenate(pairs, axis=2).reshape(len(numbers), -1)


def _check(numbers: Integers | MicrodataTable, columns: Columns) -> None:
    if numbers.size and not (columns.low <= numbers.min() and numbers.max() <= columns.high):
        raise ValueError(f"a report holds whole numbers from {columns.low} to {columns.high}")


def _bits(numbers: Integers, width: int) -> Bits:
    """Numbers (n, k) as bits (n, k * width), the most significant first."""
    shifts = np.arange(width - 1, -1, -1)
    bits = (numbers[:, :, None].astype(np.int64) >> shifts & 1).astype(np.uint8)
    return np.asarray(bits.reshape(len(numbers), -1))
