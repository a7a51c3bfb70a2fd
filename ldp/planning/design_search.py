"""The search for the forms of a brief (M46). It finds the best forms at any n by adding columns while one has a larger
slope. If n does not allow these, it finds few forms with more questions.

A partition's value is (sum of g)^2, where g^2 is a form's sum of c_j/(information about j) (M36). So the cheapest
partition into neighbours is built from the cheapest partitions of the first questions. For many questions there is no
search: forms of neighbours need work in proportion to the number of questions.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np

from ldp.arrays import Values
from ldp.exact import ALPHA_MAX
from ldp.forms.columns import keep_chance
from ldp.planning import design_weights
from ldp.planning.design_columns import Column, Columns, Places
from ldp.subsets import CELLS_MAX

# A column is added while its slope exceeds the sum by more than this.
_GAP = 1e-3
_ROUNDS, _STARTS, _ADDED, _WINDOWS, _STEPS = 30, 48, 48, 6, 300
# Number of partitions to improve, tries for each over the number of atoms, and longest block.
_IMPROVED, _TRIES, _LONGEST = 3, 6_000, 12
# Many questions are crossed in forms of two blocks each; this is the largest number of blocks.
_BLOCKS_MOST = 10


class Search:
    """The search for one importance of each question and of each pair to cross."""

    def __init__(self, columns: Columns, importance: Values) -> None:
        self.columns, self.importance = columns, importance
        count = len(columns.free)
        self._questions = importance[:count]
        self._pairs = np.zeros((count, count))
        for (i, j), each in zip(columns.pairs, importance[count:], strict=True):
            self._pairs[i, j] = self._pairs[j, i] = each
        self._crosses = bool(self._pairs.any())
        kinds = [(each.asked, importance[place]) for place, each in enumerate(columns.free)]
        self._types, self._costs = [kinds.index(each) for each in kinds], dict[Places, float]()

    # The best forms, in any number ------------------------------------------------------------------------------------

    def relaxed(self, start: Sequence[Column] = ()) -> list[Column]:
        """Return the columns with positive weight in the best design; empty if some question fits in none."""
        known = list({each.draws: each for each in [*start, *self._first()]}.values())
        if not known or (np.array([each.information for each in known]).max(axis=0)[self.importance > 0] <= 0).any():
            return []
        weights = np.full(len(known), 1 / len(known))
        for _ in range(_ROUNDS):
            information = np.array([each.information for each in known])
            weights = design_weights.best(information, self.importance, weights, _STEPS)
            least = design_weights.value(information, self.importance, weights)
            added = self._steepest(weights @ information, least)
            used = np.flatnonzero(weights > 1e-7)
            known, weights = [known[k] for k in used], weights[used]
            if not added:
                break
            known, weights = _joined(known, weights, added)
        return known

    def _first(self) -> list[Column]:
        """Return the first columns: the ways of every atom alone, and neighbours in the circular order of their numbers
        of options, which are best for similar questions."""
        columns, atoms = self.columns, self.columns.atoms
        collected = [column for atom in atoms for column in columns.ways(atom)]
        able = [atom for atom in atoms if all(columns.joined[k] for k in atom)]
        able.sort(key=lambda atom: (columns.most_symbols(atom), atom))
        for length in range(2, min(_WINDOWS, len(able)) + 1):
            for start in range(len(able) if length < len(able) else 1):
                window = (able[(start + step) % len(able)] for step in range(length))
                collected += columns.first_way(tuple(sorted(k for atom in window for k in atom)))
        if self._crosses:
            collected += [each for pair in columns.pairs for each in columns.first_way(self._of_atoms(pair))]
        return collected

    def _of_atoms(self, places: Iterable[int]) -> Places:
        wanted = {*places}
        return tuple(sorted(k for atom in self.columns.atoms if wanted & {*atom} for k in atom))

    def _steepest(self, information: Values, least: float) -> list[Column]:
        """Return the columns with the largest slopes, above `least`, among forms with one draw of all questions."""
        options = self.columns.options
        if not len(options.costs) or self.columns.alpha > ALPHA_MAX:
            return []
        count = len(self.columns.free)
        slopes = self._questions / information[:count] ** 2
        pairs = np.zeros_like(self._pairs)
        for (i, j), each, m in zip(self.columns.pairs, self.importance[count:], information[count:], strict=True):
            pairs[i, j] = pairs[j, i] = each / max(m, 1e-100) ** 2
        collected, alone = {}, options.factors @ slopes + self._within(pairs)
        for rows in self._starts(alone, pairs):
            grown, slope = self._grown(rows, slopes, pairs, alone)
            if slope > least * (1 + _GAP):
                collected[tuple(sorted(grown))] = slope
        chosen = sorted(collected, key=lambda rows: (-collected[rows], rows))[:_ADDED]
        return [
            self.columns.together({k: size for row in rows for k, size in options.sizes[row].items()})
            for rows in chosen
        ]

    def _starts(self, worth: Values, pairs: Values) -> Iterator[list[int]]:
        """Yield the best option of each atom, then the best pairs of two atoms' options."""
        options = self.columns.options
        alone = self._slopes(options.costs, worth)
        for atom in range(len(self.columns.atoms)):
            rows = np.flatnonzero(options.atoms == atom)
            if len(rows):
                yield [int(rows[alone[rows].argmax()])]
        both = worth[:, None] + worth[None, :] + options.factors @ pairs @ options.factors.T
        values = self._slopes(options.costs[:, None] + options.costs[None, :], both)
        values[options.atoms[:, None] >= options.atoms[None, :]] = -1
        order, seen = np.argsort(-values, axis=None, kind="stable"), set[tuple[int, int]]()
        for flat in order[: 40 * _STARTS]:
            first, second = divmod(int(flat), len(worth))
            atoms = int(options.atoms[first]), int(options.atoms[second])
            if values[first, second] <= 0 or len(seen) == _STARTS:
                return
            if atoms not in seen and self._possible([first, second]):
                seen.add(atoms)
                yield [first, second]

    def _within(self, pairs: Values) -> Values:
        factors = self.columns.options.factors
        return np.asarray(((factors @ pairs) * factors).sum(axis=1) / 2)

    def _slopes(self, costs: Values, worth: Values) -> Values:
        keep = 1 / (1 + np.exp(costs) / math.expm1(float(self.columns.alpha)))
        return np.asarray(keep**2 * worth)

    def _possible(self, rows: Sequence[int]) -> bool:
        sizes = {k: size for row in rows for k, size in self.columns.options.sizes[row].items()}
        return self.columns.possible(tuple(sizes)) and self.columns.cells(sizes) <= CELLS_MAX

    def _grown(self, rows: list[int], slopes: Values, pairs: Values, alone: Values) -> tuple[list[int], float]:
        """Return the rows after repeatedly adding the best further one, while the slope rises."""
        options = self.columns.options
        while True:
            there = options.factors[rows].sum(axis=0)
            cost, worth = float(options.costs[rows].sum()), float(there @ slopes + there @ pairs @ there / 2)
            slope = worth * keep_chance(float(self.columns.alpha), math.exp(cost)) ** 2
            values = self._slopes(options.costs + cost, alone + worth + options.factors @ pairs @ there)
            values[(options.atoms[:, None] == options.atoms[rows]).any(axis=1)] = -1
            row = int(values.argmax())
            while values[row] > slope * (1 + 1e-9) and not self._possible([*rows, row]):
                values[row] = -1
                row = int(values.argmax())
            if values[row] <= slope * (1 + 1e-9):
                return rows, slope
            rows = [*rows, row]

    # Few forms --------------------------------------------------------------------------------------------------------

    def cost(self, places: Places) -> float:
        """Return the g of these questions in one form, by the best way to ask them; infinite if there is none. Similar
        questions have the same g if no pair is to be crossed or apart."""
        alike = not self._crosses and not self.columns.apart
        known = tuple(sorted(self._types[k] for k in places)) if alike else places
        if known not in self._costs:
            sums = (self._sum(way) for way in self.columns.ways(places)) if places else iter((0.0,))
            self._costs[known] = math.sqrt(min(sums, default=math.inf))
        return self._costs[known]

    def form(self, places: Places) -> Column | None:
        """Return the best way to ask these questions in one form; None if there is none."""
        return min(self.columns.ways(places), key=self._sum, default=None)

    def _sum(self, column: Column) -> float:
        count = len(self.columns.free)
        there = column.information[:count] > 0
        value = float((self._questions[there] / column.information[:count][there]).sum())
        crossed = column.information[count:] > 0
        return value + float((self.importance[count:][crossed] / column.information[count:][crossed]).sum())

    def neighbours(self, most: int) -> list[list[Column]]:
        """Return the best partition of the atoms into at most `most` forms of neighbours."""
        best = sorted(self._of_neighbours(most).items(), key=lambda pair: (pair[1], sorted(pair[0])))[:1]
        return self._lists(sorted(blocks) for blocks, _ in best)

    def partitions(self, most: int) -> list[list[Column]]:
        """Return good partitions of the atoms into at most `most` forms: of neighbours, and improved by exchanges."""
        collected = self._of_neighbours(most)
        best = sorted(collected, key=lambda blocks: (collected[blocks], sorted(blocks)))[:_IMPROVED]
        exchanged = [self._exchanged(sorted(blocks), most) for blocks in best]
        return self._lists([*map(sorted, best), *exchanged])

    def _of_neighbours(self, most: int) -> dict[frozenset[Places], float]:
        count, collected = min(most, len(self.columns.atoms)), dict[frozenset[Places], float]()
        for order in self._orders():
            for blocks in self._contiguous(order, count):
                collected[frozenset(blocks)] = self._value(blocks)
        return collected

    def _lists(self, partitions: Iterable[Sequence[Places]]) -> list[list[Column]]:
        lists = (
            [self.form(self._places(block)) for block in blocks] for blocks in dict.fromkeys(map(tuple, partitions))
        )
        return [[each for each in columns if each] for columns in lists if None not in columns]

    def _orders(self) -> Iterator[list[int]]:
        atoms = self.columns.atoms
        sizes = [self.columns.most_symbols(atom) for atom in atoms]
        for key in (lambda k: sizes[k], lambda k: self.cost(atoms[k])):
            yield sorted(range(len(atoms)), key=lambda k: (key(k), k))

    def _places(self, block: Places) -> Places:
        return tuple(sorted(k for atom in block for k in self.columns.atoms[atom]))

    def _value(self, blocks: Iterable[Places]) -> float:
        return math.fsum(self.cost(self._places(block)) for block in blocks)

    def _contiguous(self, order: Sequence[int], most: int) -> Iterator[list[Places]]:
        """Yield the cheapest partition into 1, 2, ... blocks of neighbours."""
        size = len(order)
        longest = max(_LONGEST, math.ceil(2 * size / most))
        spans = {
            (start, end): self.cost(self._places(tuple(order[start:end])))
            for end in range(1, size + 1)
            for start in range(end)
            if end - start <= longest or (start, end) == (0, size)
        }
        best, begins = [0.0] + [math.inf] * size, list[list[int]]()
        for _ in range(most):
            starts = [_cheapest(best, end, spans) for end in range(size + 1)]
            best = [best[start] + spans.get((start, end), math.inf) for end, start in enumerate(starts)]
            begins.append(starts)
            if math.isfinite(best[size]):
                yield [tuple(sorted(order[start:end])) for start, end in _spans(begins, size)]

    def _exchanged(self, blocks: list[Places], most: int) -> list[Places]:
        """Return at most `most` blocks, after moving or trading atoms while the sum of g falls."""
        tries, improved = _TRIES // len(self.columns.atoms), True
        while improved and tries > 0:
            improved = False
            for before, after in _neighbours(blocks, len(blocks) < most):
                tries -= 1
                if tries < 0:
                    break
                if self._value(after) < self._value(before) * (1 - 1e-9):
                    blocks = sorted([block for block in blocks if block not in before] + [b for b in after if b])
                    improved = True
                    break
        return blocks

    # Many questions ---------------------------------------------------------------------------------------------------

    def chunks(self, atoms: Sequence[Places]) -> list[list[Column]]:
        """Return lists of forms with 1, 2, 3, 4, 6, 8, ... or all of these atoms. Atoms of one form have similar
        numbers of options. Lists with a form that cannot be asked are left out."""
        return self._drawable(self._filled(atoms, length) for length in _lengths(len(atoms)))

    def covers(self) -> list[list[Column]]:
        """Return forms of any two of a few blocks, so that they have every pair of questions that can be drawn
        together; each other atom is a form."""
        able = [atom for atom in self.columns.atoms if all(self.columns.joined[k] for k in atom)]
        lists = (self._filled(able, length) for length in _lengths(len(able)))
        others = [atom for atom in self.columns.atoms if atom not in able]
        few = (blocks for blocks in lists if 2 < len(blocks) <= _BLOCKS_MOST)
        return self._drawable([*(_joint(one, other) for one, other in combinations(b, 2)), *others] for b in few)

    def _drawable(self, lists: Iterable[Sequence[Places]]) -> list[list[Column]]:
        made = ([self._chunk(block) for block in blocks] for blocks in lists)
        return [[each for each in columns if each] for columns in made if None not in columns]

    def _filled(self, atoms: Sequence[Places], length: int) -> list[Places]:
        """Return blocks, each atom being put into the first block that has room and no atom that must be apart."""
        order = sorted(atoms, key=lambda atom: (self.columns.most_symbols(atom), atom))
        blocks, counts = list[Places](), list[int]()
        for atom in order:
            able = (place for place, count in enumerate(counts) if count < length and self._fits(blocks[place], atom))
            if (place := next(able, None)) is None:
                blocks, counts = [*blocks, atom], [*counts, 1]
            else:
                blocks[place], counts[place] = blocks[place] + atom, counts[place] + 1
        return [tuple(sorted(block)) for block in blocks]

    def _fits(self, block: Places, atom: Places) -> bool:
        return self.columns.possible(block + atom)

    def _chunk(self, places: Places) -> Column | None:
        return min(self.columns.few_ways(places), key=self._sum, default=None)

    # Pairs ------------------------------------------------------------------------------------------------------------

    def coverings(self, most: int) -> Iterator[list[Column]]:
        """Yield forms of t atoms each that have every pair to cross, for each t that needs at most `most` forms."""
        atoms = self.columns.atoms
        home = {k: number for number, atom in enumerate(atoms) for k in atom}
        wanted = {frozenset((home[i], home[j])) for i, j in self.columns.pairs if home[i] != home[j]}
        for size in range(2, len(atoms) + 1):
            blocks = self._covering(wanted, size)
            columns = [self.form(self._places(block)) for block in blocks]
            if len(blocks) <= most and None not in columns:
                yield [each for each in columns if each]

    def _covering(self, wanted: set[frozenset[int]], size: int) -> list[Places]:
        """Return blocks of atoms with all wanted pairs. Each block grows by the atom with the most new pairs. The atoms
        without pairs come last."""
        left, blocks, count = set(wanted), list[Places](), len(self.columns.atoms)
        while left:
            block = sorted(min(left, key=sorted))
            while len(block) < size:
                gains = {k: sum(frozenset((k, b)) in left for b in block) for k in range(count) if k not in block}
                able = [k for k in gains if self.columns.possible(self._places((*block, k)))]
                degree = {k: sum(k in pair for pair in left) for k in able}
                if not able or not max(gains[k] for k in able):
                    break
                block = [*block, max(able, key=lambda k: (gains[k], degree[k], -k))]
            blocks.append(tuple(sorted(block)))
            left -= {frozenset(pair) for pair in combinations(block, 2)}
        alone = [k for k in range(count) if not any(k in block for block in blocks)]
        return blocks + [tuple(alone[start : start + size]) for start in range(0, len(alone), size)]


