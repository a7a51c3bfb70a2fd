"""How often what is said of regressions holds: `python -m benchmarks.relations` prints a table.

A yes/no outcome and three yes/no covariates that depend on each other, randomized jointly under one total alpha or
separately with a quarter of it each: of how many surveys the model was refused as "too few", and in how many of the
others the intervals of the worst coefficient and the worst marginal effect hold the truth, and how often any sentence
of the page "Models" is false, of at most .05; the same where nothing depends on anything, and every sentence would be.
Then how often intervals hold of shares that are corrected for attention (honesty.py) and of weighted ones
(weighting.py). Nominal is .95. Status 0 only if every row holds.
"""

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks import honesty, tables, weighting
from benchmarks.crossings_coverage import question, sent
from ldp import likelihood
from ldp.forms.marginals import JointTally
from ldp.inference import intervals
from ldp.inference.variables import variable
from ldp.mechanisms import joint
from ldp.regression import effects
from ldp.regression.factors import factors
from ldp.regression.fitting import Fit, Separated, TooFew, fit
from ldp.regression.sample import JointSample, ReportSample, Sample, Tabulation
from ldp.regression.specification import Covariate, Specification

Law = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]

COEFFICIENTS = (-0.8, 1.28, 0.7, -0.5)
MODEL = Specification("logistic", "y", tuple(Covariate(key, reference=1) for key in "abc"))


def _law(b: Sequence[float]) -> Law:
    """Shares of an outcome and three yes/no covariates, which depend on each other: (y, a, b, c), 0 is yes."""
    x, y, z = 1 - np.indices((2, 2, 2))
    covariates = np.exp(-0.4 * x + 0.3 * y - 0.6 * z + 0.8 * x * y + 0.4 * y * z)
    covariates /= covariates.sum()
    logits = b[0] + b[1] * x + b[2] * y + b[3] * z
    yes = 1 / (1 + np.exp(-logits))
    return np.stack([covariates * yes, covariates * (1 - yes)])


LOGISTIC, NOTHING = _law(COEFFICIENTS), _law((-0.8, 0, 0, 0))


def law_of(law: Law) -> Fit:
    """The fit of a whole population with this law."""
    same = tuple(np.eye(d) for d in law.shape)
    places = np.indices(law.shape).reshape(law.ndim, -1).T
    counts = np.round(law.ravel() * 1e12).astype(np.int64)
    return fit(MODEL, ReportSample(law.shape, same, same, places, counts))


def sent_jointly(cells: Cells, shape: tuple[int, ...], alpha: str, generator: np.random.Generator) -> Sample:
    """What a joint form under this alpha counts of people with these answers."""
    table = joint.table(Fraction(alpha), shape)
    stays = generator.random(len(cells)) < float(joint.keep(table, shape))
    given = np.where(stays, cells, generator.integers(0, np.prod(shape), len(cells)))
    counts = np.bincount(given, minlength=int(np.prod(shape)))
    return JointSample(JointTally(table, shape, tuple(counts.tolist())), tuple(range(len(shape))))


def sent_separately(
    cells: Cells, shape: tuple[int, ...], mechanism: str, alpha: str, generator: np.random.Generator
) -> Sample:
    """Reports of people with these answers, of each question by itself under this alpha."""
    asked = [question(key, mechanism, d, alpha) for key, d in zip("yabc", shape, strict=False)]
    found = Tabulation(factors([variable([each], each["key"]) for each in asked], {}))
    true = np.unravel_index(cells, shape)
    found.add([sent(each, answers, generator) for each, answers in zip(asked, true, strict=True)])
    return found.sample()


# The table ------------------------------------------------------------------------------------------------------------


class Row(NamedTuple):
    """Of so many surveys those that were fitted, and of these how often the intervals held, of the worst parameter, and
    how often any sentence was false."""

    surveys: int
    fitted: int
    coefficients: float
    effects: float
    false: float
    estimate: float

    @property
    def holds(self) -> bool:
        """Whether nothing is further from what is promised than luck brings it in one of a hundred tables."""
        least = min(self.coefficients, self.effects, 1 - self.false)
        return self.fitted < FITTED_MIN or least >= CONFIDENCE - luck(self.fitted)


def luck(surveys: int) -> float:
    """How far below .95 so many surveys may fall."""
    return 4.2 * float(np.sqrt(CONFIDENCE * (1 - CONFIDENCE) / max(surveys, 1)))


