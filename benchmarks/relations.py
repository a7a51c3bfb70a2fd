"""The rate at which statements on regressions hold: `python -m benchmarks.relations` prints a table.

An outcome and two or three yes/no covariates depend on each other. They are randomized jointly under a total alpha, or
separately with equal parts. For each of the four models a row says how many surveys were refused as "too few"; how
often intervals of the worst coefficient, predicted share and marginal effect hold; and how often any sentence of the
page "Models" is false, at most .05. Further rows have no dependence, so that every sentence is false, or a numeric
covariate of four steps. Rows of a model are also judged together: over 4,000 surveys nine of ten runs notice a coverage
of .93, and one of a hundred accuses a coverage of .95. Then come profile-likelihood intervals, shares corrected for
attention (honesty.py), weighted shares (weighting.py), and the rate of false statements on subgroups, two shares and
waves (claims.py), at most .05. Nominal is .95. Status 0 only if every row holds.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks import claims, honesty, tables, weighting
from benchmarks.crossings_coverage import question, sent
from ldp import likelihood
from ldp.forms.marginals import JointTally
from ldp.inference import intervals
from ldp.inference.variables import variable
from ldp.mechanisms import randomized_response
from ldp.regression import effects
from ldp.regression.factors import factors
from ldp.regression.fitting import Fit, Separated, TooFewToFit, fit
from ldp.regression.profile import Profile
from ldp.regression.sample import JointSample, ReportSample, Sample, Tabulation
from ldp.regression.specification import Covariate, Specification

Law = npt.NDArray[np.float64]
Cells = npt.NDArray[np.int64]

COEFFICIENTS = (-0.8, 1.28, 0.7, -0.5)
MODEL = Specification("logistic", "y", tuple(Covariate(key, reference=1) for key in "abc"))


def _law(b: Sequence[float]) -> Law:
    """Return shares of an outcome and three dependent yes/no covariates: (y, a, b, c), 0 is yes."""
    x, y, z = 1 - np.indices((2, 2, 2))
    covariates = np.exp(-0.4 * x + 0.3 * y - 0.6 * z + 0.8 * x * y + 0.4 * y * z)
    covariates /= covariates.sum()
    logits = b[0] + b[1] * x + b[2] * y + b[3] * z
    yes = 1 / (1 + np.exp(-logits))
    return np.stack([covariates * yes, covariates * (1 - yes)])


LOGISTIC, NOTHING = _law(COEFFICIENTS), _law((-0.8, 0, 0, 0))


def _steps(ordered: bool) -> Law:
    """Return shares of an outcome of three options and two dependent yes/no covariates: (y, a, b)."""
    x, y = 1 - np.indices((2, 2))
    covariates = np.exp(-0.4 * x + 0.3 * y + 0.8 * x * y)
    if ordered:
        below = [1 / (1 + np.exp(-(each - 0.9 * x + 0.5 * y))) for each in (-0.6, 0.9)]
        outcome = np.stack([below[0], below[1] - below[0], 1 - below[1]])
    else:
        weights = np.exp(np.stack([0 * x, 0.3 + 0.9 * x - 0.4 * y, -0.2 - 0.5 * x + 0.8 * y]))
        outcome = weights / weights.sum(axis=0)
    return np.asarray(outcome * covariates / covariates.sum())


def _numbered(ordered: bool) -> Law:
    """Return shares of an outcome of four options, a covariate of four steps and a yes/no one: (y, a, b). The last
    steps are rare. The effects on some options hardly change with the coefficients."""
    step, yes = np.indices((4, 2))
    rate = np.array([0.07, 0.12, 0.3, 0.6])[step]
    covariates = np.array([0.54, 0.36, 0.08, 0.02])[step] * np.where(yes == 0, rate, 1 - rate)
    if ordered:
        below = [1 / (1 + np.exp(-(each - 0.05 * step - 0.5 * (1 - yes)))) for each in (-0.8, 0.6, 1.5)]
        return np.asarray(np.diff([0 * step, *below, 1 + 0 * step], axis=0) * covariates)
    logits = (0 * step, 0.1 + 0.05 * step + 0.3 * (1 - yes), -0.6 + 0.2 * step, -0.9 + 0.1 * step + 0.7 * (1 - yes))
    odds = np.exp(np.stack(logits))
    return np.asarray(odds / odds.sum(axis=0) * covariates)


class Case(NamedTuple):
    """A model and the law of the answers. The law obeys the model, unless the model is linear."""

    model: Specification
    law: Law


_AB = MODEL.covariates[:2]
_NUMBERED = (Covariate("a", (0.0, 1.0, 2.0, 3.0)), _AB[1])
CASES = {
    "logistic": Case(MODEL, LOGISTIC),
    "logistic, of nothing": Case(MODEL, NOTHING),
    "linear": Case(Specification("linear", "y", _AB), _steps(ordered=True)),
    "ordered": Case(Specification("ordered", "y", _AB), _steps(ordered=True)),
    "multinomial": Case(Specification("multinomial", "y", _AB), _steps(ordered=False)),
    "ordered, by steps": Case(Specification("ordered", "y", _NUMBERED), _numbered(ordered=True)),
    "multinomial, by steps": Case(Specification("multinomial", "y", _NUMBERED), _numbered(ordered=False)),
}


def law_of(law: Law, model: Specification = MODEL) -> Fit:
    """Return the fit of a whole population with this law."""
    same = tuple(np.eye(d) for d in law.shape)
    places = np.indices(law.shape).reshape(law.ndim, -1).T
    counts = np.round(law.ravel() * 1e12).astype(np.int64)
    return fit(model, ReportSample(law.shape, same, same, places, counts))


def sent_jointly(cells: Cells, shape: tuple[int, ...], alpha: str, generator: np.random.Generator) -> Sample:
    """Return the counts of a joint draw under this alpha, for people with these answers."""
    table = randomized_response.table(Fraction(alpha), shape, (1,) * len(shape))
    stays = generator.random(len(cells)) < float(randomized_response.keep(table))
    given = np.where(stays, cells, generator.integers(0, np.prod(shape), len(cells)))
    counts = np.bincount(given, minlength=int(np.prod(shape)))
    return JointSample(JointTally(table, shape, tuple(counts.tolist())), tuple(range(len(shape))))


def sent_separately(
    cells: Cells, shape: tuple[int, ...], mechanism: str, alpha: str, generator: np.random.Generator
) -> Sample:
    """Return reports of people with these answers, each question alone under this alpha."""
    asked = [question(key, mechanism, d, alpha) for key, d in zip("yabc", shape, strict=False)]
    found = Tabulation(factors([variable([each], each["key"]) for each in asked]))
    true = np.unravel_index(cells, shape)
    found.add([sent(each, answers, generator) for each, answers in zip(asked, true, strict=True)])
    return found.sample()


# The table ------------------------------------------------------------------------------------------------------------


class Row(NamedTuple):
    """The numbers of surveys and of fitted ones. `held` counts intervals that held, for each coefficient, predicted
    share and marginal effect; `false` counts surveys with a false sentence. `estimate` is the median of a covariate's
    first coefficient, `truth` its true value."""

    surveys: int
    fitted: int
    held: tuple[list[int], ...]
    false: int
    estimate: float
    truth: float

    @property
    def holds(self) -> bool:
        """Return whether nothing is further from its promise than luck in one of a hundred tables."""
        least = min(*map(min, self.held), self.fitted - self.false)
        return self.fitted < FITTED_MIN or least / self.fitted >= CONFIDENCE - luck(self.fitted)


def luck(surveys: int, errors: float = 4.2) -> float:
    """Return how far below .95 the coverage of this many surveys may fall."""
    return errors * float(np.sqrt(CONFIDENCE * (1 - CONFIDENCE) / max(surveys, 1)))


def row(name: str, how: str, total: str, n: int, surveys: int) -> Row:
    """Simulate surveys of n people under a total alpha."""
    case, generator = CASES[name], np.random.default_rng([n, int(8 * Fraction(total))])
    truth = law_of(case.law, case.model)
    values, first = _values(truth), next(k for k, (_, levels) in enumerate(truth.terms) if levels)
    held, estimates, false = [np.zeros(len(each), dtype=int) for each in values], [], 0
    for found in _fits(case, how, total, n, surveys, generator):
        shares = _effects(found)
        each = (found.intervals(CONFIDENCE), *(np.array([one.interval(CONFIDENCE) for one in some]) for some in shares))
        for sums, ends, true in zip(held, each, values, strict=True):
            sums += (ends[:, 0] <= true) & (true <= ends[:, 1])
        estimates.append(found.parameters[first])
        false += _says_something_false(shares[1], values[2])
    median = float(np.median(estimates or [np.nan]))
    return Row(
        surveys, len(estimates), tuple(sums.tolist() for sums in held), false, median, float(truth.parameters[first])
    )


def _fits(case: Case, how: str, total: str, n: int, surveys: int, generator: np.random.Generator) -> Iterator[Fit]:
    """Yield the fits of the surveys that are not refused."""
    for _ in range(surveys):
        cells = generator.choice(case.law.size, n, p=case.law.ravel())
        with suppress(TooFewToFit, Separated):
            yield fit(case.model, _sent(how, cells, case.law.shape, total, generator))


def _values(found: Fit) -> tuple[Law, ...]:
    """Return coefficients, predicted shares and marginal effects."""
    return found.parameters, *(np.array([each.estimate for each in some]) for some in _effects(found))


def _effects(found: Fit) -> tuple[list[effects.Effect], ...]:
    """Return predicted shares and marginal effects, for all options of the outcome."""
    keys = found.design.specification.keys[1:]
    shares = [each for key in keys for each in effects.predicted(found, key)]
    return shares, [each for key in keys for each in effects.marginal(found, key, 1)]


def _says_something_false(marginal: Sequence[effects.Effect], truths: Law) -> bool:
    """Return whether a sentence is false: an interval, all at once, excludes 0 and misses the true effect."""
    level = intervals.bonferroni(CONFIDENCE, len(truths))
    ends = [each.interval(level) for each in marginal]
    return any(
        (low > 0 or high < 0) and not low <= true <= high for (low, high), true in zip(ends, truths, strict=True)
    )


def _sent(how: str, cells: Cells, shape: tuple[int, ...], total: str, generator: np.random.Generator) -> Sample:
    if how == "joint":
        return sent_jointly(cells, shape, total, generator)
    return sent_separately(cells, shape, "randomized_response", str(Fraction(total) / len(shape)), generator)


# Rows together, and profile likelihoods -------------------------------------------------------------------------------


class Together(NamedTuple):
    """The rows of a model, randomized in one way. `worst` is how often the worst parameter's intervals held over all
    fitted surveys; 4.2 standard errors of one row are too wide to notice .93."""

    fitted: int
    worst: float

    @property
    def holds(self) -> bool:
        return self.fitted < FITTED_MIN or self.worst >= CONFIDENCE - luck(self.fitted, 3.7)


def together(rows: Sequence[Row]) -> Together:
    fitted = sum(each.fitted for each in rows)
    sums = np.sum([np.concatenate(each.held) for each in rows], axis=0)
    return Together(fitted, float(sums.min()) / max(fitted, 1))


def profiled(name: str, total: str, n: int, surveys: int) -> Together:
    """Return how often a draw's profile-likelihood intervals hold the worst coefficient."""
    case, generator = CASES[name], np.random.default_rng([43, n])
    truth, ends = law_of(case.law, case.model).parameters, []
    for found in _fits(case, "joint", total, n, surveys, generator):
        ends.append(Profile(found).intervals(CONFIDENCE))
    held = [((each[:, 0] <= truth) & (truth <= each[:, 1])) for each in ends]
    return Together(len(ends), float(np.mean(held, axis=0).min()) if ends else np.nan)


