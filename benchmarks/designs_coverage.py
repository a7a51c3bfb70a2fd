"""The coverage of intervals that are pooled over overlapping forms, for benchmarks.designs.

Three questions of 2, 3 and 4 options, two of which are rare, are in three forms of two questions each and a form of all
three, with unequal numbers of reports. A report lists the best number of options in the first two forms, one of each in
the third, all but one in the fourth. Every survey checks: each share, for both targets, alone and all of a question at
once, at its end and at four releases; each cell of a cross-table, alone and all at once; each share within an answer;
the coefficients of a linear model of the third question on the others; and how often forms, or independent questions,
are named though nothing is there. A row has all statements of one kind, at all totals. It fails if one of them holds so
rarely that luck would do this once in 100,000 times. What is refused, or not shown, counts as held; beside it is the
least frequency with which a statement is shown.
"""

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from scipy import stats

from ldp import exact, pooled_scores
from ldp.arrays import Integers, Values
from ldp.exact import ListTable
from ldp.forms.joint_crossing import JointCrossing
from ldp.forms.marginals import JointTally
from ldp.forms.pooled_cells import PooledCells
from ldp.inference import intervals, pooled, published
from ldp.inference.agreement import FormTotals, agreement
from ldp.inference.estimates import TARGETS
from ldp.inference.product_subsets import PairTally
from ldp.mechanisms import randomized_response
from ldp.regression.draw_scores import DrawScores
from ldp.regression.pairs import TooFewPairs, fit
from ldp.regression.specification import Covariate, Specification
from ldp.scores import indicator

TITLE = "Coverage over overlapping forms"
HEADER = ["n", "what", "statements", "surveys of each", "shown", "promised", "mean", "least", "where"]
CONFIDENCE, LUCK = 0.95, 1e-5
OPTIONS, KEYS = (2, 3, 4), ("first", "second", "third")
PLACES = ((0, 1), (1, 2), (0, 2), (0, 1, 2))
PARTS = (0.4, 0.3, 0.2, 0.1)
LOOKS = (0.4, 0.6, 0.8, 1.0)
MODEL = Specification("linear", "third", (Covariate("first"), Covariate("second", (0.0, 1.0, 2.0))))


@dataclass(frozen=True)
class Scale:
    totals: tuple[int, ...]
    sizes: tuple[int, ...]
    surveys: int


FULL = Scale((1, 2, 3, 4, 5, 6), (200, 1000, 5000), 300)
SHORT = Scale((2,), (200,), 5)


@dataclass(frozen=True)
class Form:
    places: tuple[int, ...]
    keep: Fraction
    sizes: tuple[int, ...]

    @property
    def counts(self) -> list[int]:
        return [OPTIONS[place] for place in self.places]

    @property
    def table(self) -> ListTable:
        return {"keep": int(self.keep * exact.RESOLUTION), "sizes": [*self.sizes]}


def forms(total: int) -> list[Form]:
    return [_form(Fraction(total), places, how) for places, how in zip(PLACES, (None, None, 1, -1), strict=True)]


def _form(total: Fraction, places: tuple[int, ...], how: int | None) -> Form:
    """Return the form with the best sizes, or with `how` options, counted from the last if negative."""
    counts = [OPTIONS[place] for place in places]
    table = randomized_response.table(total, counts, None if how is None else [how % d for d in counts])
    return Form(places, randomized_response.keep(table), tuple(table["sizes"]))


def law() -> Values:
    """Return joint shares of all answers. The third rises with the others; the last options of two are rare."""
    found = np.outer([0.7, 0.3], [0.6, 0.37, 0.03])[:, :, None] * np.array([0.5, 0.28, 0.2, 0.02])
    found[0, 0] += np.array([0.06, 0.0, -0.06, 0.0])
    found[1, 1] += np.array([-0.03, 0.0, 0.03, 0.0])
    return np.asarray(found)


def listed(
    keep: float, counts: Sequence[int], sizes: Sequence[int], answers: Integers, generator: np.random.Generator
) -> list[Integers]:
    """Return a draw (M44) for answers (n, questions): for each question 0 and 1 of each report, (n, d)."""
    kept, found = generator.random(len(answers)) < keep, []
    for place, (d, a) in enumerate(zip(counts, sizes, strict=True)):
        keys = generator.random((len(answers), d))
        keys[np.arange(len(answers)), answers[:, place]] -= kept
        found.append((np.argsort(np.argsort(keys, axis=1), axis=1) < a).astype(np.int64))
    return found


