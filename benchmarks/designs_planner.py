"""The planner and the bound (M46, M48): figures enumerated or optimized, and proposals beside the former ones (M36)."""

import inspect
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product

import numpy as np

from ldp.forms.columns import best_alone, factor, keep_chance
from ldp.forms.efficiency import bound, least_mean
from ldp.kinds.protocol import Size
from ldp.planning import design_weights, draw_prices
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.design import Brief, BriefQuestion, Design, DesignDraw, DesignForm
from ldp.planning.design_columns import Columns, question_prices
from ldp.planning.design_needs import people
from ldp.planning.design_outcomes import outcome
from ldp.planning.design_proposals import propose
from ldp.planning.design_search import Search

Row = list[object]
Judged = tuple[bool, Row]

MANY, TOLERANCE = 10**7, 0.005
YES = PlannedQuestion("yes_no", Size(2))


def choice(d: int) -> PlannedQuestion:
    return YES if d == 2 else PlannedQuestion("single_choice", Size(d))


def brief(asked: Iterable[PlannedQuestion], total: float | str, n: int = MANY) -> Brief:
    questions = tuple(BriefQuestion(f"q{place:02}", each) for place, each in enumerate(asked))
    return Brief(questions, Fraction(str(total)), n)


def options(*counts: int) -> list[PlannedQuestion]:
    return [choice(d) for d in counts]


# Figures (M45, M46) ---------------------------------------------------------------------------------------------------


def figures() -> Iterator[Judged]:
    """Compare stated figures with those from tables, formulas and proposals."""
    for what, stated, found in [*_pairs(), *_scales(), *_cyclic(), *_joint_for_everybody(), *_items()]:
        yield (
            abs(found / stated - 1) < max(TOLERANCE, _last_digit(stated) / stated),
            [what, f"{stated:g}", f"{found:.4g}"],
        )


def _last_digit(stated: float) -> float:
    digits = f"{stated:g}".partition(".")[2]
    return 0.6 * 10.0 ** -len(digits)


def _pairs() -> Iterator[tuple[str, float, float]]:
    ten = brief(options(*[2] * 10), 2)
    keys = [each.key for each in ten.questions]
    every = [
        DesignForm(1, (DesignDraw(ten.total, (a, b), "randomized_response", (1, 1)),))
        for place, a in enumerate(keys)
        for b in keys[place + 1 :]
    ]
    columns = Columns(replace(ten, crossed="all"))
    told = np.mean([columns.column(form.draws).information for form in every], axis=0)
    yield "10 yes/no, total 2, all 45 pairs: n Var of a share", 3.305, 0.25 / told[0]
    yield "n Var of a pair's correlation", 119, 1 / told[-1]
    whole = columns.column([DesignDraw(ten.total, tuple(keys), "randomized_response", (1,) * 10)]).information
    yield "one joint form of all ten: of a pair's correlation", 26009, 1 / whole[-1]
    six, four = keep_chance(2, 4) ** -2, keep_chance(2, 16) ** -2
    yield "6 yes/no: n Var of a share", 1.98, 3 / 4 * six
    yield "of a pair's correlation, 15 pairs and one joint form", 39.7, 15 * six
    yield "", 121, keep_chance(2, 64) ** -2
    yield "4 yes/no: one joint form, and 6 pairs", 12.0, four
    yield "", 15.9, 6 * six


def _scales() -> Iterator[tuple[str, float, float]]:
    """Yield n Var of a share and of a cell, for two scales of five at total 2."""
    two = replace(brief(options(5, 5), 2), crossed="all")
    columns = Columns(two)

    def told(*forms: Sequence[DesignDraw]) -> tuple[float, float]:
        each = np.mean([columns.column(draws).information for draws in forms], axis=0)
        share, plain = 0.16 / each[0], 0.16 * 0.16
        return share, plain / each[2] + 2 * share / 25

    def together(*sizes: int) -> list[DesignDraw]:
        return [DesignDraw(two.total, ("q00", "q01"), "randomized_response", sizes)]

    apart = [DesignDraw(Fraction(1), (key,), "randomized_response", (1,)) for key in ("q00", "q01")]
    for what, stated, found in (
        ("joint randomization", (3.86, 0.93), told(together(1, 1))),
        ("draws apart", (2.45, 6.18), told(apart)),
        ("sizes (1,4) and (4,1)", (1.18, 1.70), told(together(1, 4), together(4, 1))),
    ):
        yield f"2 scales of 5, total 2, {what}: a share", stated[0], found[0]
        yield "and a cell", stated[1], found[1]


