"""Exact checks of a sampler, as functions, so that seeded faults can be put to the same checks.

A sampler is `randomize(answer, table, d, uniform)`. Every check raises AssertionError where the sampler is wrong.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from ldp.exact import RESOLUTION
from tests.support.stated_channels import (
    Channel,
    bitwise_channel,
    laplace_channel,
    noise_channel,
    randomized_response_channel,
    rows_channel,
    sampled_channel,
    subset_channel,
)

Sampler = Callable[..., Any]


def replay(numbers: Sequence[int]) -> Callable[[], int]:
    """A source of uniform integers that gives these and no more."""
    remaining = iter(numbers)
    return lambda: next(remaining)


def answers(name: str, d: int, table: Any) -> list[Any]:
    """Everything that the sampler of a mechanism can be given."""
    if name == "multiple":
        return [list(flags) for flags in product((False, True), repeat=d)]
    if name == "grid":
        return [list(indices) for indices in product(range(d), repeat=table["items"])]
    return list(range(len(table["rows"]) if "rows" in table else 2 if name == "one_bit" else d))


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


class Small(NamedTuple):
    """A mechanism at a resolution small enough to enumerate every outcome of its draws.

    The resolution is a multiple of every k of a uniform choice, so that no draw is ever rejected.
    """

    d: int
    table: Any
    resolution: int
    draws: int
    channel: Channel
    ratio: Fraction | None


def _small() -> dict[str, Small]:
    rr, subset, bitwise = {"other": 3}, {"m": 2, "in": 5}, {"flip": 5}
    laplace, noise = {"flip": 1, "magnitude": [1, 2]}, {"noise": [3, 13]}
    scale = {"rows": [[8, 13], [4, 12], [3, 8]]}
    grid_points = {"rows": [[5, 11, 13, 15], [2, 5, 11, 14], [1, 3, 5, 11]]}
    multiple, grid = {"sample": 2, "other": 1}, {"sample": 1, "other": 1, "items": 2}
    flags, indices = answers("multiple", 3, multiple), answers("grid", 3, grid)
    return {
        "randomized_response": Small(5, rr, 64, 1, randomized_response_channel(5, rr, 64), Fraction(64 - 4 * 3, 3)),
        "subset": Small(4, subset, 6, 3, subset_channel(4, subset, 6), Fraction(5 * 2, 1 * 2)),
        "bitwise": Small(3, bitwise, 16, 3, bitwise_channel(3, bitwise, 16), Fraction(16 - 5, 5) ** 2),
        "exponential": Small(3, scale, 16, 1, rows_channel(3, scale, 16), Fraction(8, 3)),
        "laplace": Small(2, laplace, 4, 6, laplace_channel(2, laplace, 4), Fraction(4 - 1, 1) ** 2),
        "osgt": Small(2, noise, 16, 2, noise_channel(2, noise, 16), None),
        "gaussian": Small(2, noise, 16, 2, noise_channel(2, noise, 16), None),
        "one_bit": Small(2, rr, 16, 1, randomized_response_channel(2, rr, 16), Fraction(13, 3)),
        "laplace_mean": Small(3, grid_points, 16, 1, rows_channel(3, grid_points, 16, lowest=-1), Fraction(5)),
        "multiple": Small(3, multiple, 6, 4, sampled_channel(flags, 2, 3, multiple, 6), Fraction(5) ** 2),
        "grid": Small(3, grid, 6, 2, sampled_channel(indices, 3, 2, grid, 6), Fraction(4)),
    }


SMALL = _small()


def check_small_channel(name: str, sampler: Sampler) -> None:
    """At a resolution small enough to enumerate, the channel is the stated one and its worst ratio is the promised."""
    d, table, resolution, draws, expected, ratio = SMALL[name]
    channel = enumerated(sampler, answers(name, d, table), d, table, resolution, draws)
    assert channel == expected
    assert worst_ratio(channel) == ratio


# Boundary words at full resolution ------------------------------------------------------------------------------------

# Of a longer row of thresholds these many are tried, the first and the last among them; of noise, which every bin has.
THRESHOLDS_MAX, NOISES_MAX = 256, 12


def boundary(t: int) -> list[int]:
    """Both sides of t, the ends, and words that agree with t in their low byte or low half."""
    words = (0, t - 2**32, t - 256, t - 1, t, t + 1, t + 256, t + 2**32, RESOLUTION - 1)
    return [u for u in words if 0 <= u < RESOLUTION]


class Case(NamedTuple):
    """Draws of a sampler: those of `base`, but `numbers` in the place of the one at `position`.

    There are two numbers where a uniform choice has to reject the first.
    """

    answer: Any
    position: int
    numbers: list[int]
    report: Any


class Draw(NamedTuple):
    """One draw: compared with thresholds, or (k > 0) a uniform choice among k."""

    thresholds: Sequence[int]
    k: int = 0

    def tried(self) -> list[list[int]]:
        if not self.k:
            return [[u] for t in self.thresholds for u in boundary(t)]
        end = RESOLUTION - RESOLUTION % self.k
        accepted = {u for u in (0, 1, self.k - 1, self.k, 2**32, end - self.k, end - 1) if 0 <= u < end}
        rejected = {u for u in (end, RESOLUTION - 1) if u >= end}
        return [[u] for u in sorted(accepted)] + [[u, u % self.k] for u in sorted(rejected)]


def _some(thresholds: list[int], most: int) -> list[int]:
    last = len(thresholds) - 1
    return thresholds if last < most else [thresholds[i * last // (most - 1)] for i in range(most)]


def plan(name: str, d: int, table: Any, answer: Any) -> list[Draw]:
    """The draws of a report in their order, as M1 to M9 state them."""
    if name in ("randomized_response", "one_bit"):
        return [Draw([k * table["other"] for k in range(1, 2 if name == "one_bit" else d)])]
    if name == "subset":
        return [Draw([table["in"]]), *(Draw([], d - 1 - i) for i in range(table["m"]))]
    if name in ("bitwise", "laplace"):
        return [Draw([t]) for t in (table["flip"], *table.get("magnitude", []))] * d
    if name in ("osgt", "gaussian"):
        return [Draw(_some(table["noise"], NOISES_MAX))] * d
    if name in ("exponential", "laplace_mean"):
        return [Draw(_some(table["rows"][answer], THRESHOLDS_MAX))]
    ends = 2 if name == "multiple" else d
    choices = [Draw([], len(answer) - i) for i in range(table["sample"])]
    return choices + [Draw([k * table["other"] for k in range(1, ends)])] * table["sample"]


def base(name: str, d: int, table: Any, answer: Any) -> list[int]:
    """Numbers that flip nothing and add nothing, and choices of the first that is left."""
    return [0 if draw.k else RESOLUTION - 1 for draw in plan(name, d, table, answer)]


def stated(name: str, d: int, table: Any, answer: Any, u: list[int]) -> Any:
    """The report that the definition of the mechanism demands for accepted draws u."""
    if name in ("randomized_response", "one_bit"):
        return _shifted(answer, 2 if name == "one_bit" else d, table, u[0])
    if name == "subset":
        others = [(answer + step) % d for step in range(1, d)]
        return sorted([answer] * (u[0] < table["in"]) + _dealt(others, u[1:])[: table["m"] - (u[0] < table["in"])])
    if name in ("bitwise", "laplace"):
        bins = [u[i : i + len(u) // d] for i in range(0, len(u), len(u) // d)]
        ones = [(j == answer) is not (first < table["flip"]) for j, (first, *_) in enumerate(bins)]
        if name == "bitwise":
            return "".join("01"[one] for one in ones)
        sizes = [sum(2**k for k, b in enumerate(table["magnitude"]) if digits[k] < b) for _, *digits in bins]
        return [1 + size if one else -size for one, size in zip(ones, sizes, strict=True)]
    if name in ("osgt", "gaussian"):
        reach = len(table["noise"]) // 2
        return [_cell(table["noise"], one) - reach + (1 if j == answer else 0) for j, one in enumerate(u)]
    if name in ("exponential", "laplace_mean"):
        beyond = 0 if name == "exponential" else (len(table["rows"][0]) + 1 - len(table["rows"])) // 2
        return _cell(table["rows"][answer], u[0]) - beyond
    ends, sample = 2 if name == "multiple" else d, table["sample"]
    items = sorted(_dealt(list(range(len(answer))), u[:sample]))
    return [[item, _shifted(int(answer[item]), ends, table, v)] for item, v in zip(items, u[sample:], strict=True)]


def _shifted(answer: int, d: int, table: Any, u: int) -> int:
    """M2: the shift is the number of k in 1..d-1 with u < k t."""
    return (answer + len([k for k in range(1, d) if u < k * table["other"]])) % d


def _dealt(deck: list[int], u: list[int]) -> list[int]:
    """Cards dealt one by one: the next one trades places with the one chosen among those that are left."""
    dealt = []
    for one in u:
        place = one % len(deck)
        dealt.append(deck[place])
        deck[place] = deck[0]
        deck = deck[1:]
    return dealt


def _cell(thresholds: Sequence[int], u: int) -> int:
    """The z with c_z <= u < c_{z+1}."""
    return next((z for z, c in enumerate(thresholds) if u < c), len(thresholds))


def boundary_cases(name: str, d: int, table: Any, chosen: Sequence[Any]) -> Iterator[Case]:
    """Every boundary word at every position, for the chosen answers, with the report that has to come."""
    for answer in chosen:
        usual = base(name, d, table, answer)
        for position, draw in enumerate(plan(name, d, table, answer)):
            for numbers in draw.tried():
                u = [*usual[:position], numbers[-1], *usual[position + 1 :]]
                yield Case(answer, position, numbers, stated(name, d, table, answer, u))


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