@dataclass(frozen=True)
class Survey:
    """For each form the answers, (n, 3), and the lists of its questions."""

    forms: list[Form]
    answers: list[Integers]
    lists: list[list[Integers]]

    @classmethod
    def drawn(cls, asked: list[Form], n: int, shares: Values, generator: np.random.Generator) -> "Survey":
        numbers = generator.multinomial(n - 4 * len(asked), PARTS) + 4
        places = [generator.choice(shares.size, each, p=shares.ravel()) for each in numbers]
        answers = [np.stack(np.unravel_index(each, OPTIONS), axis=1) for each in places]
        lists = [
            listed(float(form.keep), form.counts, form.sizes, each[:, form.places], generator)
            for form, each in zip(asked, answers, strict=True)
        ]
        return cls(asked, answers, lists)

    def asked(self, question: int, part: float = 1.0) -> list[FormTotals]:
        """Return the totals of the first part of each form's reports."""
        found = []
        for form, lists in zip(self.forms, self.lists, strict=True):
            if question in form.places:
                place, d = form.places.index(question), OPTIONS[question]
                own = lists[place][: math.ceil(part * len(lists[place]))]
                chances = randomized_response.listed_chances(form.keep, form.sizes[place], d)
                pair = randomized_response.pair_moments(form.keep, form.sizes[place], d)
                found.append(FormTotals(len(own), indicator(*chances), pair, tuple(own.sum(axis=0).tolist())))
        return found

    def among(self, question: int, part: float = 1.0) -> Values:
        """Return the shares among the people asked the question."""
        each = [
            answers[: math.ceil(part * len(answers)), question]
            for form, answers in zip(self.forms, self.answers, strict=True)
            if question in form.places
        ]
        return np.bincount(np.concatenate(each), minlength=OPTIONS[question]) / sum(map(len, each))

    def crossed(self, one: int, other: int) -> PooledCells:
        tallies = []
        for form, lists in zip(self.forms, self.lists, strict=True):
            if {one, other} <= set(form.places):
                first, second = form.places.index(one), form.places.index(other)
                left, right = (np.column_stack([np.ones(len(lists[0]), int), lists[k]]) for k in (first, second))
                pair = PairTally(form.keep, (form.sizes[first], form.sizes[second]), left.T @ right)
                tallies.append(JointCrossing(None, None, pair))  # type: ignore[arg-type]
        return PooledCells(None, None, tuple(tallies))  # type: ignore[arg-type]

    def draws(self) -> list[DrawScores]:
        found = []
        for form, lists in zip(self.forms, self.lists, strict=True):
            letters = "uvw"[: len(lists)]
            counts = np.einsum(f"{','.join('n' + each for each in letters)}->{letters}", *lists)
            keys = tuple(KEYS[place] for place in form.places)
            found.append(DrawScores(JointTally(form.table, counts.shape, tuple(counts.ravel().tolist()), keys)))
        return found


@dataclass
class Statement:
    """How many surveys showed a statement, and how many it held in."""

    what: str
    where: str
    n: int
    shown: int = 0
    held: int = 0


class Held:
    """Counts how often each statement was shown, and held."""

    def __init__(self, total: int, n: int) -> None:
        self._total, self._n = total, n
        self._statements: dict[tuple[str, str], Statement] = {}

    def add(self, what: str, which: str, holds: bool, shown: bool = True) -> None:
        statement = Statement(what, f"total {self._total}, {which}", self._n)
        statement = self._statements.setdefault((what, which), statement)
        statement.shown += shown
        statement.held += holds or not shown

    def statements(self) -> list[Statement]:
        return [*self._statements.values()]


def cell(total: int, n: int, surveys: int) -> list[Statement]:
    """Return the statements about one total and number of reports."""
    generator, shares, held, asked = np.random.default_rng([45, total, n]), law(), Held(total, n), forms(total)
    for _ in range(surveys):
        survey = Survey.drawn(asked, n, shares, generator)
        for question in range(3):
            _shares(survey, question, shares, held)
        for one, other in ((0, 1), (1, 2)):
            _cells(survey, one, other, shares, held)
        _coefficients(survey, shares, held)
        _nothing_there(survey, asked, n, shares, generator, held)
    return held.statements()


