"""The coverage of a joint form's intervals at every release of an open survey (M29), for benchmarks.forms.

A form grows to n reports with looks on the way. A cell says how often all looks held, for a question and for a
cross-table of two. The martingale at the truth decides whether a share's interval holds, so the ends are not computed.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy import special

from benchmarks import reading, simulation
from benchmarks.forms_coverage import CONFIDENCE
from benchmarks.forms_simulated import NAME, PLACE, empty
from benchmarks.reading import Cell, within
from ldp.inference import convolution, intervals, sequences
from ldp.inference.estimates import TARGETS
from ldp.inference.reading import pairs
from ldp.inference.tallied import Tallied
from ldp.scores import Target

Values = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

LOOKS = (20, 50, 100, 200, 500, 1000, 2000)
TABLES = {"a share": (PLACE,), "a cell of 2 x 3": (0, 1)}
AT_ENDS = ("ends", "rare")


def cells(alpha: str, n: int, surveys: int, generator: np.random.Generator) -> Iterator[Cell]:
    looks = np.array([look for look in LOOKS if look <= n])
    for what, places in TABLES.items():
        start = empty(alpha, *places, every_look=True)
        for law in AT_ENDS:
            shares = reading.laws(start.d)[law]
            answers, totals = _grown(start, shares, looks, surveys, generator)
            found = dict(_shares(start, shares, looks, answers, totals))
            if places == (PLACE,):
                found[" less another", "population"] = _difference(start, shares, looks, totals)
            for (figure, target), held in found.items():
                yield Cell(NAME, f"{what}{figure}, every look", target, alpha, n, law, held, surveys)


def _grown(
    start: Tallied, shares: Values, looks: Counts, surveys: int, generator: np.random.Generator
) -> tuple[Counts, Counts]:
    """Return true answers and totals at the looks, both of shape (surveys, looks, d)."""
    answers, totals = [], []
    for more in np.diff(looks, prepend=0):
        answers.append(generator.multinomial(more, shares, size=surveys))
        totals.append(simulation.randomized_response_totals(answers[-1], start.moments, generator))
    return np.cumsum(np.stack(answers, axis=1), axis=1), np.cumsum(np.stack(totals, axis=1), axis=1)


def _shares(
    start: Tallied, shares: Values, looks: Counts, answers: Counts, totals: Counts
) -> Iterator[tuple[tuple[str, Target], float]]:
    """Yield how often the intervals of the first category, and of all at once, held. For respondents, the truth at a
    look is the share among those so far."""
    n = looks[:, None]
    truth: dict[Target, Values] = {"population": np.broadcast_to(shares, totals.shape), "respondents": answers / n}
    for target in TARGETS:
        for figure, level in (("", CONFIDENCE), (" and all others", intervals.bonferroni(CONFIDENCE, start.d))):
            own = slice(0, 1) if not figure else slice(None)
            each = held(start, totals[..., own], n, truth[target][..., own], 1 - level, target)
            yield (figure, target), float(each.all(axis=(1, 2)).mean())


def held(
    start: Tallied, totals: Counts, n: Counts, truth: Values, error: float, target: Target
) -> npt.NDArray[np.bool_]:
    """Return whether the published kind of martingale is below 1/error at the truth."""
    if target == "population":
        evidence = np.stack(
            [
                sequences.log_evidence(totals[..., j], n[:, 0], start.moments, float(truth[0, 0, j]))
                for j in range(totals.shape[-1])
            ],
            axis=-1,
        )
        return np.asarray(evidence < -math.log(error))
    every = np.ones(totals.shape, dtype=bool)
    for sign in (1, -1):
        tilts, inside, outside, log_weights = sequences.tilts(convolution.binary(start.moments), error / 2, sign)
        cumulants = truth[..., None] * inside + (1 - truth[..., None]) * outside
        exponents = log_weights + totals[..., None] * tilts - n[..., None] * cumulants
        every &= special.logsumexp(exponents, axis=-1) < -math.log(error / 2)
    return every


def _difference(start: Tallied, shares: Values, looks: Counts, totals: Counts) -> float:
    """Return how often the intervals of the first category less the last held at all looks."""
    true, last = float(shares[0] - shares[-1]), start.d - 1

    def holds(n: int, total: list[int]) -> bool:
        return within(pairs.interval(replace(start, totals=total, n=n), 0, last, CONFIDENCE), true)

    each = [all(map(holds, looks.tolist(), survey)) for survey in totals.tolist()]
    return float(np.mean(each))
