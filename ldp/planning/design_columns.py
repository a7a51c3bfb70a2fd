"""The information from a form about a brief's questions, and the ways to ask some questions in one form (M46)."""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice, product

import numpy as np

from ldp import subsets
from ldp.arrays import Values
from ldp.exact import ALPHA_MAX
from ldp.forms.columns import factor, keep_chance
from ldp.kinds import KINDS
from ldp.mechanisms import MARGINAL, SIZED, randomized_response
from ldp.planning import budget, draw_prices
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.design import Brief, BriefQuestion, DesignDraw
from ldp.planning.draw_prices import RANDOMIZED_RESPONSE, Alone, Price
from ldp.subsets import CELLS_MAX, Size, symbols

Places = tuple[int, ...]

# Largest number of sizes tried for a question with many options, and of their combinations for a group of questions.
_SIZES_MOST, _COMBINATIONS_MOST = 9, 64
# A form's questions share at most this many draws, or have one each.
_DRAWS_MOST = 4


@dataclass(frozen=True)
class Column:
    """A form's draws. `information` is about each free question of the brief, then about each pair to cross."""

    draws: tuple[DesignDraw, ...]
    information: Values


@dataclass(frozen=True)
class Options:
    """The ways to ask an atom in a joint draw, one a row: the atom's number, the sizes of its questions by place, ln of
    the product of d/a, and each question's g^2/(s(1-s)) times its variance without privacy (0 for other questions)."""

    atoms: Values
    sizes: list[dict[int, Size]]
    costs: Values
    factors: Values