def _cyclic() -> Iterator[tuple[str, float, float]]:
    """Yield the ratio of people: the best disjoint forms of yes/no questions over the proposal."""
    for count, total, stated in ((3, 2, 1.098), (5, 2, 1.058), (7, 2, 1.041), (4, 3, 1.09), (5, 4, 1.17)):
        found = propose(brief(options(*[2] * count), total)).outcome.error
        yield f"cyclic forms, {count} yes/no, total {total}", stated, _best_disjoint(count, total) / found


def _best_disjoint(count: int, total: int) -> float:
    """Return (sum of g)^2 / count, the least over partitions into joint forms of t questions, g^2 = t/lambda^2."""
    g = [0.0, *(math.sqrt(t) / keep_chance(total, 2**t) for t in range(1, count + 1))]
    least = [0.0]
    for size in range(1, count + 1):
        least.append(min(g[t] + least[size - t] for t in range(1, size + 1)))
    # One form of all questions is left out: a draw for everyone could not be joint.
    parts = min(g[t] + least[count - t] for t in range(1, count))
    return parts**2 / count


def _joint_for_everybody() -> Iterator[tuple[str, float, float]]:
    for count, total, stated in ((2, 2, 1.30), (2, 3, 1.67), (2, 4, 1.49), (3, 3, 1.31), (3, 4, 1.65)):
        apart = min(keep_chance(total / count, 2) ** -2, _best_disjoint(count, total))
        yield (
            f"one draw for everybody, {count} yes/no, total {total}",
            stated,
            apart * keep_chance(total, 2**count) ** 2,
        )


def _items() -> Iterator[tuple[str, float, float]]:
    """Yield what a split of alpha costs over items randomized together, inside a question."""
    for alpha, stated in ((2, 1.30), (3, 1.82), (4, 2.04)):
        split = min(1 / s * keep_chance(alpha / s, 2) ** -2 for s in range(1, 9))
        found = min(1 / s * keep_chance(alpha, 2**s) ** -2 for s in range(1, 9))
        yield f"items randomized together, alpha {alpha}", stated, split / found
    eight = PlannedQuestion("multiple_choice", Size(8))
    yield "8 items at total 2: n Var of a share", 2.64, draw_prices.alone(eight, Fraction(2)).price.variance


# What crossing costs (M46) --------------------------------------------------------------------------------------------

CROSSINGS = (
    ((5,) * 5, 2, ((1.07, 35), (1.20, 14))),
    ((5,) * 5, 3, ((1.05, 6.5), (1.15, 2.6))),
    ((5,) * 5, 4, ((1.001, 0.61),)),
    ((2,) * 10, 1, ((1.10, 55),)),
    ((2,) * 10, 2, ((1.001, 7.4),)),
    ((2,) * 10, 4, ((1.001, 3.2),)),
)


def crossings() -> Iterator[Judged]:
    """Shares may cost at most this multiple of the people for shares alone. Then n Var of a cell, without the part of
    its shares, is at most the stated one."""
    for counts, total, points in CROSSINGS:
        for cost, stated in points:
            found = _cell(counts, total, cost)
            name = f"{len(counts)} of {counts[0]} options"
            yield found <= stated * 1.05, [name, total, f"{cost:.3f}", f"{stated:g}", f"{found:.2f}"]


def _cell(counts: Sequence[int], total: int, cost: float) -> float:
    """Return the median n Var of a cell, at the importance of pairs for which shares cost `cost` times as much."""
    columns = Columns(replace(brief(options(*counts), total), crossed="all"))
    questions, pairs = len(counts), len(columns.pairs)
    shares = np.array([1 / questions] * questions + [0.0] * pairs)
    crossed = np.array([0.0] * questions + [1 / pairs] * pairs)
    alone = _solved(columns, shares)
    least, low, high = design_weights.value(alone[None], shares, np.ones(1)), -12.0, 2.0
    told = alone
    for _ in range(18):
        scale = math.exp((low + high) / 2)
        told = _solved(columns, shares + scale * crossed)
        within = design_weights.value(told[None], shares, np.ones(1)) <= cost * least
        low, high = ((low + high) / 2, high) if within else (low, (low + high) / 2)
    told = _solved(columns, shares + math.exp(low) * crossed)
    d = counts[0]
    return float(np.median(((1 / d) * (1 - 1 / d)) ** 2 / told[questions:]))


