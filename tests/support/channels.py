"""Exact checks of a sampler, as functions, so that seeded faults can be put to the same checks.

A sampler is `randomize(answer, table, d, uniform)`. Every check raises AssertionError where the sampler is wrong.
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
    """A source of uniform integers that gives these and no more."""
    remaining = iter(numbers)
    return lambda: next(remaining)


def answers(name: str, d: int, table: Any) -> list[Any]:
    """Everything that the sampler of a mechanism can be given."""
    return mechanisms.of(name).answers(d, table)


def enumerated(sampler: Sampler, given: list[Any], d: int, table: Any, resolution: int, draws: int) -> Channel:
    """Q[x][z] by every possible outcome of the draws, each uniform on 0..resolution-1."""
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
    """The largest Q[x][z]/Q[x'][z]; None where some report is possible for one answer and not for another."""
    reports = set().union(*channel)
    if any(row.get(z, 0) == 0 for row in channel for z in reports):
        return None
    return max(row[z] / other[z] for z in reports for row in channel for other in channel)


def delta(channel: Channel, factor: Fraction) -> Fraction:
    """The largest sum over reports of Q[x][z] - factor Q[x'][z] where that is positive."""
    return max(
        sum((max(chance - factor * other.get(z, 0), 0) for z, chance in row.items()), Fraction(0))
        for row in channel
        for other in channel
    )


# At a small resolution ------------------------------------------------------------------------------------------------


SMALL = {name: home.SMALL for name, home in mechanisms.homes().items()}


def check_small_channel(name: str, sampler: Sampler) -> None:
    """At a resolution small enough to enumerate, the channel is the stated one and its worst ratio is the promised."""
    d, table, resolution, draws, expected, ratio = SMALL[name]
    channel = enumerated(sampler, answers(name, d, table), d, table, resolution, draws)
    assert channel == expected
    assert worst_ratio(channel) == ratio


# Boundary words at full resolution ------------------------------------------------------------------------------------


class Case(NamedTuple):
    """Draws of a sampler: those of `base`, but `numbers` in the place of the one at `position`.

    There are two numbers where a uniform choice has to reject the first.
    """

    answer: Any
    position: int
    numbers: list[int]
    report: Any


def plan(name: str, d: int, table: Any, answer: Any) -> list[Draw]:
    """The draws of a report in their order, as M1 to M9 state them."""
    return mechanisms.of(name).plan(d, table, answer)


def base(name: str, d: int, table: Any, answer: Any) -> list[int]:
    """Numbers that flip, keep and add nothing, and choices of the second that is left, so that 0 is never drawn of what
    is chosen from 0 on: there it matters whether an answer is kept."""
    return [1 if draw.k else RESOLUTION - 1 for draw in plan(name, d, table, answer)]


def boundary_cases(name: str, d: int, table: Any, chosen: Sequence[Any]) -> Iterator[Case]:
    """Every boundary word at every position, for the chosen answers, with the report that has to come."""
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
    """A source of these uniform integers that knows how many it gave."""

    def __init__(self, numbers: list[int]):
        self.numbers, self.used = numbers, 0

    def __call__(self) -> int:
        self.used += 1
        return self.numbers[self.used - 1]