def _shares(survey: Survey, question: int, shares: Values, held: Held) -> None:
    population = shares.sum(axis=tuple(place for place in range(3) if place != question))
    d, name = len(population), KEYS[question]
    watched = {target: np.ones(d, dtype=bool) for target in TARGETS}
    for part in LOOKS:
        asked = survey.asked(question, part)
        moments, scores = pooled_scores.moments([(each.n, each.moments) for each in asked], d)
        totals = [pooled.total(counts, scores) for counts in zip(*(each.totals for each in asked), strict=True)]
        n = sum(each.n for each in asked)
        truths = {"population": population, "respondents": survey.among(question, part)}
        every = published.of(moments, n, every_look=True)
        for target in TARGETS:
            ends = np.array([every.interval(totals, j, CONFIDENCE, target) for j in range(d)])
            watched[target] &= _hold(ends, truths[target])
        if part == 1.0:
            once, at_once = published.of(moments, n), intervals.bonferroni(CONFIDENCE, 1 if d == 2 else d)
            for target in TARGETS:
                alone, together = (
                    np.array([once.interval(totals, j, level, target) for j in range(d)])
                    for level in (CONFIDENCE, at_once)
                )
                for j, holds in enumerate(_hold(alone, truths[target])):
                    held.add(f"a share, {target}", f"{j + 1} of {name}", bool(holds))
                held.add(f"all shares, {target}", name, bool(_hold(together, truths[target]).all()))
    for target in TARGETS:
        for j in range(d):
            held.add(f"a share at every release, {target}", f"{j + 1} of {name}", bool(watched[target][j]))


def _hold(ends: Values, truth: Values) -> Values:
    return np.asarray((ends[..., 0] <= truth + 1e-9) & (truth - 1e-9 <= ends[..., 1]))


def _cells(survey: Survey, one: int, other: int, shares: Values, held: Held) -> None:
    [left] = {0, 1, 2} - {one, other}
    truth, found, name = shares.sum(axis=left), survey.crossed(one, other), f"{KEYS[one]} by {KEYS[other]}"
    alone = _hold(found.intervals(CONFIDENCE), truth)
    for j, k in product(*map(range, truth.shape)):
        held.add("a cell", f"{j + 1}, {k + 1} of {name}", bool(alone[j, k]))
    together = found.intervals(intervals.bonferroni(CONFIDENCE, truth.size))
    held.add("all cells", name, bool(_hold(together, truth).all()))
    within = found.within_first_intervals(CONFIDENCE)
    holds = _hold(within, truth / truth.sum(axis=1, keepdims=True))
    for j, k in product(*map(range, truth.shape)):
        held.add(
            "a share within an answer", f"{j + 1}, {k + 1} of {name}", bool(holds[j, k]), not found.too_small[0][j]
        )


def _coefficients(survey: Survey, shares: Values, held: Held) -> None:
    truth = parameters(shares)
    try:
        found = fit(MODEL, survey.draws())
        holds = abs(found.parameters - truth) <= intervals.z(CONFIDENCE) * found.standard_errors
        shown = True
    except TooFewPairs:
        holds, shown = np.ones(len(truth), dtype=bool), False
    for name, each in zip(("intercept", "first", "second"), holds, strict=True):
        held.add("a coefficient", name, bool(each), shown)


def parameters(shares: Values) -> Values:
    first, second, third = np.indices(OPTIONS).reshape(3, -1).astype(np.float64)
    x, weights = np.column_stack([np.ones(len(first)), first, second]), shares.ravel()
    return np.asarray(np.linalg.solve((x.T * weights) @ x, (x.T * weights) @ third))


def _nothing_there(
    survey: Survey, asked: list[Form], n: int, shares: Values, generator: np.random.Generator, held: Held
) -> None:
    """Add the tests at .05 on independent answers."""
    for question, name in enumerate(KEYS):
        found = agreement(survey.asked(question))
        held.add("forms agree", name, found is None or found.p_value >= 1 - CONFIDENCE, found is not None)
    margins = [shares.sum(axis=tuple(place for place in range(3) if place != k)) for k in range(3)]
    apart = np.einsum("i,j,k->ijk", *margins)
    found = Survey.drawn(asked, n, apart, generator).crossed(0, 1).independence()
    shown = found is not None
    held.add("independence", "first by second", found is None or found.p_value >= 1 - CONFIDENCE, shown)


def rows(scale: Scale, processes: Executor) -> Iterator[tuple[bool, list[object]]]:
    """Run the simulations, and return their rows, the largest numbers first."""
    futures = [
        processes.submit(cell, total, n, scale.surveys) for n in sorted(scale.sizes)[::-1] for total in scale.totals
    ]
    return judged([each for future in futures for each in future.result()], scale.surveys)


def judged(statements: list[Statement], surveys: int) -> Iterator[tuple[bool, list[object]]]:
    """Yield a row for each number of people and kind of statement."""
    most = int(stats.binom.isf(LUCK, surveys, 1 - CONFIDENCE))
    for n, what in dict.fromkeys((each.n, each.what) for each in statements):
        own = [each for each in statements if (each.n, each.what) == (n, what)]
        worst = min(own, key=lambda each: each.held)
        shown = f"{min(each.shown for each in own) / surveys:.2f}"
        mean = f"{sum(each.held for each in own) / len(own) / surveys:.3f}"
        least = f"{worst.held / surveys:.3f}"
        holds = surveys - worst.held <= most
        yield holds, [n, what, len(own), surveys, shown, CONFIDENCE, mean, least, worst.where]