def _solved(columns: Columns, importance: np.ndarray) -> np.ndarray:
    forms = Search(columns, importance).relaxed()
    told = np.array([form.information for form in forms])
    weights = design_weights.best(told, importance, np.full(len(forms), 1 / len(forms)))
    return np.asarray(weights @ told)


# The bound (M48) ------------------------------------------------------------------------------------------------------

ENUMERATED = ((2, 2), (2, 3), (3, 3), (2, 2, 3), (3, 4), (2, 5), (2, 2, 2, 2), (4, 4))
SEARCHED = ((5, 5), (3, 3, 3), (2, 4, 5), (2,) * 10, (5,) * 10, (3, 4, 5, 6, 6))


def bounds() -> Iterator[Judged]:
    """The best of all channels is a product subset. All channels are compared for at most 16 combinations of answers;
    else the best is searched. No B exceeds its proved limit."""
    for sizes, alpha in product((*ENUMERATED, *SEARCHED), (0.5, 1.0, 2.0, 4.0)):
        found, least = bound(alpha, sizes), least_mean(alpha, tuple((d, 1.0) for d in sizes))
        best = _product_subset(alpha, sizes) if math.prod(sizes) <= 5000 else found.value
        holds = math.isclose(best, found.value, rel_tol=1e-9) and found.value <= found.at_most * (1 + 1e-9)
        numbers = f"{found.value:.4f}", f"{best / found.value:.3f}", f"{found.at_most:.3f}", f"{least.value:.3f}"
        expected = "enumerated" if sizes in ENUMERATED else "searched"
        yield holds and found.how == expected, [", ".join(map(str, sizes)), f"{alpha:g}", found.how, *numbers]


def _product_subset(alpha: float, sizes: Sequence[int]) -> float:
    best = 0.0
    for listed in product(*(range(1, d + 1) for d in sizes)):
        pairs = [(d, a) for d, a in zip(sizes, listed, strict=True) if a < d]
        keep = keep_chance(alpha, math.prod(d / a for d, a in pairs))
        best = max(best, math.fsum(keep**2 * factor(d, a) / best_alone(alpha, d) for d, a in pairs))
    return best


# Before and after -----------------------------------------------------------------------------------------------------


def listed(*each: tuple[str, int] | tuple[str, int, int]) -> list[PlannedQuestion]:
    return [PlannedQuestion(kind, Size(d, *items)) for kind, d, *items in each]


GRID, LIST = "grid", "multiple_choice"
CAMPUS = (GRID, 5, 4), ("single_choice", 5), ("yes_no", 3), ("yes_no", 3), (LIST, 10), ("yes_no", 2), ("yes_no", 3)
HEALTH = ("histogram", 6), ("mean", 0), ("ordered", 7), ("single_choice", 5), ("yes_no", 3), (GRID, 5, 4), (LIST, 9)
SPORT = ("single_choice", 5), ("ordered", 6), (GRID, 4, 4), ("yes_no", 3), (LIST, 9), ("mean", 0), ("yes_no", 3)
TAX = ("yes_no", 3), ("yes_no", 3), ("histogram", 6), (LIST, 9), ("yes_no", 3), (GRID, 5, 4), ("mean", 0)
VOTING = ("single_choice", 6), ("yes_no", 3), (LIST, 8), ("ordered", 6), ("single_choice", 9), (GRID, 5, 5)
WORKPLACE = ("ordered", 5), ("histogram", 5), (GRID, 5, 4), ("yes_no", 3), ("single_choice", 8), ("ordered", 6)