class Columns:
    """The columns of a brief. An atom is a question, or several that must be in one report."""

    def __init__(self, brief: Brief) -> None:
        self.brief, self.free = brief, brief.free
        self.alpha = brief.left
        self._place = {each.key: place for place, each in enumerate(self.free)}
        self.joined = [draw_prices.joined(each.asked) for each in self.free]
        self.plain = np.array([KINDS[each.asked.kind].without_privacy(each.asked.size).expected for each in self.free])
        named = (sorted(self._place[key] for key in pair) for pair in brief.pairs if pair <= self._place.keys())
        self.pairs = sorted(tuple(pair) for pair in named)
        self._crossed = np.array(self.pairs, dtype=int).reshape(-1, 2)
        self.atoms = _atoms(len(self.free), self._known(brief.together))
        self.apart = self._known(brief.apart)
        self._known_ways: dict[Places, list[Column]] = {}
        self._known_first: dict[Places, list[Column]] = {}
        self._known_columns: dict[tuple[DesignDraw, ...], Column] = {}

    def wishing(self, brief: Brief) -> "Columns":
        """Return the columns of a brief that differs only in its wishes."""
        columns = copy(self)
        columns.brief, columns.free = brief, brief.free
        return columns

    def _known(self, pairs: Sequence[tuple[str, str]]) -> list[Places]:
        return [(self._place[a], self._place[b]) for a, b in pairs if a in self._place and b in self._place]

    def column(self, draws: Sequence[DesignDraw]) -> Column:
        """Return the information of these draws. Two questions of one draw share its noise: both answers are kept, or
        none."""
        if (known := self._known_columns.get(tuple(draws))) is None:
            known = self._known_columns[tuple(draws)] = self._column(draws)
        return known

    def _column(self, draws: Sequence[DesignDraw]) -> Column:
        each, shared = np.zeros(len(self.free)), np.ones((len(self.free), len(self.free)))
        for draw in draws:
            keep = keep_chance(float(draw.alpha), self._cells(draw)) if len(draw.keys) > 1 else 1.0
            places = [self._place[key] for key in draw.keys]
            for place, price in zip(places, self.prices(draw), strict=True):
                each[place] = self.plain[place] / price.variance
            shared[np.ix_(places, places)] = keep**-2
        first, second = self._crossed.T
        return Column(tuple(draws), np.concatenate((each, each[first] * each[second] * shared[first, second])))

    def _cells(self, draw: DesignDraw) -> float:
        counts = self._counts(self._place[key] for key in draw.keys)
        return float(subsets.rarity(counts, draw.sizes))

    def _counts(self, places: Iterable[int]) -> tuple[subsets.Options, ...]:
        return tuple(each for k in places if (each := self.joined[k]) is not None)

    def prices(self, draw: DesignDraw) -> list[Price]:
        return draw_costs(draw, [self.free[self._place[key]] for key in draw.keys])

    def most_symbols(self, atom: Places) -> int:
        """Return the largest number of options of the atom's questions, counting those of all items of a list; 2^20 if
        a question must have a separate draw."""
        return max(symbols(self.joined[k] or 1 << 20) for k in atom)

    # Ways to ask some questions in one form --------------------------------------------------------------------------

    def possible(self, places: Places) -> bool:
        return not any(pair[0] in places and pair[1] in places for pair in self.apart)

    def ways(self, places: Places) -> list[Column]:
        """Return the columns of these questions in one form: in one draw, in several, or each in its own. Draws have
        equal parts of alpha, or parts in proportion to their numbers of questions."""
        if places not in self._known_ways:
            self._known_ways[places] = [self.column(draws) for draws in self._draws(places)]
        return self._known_ways[places]

    def first_way(self, places: Places) -> list[Column]:
        """Return the column with the fewest draws; empty if there is none."""
        if places not in self._known_first:
            self._known_first[places] = [self.column(draws) for draws in islice(self._draws(places), 1)]
        return self._known_first[places]

    def few_ways(self, places: Places) -> list[Column]:
        """Return the columns with one draw, and with one for each question."""
        return [self.column(draws) for draws in self._draws(places, 1)]

    def _draws(self, places: Places, most: int = _DRAWS_MOST) -> Iterator[list[DesignDraw]]:
        if not self.possible(places):
            return
        joinable = sorted((k for k in places if self.joined[k]), key=lambda k: (symbols(self.joined[k] or 0), k))
        others = [(k,) for k in places if not self.joined[k]]
        counts = {*range(1, min(len(joinable), most) + 1), len(joinable)}
        for count in sorted(counts):
            blocks = sorted([*_shared_out(joinable, count), *others])
            proportions = {tuple([1] * len(blocks)), tuple(len(block) for block in blocks)}
            for parts in sorted(proportions):
                with suppress(ValueError):
                    alphas = budget.proportional(self.alpha, [Fraction(part) for part in parts])
                    yield [self._draw(block, alpha) for block, alpha in zip(blocks, alphas, strict=True)]

    def _draw(self, places: Places, alpha: Fraction) -> DesignDraw:
        """Return the draw. ValueError if there are too many combinations of answers, or if no mechanism takes the
        alpha."""
        if len(places) == 1:
            return draw_alone(self.free[places[0]], alpha)
        counts = self._counts(places)
        randomized_response.cells(counts)
        return self._together(places, alpha, randomized_response.best_sizes(alpha, counts))

    def _together(self, places: Places, alpha: Fraction, sizes: Sequence[Size]) -> DesignDraw:
        keys = tuple(self.free[k].key for k in places)
        if len(places) == 1 and not isinstance(sizes[0], int):
            return self._list_alone(places[0], alpha, sizes[0])
        return DesignDraw(alpha, keys, RANDOMIZED_RESPONSE, tuple(sizes))

    def _list_alone(self, place: int, alpha: Fraction, size: Sequence[int]) -> DesignDraw:
        question, (drawn, listed) = self.free[place], size
        mechanism = MARGINAL[question.asked.kind]
        return DesignDraw(alpha, (question.key,), mechanism, (listed,) if mechanism in SIZED else (), drawn)

    def together(self, sizes: dict[int, Size]) -> Column:
        """Return the column of one draw with these sizes, by place."""
        places = tuple(sorted(sizes))
        return self.column([self._together(places, self.alpha, [sizes[k] for k in places])])

    @cached_property
    def alone(self) -> list[Price | None]:
        """The price of each question asked alone; None if it cannot be."""
        return [next(iter(self._alone(each)), None) for each in self.free]

    def _alone(self, question: BriefQuestion) -> list[Price]:
        with suppress(ValueError):
            return draw_costs(draw_alone(question, self.alpha), [question])
        return []

    @cached_property
    def crossed_atoms(self) -> list[Places]:
        """The atoms if all pairs to cross must also be in one report."""
        return _atoms(len(self.free), [*((atom[0], k) for atom in self.atoms for k in atom[1:]), *self.pairs])

    @cached_property
    def options(self) -> Options:
        rows = [(number, sizes) for number, atom in enumerate(self.atoms) for sizes in self._sizes(atom)]
        factors = np.zeros((len(rows), len(self.free)))
        costs = np.zeros(len(rows))
        for row, (_, sizes) in enumerate(rows):
            for place, size in sizes.items():
                factors[row, place] = self._factor(place, size)
                costs[row] += math.log(subsets.rarity(self._counts([place]), [size]))
        return Options(
            np.array([number for number, _ in rows], dtype=int), [sizes for _, sizes in rows], costs, factors
        )

    def _factor(self, place: int, size: Size) -> float:
        """Return the information of a draw that always keeps its answers."""
        question = self.free[place].asked
        if isinstance(size, int):
            return factor(draw_prices.options(question.kind, question.size), size) * float(self.plain[place])
        return float(self.plain[place]) / _price_with_others(question, size, 1.0).variance

    def _sizes(self, atom: Places) -> Iterator[dict[int, Size]]:
        if self.alpha > ALPHA_MAX or not all(self.joined[k] for k in atom) or not self.possible(atom):
            return
        each = [list(_sizes_of(options, self.alpha)) for options in self._counts(atom)]
        while math.prod(map(len, each)) > _COMBINATIONS_MOST:
            each = [sizes if len(sizes) <= 2 else sizes[:: len(sizes) - 1] for sizes in each]
            if all(len(sizes) <= 2 for sizes in each):
                break
        for sizes in product(*each):
            if self.cells(dict(zip(atom, sizes, strict=True))) <= CELLS_MAX:
                yield dict(zip(atom, sizes, strict=True))

    def cells(self, sizes: dict[int, Size]) -> int:
        """Return the number of combinations of answers in a draw with these sizes, by place."""
        return math.prod(d for d, _ in subsets.answers_of(self._counts(sizes), list(sizes.values())))


