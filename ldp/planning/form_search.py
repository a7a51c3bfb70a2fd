"""The search for the best partition of questions into forms (M36). What must be in one report is a group; partitions
are of groups."""

import copy
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations, islice

from ldp.kinds import KINDS
from ldp.planning import form_prices, form_weights
from ldp.planning.form_prices import Wanted, Way

Block = tuple[int, ...]
Partition = tuple[Block, ...]
Cost = Callable[[Block], float]

# Of the best partitions of neighbours so many are improved by exchanges; so many divided by the number of questions are
# tried. Of yes/no questions 12 can be joint.
_EXCHANGED = 4
_TRIES = 30_000
_LONGEST = 12
UNABLE = float("inf")
# Behind every number of values: what can stand in no joint form.
_ALONE = 1 << 20


class Search:
    """`least` is the least part of all reports that a form may have, where there are several; `apart` are pairs of
    questions of which no form may have both."""

    def __init__(
        self,
        wanted: Sequence[Wanted],
        alpha: Fraction,
        least: float,
        groups: Sequence[Block],
        apart: Collection[tuple[int, int]] = (),
    ) -> None:
        self._wanted, self._alpha, self._least, self.groups = tuple(wanted), alpha, least, tuple(groups)
        self._apart = [frozenset(pair) for pair in apart]
        self.goal = form_weights.objective([wanted[k] for group in groups for k in group])
        self._kinds = list(dict.fromkeys(wanted))
        self._types = [self._kinds.index(each) for each in wanted]
        self._of_types = lru_cache(maxsize=None)(self._cost_of)
        self._costs: dict[Block, float] = {}

    def limited(self, least: float) -> "Search":
        """A search with another least part; what was computed of forms is shared."""
        other = copy.copy(self)
        other._least = least
        return other

    def partition(self) -> Partition:
        if len(self.groups) <= ENUMERATED_MAX:
            return min(enumerated(len(self.groups)), key=self.value)
        return self.heuristic()

    def heuristic(self) -> Partition:
        """Neighbours in the order of their sizes, or of what each costs alone; then exchanges."""
        size = len(self.groups)
        most = min(size, max(1, math.floor(1 / self._least + 1e-9))) if self._least else size
        longest = max(_LONGEST, math.ceil(2 * size / most))
        candidates: list[Partition] = [(tuple(range(size)),)]
        for key in (self._size, lambda group: self.cost((group,))):
            order = sorted(range(size), key=lambda group: (key(group), group))
            candidates += contiguous(order, self.cost, most, longest)
        best = sorted(candidates, key=self.value)[:_EXCHANGED]
        return min(
            [*best, *(exchanged(partition, self.value, _TRIES // size) for partition in best)],
            key=self.value,
        )

    def value(self, partition: Partition) -> float:
        """With the best parts of all reports, not those of whole weights."""
        costs, least = [self.cost(block) for block in partition], self.least(partition)
        if len(partition) * least > 1 + 1e-12 or UNABLE in costs:
            return UNABLE
        return self.goal.value(costs, form_weights.parts(costs, least))

    def least(self, partition: Partition) -> float:
        return self._least if len(partition) > 1 else 0.0

    def cost(self, block: Block) -> float:
        if block not in self._costs:
            own = self.questions(block)
            types, unable = tuple(sorted(self._types[k] for k in own)), any(pair <= {*own} for pair in self._apart)
            self._costs[block] = UNABLE if unable else self._of_types(types, self._is_everybody(block))
        return self._costs[block]

    def _is_everybody(self, block: Block) -> bool:
        """Whether it is all there is: a single form is everybody, who are asked by no joint draw."""
        return len(block) == len(self.groups)

    def _cost_of(self, types: tuple[int, ...], whole: bool) -> float:
        """Questions that are alike have equal costs, however they are numbered."""
        members = [self._kinds[number] for number in types]
        return min((self.goal.cost(way, members) for way in self._ways(members, whole)), default=UNABLE)

    def way(self, block: Block) -> Way:
        """The best one for a block whose cost is known to be possible."""
        members = [self._wanted[k] for k in self.questions(block)]
        return min(self._ways(members, self._is_everybody(block)), key=lambda way: self.goal.cost(way, members))

    def _ways(self, members: Sequence[Wanted], whole: bool) -> Iterator[Way]:
        ways = form_prices.ways([each.asked for each in members], self._alpha)
        return (way for way in ways if not (whole and way.joint))

    def questions(self, block: Block) -> tuple[int, ...]:
        return tuple(sorted(k for group in block for k in self.groups[group]))

    def _size(self, group: int) -> int:
        questions = [self._wanted[k].asked for k in self.groups[group]]
        return max(KINDS[each.kind].symbols(each.size) or _ALONE for each in questions)


# Partitions of questions into forms (M36): all of them where they are few, else neighbours and exchanges --------------
#
# A block's cost is a number g >= 0, and of partitions with the same number of blocks that of the least sum of g is best
# where no form has a least weight: the weighted sum of risks is (sum of g)^2/n with g the root of the block's own sum,
# and the largest of the ratios is (sum of g)/n with g the block's largest. Least weights are the caller's to judge, so
# the best of each number of blocks is given.

# Bell's numbers: 877 partitions of 7.
ENUMERATED_MAX = 7


def enumerated(size: int) -> Iterator[Partition]:
    """Every partition of 0..size-1."""
    if size == 0:
        yield ()
        return
    for partition in enumerated(size - 1):
        for k, block in enumerate(partition):
            yield (*partition[:k], (*block, size - 1), *partition[k + 1 :])
        yield (*partition, (size - 1,))


def contiguous(order: Sequence[int], cost: Cost, most: int, longest: int) -> Iterator[Partition]:
    """The cheapest partition into 1, 2, ... up to `most` blocks, of those whose blocks are neighbours in this order, no
    more than `longest` of them: by the cheapest one of each beginning. None of a number of blocks that cannot be."""
    size = len(order)
    costs = {
        (start, end): cost(tuple(sorted(order[start:end])))
        for end in range(1, size + 1)
        for start in range(max(0, end - longest), end)
    }
    best, last = [0.0] + [math.inf] * size, []
    for _ in range(min(most, size)):
        starts = [_cheapest(best, end, costs, longest) for end in range(size + 1)]
        best = [best[start] + costs.get((start, end), math.inf) for end, start in enumerate(starts)]
        last.append(starts)
        if math.isfinite(best[size]):
            yield _partition([order[start:end] for start, end in _spans(last, size)])


def _cheapest(best: Sequence[float], end: int, costs: dict[tuple[int, int], float], longest: int) -> int:
    """The place where the last block of the first so many begins."""
    starts = range(max(0, end - longest), max(end, 1))
    return min(starts, key=lambda start: best[start] + costs.get((start, end), math.inf))


def _spans(last: Sequence[Sequence[int]], end: int) -> Iterator[tuple[int, int]]:
    for starts in reversed(last):
        yield starts[end], end
        end = starts[end]


def exchanged(partition: Partition, value: Callable[[Partition], float], tries: int) -> Partition:
    """The partition with single questions moved to other blocks or to a new one, or traded between two, each time that
    the value falls by it, until nothing does or so many were tried."""
    best, left, improved = value(partition), tries, True
    while improved and left > 0:
        improved = False
        for other in islice(_neighbours(partition), left):
            left -= 1
            if (new := value(other)) < best * (1 - 1e-9):
                partition, best, improved = other, new, True
                break
    return partition


def _neighbours(partition: Partition) -> Iterator[Partition]:
    for one, other in combinations(partition, 2):
        rest = [block for block in partition if block not in (one, other)]
        pairs = chain(_moved(one, other), _moved(other, one), _traded(one, other))
        yield from (_partition([*rest, *pair]) for pair in pairs)
    for block in partition:
        rest = [each for each in partition if each != block]
        yield from (_partition([*rest, _without(block, k), (k,)]) for k in block if len(block) > 1)


def _moved(one: Block, other: Block) -> Iterator[list[Block]]:
    """The last of a block leaves none behind."""
    for k in one:
        yield [block for block in (_without(one, k), _union(other, (k,))) if block]


def _traded(one: Block, other: Block) -> Iterator[list[Block]]:
    for k in one:
        for m in other:
            yield [_union(_without(one, k), (m,)), _union(_without(other, m), (k,))]


def _union(one: Block, other: Block) -> Block:
    return tuple(sorted((*one, *other)))


def _without(block: Block, k: int) -> Block:
    return tuple(member for member in block if member != k)


def _partition(blocks: Sequence[Sequence[int]]) -> Partition:
    return tuple(sorted(tuple(sorted(block)) for block in blocks))