# With M36: the people for 5 points in every question; and for 1,000 people the mean over questions of the squared
# half-width over that without privacy.
BEFORE: dict[str, tuple[list[PlannedQuestion], int, int, float]] = {
    "the demo": (options(3, 5, 4, 6, 6), 2, 7122, 16.41),
    "the demo, total 4": (options(3, 5, 4, 6, 6), 4, 2433, 5.15),
    "campus": (listed(*CAMPUS), 2, 49615, 36.44),
    "health": (listed(*HEALTH), 2, 54280, 46.35),
    "sport": (listed(*SPORT), 2, 48665, 41.23),
    "tax": (listed(*TAX), 2, 51098, 41.31),
    "voting": (listed(*VOTING), 2, 42086, 44.20),
    "workplace": (listed(*WORKPLACE), 2, 27785, 29.73),
    "20 yes/no": (options(*[2] * 20), 1, 36838, 107.66),
    "20 yes/no, total 2": (options(*[2] * 20), 2, 10480, 29.21),
    "20 yes/no, total 3": (options(*[2] * 20), 3, 5860, 14.73),
    "20 yes/no, total 4": (options(*[2] * 20), 4, 3368, 9.05),
    "3 yes/no": (options(2, 2, 2), 2, 1836, 4.55),
    "5 yes/no, total 4": (options(*[2] * 5), 4, 1085, 2.58),
    "2 yes/no, total 3": (options(2, 2), 3, 982, 2.55),
    "10 of 5 options": (options(*[5] * 10), 2, 13848, 34.94),
    "10 of 5 options, total 4": (options(*[5] * 10), 4, 4712, 11.50),
    "2, 2, 5, 5, 4, 6, 6 options": (options(2, 2, 5, 5, 4, 6, 6), 2, 9249, 19.92),
    "2, 2, 5, 5, 4, 6, 6 options, total 4": (options(2, 2, 5, 5, 4, 6, 6), 4, 2989, 6.35),
    "a list, a grid, 2 yes/no, total 3": (
        listed((LIST, 8), (GRID, 5, 4), ("yes_no", 2), ("yes_no", 2)),
        3,
        18158,
        14.79,
    ),
}


def proposals() -> Iterator[Judged]:
    """Proposals beside the former ones, partitions with joint forms (M36). Columns: the mean over questions of the
    squared half-width over that without privacy, for 1,000 people; people for 5 points everywhere; additional people,
    in percent, for crossing all pairs at 20,000; a proposal's processor time. Nothing needs more than before."""
    for name, (asked, total, needed, error) in BEFORE.items():
        small, start = brief(asked, total, 1000), time.process_time()
        found = propose(small)
        seconds = time.process_time() - start
        crossed = propose(replace(small, n=20_000, crossed="all"))
        now = found.outcome.error
        enough = people(replace(small, questions=tuple(each._replace(wished=0.05) for each in small.questions)), 0.05)
        near = "" if found.efficiency is None else f"{found.efficiency.value:.2f}"
        cost = "" if crossed.crossing_cost is None or crossed.outcome.uncrossed else f"{crossed.crossing_cost:.1%}"
        holds = now <= 1.01 * error and enough is not None and enough <= 1.01 * needed
        numbers = f"{error:.2f}", f"{now:.2f}", f"{error / now:.2f}", f"{needed:,}", f"{enough or 0:,}"
        yield holds, [name, total, *numbers, len(found.design.forms), near, cost, f"{seconds:.1f}"]


# Planned and found ----------------------------------------------------------------------------------------------------


def planned() -> Iterator[Judged]:
    """The variance of pooled shares over 4,000 simulated surveys of 5,000 people, who draw their forms. Answers are
    equally common."""
    chance = np.random.default_rng(46)
    for counts, total in (
        ((2,) * 3, 2),
        ((2,) * 5, 4),
        ((5,) * 5, 2),
        ((3, 5, 4, 6, 6), 4),
        ((2, 2, 5, 5, 4, 6, 6), 2),
    ):
        whole = replace(brief(options(*counts), total, 5000), crossed="all")
        design = propose(whole).design
        prices = question_prices(whole, design.parts)
        ratios = [
            _variance(whole, design, each.key, d, chance) / prices[each.key].variance
            for each, d in zip(whole.questions, counts, strict=True)
        ]
        mean = float(np.mean(ratios))
        yield abs(mean - 1) < 0.03, [", ".join(map(str, counts)), total, len(design.forms) or 1, f"{mean:.3f}"]