def draw_costs(draw: DesignDraw, questions: Sequence[BriefQuestion]) -> list[Price]:
    """Return the prices of a draw's questions, by its sizes. ValueError if the mechanism does not take the alpha."""
    planned = [each.asked for each in questions]
    if len(planned) > 1:
        counts = tuple(each for one in planned if (each := draw_prices.joined(one)) is not None)
        keep = keep_chance(float(draw.alpha), float(subsets.rarity(counts, draw.sizes)))
        return [_price_with_others(one, size, keep) for one, size in zip(planned, draw.sizes, strict=True)]
    [one] = planned
    if draw.mechanism not in draw_prices.LISTING:
        return [draw_prices.alone(one._replace(mechanism=draw.mechanism), draw.alpha).price]
    keep, listed = keep_alone(draw, one)
    size = one.size._replace(sample=draw.sample) if draw.sample else one.size
    return [draw_prices.with_others(one.kind, size, listed, keep)]


def keep_alone(draw: DesignDraw, question: PlannedQuestion) -> tuple[float, int]:
    """Return the chance to keep answers in a question's separate draw that lists options, and how many it lists."""
    [listed] = draw.sizes or (1,)
    assert isinstance(listed, int)
    size = question.size._replace(sample=draw.sample) if draw.sample else question.size
    rarity = (draw_prices.options(question.kind, size) / listed) ** (draw.sample or 1)
    if draw.mechanism == "ranking":
        rarity = math.factorial(int(size.sample))
    return keep_chance(float(draw.alpha), rarity), listed


def question_prices(brief: Brief, published: Sequence[tuple[float, tuple[DesignDraw, ...]]]) -> dict[str, Price]:
    """Return the pooled price of each question, for a report of the survey."""
    questions = {each.key: each for each in brief.questions}
    collected: dict[str, list[tuple[float, Price]]] = {}
    for part, draws in published:
        for draw in draws:
            for key, price in zip(draw.keys, draw_costs(draw, [questions[key] for key in draw.keys]), strict=True):
                collected.setdefault(key, []).append((part, price))
    return {key: draw_prices.pooled(prices) for key, prices in collected.items()}


def _price_with_others(question: PlannedQuestion, size: Size, keep: float) -> Price:
    if isinstance(size, int):
        return draw_prices.with_others(question.kind, question.size, size, keep)
    drawn, listed = size
    return draw_prices.with_others(question.kind, question.size._replace(sample=drawn), listed, keep)


def draw_alone(question: BriefQuestion, alpha: Fraction) -> DesignDraw:
    """Return the question's best separate draw. ValueError if its mechanism does not take this alpha."""
    best: Alone = draw_prices.alone(question.asked, alpha)
    sizes = (best.listed,) if best.listed else ()
    return DesignDraw(alpha, (question.key,), best.mechanism, sizes, best.sample)


def _sizes_of(options: subsets.Options, alpha: Fraction) -> Iterator[Size]:
    if isinstance(options, int):
        yield from useful_sizes(options, alpha)
        return
    for drawn in range(1, options.items + 1):
        if options.d**drawn <= CELLS_MAX:
            yield from ((drawn, listed) for listed in useful_sizes(options.d, alpha))


@lru_cache(maxsize=1 << 12)
def useful_sizes(d: int, alpha: Fraction) -> tuple[int, ...]:
    """Return the useful numbers of listed options, of d: all if they are few, otherwise a few in equal ratios and the
    best number for the question alone."""
    if d - 1 <= _SIZES_MOST:
        return tuple(range(1, d))
    ratios = {round((d - 1) ** (k / (_SIZES_MOST - 1))) for k in range(_SIZES_MOST)}
    return tuple(sorted({*ratios, _alone_size(d, float(alpha))}))


def _alone_size(d: int, alpha: float) -> int:
    return max(range(1, d), key=lambda listed: keep_chance(alpha, d / listed) ** 2 * factor(d, listed))


def _atoms(count: int, together: Sequence[Places]) -> list[Places]:
    groups = [{k} for k in range(count)]
    for pair in together:
        touched = [group for group in groups if group & set(pair)]
        groups = [group for group in groups if group not in touched] + [set().union(*touched)]
    return sorted(tuple(sorted(group)) for group in groups)


def _shared_out(places: Sequence[int], count: int) -> list[Places]:
    """Return `count` blocks. Each mixes questions with many and with few options."""
    return [tuple(sorted(places[start::count])) for start in range(count)] if places else []
