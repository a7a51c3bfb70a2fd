"""Statements on people who did not answer, for benchmarks.forms: people who left a form (M35), and people whose earlier
answer kept a question from them (M34c)."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np
from scipy import stats

from benchmarks import simulation
from benchmarks.forms_coverage import CONFIDENCE
from benchmarks.forms_simulated import NAME, Row, empty
from benchmarks.reading import Cell, within
from ldp.forms import retention
from ldp.forms.marginals import JointTally
from ldp.inference.reading import unasked
from ldp.inference.reading.among import Bounds
from ldp.inference.reading.unasked import Decider, Deciders
from ldp.mechanisms import randomized_response

WEIGHTS = ((1, 1), (1, 3))
STAYED = (1.0, 0.9, 0.5)
# Shares with the answer among the form's reports, and among those gone.
SHARES = ((0.1, 0.0), (0.1, 1.0), (0.6, 0.0), (0.6, 1.0))
# The shares of smokers, and how often they smoke; only they are asked that.
ROUTED, SMOKERS = (2, 4), ((0.4, (0.2, 0.3, 0.4, 0.1)), (0.9, (0, 0, 1, 0)), (0.05, (1, 0, 0, 0)))


def accused(sizes: tuple[int, ...]) -> Iterator[tuple[bool, Row]]:
    """Yield the exact chance that one of two forms is named although no one leaves."""
    for n, weights in product(sizes, WEIGHTS):
        law = stats.binom.pmf(np.arange(n + 1), n, weights[0] / sum(weights))
        named = [any(form.direction for form in retention.of_forms((k, n - k), weights)) for k in range(n + 1)]
        chance = float(law @ named)
        yield chance <= retention.LEVEL, [f"{weights[0]}:{weights[1]}", n, f"{retention.LEVEL}", f"{chance:.5f}"]


def ratios(sizes: tuple[int, ...]) -> Iterator[tuple[bool, Row]]:
    """Yield how often the bounds of r_f/r hold for both forms at once, exactly. The first keeps the part `stayed`."""
    for n, weights, stayed in product(sizes, WEIGHTS, STAYED):
        law = stats.binom.pmf(np.arange(n + 1), n, weights[0] * stayed / (weights[0] * stayed + weights[1]))
        held = [
            all(within(form.ratio, true) for form, true in zip(forms, (stayed, 1 / stayed), strict=True))
            for forms in (retention.of_forms((k, n - k), weights) for k in range(n + 1))
        ]
        chance = float(law @ held)
        promised = 1 - retention.LEVEL
        yield chance >= promised, [f"{weights[0]}:{weights[1]}", stayed, n, f"{promised}", f"{chance:.5f}"]


def cells(alpha: str, n: int, surveys: int, generator: np.random.Generator) -> Iterator[Cell]:
    yield from _gone(alpha, n, surveys, generator)
    yield from _unasked(alpha, n, surveys, generator)


def _gone(alpha: str, n: int, surveys: int, generator: np.random.Generator) -> Iterator[Cell]:
    """Yield the coverage of everyone's share if some left the form; both forms together have n reports."""
    start, level = empty(alpha), CONFIDENCE + retention.LEVEL
    one = lru_cache(None)(lambda total, own: replace(start, totals=[total], n=own).interval(0, level, "population"))
    missing = lru_cache(None)(lambda own: retention.of_forms((own, n - own), (1, 1))[0].missing)
    for stayed, (share, gone) in product(STAYED[1:], SHARES):
        truth, held = stayed * share + (1 - stayed) * gone, 0
        for own in generator.binomial(n, stayed / (1 + stayed), size=surveys).tolist():
            answers = int(generator.binomial(own, share))
            its = np.array([[answers, own - answers, 0, 0]])
            total = int(simulation.randomized_response_totals(its, start.moments, generator)[0, 0])
            held += own == 0 or within(retention.bounds(one(total, own), missing(own)), truth)
        law = f"{share:g} of those who stayed, {gone:g} of {1 - stayed:g} gone"
        yield Cell(NAME, "everybody's share", "population", alpha, n, law, held / surveys, surveys)


def _unasked(alpha: str, n: int, surveys: int, generator: np.random.Generator) -> Iterator[Cell]:
    """Yield the coverage of bounds for a draw of two questions, the second for people who say yes to the first. The
    bounded shares are those of everyone's answers, if none or all of the others had the answer."""
    table = randomized_response.table(Fraction(alpha), ROUTED, (1,) * len(ROUTED))
    moments = JointTally(table, ROUTED, (0,) * 8).tallied(0, 1).moments
    for smokers, often in SMOKERS:
        asked = smokers * np.array(often)
        # The filler is the first answer.
        law = np.concatenate((asked, [1 - smokers, 0, 0, 0]))
        drawn = simulation.randomized_response_totals(generator.multinomial(n, law, size=surveys), moments, generator)
        found = [_bounds(JointTally(table, ROUTED, tuple(counts))) for counts in drawn.tolist()]
        ends = [(least, least + 1 - smokers) for least in asked]
        alone, at_once = (
            np.array(
                [
                    [
                        low <= least + 1e-9 and most <= high + 1e-9
                        for (low, high), (least, most) in zip(spans, ends, strict=True)
                    ]
                    for spans in ([getattr(each, which) for each in row] for row in found)
                ]
            )
            for which in ("interval", "simultaneous")
        )
        figures = {
            "not asked: bounds of a share": alone.mean(axis=0).min(),
            "not asked: all bounds": at_once.all(axis=1).mean(),
        }
        for figure, held in figures.items():
            yield Cell(NAME, figure, "population", alpha, n, f"{smokers:g} were asked", float(held), surveys)


def _bounds(tally: JointTally) -> list[Bounds]:
    decides, asked = tally.tallied(0), tally.tallied(1)
    decider = Decider([(decides, j) for j in range(decides.d)], [0], False)
    return unasked.bounds([(asked, j) for j in range(asked.d)], [1.0, 0.0, 0.0, 0.0], Deciders([decider]), CONFIDENCE)