def _variance(whole: Brief, design: Design, key: str, d: int, chance: np.random.Generator) -> float:
    """Return n times the variance of the pooled share of one option, by the table's chances."""
    surveys, rows = 4000, list[tuple[float, float, float, float]]()
    sizes = {each.key: each.asked.size.d for each in whole.questions}
    for part, draws in design.parts:
        for draw in draws:
            if key in draw.keys:
                cells = math.prod(sizes[k] / a for k, a in zip(draw.keys, draw.sizes, strict=True))
                keep, listed = keep_chance(float(draw.alpha), cells), draw.sizes[draw.keys.index(key)]
                q = keep * (listed - 1) / (d - 1) + (1 - keep) * listed / d
                p = keep + (1 - keep) * listed / d
                rows.append((part, p, q, keep**2 * factor(d, listed)))
    parts = np.array([row[0] for row in rows])
    numbers = chance.multinomial(whole.n, [*parts, max(0.0, 1 - parts.sum())], size=surveys)[:, : len(rows)]
    weights = numbers * np.array([row[3] for row in rows])
    estimates = np.zeros(surveys)
    for place, (_, p, q, _) in enumerate(rows):
        heard = chance.binomial(numbers[:, place], q + (p - q) / d)
        own = (heard / np.maximum(numbers[:, place], 1) - q) / (p - q)
        estimates += own * weights[:, place] / weights.sum(axis=1)
    return float(whole.n * estimates.var())


# Never worse ----------------------------------------------------------------------------------------------------------


def never_worse() -> Iterator[Judged]:
    """No proposal is worse than the one without wishes, nor, beside a present design, than the one without it."""
    chance = np.random.default_rng(7)
    for _ in range(12):
        counts = [int(d) for d in chance.choice([2, 2, 3, 5, 8], size=int(chance.integers(2, 9)))]
        total, n = int(chance.integers(1, 5)), int(chance.choice([120, 350, 900, 5000]))
        plain = brief(options(*counts), total, n)
        wished = tuple(each._replace(wished=0.1 if place % 2 else None) for place, each in enumerate(plain.questions))
        with_wishes = replace(plain, questions=wished)
        columns = Columns(with_wishes)
        before = propose(plain)
        found, base = propose(with_wishes), outcome(columns, before.design)
        again = propose(plain, propose(replace(plain, n=max(40, n // 3))).design)
        holds = found.outcome.merit.is_no_worse_than(base.merit) and again.outcome.merit.is_no_worse_than(
            before.outcome.merit
        )
        yield holds, [", ".join(map(str, counts)), total, n, base.merit[0], found.outcome.merit[0]]


class Part:
    """A part of benchmarks.designs. `rows` yields at most `most` rows; a short run takes 3."""

    SHORT, FULL = 3, None

    def __init__(self, title: str, header: list[str], rows: Callable[[], Iterator[Judged]]) -> None:
        self.TITLE, self.HEADER, self._rows = title, header, rows
        self.__doc__ = f"{title}\n\n{inspect.getdoc(rows)}"

    def rows(self, most: int | None, processes: Executor) -> Iterator[Judged]:
        """Start the part in one process, and return its rows."""
        future = processes.submit(_first, self._rows, most)
        return (row for row in future.result())


def _first(rows: Callable[[], Iterator[Judged]], most: int | None) -> list[Judged]:
    return [*islice(rows(), most)]


_NUMBERS = ["before", "now", "ratio", "people before", "people now", "forms", "efficiency", "crossing", "seconds"]
PARTS = (
    Part("Figures of designs", ["what", "stated", "found"], figures),
    Part("What crossing costs", ["questions", "total", "shares cost", "a cell, stated", "found"], crossings),
    Part("The bound", ["options", "alpha", "how", "B", "product subset / B", "at most", "least mean"], bounds),
    Part("Proposals before and after", ["survey", "total", *_NUMBERS], proposals),
    Part("Planned and found", ["options", "total", "forms", "found / planned"], planned),
    Part("Never worse", ["options", "total", "n", "no result without wishes", "with wishes"], never_worse),
)
