"""Exact checks of a sampler, as functions, so that seeded faults can be put to the same checks.

A sampler is `randomize(answer, d, table, uniform)`. Every check raises AssertionError where the sampler is wrong.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from ldp.exact import RESOLUTION

Sampler = Callable[..., Any]
Channel = list[dict[Any, Fraction]]


def replay(numbers: tuple[int, ...] | list[int]) -> Callable[[], int]:
    """A source of uniform integers that gives these and no more."""
    remaining = iter(numbers)
    return lambda: next(remaining)


def enumerated(sampler: Sampler, d: int, table: Any, resolution: int, draws: int) -> Channel:
    """Q[x][z] by every possible outcome of the draws, each uniform on 0..resolution-1."""
    total = resolution**draws
    return [
        {
            report: Fraction(count, total)
            for report, count in Counter(
                _hashable(sampler(answer, d, table, replay(outcome)))
                for outcome in product(range(resolution), repeat=draws)
            ).items()
        }
        for answer in range(d)
    ]


def _hashable(report: Any) -> Any:
    return tuple(report) if isinstance(report, list) else report


def worst_ratio(channel: Channel) -> Fraction | None:
    """The largest Q[x][z]/Q[x'][z]; None where some report is possible for one answer and not for another."""
    reports = set().union(*channel)
    if any(row.get(z, 0) == 0 for row in channel for z in reports):
        return None
    return max(row[z] / other[z] for z in reports for row in channel for other in channel)


# What the definitions of M2, M3 and M5 say the channels are, from the numbers in a table -----------------------------


def randomized_response_channel(d: int, table: Any, resolution: int) -> Channel:
    q = Fraction(table["other"], resolution)
    return [{z: 1 - (d - 1) * q if z == x else q for z in range(d)} for x in range(d)]


def bitwise_channel(d: int, table: Any, resolution: int) -> Channel:
    q = Fraction(table["flip"], resolution)

    def chance(x: int, bits: tuple[int, ...]) -> Fraction:
        result = Fraction(1)
        for j, bit in enumerate(bits):
            result *= 1 - q if bit == (j == x) else q
        return result

    every = list(product((0, 1), repeat=d))
    return [{"".join(map(str, bits)): chance(x, bits) for bits in every} for x in range(d)]


def laplace_channel(d: int, table: Any, resolution: int) -> Channel:
    flips = bitwise_channel(d, table, resolution)
    digits = [Fraction(b, resolution) for b in table["magnitude"]]
    law: dict[int, Fraction] = {}
    for bits in product((0, 1), repeat=len(digits)):
        chance = Fraction(1)
        for bit, b in zip(bits, digits, strict=True):
            chance *= b if bit else 1 - b
        law[sum(bit << k for k, bit in enumerate(bits))] = chance

    def row(x: int) -> dict[tuple[int, ...], Fraction]:
        result = {}
        for bits, chance in flips[x].items():
            for magnitudes in product(law, repeat=d):
                report = tuple(1 + j if bit == "1" else -j for bit, j in zip(bits, magnitudes, strict=True))
                weight = chance
                for j in magnitudes:
                    weight *= law[j]
                result[report] = weight
        return result

    return [row(x) for x in range(d)]


# name: (d, table, resolution, draws, the channel it must be, its worst ratio)
SMALL: dict[str, tuple[int, Any, int, int, Channel, Fraction]] = {
    "randomized_response": (
        5,
        {"other": 3},
        64,
        1,
        randomized_response_channel(5, {"other": 3}, 64),
        Fraction(64 - 4 * 3, 3),
    ),
    "bitwise": (3, {"flip": 5}, 16, 3, bitwise_channel(3, {"flip": 5}, 16), Fraction(16 - 5, 5) ** 2),
    "laplace": (
        2,
        {"flip": 1, "magnitude": [1, 2]},
        4,
        6,
        laplace_channel(2, {"flip": 1, "magnitude": [1, 2]}, 4),
        Fraction(4 - 1, 1) ** 2,
    ),
}


def check_small_channel(name: str, sampler: Sampler) -> None:
    """At a resolution small enough to enumerate, the channel is the stated one and its worst ratio is the promised."""
    d, table, resolution, draws, expected, ratio = SMALL[name]
    channel = enumerated(sampler, d, table, resolution, draws)
    assert channel == expected
    assert worst_ratio(channel) == ratio


# Boundary words at full resolution ------------------------------------------------------------------------------------


def boundary(t: int) -> list[int]:
    """Both sides of t, the ends, and words that agree with t in their low byte or low half."""
    words = (0, t - 2**32, t - 256, t - 1, t, t + 1, t + 256, t + 2**32, RESOLUTION - 1)
    return [u for u in words if 0 <= u < RESOLUTION]


class Case(NamedTuple):
    """One draw of a sampler: `u` at one position, 2^53-1 (which flips nothing and adds nothing) at the others."""

    answer: int
    position: int
    u: int
    report: Any


def draws(name: str, d: int, table: Any) -> int:
    """How many uniform integers a report takes."""
    return 1 if name == "randomized_response" else d * (1 + len(table.get("magnitude", [])))


def boundary_cases(name: str, d: int, table: Any, answers: range) -> Iterator[Case]:
    """Every boundary word at every position, with the report that the definition of the mechanism demands."""
    expected = _shifted if name == "randomized_response" else _flipped
    for answer in answers:
        yield from expected(name, answer, d, table)


def _shifted(name: str, answer: int, d: int, table: Any) -> Iterator[Case]:
    """M2: the shift is the number of k in 1..d-1 with u < k t."""
    for k in range(1, d):
        for u in boundary(k * table["other"]):
            shift = len([i for i in range(1, d) if u < i * table["other"]])
            yield Case(answer, 0, u, (answer + shift) % d)


def _flipped(name: str, answer: int, d: int, table: Any) -> Iterator[Case]:
    """M3 and M5: for each bin a flip and, for M5, the digits of a magnitude."""
    digits = table.get("magnitude", [])
    for position in range(draws(name, d, table)):
        j, k = divmod(position, 1 + len(digits))
        t = table["flip"] if k == 0 else digits[k - 1]
        for u in boundary(t):
            ones = [(i == answer) != (i == j and k == 0 and u < t) for i in range(d)]
            magnitudes = [1 << (k - 1) if i == j and k > 0 and u < t else 0 for i in range(d)]
            bits = "".join(str(int(one)) for one in ones)
            values = [1 + m if one else -m for one, m in zip(ones, magnitudes, strict=True)]
            yield Case(answer, position, u, bits if name == "bitwise" else values)


def check_boundaries(name: str, sampler: Sampler, d: int, table: Any, answers: range | None = None) -> None:
    for case in boundary_cases(name, d, table, answers or range(d)):
        numbers = [RESOLUTION - 1] * draws(name, d, table)
        numbers[case.position] = case.u
        assert sampler(case.answer, d, table, replay(numbers)) == case.report, (name, d, case)
