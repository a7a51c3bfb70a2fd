"""Partitions of questions into forms (M36): all of them where they are few, else neighbours and exchanges.

A block's cost is a number g >= 0, and of partitions with the same number of blocks that of the least sum of g is best
where no form has a least weight: the weighted sum of risks is (sum of g)^2/n with g the root of the block's own sum,
and the largest of the ratios is (sum of g)/n with g the block's largest. Least weights are the caller's to judge, so
the best of each number of blocks is given.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, islice

Block = tuple[int, ...]
Partition = tuple[Block, ...]
Cost = Callable[[Block], float]

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
