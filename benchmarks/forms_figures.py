"""The coverage of the page and the comparisons of a question in a joint form, by simulated surveys, for
benchmarks.forms. `n` is the form's."""

import itertools
from collections.abc import Iterator

import numpy as np

from benchmarks import comparisons, reading, simulation, tails
from benchmarks.forms_coverage import CONFIDENCE
from benchmarks.forms_simulated import NAME, empty
from benchmarks.reading import Cell
from ldp.inference import intervals
from ldp.inference.intervals import Interval
from ldp.inference.reading import pairs, significance
from ldp.inference.tallied import Tallied

EVERY = list(itertools.combinations(range(4), 2))
NEAR = [k for k, (i, j) in enumerate(EVERY) if j == i + 1]
ANY = Interval(-1.0, 1.0)


def cells(alpha: str, n: int, surveys: int, generator: np.random.Generator) -> Iterator[Cell]:
    start = empty(alpha)
    for law, shares in reading.laws(start.d).items():
        yield from reading.one_look(NAME, alpha, start, law, shares, n, surveys, generator)
    for law, given in comparisons.LAWS.items():
        for figure, held in _differences(start, np.array(given), n, surveys, generator).items():
            yield Cell(NAME, figure, "population", alpha, n, law, held, surveys)


def _differences(
    start: Tallied, shares: np.ndarray, n: int, surveys: int, generator: np.random.Generator
) -> dict[str, float]:
    """Return how often the worst interval of two neighbours holds, all intervals hold, and no equal shares are said to
    differ."""
    answers = generator.multinomial(n, shares, size=surveys)
    totals = simulation.randomized_response_totals(answers, start.moments, generator)
    least = np.column_stack(
        [_tails(start, totals, n, pair, float(shares[pair[0]] - shares[pair[1]])) for pair in EVERY]
    )
    alone, at_once = ((1 - level) / 2 for level in (CONFIDENCE, intervals.bonferroni(CONFIDENCE, len(EVERY))))
    equal = [float(shares[i]) == float(shares[j]) for i, j in EVERY]
    false = [_says_something_false(Tallied(start.moments, start.pair, row, n), equal) for row in totals.tolist()]
    return {
        "difference of two options": float((least[:, NEAR] > alone).mean(axis=0).min()),
        "all differences at once": float((least > at_once).all(axis=1).mean()),
        "nothing false told": 1 - float(np.mean(false)),
    }


def _tails(start: Tallied, totals: np.ndarray, n: int, pair: tuple[int, int], truth: float) -> np.ndarray:
    """Return the tails of all surveys. A report scores one of three values for the difference."""
    one, other = totals[:, pair[0]], totals[:, pair[1]]
    counts = np.column_stack((one, other, n - one - other)).astype(float)
    scores = np.tile(np.array([1.0, -1.0, 0.0]) / float(start.moments.gap), (len(totals), 1))
    return tails.tails(scores, counts, truth, truth <= -1, truth >= 1)


def _says_something_false(tallied: Tallied, equal: list[bool]) -> bool:
    """Judge by p-values alone: each of these differences has one, so no interval decides."""
    p_values = significance.corrected([pairs.p_value(tallied, i, j) for i, j in EVERY])
    return any(same and significance.shows(p, ANY, CONFIDENCE) for p, same in zip(p_values, equal, strict=True))