def row(how: str, total: str, n: int, surveys: int, law: Law = LOGISTIC) -> Row:
    """Simulated surveys of n people under a total alpha."""
    generator, truth = np.random.default_rng([n, int(8 * Fraction(total))]), law_of(law)
    true_effects = [each.estimate for each in _effects(truth)]
    held, estimates, false = np.zeros(len(truth.parameters) + len(true_effects)), [], 0
    for _ in range(surveys):
        cells = generator.choice(law.size, n, p=law.ravel())
        try:
            found = fit(MODEL, _sent(how, cells, total, generator))
        except (TooFew, Separated):
            continue
        ends = [*found.intervals(CONFIDENCE), *(each.interval(CONFIDENCE) for each in _effects(found))]
        truths = [*truth.parameters, *true_effects]
        held += [low <= true <= high for (low, high), true in zip(ends, truths, strict=True)]
        estimates.append(found.parameters[1])
        false += _says_something_false(found, true_effects)
    share, m = held / max(len(estimates), 1), len(truth.parameters)
    median = float(np.median(estimates or [np.nan]))
    return Row(surveys, len(estimates), share[:m].min(), share[m:].min(), false / max(len(estimates), 1), median)


def _says_something_false(found: Fit, truths: list[float]) -> bool:
    """Of all effects, each on both answers, those are sentences whose intervals, all at once, leave out 0."""
    level = intervals.bonferroni(CONFIDENCE, 2 * len(truths))
    ends = [each.interval(level) for each in _effects(found)]
    return any(
        (low > 0 or high < 0) and not low <= true <= high for (low, high), true in zip(ends, truths, strict=True)
    )


def _sent(how: str, cells: Cells, total: str, generator: np.random.Generator) -> Sample:
    if how == "joint":
        return sent_jointly(cells, LOGISTIC.shape, total, generator)
    each = str(Fraction(total) / len(LOGISTIC.shape))
    return sent_separately(cells, LOGISTIC.shape, "randomized_response", each, generator)


def _effects(found: Fit) -> list[effects.Effect]:
    return [each for key in "abc" for each in effects.marginal(found, key, 1) if each.outcome == 0]


CONFIDENCE = 0.95
FITTED_MIN = 50  # of fewer no coverage is said


@dataclass(frozen=True)
class Scale:
    """Of each row so many surveys."""

    surveys: int = 1000
    totals: tuple[str, ...] = ("1", "2", "4", "8")
    sizes: tuple[int, ...] = (200, 500, 2000, 10_000, 20_000)


# M40's figure ---------------------------------------------------------------------------------------------------------


def figure(surveys: int, n: int = 10_000, alpha: str = "2") -> list[list[str]]:
    """The coefficient that is 1.28, four questions at an alpha of 2 each: medians and standard deviations."""
    generator, found = np.random.default_rng(40), dict[str, list[float]]()
    for _ in range(surveys):
        cells = generator.choice(LOGISTIC.size, n, p=LOGISTIC.ravel())
        sample = sent_separately(cells, LOGISTIC.shape, "randomized_response", alpha, generator)
        ways = {
            "as this package does": sample,
            "by greatest likelihood (EM)": clear(_likeliest(sample) * n, sample.shape),
        }
        for name, way in (ways | {"ignoring the noise": as_if_clear(sample)}).items():
            found.setdefault(name, []).append(float(fit(MODEL, way).parameters[1]))
    return [[name, f"{np.median(each):.2f}", f"{np.std(each):.2f}"] for name, each in found.items()]


def clear(counts: Law, shape: tuple[int, ...]) -> ReportSample:
    """Respondents with such answers, who send them as they are; the counts need not be whole."""
    same = tuple(np.eye(d) for d in shape)
    whole = np.round(counts * 1e6).astype(np.int64)
    return ReportSample(shape, same, same, np.indices(shape).reshape(len(shape), -1).T, whole)


def as_if_clear(sample: ReportSample) -> ReportSample:
    """Reports of randomized response taken for answers."""
    return replace(sample, phi=tuple((each > 0).astype(float) for each in sample.phi))


def _likeliest(sample: Sample) -> Law:
    return likelihood.em(sample, lambda counts: modelled(counts, sample.shape), close=1e-7)


