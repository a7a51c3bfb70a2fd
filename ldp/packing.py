"""Values of reports as bits and back: what the mechanisms pack, each in its own range."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Columns(NamedTuple):
    """A report's value laid out as a table's columns: `size` whole numbers from `low` to `high`.

    Where `drawn` is not 0 a report is about so many of them, and the others are empty. The bits are those of the
    packing: the numbers one after the other, each counted from `low` in equally many bits; of a drawn one its place
    first, then the number.
    """

    size: int
    low: int
    high: int
    drawn: int = 0

    @property
    def bits(self) -> int:
        """The bits of one number."""
        return (self.high - self.low).bit_length()


class Packing(NamedTuple):
    """How the value of one question's report becomes an integer of `width` bits, one to one.

    `encode` takes whatever a client sent; ValueError names the rule that it breaks, never the value. `decode` is its
    inverse: decode(encode(value)) == value for every value that is accepted. `columns` says what the bits are.
    """

    width: int
    encode: Callable[[object], int]
    decode: Callable[[int], Any]
    columns: Columns


def integer(low: int, high: int) -> Packing:
    """One integer from low to high, counted from low."""

    def encode(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"must be an integer from {low} to {high}")
        return value - low

    return Packing((high - low).bit_length(), encode, lambda code: code + low, Columns(1, low, high))


def integers(count: int, low: int, high: int) -> Packing:
    """A list of so many integers from low to high, each counted from low."""
    width = (high - low).bit_length()

    def encode(value: object) -> int:
        if type(value) is not list or len(value) != count:
            raise ValueError(f"must be a list of exactly {count} integers")
        if any(type(number) is not int or not low <= number <= high for number in value):
            raise ValueError(f"must hold integers from {low} to {high} only")
        return joined([number - low for number in value], width)

    columns = Columns(count, low, high)
    return Packing(count * width, encode, lambda code: [part + low for part in parts(code, count, width)], columns)


def sampled_items(sample: int, items: int, ends: int) -> Packing:
    """`sample` pairs [item, z] of different items, increasing, z in 0..ends-1 (M9): an item's bits, then z's."""
    end_bits = (ends - 1).bit_length()
    width = (items - 1).bit_length() + end_bits

    def encode(value: object) -> int:
        return joined([item << end_bits | z for item, z in _checked(value, sample, items, ends)], width)

    def decode(code: int) -> list[list[int]]:
        return [[part >> end_bits, part & (1 << end_bits) - 1] for part in parts(code, sample, width)]

    return Packing(sample * width, encode, decode, Columns(items, 0, ends - 1, sample))


def _checked(value: object, sample: int, items: int, ends: int) -> list[tuple[int, int]]:
    if type(value) is not list or len(value) != sample:
        raise ValueError(f"must be a list of exactly {sample} pairs")
    last, checked = -1, []
    for pair in value:
        if type(pair) is not list or len(pair) != 2 or any(type(number) is not int for number in pair):
            raise ValueError("must hold pairs of integers only")
        item, z = pair
        if not (last < item < items and 0 <= z < ends):
            raise ValueError(f"must hold increasing items up to {items - 1}, each with a value from 0 to {ends - 1}")
        last = item
        checked.append((item, z))
    return checked


def joined(numbers: Sequence[int], width: int) -> int:
    """Numbers of `width` bits as one, the first in the most significant place."""
    code = 0
    for number in numbers:
        code = code << width | number
    return code


def parts(code: int, count: int, width: int) -> list[int]:
    """The inverse of `joined` for so many numbers."""
    return [code >> width * place & (1 << width) - 1 for place in reversed(range(count))]
