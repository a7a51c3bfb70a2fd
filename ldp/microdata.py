"""Conversion of randomized reports between packed bits and the columns of a table.

A question's columns hold the browser's randomized value, never an answer: an option's number, or a bit or number for
each option. A randomly drawn item has numbers in the reports about it and MISSING in the others. Both directions are
exact, so a table keeps the totals of its reports.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ldp import kernels
from ldp.arrays import Integers
from ldp.packing import Columns
from ldp.tally import Bits, Field

MicrodataTable = npt.NDArray[np.int16]  # (n, columns)

# Marks an item that a report is not about. It is below every number in a report.
MISSING = np.iinfo(np.int16).min


def unpacked(rows: kernels.Rows, start: int, columns: Columns) -> MicrodataTable:
    """Return a question's columns, shape (n, size), from packed reports in which its bits begin at `start`."""
    if columns.drawn:
        return _drawn(rows, start, columns)
    codes = [kernels.codes(rows, start + k * columns.bits, columns.bits) for k in range(columns.size)]
    return np.asarray(np.stack(codes, axis=1).astype(np.int16) + np.int16(columns.low))


def _drawn(rows: kernels.Rows, start: int, columns: Columns) -> MicrodataTable:
    table = np.full((len(rows), columns.items, columns.each), MISSING, dtype=np.int16)
    place_bits = (columns.items - 1).bit_length()
    every = np.arange(len(rows))
    for _ in range(columns.drawn):
        places = kernels.codes(rows, start, place_bits)
        start += place_bits
        for k in range(columns.each):
            table[every, places, k] = kernels.codes(rows, start, columns.bits)
            start += columns.bits
    return table.reshape(len(rows), columns.size)


def published(table: MicrodataTable, own: Columns, columns: Columns) -> MicrodataTable:
    """Return a form's columns of a question in the layout common to all forms. If that layout has a column for each
    option and the form has one with the listed option's number, that option becomes 1 and the others 0."""
    if own.size == columns.size:
        return table
    listed = table[:, :, None] == np.arange(own.low, own.low + columns.size // own.size)
    made = np.where(table[:, :, None] == MISSING, MISSING, listed)
    return np.asarray(made.reshape(len(table), columns.size), dtype=np.int16)


def as_sent(table: Integers | MicrodataTable, own: Columns, columns: Columns) -> Integers | MicrodataTable:
    """Return the inverse of `published`. ValueError if a row cannot be a report of the form."""
    if own.size == columns.size:
        return table
    each = np.asarray(table).reshape(len(table), own.size, -1)
    empty = (each == MISSING).all(axis=2)
    about = each[~empty]
    if not (((about == 0) | (about == 1)).all() and (about.sum(axis=1) == 1).all()):
        raise ValueError("a report of this form lists one option")
    return np.asarray(np.where(empty, MISSING, own.low + each.argmax(axis=2)))


def field(tables: Sequence[tuple[npt.ArrayLike, Columns]]) -> Field:
    """Return the packed bits of a draw's columns, for a tally. ValueError if a row cannot be a report."""
    return Field.of(np.hstack([_question_bits(np.asarray(table), columns) for table, columns in tables]))


def _question_bits(table: Integers, columns: Columns) -> Bits:
    numbers = table.reshape(-1, columns.size)
    if columns.drawn:
        return _drawn_bits(numbers, columns)
    _check(numbers, columns)
    return _bits(numbers - columns.low, columns.bits)


def _drawn_bits(numbers: Integers, columns: Columns) -> Bits:
    each = numbers.reshape(-1, columns.items, columns.each)
    about = (each != MISSING).all(axis=2)
    if not (about.sum(axis=1) == columns.drawn).all() or (each[~about] != MISSING).any():
        raise ValueError(f"a report is about {columns.drawn} of the {columns.items} items, and the others are empty")
    places = np.nonzero(about)[1].reshape(-1, columns.drawn)
    values = np.take_along_axis(each, places[:, :, None], axis=1)
    _check(values, columns)
    place_bits = _bits(places, (columns.items - 1).bit_length()).reshape(*places.shape, -1)
    value_bits = _bits(values.reshape(len(numbers), -1), columns.bits).reshape(*places.shape, -1)
    return np.concatenate([place_bits, value_bits], axis=2).reshape(len(numbers), -1)


def _check(numbers: Integers | MicrodataTable, columns: Columns) -> None:
    if numbers.size and not (columns.low <= numbers.min() and numbers.max() <= columns.high):
        raise ValueError(f"a report holds whole numbers from {columns.low} to {columns.high}")


def _bits(numbers: Integers, width: int) -> Bits:
    """Return numbers, (n, k), as bits, (n, k * width), the most significant first."""
    shifts = np.arange(width - 1, -1, -1)
    bits = (numbers[:, :, None].astype(np.int64) >> shifts & 1).astype(np.uint8)
    return np.asarray(bits.reshape(len(numbers), -1))