CONFIDENCE = 0.95
FITTED_MIN = 50  # for fewer surveys no coverage is given


@dataclass(frozen=True)
class Scale:
    """The numbers of surveys of each row."""

    surveys: int = 400
    totals: tuple[str, ...] = ("1", "2", "4", "8")
    sizes: tuple[int, ...] = (200, 500, 2000, 10_000, 20_000)


# M40's figure ---------------------------------------------------------------------------------------------------------


def figure(surveys: int, n: int = 10_000, alpha: str = "2") -> list[list[str]]:
    """Return medians and standard deviations of the coefficient 1.28, for four questions at alpha 2 each."""
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
    """Return a sample of answers sent as they are; the counts need not be whole."""
    same = tuple(np.eye(d) for d in shape)
    whole = np.round(counts * 1e6).astype(np.int64)
    return ReportSample(shape, same, same, np.indices(shape).reshape(len(shape), -1).T, whole)


def as_if_clear(sample: ReportSample) -> ReportSample:
    """Return reports of randomized response taken for answers."""
    return replace(sample, phi=tuple((each > 0).astype(float) for each in sample.phi))


def _likeliest(sample: Sample) -> Law:
    return likelihood.em(sample, lambda counts: modelled(counts, sample.shape), close=1e-7)


def modelled(counts: Law, shape: tuple[int, ...]) -> Law:
    """Return the model's shares for clear counts: the covariates' unchanged, the outcome's by a fit."""
    own = fit(MODEL, clear(counts, shape))
    outcome, others = np.divmod(np.arange(counts.size), counts.size // 2)
    covariates = counts.reshape(2, -1).sum(axis=0) / counts.sum()
    return np.asarray(own.model.means(own.parameters)[np.arange(counts.size), outcome] * covariates[others])


FIGURE_HEADER = ["the coefficient that is 1.28; n = 10,000, alpha 2 each", "median", "spread"]
HEADER = [
    *("model", "randomized", "total alpha", "n", "too few", "worst coefficient", "worst predicted share"),
    *("worst marginal effect", "a sentence is false", "median of one", "its truth"),
]
TOGETHER_HEADER = ["model", "randomized", "surveys fitted", "worst parameter"]
PROFILE_HEADER = ["model", "total alpha", "n", "surveys fitted", "worst coefficient"]
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
    named = list(product(CASES, ("joint", "separate"), scale.totals, scale.sizes))
    limits = list(product(("logistic", "ordered", "multinomial"), scale.totals[-2:], scale.sizes[1:3] or scale.sizes))
    corrections = list(product(honesty.PAIRS, ("0.5", "1", "2", "4"), scale.sizes))
    margins = list(product(weighting.PAIRS, "1248", scale.sizes))
    sayings = claims.named(sorted({min(scale.sizes), max(scale.sizes)}))
    with ProcessPoolExecutor() as processes:

        def rows(of: Callable[..., Any], each: list[Any], surveys: int) -> list[Any]:
            return [processes.submit(of, *one, max(2, surveys)) for one in each]

        each = (
            rows(row, named, scale.surveys),
            rows(profiled, limits, scale.surveys // 2),
            rows(honesty.row, corrections, scale.surveys * 5 // 2),
            rows(_weighted, margins, scale.surveys * 5 // 2),
            rows(claims.row, sayings, scale.surveys),
        )
        found, profiles, corrected, weighed, said = ([one.result() for one in some] for some in each)
    pooled = {pair: together(some) for pair, some in _by_model(named, found).items()}
    anchored = [(*each, own) for each, own in zip(corrections, corrected, strict=True)]
    weighted = [(*each, own) for each, own in zip(margins, weighed, strict=True)]
    wrong = sum(not each.holds for each in [*found, *profiles, *pooled.values(), *corrected, *said])
    wrong += sum(not _weighted_holds(each) for each in weighed)
    lines = tables.table(HEADER, [[*each, *_numbers(own)] for each, own in zip(named, found, strict=True)])
    lines += ["", "Rows of a model together", ""]
    lines += tables.table(TOGETHER_HEADER, [[*pair, *_worst(own)] for pair, own in pooled.items()])
    lines += ["", "Profile-likelihood intervals of draws of several questions", ""]
    lines += tables.table(PROFILE_HEADER, [[*each, *_worst(own)] for each, own in zip(limits, profiles, strict=True)])
    lines += ["", *tables.table(FIGURE_HEADER, figure(max(2, scale.surveys // 10)))]
    lines += ["", "Shares corrected for attention", ""]
    lines += tables.table(honesty.HEADER, [honesty.line(*each) for each in anchored])
    lines += ["", "Weighted shares: 18.8% of the population", ""]
    lines += tables.table(WEIGHTED_HEADER, [_weighted_line(*each, scale.surveys * 5 // 2) for each in weighted])
    lines += ["", "What is said of subgroups, of two shares and of waves", ""]
    lines += tables.table(claims.HEADER, [claims.line(*each, own) for each, own in zip(sayings, said, strict=True)])
    lines += ["", f"Rows that do not hold: {wrong}"]
    tables.write("relations", "Regressions where everything was randomized", lines)
    sys.exit(wrong > 0)


def _by_model(named: list[Any], found: list[Row]) -> dict[tuple[str, str], list[Row]]:
    each: dict[tuple[str, str], list[Row]] = {}
    for (name, how, *_), own in zip(named, found, strict=True):
        each.setdefault((name, how), []).append(own)
    return each


def _worst(of: Together) -> list[str]:
    return [str(of.fitted), f"{of.worst:.3f}" if of.fitted >= FITTED_MIN else ""]


def _numbers(found: Row) -> list[str]:
    refused = f"{100 * (1 - found.fitted / found.surveys):.0f}%"
    if found.fitted < FITTED_MIN:
        return [refused, *[""] * 6]
    numbers = (*map(min, found.held), found.false)
    shares = (f"{each / found.fitted:.3f}" for each in numbers)
    return [refused, *shares, f"{found.estimate:.2f}", f"{found.truth:.2f}"]


def _weighted(mechanisms: tuple[str, str], alpha: str, n: int, surveys: int) -> weighting.Held:
    """Return the weighted row, with a quarter as many surveys because these intervals take longest."""
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
