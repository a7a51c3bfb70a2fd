"""Coverage of shares weighted by two known margins at once (M41): `python -m benchmarks.raking`.

Each question changes the chance of answering by a separate factor: 34.0% of the population and 40.6% of the respondents
say "yes". An alpha is that of each question, or of one draw of all three. Surveys that are refused as too few are left
out. Status 0 only if every row holds.
"""

import sys
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np

from benchmarks import tables
from benchmarks.crossings_coverage import question, sent
from ldp.forms.marginals import JointTally
from ldp.inference.variables import Variable, variable
from ldp.mechanisms import randomized_response
from ldp.regression.factors import factors
from ldp.regression.sample import JointSample, Sample, Tabulation
from ldp.weighting import raking

SIZES, KNOWN, CONFIDENCE = (3, 2, 2), ((0.5, 0.3, 0.2), (0.45, 0.55)), 0.95
STRATA = np.array([[0.30, 0.20], [0.10, 0.20], [0.05, 0.15]])
YES = np.array([[0.1, 0.2], [0.3, 0.5], [0.4, 0.8]])
POPULATION = np.stack((STRATA * YES, STRATA * (1 - YES)), axis=2)
TRUTH = float(POPULATION[..., 0].sum())
ANSWERING = POPULATION * np.array([0.5, 1.0, 1.6])[:, None, None] * np.array([1.3, 0.8])[None, :, None]
RESPONDENTS = ANSWERING / ANSWERING.sum()
WAYS = {
    "joint": ("randomized_response",) * 3,
    "randomized response": ("randomized_response",) * 3,
    "bits": ("bitwise",) * 3,
    "Laplace noise": ("laplace",) * 3,
    "two listed, bits, inverted": ("randomized_response 2", "bitwise", "exponential"),
}
SHOWN_MIN = 50  # for fewer surveys no coverage is given


class Row(NamedTuple):
    """The number of surveys shown, the part of them whose interval held, and means over them."""

    shown: int
    held: float
    unweighted: float
    weighted: float
    effect: float

    @property
    def holds(self) -> bool:
        luck = 4.2 * (CONFIDENCE * (1 - CONFIDENCE) / max(self.shown, 1)) ** 0.5
        return self.shown < SHOWN_MIN or self.held >= CONFIDENCE - luck


@dataclass(frozen=True)
class Scale:
    surveys: int = 250
    alphas: tuple[str, ...] = ("2", "4", "8")
    sizes: tuple[int, ...] = (500, 2000, 10_000)


def row(how: str, alpha: str, n: int, surveys: int) -> Row:
    generator, found = np.random.default_rng([41, n]), []
    keys = zip("abc", WAYS[how], SIZES, strict=True)
    variables = [variable([question(key, name, d, alpha)], key) for key, name, d in keys]
    for _ in range(surveys):
        try:
            own = raking.raked(_sample(how, alpha, variables, n, generator), variables, KNOWN)
        except raking.NotRaked:
            continue
        low, high = own.intervals(CONFIDENCE)[0]
        found.append((low <= TRUTH <= high, own.unweighted[0], own.estimates[0], own.design_effects[0]))
    means = np.mean(found, axis=0).tolist() if found else [np.nan] * 4
    return Row(len(found), *means)


def _sample(how: str, alpha: str, variables: list[Variable], n: int, generator: np.random.Generator) -> Sample:
    if how == "joint":
        table = randomized_response.table(Fraction(alpha), SIZES, (1,) * len(SIZES))
        keep = float(randomized_response.keep(table))
        counts = generator.multinomial(n, (keep * RESPONDENTS + (1 - keep) / RESPONDENTS.size).ravel())
        return JointSample(JointTally(table, SIZES, tuple(counts.tolist())), (0, 1, 2))
    places = np.unravel_index(generator.choice(RESPONDENTS.size, n, p=RESPONDENTS.ravel()), SIZES)
    found = Tabulation(factors(variables))
    found.add([sent(each.question, place, generator) for each, place in zip(variables, places, strict=True)])  # type: ignore[arg-type]
    return found.sample()


HEADER = ["randomized", "alpha", "n", "too few", "held", "unweighted", "weighted", "design effect"]


def _line(how: str, alpha: str, n: int, of: Row, surveys: int) -> list[str]:
    cells = [how, alpha, str(n), f"{100 * (1 - of.shown / surveys):.0f}%"]
    if of.shown < SHOWN_MIN:
        return [*cells, *[""] * 4]
    return [*cells, f"{of.held:.3f}", f"{100 * of.unweighted:.1f}", f"{100 * of.weighted:.1f}", f"{of.effect:.1f}"]


def main() -> None:
    scale = tables.scaled(Scale())
    named = product(WAYS, scale.alphas, scale.sizes)
    found = [(*each, row(*each, scale.surveys)) for each in named]
    wrong = sum(not each[-1].holds for each in found)
    lines = tables.table(HEADER, [_line(*each, scale.surveys) for each in found])
    title = f"Shares weighted by two margins: {100 * TRUTH:.1f}% of the population"
    tables.write("raking", title, [*lines, "", f"Rows that do not hold: {wrong}"])
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