def modelled(counts: Law, shape: tuple[int, ...]) -> Law:
    """The model's shares for clear counts: the covariates' as they are, the outcome's by a fit."""
    own = fit(MODEL, clear(counts, shape))
    outcome, others = np.divmod(np.arange(counts.size), counts.size // 2)
    covariates = counts.reshape(2, -1).sum(axis=0) / counts.sum()
    return np.asarray(own.model.means(own.parameters)[np.arange(counts.size), outcome] * covariates[others])


FIGURE_HEADER = ["the coefficient that is 1.28; n = 10,000, alpha 2 each", "median", "spread"]
HEADER = [
    *("randomized", "total alpha", "n", "too few", "worst coefficient", "worst marginal effect"),
    *("a sentence is false", "median of 1.28"),
]
WEIGHTED_HEADER = [
    "randomized",
    "alpha of each or of both",
    "n",
    "too few",
    "held",
    "unweighted",
    "weighted",
    "design effect",
]


def main() -> None:
    scale = tables.scaled(Scale())
    named = list(product(("joint", "separate"), scale.totals, scale.sizes))
    corrections = list(product(honesty.PAIRS, ("0.5", "1", "2", "4"), scale.sizes))
    margins = list(product(weighting.PAIRS, "1248", scale.sizes))
    with ProcessPoolExecutor() as processes:

        def rows(of: Callable[..., Any], each: list[Any], *more: Any) -> list[Any]:
            return [processes.submit(of, *one, scale.surveys, *more) for one in each]

        each = rows(row, named), rows(row, named, NOTHING), rows(honesty.row, corrections), rows(_weighted, margins)
        found, nothing, corrected, weighed = ([one.result() for one in some] for some in each)
    anchored = [(*each, own) for each, own in zip(corrections, corrected, strict=True)]
    weighted = [(*each, own) for each, own in zip(margins, weighed, strict=True)]
    wrong = sum(not each.holds for each in [*found, *nothing, *(each[-1] for each in anchored)])
    wrong += sum(not _weighted_holds(each[-1]) for each in weighted)
    lines = tables.table(HEADER, [[*each, *_numbers(own)] for each, own in zip(named, found, strict=True)])
    lines += ["", *tables.table(FIGURE_HEADER, figure(max(2, scale.surveys // 25)))]
    lines += ["", "Where nothing depends on anything, and the coefficient is 0", ""]
    lines += tables.table(
        [*HEADER[:-1], "median of 0"], [[*each, *_numbers(own)] for each, own in zip(named, nothing, strict=True)]
    )
    lines += ["", "Shares corrected for attention", ""]
    lines += tables.table(honesty.HEADER, [honesty.line(*each) for each in anchored])
    lines += ["", "Weighted shares: 18.8% of the population", ""]
    lines += tables.table(WEIGHTED_HEADER, [_weighted_line(*each, scale.surveys) for each in weighted])
    lines += ["", f"Rows that do not hold: {wrong}"]
    tables.write("relations", "Regressions where everything was randomized", lines)
    sys.exit(wrong > 0)


def _numbers(found: Row) -> list[str]:
    refused = f"{100 * (1 - found.fitted / found.surveys):.0f}%"
    if found.fitted < FITTED_MIN:
        return [refused, *[""] * 4]
    numbers = (found.coefficients, found.effects, found.false)
    return [refused, *(f"{each:.3f}" for each in numbers), f"{found.estimate:.2f}"]


def _weighted(mechanisms: tuple[str, str], alpha: str, n: int, surveys: int) -> weighting.Held:
    """A quarter as many surveys: their intervals take longest."""
    return weighting.held(mechanisms, alpha, n, weighting.LAWS["weighted"], max(2, surveys // 4), 41)


def _weighted_holds(found: weighting.Held) -> bool:
    return found.surveys < FITTED_MIN or found.held / found.surveys >= CONFIDENCE - luck(found.surveys)


def _weighted_line(mechanisms: tuple[str, str], alpha: str, n: int, found: weighting.Held, surveys: int) -> list[str]:
    refused = f"{100 * (1 - found.surveys / max(2, surveys // 4)):.0f}%"
    name = "joint" if mechanisms[0] == "joint" else " and ".join(mechanisms)
    if found.surveys < FITTED_MIN:
        return [name, alpha, str(n), refused, *[""] * 4]
    shares = (f"{100 * each:.1f}" for each in (found.unweighted, found.weighted))
    return [name, alpha, str(n), refused, f"{found.held / found.surveys:.3f}", *shares, f"{found.effect:.1f}"]


if __name__ == "__main__":
    main()
