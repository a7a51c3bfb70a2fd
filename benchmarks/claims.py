"""The rate of false statements of pages on subgroups, two shares and waves, rows of `python -m benchmarks.relations`.

A simulated page says everything that the pages' rules allow, at 95%. A survey is false if any statement is: a
difference in the wrong order or between equals, or an interval in a sentence that misses the truth. Subgroups have
three strata of 50, 30 and 20% and a question with three answers. Two shares are those of a question with four answers.
Waves have two questions with three answers, asked of the same people twice; a tenth of them change their answer.
"""

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import benchmarks.site  # noqa: F401
from benchmarks.crossings_coverage import crossing_of, of_one_draw, question, sent
from benchmarks.reading import answered, empty, within
from ldp import subgroups
from ldp.forms.crossed import Crossed, of_reports
from ldp.inference import intervals
from ldp.inference.product_subsets import keep
from ldp.inference.reading import pairs, significance
from ldp.inference.reading.moved import PublishedShare, sampled
from ldp.inference.variables import pair_of
from surveys.researcher.analyses.subgroups.findings import differences
from surveys.researcher.analyses.waves.changes import WavesAnswer

Law = npt.NDArray[np.float64]

CONFIDENCE = 0.95
HOWS = {
    "subgroups": ("joint", "randomized_response", "bitwise"),
    "two shares": ("randomized_response", "exponential"),
    "waves": ("randomized_response", "bitwise"),
}
ALPHAS = ("2", "8")
HEADER = ["page", "truth", "randomized", "alpha", "n", "something is said", "something is false"]


class Row(NamedTuple):
    """The numbers of surveys, of those with any statement, and of those with a false statement."""

    surveys: int
    said: int
    false: int

    @property
    def holds(self) -> bool:
        """Return whether no more is false than .05 plus luck in one of a hundred tables."""
        return self.false / self.surveys <= 0.05 + 4.2 * (0.05 * 0.95 / self.surveys) ** 0.5


class Said(NamedTuple):
    anything: bool
    false: bool


def row(page: str, truth: str, how: str, alpha: str, n: int, surveys: int) -> Row:
    generator = np.random.default_rng([31, n, int(Fraction(alpha))])
    found = [PAGES[page](LAWS[page][truth], how, alpha, n, generator) for _ in range(surveys)]
    return Row(surveys, sum(each.anything for each in found), sum(each.false for each in found))


# Subgroups ------------------------------------------------------------------------------------------------------------


def of_subgroups(law: Law, how: str, alpha: str, n: int, generator: np.random.Generator) -> Said:
    """Return the statements of the document, as the page reads it. `law` has the shares within the strata."""
    crossing = _crossing(np.array([[0.5], [0.3], [0.2]]) * law, how, alpha, n, generator)
    made = subgroups.document({}, [], [crossing])  # type: ignore[typeddict-item]
    place = made["confidences"].index(CONFIDENCE)
    said, false = differences(made, place), False
    for each in said:
        k = next(k for k, own in enumerate(each.question["shares"]) if own is each.share)
        false |= not each.ends[0] <= law[each.more, k] - law[each.fewer, k] <= each.ends[1]
    return Said(bool(said), false)


def _crossing(law: Law, how: str, alpha: str, n: int, generator: np.random.Generator) -> Crossed:
    name = "randomized_response" if how == "joint" else how
    asked = [question(key, name, d, alpha) for key, d in zip("ab", law.shape, strict=True)]
    one, other = pair_of(of_one_draw("ab", law.shape, alpha) if how == "joint" else asked, "a", "b")
    people = generator.choice(law.size, n, p=law.ravel())
    if how != "joint":
        true = np.unravel_index(people, law.shape)
        parts = [sent(each.question, x, generator) for each, x in zip((one, other), true, strict=True)]  # type: ignore[arg-type]
        return of_reports(one, other, [(parts[0], parts[1])])
    stays = generator.random(n) < float(keep(one))
    came = np.bincount(np.where(stays, people, generator.integers(0, law.size, n)), minlength=law.size)
    return crossing_of(one, other, came)


# Two shares -----------------------------------------------------------------------------------------------------------


def of_shares(law: Law, how: str, alpha: str, n: int, generator: np.random.Generator) -> Said:
    """Return which of every two of a question's shares is larger, if they differ significantly by Holm's rule."""
    tallied = answered(empty(how, alpha, law.size), generator.multinomial(n, law), generator)
    every = list(itertools.combinations(range(law.size), 2))
    level = intervals.bonferroni(CONFIDENCE, len(every))
    spans = [pairs.interval(tallied, i, j, level) for i, j in every]
    p_values = significance.corrected([pairs.p_value(tallied, i, j) for i, j in every])
    said, false = False, False
    for (i, j), p, span in zip(every, p_values, spans, strict=True):
        if significance.shows(p, span, CONFIDENCE):
            off, truth = float(tallied.shares[i] - tallied.shares[j]), float(law[i] - law[j])
            said, false = True, false or not off * truth > 0
    return Said(said, false)


# Waves ----------------------------------------------------------------------------------------------------------------


def of_waves(law: Law, how: str, alpha: str, n: int, generator: np.random.Generator) -> Said:
    """Return the statements on two waves. `law` has an answer's shares in the first wave and in the second."""
    start, said, false = empty(how, alpha, law.shape[1]), False, False
    level = intervals.bonferroni(CONFIDENCE, 2 * law.size)
    for _ in range(2):
        first = generator.choice(law.shape[1], n, p=law[0])
        again = generator.choice(law.shape[1], n, p=(law[1] - 0.9 * law[0]) / 0.1)
        then = np.where(generator.random(n) < 0.9, first, again)
        waves = [answered(start, np.bincount(each, minlength=law.shape[1]), generator) for each in (first, then)]
        for j in range(law.shape[1]):
            spans = [each.interval(j, level, "population") for each in waves]
            own = (
                PublishedShare(float(each.shares[j]), span, sampled(each, j, span))
                for each, span in zip(waves, spans, strict=True)
            )
            change = WavesAnswer("", tuple(own)).change(0, 1)
            said |= change.shows
            false |= change.shows and not within(change.interval, float(law[1, j] - law[0, j]))
    return Said(said, false)


# The table ------------------------------------------------------------------------------------------------------------

PAGES: dict[str, Callable[[Law, str, str, int, np.random.Generator], Said]] = {
    "subgroups": of_subgroups,
    "two shares": of_shares,
    "waves": of_waves,
}
LAWS = {
    "subgroups": {
        "alike": np.tile([0.5, 0.3, 0.2], (3, 1)),
        "apart": np.array([[0.6, 0.3, 0.1], [0.4, 0.3, 0.3], [0.2, 0.3, 0.5]]),
    },
    "two shares": {"alike": np.full(4, 0.25), "apart": np.array([0.4, 0.4, 0.1, 0.1])},
    "waves": {
        "alike": np.array([[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]]),
        "apart": np.array([[0.5, 0.3, 0.2], [0.46, 0.28, 0.26]]),
    },
}


def named(sizes: Sequence[int]) -> list[tuple[str, str, str, str, int]]:
    """Return all rows of the table, as arguments of `row`."""
    each = ((page, truth, how) for page in PAGES for truth in LAWS[page] for how in HOWS[page])
    return [(*own, alpha, n) for own, alpha, n in itertools.product(each, ALPHAS, sizes)]


def line(page: str, truth: str, how: str, alpha: str, n: int, of: Row) -> list[str]:
    return [page, truth, how, alpha, str(n), *(f"{each / of.surveys:.3f}" for each in (of.said, of.false))]