def _lengths(count: int) -> list[int]:
    return sorted({length for k in range(count) for length in (1 << k, 3 << k) if length < count} | {count})


def _joint(one: Places, other: Places) -> Places:
    return tuple(sorted(one + other))


def _joined(known: list[Column], weights: Values, added: Sequence[Column]) -> tuple[list[Column], Values]:
    there = {each.draws for each in known}
    new = [each for each in added if each.draws not in there]
    return [*known, *new], np.concatenate((weights * 0.95, np.full(len(new), 0.05 / max(len(new), 1))))


def _cheapest(best: Sequence[float], end: int, spans: dict[tuple[int, int], float]) -> int:
    """Return the best start of the last block that ends at `end`."""
    return min(range(max(end, 1)), key=lambda start: best[start] + spans.get((start, end), math.inf))


def _spans(begins: Sequence[Sequence[int]], end: int) -> Iterator[tuple[int, int]]:
    for starts in reversed(begins):
        yield starts[end], end
        end = starts[end]


def _neighbours(blocks: Sequence[Places], may_grow: bool) -> Iterator[tuple[list[Places], list[Places]]]:
    for one, other in combinations(blocks, 2):
        for k in one:
            yield [one, other], [_without(one, k), _with(other, k)]
        for k in other:
            yield [one, other], [_with(one, k), _without(other, k)]
        for k in one:
            for m in other:
                yield [one, other], [_with(_without(one, k), m), _with(_without(other, m), k)]
    for block in blocks if may_grow else ():
        yield from (([block], [_without(block, k), (k,)]) for k in block if len(block) > 1)


def _with(block: Places, k: int) -> Places:
    return tuple(sorted((*block, k)))


def _without(block: Places, k: int) -> Places:
    return tuple(member for member in block if member != k)
