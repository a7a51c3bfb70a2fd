"""The search for the best partition of questions into forms (M36). What must be in one report is a group; partitions
are of groups."""

import copy
import math
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from ldp.kinds import KINDS
from ldp.planning import form_prices, form_weights, partitions
from ldp.planning.form_prices import Wanted, Way
from ldp.planning.partitions import Block, Partition

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
        if len(self.groups) <= partitions.ENUMERATED_MAX:
            return min(partitions.enumerated(len(self.groups)), key=self.value)
        return self.heuristic()

    def heuristic(self) -> Partition:
        """Neighbours in the order of their sizes, or of what each costs alone; then exchanges."""
        size = len(self.groups)
        most = min(size, max(1, math.floor(1 / self._least + 1e-9))) if self._least else size
        longest = max(_LONGEST, math.ceil(2 * size / most))
        candidates: list[Partition] = [(tuple(range(size)),)]
        for key in (self._size, lambda group: self.cost((group,))):
            order = sorted(range(size), key=lambda group: (key(group), group))
            candidates += partitions.contiguous(order, self.cost, most, longest)
        best = sorted(candidates, key=self.value)[:_EXCHANGED]
        return min(
            [*best, *(partitions.exchanged(partition, self.value, _TRIES // size) for partition in best)],
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
            self._costs[block] = UNABLE if unable else self._of_types(types, self._is_whole(block))
        return self._costs[block]

    def _is_whole(self, block: Block) -> bool:
        """Whether it is all there is: a single form is everybody, who are asked by no joint draw."""
        return len(block) == len(self.groups)

    def _cost_of(self, types: tuple[int, ...], whole: bool) -> float:
        """Questions that are alike have equal costs, however they are numbered."""
        members = [self._kinds[number] for number in types]
        return min((self.goal.cost(way, members) for way in self._ways(members, whole)), default=UNABLE)

    def way(self, block: Block) -> Way:
        """The best one for a block whose cost is known to be possible."""
        members = [self._wanted[k] for k in self.questions(block)]
        return min(self._ways(members, self._is_whole(block)), key=lambda way: self.goal.cost(way, members))

    def _ways(self, members: Sequence[Wanted], whole: bool) -> Iterator[Way]:
        ways = form_prices.ways([each.asked for each in members], self._alpha)
        return (way for way in ways if not (whole and way.joint))

    def questions(self, block: Block) -> tuple[int, ...]:
        return tuple(sorted(k for group in block for k in self.groups[group]))

    def _size(self, group: int) -> int:
        questions = [self._wanted[k].asked for k in self.groups[group]]
        return max(KINDS[each.kind].symbols(each.size) or _ALONE for each in questions)
