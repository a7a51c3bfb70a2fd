"""Statements across forms, for benchmarks.forms: a joint form's question crossed with one for everyone, and its shares
less another form's."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks import comparisons, crossings_coverage, reading, simulation, tails
from benchmarks.forms_coverage import CONFIDENCE
from benchmarks.forms_simulated import FORM, NAME, PLACE, empty
from benchmarks.reading import Cell, within
from ldp.inference import intervals, tallied
from ldp.inference.crossed import Crossing
from ldp.inference.reading import apart
from ldp.inference.tallied import Tallied
from ldp.inference.variables import Variable, variable
from ldp.scores import ScoreMoments

Law = np.ndarray

# The other form has a separate, bitwise draw, and three times as many reports.
ALONE, TIMES = "bitwise", 3
ORDER = [3, 1, 2, 0]
LAWS = ("two ahead", "unseen")


def cells(alpha: str, n: int, surveys: int, generator: np.random.Generator) -> Iterator[Cell]:
    yield from _crossed(alpha, n, surveys, generator)
    yield from _differences(alpha, n, surveys, generator)


# Crossed with a question for everyone ---------------------------------------------------------------------------------


def _crossed(alpha: str, n: int, surveys: int, generator: np.random.Generator) -> Iterator[Cell]:
    first, second = _of_form(alpha), _of_everybody(alpha)
    shape = len(first.options), len(second.options)
    channels = [_channel(each) for each in (first, second)]
    for name, law in crossings_coverage.LAWS.items():
        shares = law(*shape)
        reports = channels[0].T @ shares @ channels[1]
        drawn = generator.multinomial(n, reports.ravel() / reports.sum(), size=surveys)
        crossings = [Crossing(first, second, _counts(each.reshape(shape))) for each in drawn]
        level = (1 - intervals.bonferroni(CONFIDENCE, shares.size)) / 2
        least = _tails(crossings, shares)
        held = {
            "a cell with a question for all": float((least > (1 - CONFIDENCE) / 2).mean(axis=0).min()),
            "all cells with a question for all": float((least > level).all(axis=1).mean()),
            "all shares within its groups": _within(crossings, shares, level),
            "all shares within this one's groups": _within([each.turned() for each in crossings], shares.T, level),
        }
        for figure, share in held.items():
            yield Cell(NAME, figure, "population", alpha, n, name, share, surveys)


def _of_form(alpha: str) -> Variable:
    asked = crossings_coverage.of_one_draw([f"form{d}" for d in FORM], FORM, alpha)
    return variable(asked, f"form{FORM[PLACE]}")


def _of_everybody(alpha: str) -> Variable:
    return variable([crossings_coverage.question("everybody", "randomized_response", 2, alpha)], "everybody")


def _channel(its: Variable) -> Law:
    assert isinstance(its.moments, ScoreMoments)
    d = len(its.options)
    return float(its.moments.b) + float(its.moments.gap) * np.eye(d)


def _counts(table: np.ndarray) -> np.ndarray:
    """Return counts like ldp.inference.crossed: totals in row and column 0, then pairs of symbols."""
    whole = np.zeros((table.shape[0] + 1, table.shape[1] + 1), dtype=np.int64)
    whole[0, 0], whole[1:, 0], whole[0, 1:], whole[1:, 1:] = table.sum(), table.sum(1), table.sum(0), table
    return whole


def _tails(crossings: list[Crossing], shares: Law) -> Law:
    """Return the tail of each cell of each survey, shape (surveys, d1 d2)."""
    left, right, came = (np.concatenate(each) for each in zip(*(one.atoms for one in crossings), strict=True))
    truth = np.tile(shares.ravel(), len(crossings))
    return tails.tails(left * right, came, truth, truth <= 0, truth >= 1).reshape(len(crossings), -1)


def _within(crossings: list[Crossing], shares: Law, level: float) -> float:
    """Return how often all shares held within the groups of the first question that are shown. A group without people
    has no shares, so to show it is a miss."""
    shown = np.array([~one.too_small[0] for one in crossings])
    sums = shares.sum(axis=1)
    none = (shown & (sums == 0)).any(axis=1)
    of_cells = np.repeat(shown & (sums > 0), shares.shape[1], axis=1)
    least = np.ones(of_cells.shape)
    if of_cells.any():
        left, right, came = (np.stack(each) for each in zip(*(one.atoms for one in crossings), strict=True))
        each = (shares / np.maximum(sums, 1e-300)[:, None]).ravel()
        truth = np.broadcast_to(each, of_cells.shape)[of_cells]
        scores = left[of_cells] * (right[of_cells] - truth[:, None])
        least[of_cells] = tails.tails(scores, came[of_cells], 0.0, truth <= 0, truth >= 1)
    return float(((least > level).all(axis=1) & ~none).mean())


# Against another form's -----------------------------------------------------------------------------------------------


def _differences(alpha: str, n: int, surveys: int, generator: np.random.Generator) -> Iterator[Cell]:
    """The other form has a separate draw and three times as many reports. The shares of the first option differ; those
    of the second are equal, so a small p-value means that the interval leaves 0 out."""
    one, other = empty(alpha), reading.empty(ALONE, alpha, FORM[PLACE])
    for law in LAWS:
        shares = np.array(comparisons.LAWS[law])
        here = generator.multinomial(n, shares, size=surveys)
        there = generator.multinomial(TIMES * n, shares[ORDER], size=surveys)
        mine = simulation.randomized_response_totals(here, one.moments, generator)
        theirs = simulation.bit_totals(there, other.moments, generator)
        rows = _counted(one, mine, n), _counted(other, theirs, TIMES * n)
        unlike, alike = (list(zip(*(each[j] for each in rows), strict=True)) for j in (0, 1))
        true = float(shares[0] - shares[ORDER][0])
        held = np.mean([within(apart.interval(*pair, CONFIDENCE), true) for pair in unlike])
        told = np.mean([(apart.p_value(*pair, CONFIDENCE) or 0.0) <= 1 - CONFIDENCE for pair in alike])
        for figure, share in (("a share less another form's", held), ("alike, and not told apart", 1 - told)):
            yield Cell(NAME, figure, "population", alpha, n, law, float(share), surveys)


def _counted(start: Tallied, totals: np.ndarray, n: int) -> list[list[tallied.TalliedShare]]:
    """Return each survey's shares of the first two options."""
    return [[(replace(start, totals=[total], n=n), 0) for total in totals[:, j].tolist()] for j in (0, 1)]
