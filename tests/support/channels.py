"""Exact checks of a sampler, written as functions: tests apply the same checks to seeded faults.

A sampler is `randomize(answer, table, d, uniform)`. Every check raises AssertionError if the sampler is wrong.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from ldp.exact import RESOLUTION
from tests.support import mechanisms
from tests.support.draws import Draw
from tests.support.stated_channels import Channel

Sampler = Callable[..., Any]


def replay(numbers: Sequence[int]) -> Callable[[], int]:
    """Return a source of uniform integers that gives these numbers and then ends."""
    remaining = iter(numbers)
    return lambda: next(remaining)


def answers(name: str, d: int, table: Any) -> list[Any]:
    """Return all answers that the sampler of a mechanism accepts."""
    return mechanisms.of(name).answers(d, table)


def enumerated(sampler: Sampler, given: list[Any], d: int, table: Any, resolution: int, draws: int) -> Channel:
    """Return Q[x][z] by enumerating all draws, each uniform on 0..resolution-1."""
    total = resolution**draws
    return [
        {
            report: Fraction(count, total)
            for report, count in Counter(
                hashable(sampler(answer, table, d, replay(outcome)))
                for outcome in product(range(resolution), repeat=draws)
            ).items()
        }
        for answer in given
    ]


def hashable(report: Any) -> Any:
    return tuple(map(hashable, report)) if isinstance(report, list) else report


def worst_ratio(channel: Channel) -> Fraction | None:
    """Return the largest Q[x][z]/Q[x'][z]; None if a report is possible for one answer and impossible for another."""
    reports = set().union(*channel)
    if any(row.get(z, 0) == 0 for row in channel for z in reports):
        return None
    return max(row[z] / other[z] for z in reports for row in channel for other in channel)


def delta(channel: Channel, factor: Fraction) -> Fraction:
    """Return the largest sum over reports of max(Q[x][z] - factor Q[x'][z], 0)."""
    return max(
        sum((max(chance - factor * other.get(z, 0), 0) for z, chance in row.items()), Fraction(0))
        for row in channel
        for other in channel
    )


# At a small resolution ------------------------------------------------------------------------------------------------


SMALL = {name: home.SMALL for name, home in mechanisms.homes().items()}


def check_small_channel(name: str, sampler: Sampler) -> None:
    """Check that the channel is the stated one, and that its worst ratio is the promised one, at a resolution small
    enough to enumerate."""
    d, table, resolution, draws, expected, ratio = SMALL[name]
    channel = enumerated(sampler, answers(name, d, table), d, table, resolution, draws)
    assert channel == expected
    assert worst_ratio(channel) == ratio


# Boundary words at full resolution ------------------------------------------------------------------------------------


class Case(NamedTuple):
    """The draws of a sampler: the draws of `base`, but `numbers` at `position`.

    `numbers` has two entries if a uniform choice must reject the first one.
    """

    answer: Any
    position: int
    numbers: list[int]
    report: Any


def plan(name: str, d: int, table: Any, answer: Any) -> list[Draw]:
    """Return the draws of a report in order, as M1 to M9 state them."""
    return mechanisms.of(name).plan(d, table, answer)


def base(name: str, d: int, table: Any, answer: Any) -> list[int]:
    """Return draws that pass no threshold, so that nothing is flipped, kept or added. Each uniform choice takes the
    second remaining item, so the first one, 0, is never drawn: then it matters whether an answer is kept."""
    return [1 if draw.k else RESOLUTION - 1 for draw in plan(name, d, table, answer)]


def boundary_cases(name: str, d: int, table: Any, chosen: Sequence[Any]) -> Iterator[Case]:
    """Yield every boundary word at every position, for the chosen answers, with the report it must give."""
    for answer in chosen:
        usual = base(name, d, table, answer)
        for position, draw in enumerate(plan(name, d, table, answer)):
            for numbers in draw.tried():
                u = [*usual[:position], numbers[-1], *usual[position + 1 :]]
                yield Case(answer, position, numbers, mechanisms.of(name).stated(d, table, answer, u))


def check_boundaries(name: str, sampler: Sampler, d: int, table: Any, chosen: Sequence[Any] | None = None) -> None:
    for case in boundary_cases(name, d, table, answers(name, d, table) if chosen is None else chosen):
        usual = base(name, d, table, case.answer)
        numbers = [*usual[: case.position], *case.numbers, *usual[case.position + 1 :]]
        try:
            report = sampler(case.answer, table, d, left := _counted(numbers))
        except IndexError:
            raise AssertionError(f"{name}: more draws than the definition of the mechanism has") from None
        assert report == case.report, (name, d, case)
        assert left.used == len(numbers), (name, d, case)


class _counted:
    """A source of these uniform integers. It counts how many it gave."""

    def __init__(self, numbers: list[int]):
        self.numbers, self.used = numbers, 0

    def __call__(self) -> int:
        self.used += 1
        return self.numbers[self.used - 1]
