"""How often intervals of a joint form hold at every release of an open survey (M29), for benchmarks.forms.

A form grows to n reports and is looked at on the way; a cell is how often all looks held. Answers are those of a
question, and of a cross-table of two.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks import reading, simulation
from benchmarks.forms_coverage import CONFIDENCE
from benchmarks.forms_simulated import NAME, PLACE, empty
from benchmarks.reading import Cell, within
from ldp.inference import intervals
from ldp.inference.estimates import TARGETS
from ldp.inference.reading import pairs
from ldp.inference.reading.tallied import Tallied

LOOKS = (20, 50, 100, 200, 500, 1000, 2000)
TABLES = {"a share": (PLACE,), "a cell of 2 x 3": (0, 1)}
AT_ENDS = ("ends", "rare")


def cells(alpha: str, n: int, surveys: int, generator: np.random.Generator) -> Iterator[Cell]:
    looks = np.array([look for look in LOOKS if look <= n])
    for what, places in TABLES.items():
        start = empty(alpha, *places, every_look=True)
        for law in AT_ENDS:
            grown = _grown(start, reading.laws(start.d)[law], looks, surveys, generator)
            found = [_held(start, reading.laws(start.d)[law], looks, *each) for each in zip(*grown, strict=True)]
            for figure, target in found[0]:
                held = float(np.mean([each[figure, target] for each in found]))
                yield Cell(NAME, f"{what}{figure}, every look", target, alpha, n, law, held, surveys)


def _grown(
    start: Tallied, shares: np.ndarray, looks: np.ndarray, surveys: int, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """True answers and totals at the looks, shape (surveys, looks, d) each."""
    answers, totals = [], []
    for more in np.diff(looks, prepend=0):
        answers.append(generator.multinomial(more, shares, size=surveys))
        totals.append(simulation.randomized_response_totals(answers[-1], start.moments, generator))
    return np.cumsum(np.stack(answers, axis=1), axis=1), np.cumsum(np.stack(totals, axis=1), axis=1)


def _held(
    start: Tallied, shares: np.ndarray, looks: np.ndarray, answers: np.ndarray, totals: np.ndarray
) -> dict[tuple[str, str], bool]:
    """Of given respondents what is meant moves: the share among those so far."""
    kept = dict.fromkeys([("", each) for each in TARGETS] + [(" and all others", each) for each in TARGETS], True)
    kept[" less another", "population"] = True
    at_once = intervals.bonferroni(CONFIDENCE, start.d)
    for n, given, total in zip(looks.tolist(), answers, totals.tolist(), strict=True):
        tallied = replace(start, totals=total, n=n)
        for target in TARGETS:
            truth = shares if target == "population" else given / n
            kept["", target] &= within(tallied.interval(0, CONFIDENCE, target), truth[0])
            kept[" and all others", target] &= all(
                within(tallied.interval(j, at_once, target), truth[j]) for j in range(start.d)
            )
        difference = pairs.interval(tallied, 0, start.d - 1, CONFIDENCE)
        kept[" less another", "population"] &= within(difference, shares[0] - shares[-1])
    return kept
