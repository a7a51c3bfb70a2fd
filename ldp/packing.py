"""Values of reports as bits and back, for the mechanisms."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple


class Columns(NamedTuple):
    """A report's value as table columns: `size` whole numbers from `low` to `high`.

    If `drawn` is not 0, a report is about that many items. Each item has `each` neighbouring columns; other items are
    empty. The packed bits are the numbers in order, each counted from `low` with `bits` bits. A drawn item has its
    place first, then its numbers.
    """

    size: int
    low: int
    high: int
    drawn: int = 0
    each: int = 1

    @property
    def bits(self) -> int:
        """The number of bits of one number."""
        return (self.high - self.low).bit_length()

    @property
    def items(self) -> int:
        return self.size // self.each


class Packing(NamedTuple):
    """The one-to-one packing of a question's value into an integer of `width` bits.

    `encode` takes any value from a client; ValueError names the broken rule, never the value. `decode` is its inverse:
    decode(encode(value)) == value for every accepted value. `columns` describes the bits.
    """

    width: int
    encode: Callable[[object], int]
    decode: Callable[[int], Any]
    columns: Columns


class DrawPacking(NamedTuple):
    """The packing of the values of a draw's questions: their bits in the questions' order. Members are those of
    Packing."""

    width: int
    encode: Callable[[Sequence[object]], int]
    decode: Callable[[int], list[Any]]


def of_draw(questions: Sequence[Packing]) -> DrawPacking:
    def encode(values: Sequence[object]) -> int:
        code = 0
        for own, value in zip(questions, values, strict=True):
            code = code << own.width | own.encode(value)
        return code

    def decode(code: int) -> list[Any]:
        values = []
        for own in reversed(questions):
            values.append(own.decode(code & (1 << own.width) - 1))
            code >>= own.width
        return values[::-1]

    return DrawPacking(sum(own.width for own in questions), encode, decode)


def integer(low: int, high: int) -> Packing:
    """Return the packing of an integer from low to high, counted from low."""

    def encode(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"must be an integer from {low} to {high}")
        return value - low

    return Packing((high - low).bit_length(), encode, lambda code: code + low, Columns(1, low, high))


def integers(count: int, low: int, high: int) -> Packing:
    """Return the packing of a list of `count` integers from low to high, each counted from low."""
    width = (high - low).bit_length()

    def encode(value: object) -> int:
        if type(value) is not list or len(value) != count:
            raise ValueError(f"must be a list of exactly {count} integers")
        if any(type(number) is not int or not low <= number <= high for number in value):
            raise ValueError(f"must hold integers from {low} to {high} only")
        return joined([number - low for number in value], width)

    columns = Columns(count, low, high)
    return Packing(count * width, encode, lambda code: [part + low for part in parts(code, count, width)], columns)


@lru_cache(maxsize=1 << 10)
def subset(d: int, size: int) -> Packing:
    """Return the packing of an increasing list of `size` numbers from 0..d-1: the number itself if size is 1, otherwise
    d bits."""
    if size == 1:
        width, columns = (d - 1).bit_length(), Columns(1, 0, d - 1)
    else:
        width, columns = d, Columns(d, 0, 1)
    return Packing(width, lambda value: _subset_code(value, d, size), lambda code: _listed(code, d, size), columns)


def _subset_code(value: object, d: int, size: int) -> int:
    if type(value) is not list or len(value) != size:
        raise ValueError(f"must be a list of exactly {size} integers")
    last, code = -1, 0
    for index in value:
        if type(index) is not int or not last < index < d:
            raise ValueError(f"must hold increasing integers from 0 to {d - 1}")
        last = index
        code |= 1 << (d - 1 - index)
    return last if size == 1 else code


def _listed(code: int, d: int, size: int) -> list[int]:
    return [code] if size == 1 else [index for index in range(d) if code >> (d - 1 - index) & 1]


def sampled_items(sample: int, items: int, ends: int) -> Packing:
    """Return the packing of `sample` pairs [item, z], items increasing, z in 0..ends-1 (M9): an item's bits, then z's
    bits."""
    return _sampled(sample, items, integer(0, ends - 1))


def sampled_subsets(sample: int, items: int, d: int, size: int) -> Packing:
    """Return the packing of `sample` pairs [item, subset], items increasing (M9): an item's bits, then the subset's."""
    return _sampled(sample, items, subset(d, size))


def _sampled(sample: int, items: int, inner: Packing) -> Packing:
    width = (items - 1).bit_length() + inner.width

    def encode(value: object) -> int:
        if type(value) is not list or len(value) != sample:
            raise ValueError(f"must be a list of exactly {sample} pairs")
        last, codes = -1, []
        for pair in value:
            if type(pair) is not list or len(pair) != 2:
                raise ValueError("must hold pairs only")
            item, z = pair
            if type(item) is not int or not last < item < items:
                raise ValueError(f"must hold pairs of increasing items from 0 to {items - 1}, each with its value")
            last = item
            codes.append(item << inner.width | inner.encode(z))
        return joined(codes, width)

    def decode(code: int) -> list[list[Any]]:
        rest = (1 << inner.width) - 1
        return [[part >> inner.width, inner.decode(part & rest)] for part in parts(code, sample, width)]

    columns = Columns(items * inner.columns.size, inner.columns.low, inner.columns.high, sample, inner.columns.size)
    return Packing(sample * width, encode, decode, columns)


def joined(numbers: Sequence[int], width: int) -> int:
    """Return numbers of `width` bits joined into one integer, the first most significant."""
    code = 0
    for number in numbers:
        code = code << width | number
    return code


def parts(code: int, count: int, width: int) -> list[int]:
    """Return the `count` numbers that `joined` put into `code`."""
    return [code >> width * place & (1 << width) - 1 for place in reversed(range(count))]
