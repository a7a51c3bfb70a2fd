"""Coverage of corrected shares (M42), rows of `python -m benchmarks.relations`.

Fifteen in a hundred people pay no attention: they choose each answer to both questions equally often. Of the others 5
in a hundred say "yes". The uncorrected share is 11.75%.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.crossings_coverage import crossing_of, of_one_draw, question, sent
from ldp.forms.crossed import Crossed, of_reports
from ldp.honesty import attention
from ldp.honesty.attention import Corrected, TooInattentive
from ldp.inference.product_subsets import keep
from ldp.inference.variables import Variable, pair_of
from ldp.planning import expectation

ATTENTIVE, SHARES, CONFIDENCE = 0.85, (0.05, 0.95), 0.95
PAIRS = (
    ("joint", "joint"),
    ("randomized_response", "randomized_response"),
    ("bitwise", "randomized_response"),
    ("exponential", "bitwise"),
)
ANSWERS = 5  # of the attention question
SHOWN_MIN = 50  # for fewer surveys no coverage is given
HEADER = ["randomized", "alpha each", "n", "too few", "held", "uncorrected", "corrected", "half-width", "foretold"]


class Row(NamedTuple):
    """The numbers of surveys and of corrected ones, how often the interval held, and means over the corrected.
    `foretold` is the half-width computed beforehand, or None if that finds too few people."""

    surveys: int
    shown: int
    held: float
    uncorrected: float
    corrected: float
    half_width: float
    foretold: float | None

    @property
    def holds(self) -> bool:
        """Return whether coverage is below .95 by no more than luck in one of a hundred tables, and the half-width is
        within .03 of the foretold one. That one is for all surveys, so it is not judged if more than a tenth are
        refused."""
        luck = 4.2 * (CONFIDENCE * (1 - CONFIDENCE) / max(self.shown, 1)) ** 0.5
        if self.shown < SHOWN_MIN:
            return True
        many_refused = self.shown < 0.9 * self.surveys
        near = self.foretold is None or many_refused or abs(self.foretold - self.half_width) <= 0.03
        return self.held >= CONFIDENCE - luck and near


def pair(mechanisms: tuple[str, str], alpha: str, d: int = len(SHARES)) -> tuple[Variable, Variable]:
    """Return the attention question, whose last answer is right, and another question."""
    names = ["randomized_response" if name == "joint" else name for name in mechanisms]
    asked = [question(key, name, size, alpha) for key, name, size in zip("ab", names, (ANSWERS, d), strict=True)]
    asked = of_one_draw("ab", (ANSWERS, d), str(2 * Fraction(alpha))) if mechanisms[0] == "joint" else asked
    asked[0]["right"] = ANSWERS - 1
    return pair_of(asked, "a", "b")  # type: ignore[arg-type]


def row(mechanisms: tuple[str, str], alpha: str, n: int, surveys: int) -> Row:
    """Return a row. A joint draw of two questions has twice the alpha of each, so all reports have the same alpha."""
    one, other = pair(mechanisms, alpha)
    law, found = attention.law(one, SHARES, ATTENTIVE), []
    for crossing in _crossings(mechanisms[0] == "joint", (one, other), n, law, surveys):
        try:
            of = Corrected(crossing)
        except TooInattentive:
            continue
        low, high = of.intervals(CONFIDENCE)[0]
        error = attention.quantile(CONFIDENCE) * of.standard_errors[0]
        found.append((low <= SHARES[0] <= high, of.uncorrected[0][0], of.estimates[0], error))
    means = np.mean(found, axis=0).tolist() if found else [np.nan] * 4
    return Row(surveys, len(found), *means, _foretold(mechanisms[0] == "joint", (one, other), n, law))


def _foretold(jointly: bool, pair: tuple[Variable, Variable], n: int, law: npt.NDArray[np.float64]) -> float | None:
    kept = pair[0].question["table"].get("keep")
    whole = expectation.together(*pair, law, kept) if jointly else expectation.apart(*pair, law)
    try:
        return attention.half_width(whole, n, CONFIDENCE)
    except TooInattentive:
        return None


def _crossings(
    jointly: bool, pair: tuple[Variable, Variable], n: int, law: npt.NDArray[np.float64], surveys: int
) -> Iterator[Crossed]:
    generator = np.random.default_rng([42, n])
    for _ in range(surveys):
        if jointly:
            lam = float(keep(pair[0]))
            yield crossing_of(*pair, generator.multinomial(n, lam * law.ravel() + (1 - lam) / law.size))
        else:
            people = np.unravel_index(generator.choice(law.size, n, p=law.ravel()), law.shape)
            parts = [sent(each.question, x, generator) for each, x in zip(pair, people, strict=True)]  # type: ignore[arg-type]
            yield of_reports(*pair, [(parts[0], parts[1])])


def line(mechanisms: tuple[str, str], alpha: str, n: int, of: Row) -> list[str]:
    refused = f"{100 * (1 - of.shown / of.surveys):.0f}%"
    name = "joint" if mechanisms[0] == "joint" else " and ".join(mechanisms)
    if of.shown < SHOWN_MIN:
        return [name, alpha, str(n), refused, *[""] * 5]
    numbers = [f"{of.held:.3f}", *(f"{100 * each:.1f}" for each in (of.uncorrected, of.corrected, of.half_width))]
    return [name, alpha, str(n), refused, *numbers, "" if of.foretold is None else f"{100 * of.foretold:.1f}"]
