"""The lab's experiments about a curator: the Laplace mean, tests of one share, noise, quartiles, the majority."""

import math
import random

import numpy as np

from benchmarks.lab_scale import ROLES, SEED, Panels, Scale, dots, line, upto
from ldp.central import exponential, gaussian, laplace, offset, proportion, quantiles
from surveys.public.lab.curves import grids
from surveys.public.lab.curves.charts import Axis, Lines, Role, Series
from surveys.public.lab.curves.limits import exponential_error
from surveys.public.lab.curves.means import SPREAD
from surveys.public.lab.curves.middles import SIZE, STEPS, answers, mean_error, releases_of

# The Laplace mean -----------------------------------------------------------------------------------------------------

MEAN_ALPHAS = (0.2, 0.3, 0.5, 0.7)
PEOPLE = (10, 32, 100, 316, 1000, 3162, 10_000, 31_623, 100_000)


def laplace_mean(scale: Scale) -> Panels:
    """Draw surveys of numbers spread evenly over 0..1: simulations as dots, the formula as lines."""
    generator = np.random.default_rng(SEED)
    people, alphas = upto(PEOPLE, scale.people), grids.powers(0.05, 4, 12)
    by_n: list[Series] = [line("without privacy", "none", people, [SPREAD / n for n in people], dashed=True)]
    for alpha, role in zip(MEAN_ALPHAS, ROLES, strict=False):
        by_n.append(line(f"alpha {alpha:g}", role, people, [laplace.variance(SPREAD, n, alpha) for n in people]))
        by_n.append(dots("", role, people, [mean_error_of(n, alpha, scale.surveys, generator) for n in people]))
    by_alpha = [
        line("formula", "local", alphas, [laplace.variance(SPREAD, 1000, alpha) for alpha in alphas]),
        dots("simulated", "local", alphas, [mean_error_of(1000, alpha, scale.surveys, generator) for alpha in alphas]),
        line("without privacy", "none", alphas, [SPREAD / 1000] * len(alphas), dashed=True),
    ]
    y = Axis("Mean squared error", log=True)
    return [
        ("Against n", Lines(Axis("People, n", log=True), y, tuple(by_n), "")),
        ("Against alpha, n = 1,000", Lines(Axis("Alpha", log=True), y, tuple(by_alpha), "")),
    ]


def mean_error_of(n: int, alpha: float, surveys: int, generator: np.random.Generator) -> float:
    """Return the mean squared error of simulated surveys. For many numbers the mean comes from its normal limit."""
    if n <= 1000:
        means = generator.random((surveys, n)).mean(axis=1)
    else:
        means = generator.normal(0.5, math.sqrt(SPREAD / n), surveys)
    released = means + generator.laplace(scale=1 / (n * alpha), size=surveys)
    return float(((released - 0.5) ** 2).mean())


# Tests of one share ---------------------------------------------------------------------------------------------------

TEST_PEOPLE, TEST_ALPHAS, NULL, LEVEL = (30, 100, 300), (0.1, 1.0), 0.4, 0.05
TESTS: tuple[tuple[str, Role, bool], ...] = (
    ("most powerful", "curator", False),
    ("normal", "fourth", True),
    ("fiducial", "fifth", True),
)


def power_and_size(scale: Scale) -> Panels:
    """Return power against the share, computed for tests of "at most .4" at level .05. Each panel has the sizes in its
    legend."""
    shares = grids.even(NULL, 1.0, 31)
    panels: Panels = []
    for alpha in TEST_ALPHAS:
        for n in TEST_PEOPLE:
            series = tuple(
                line(f"{name}, size {chance(name, n, alpha, NULL):.4f}", role, shares,
                     [chance(name, n, alpha, share) for share in shares], dashed)
                for name, role, dashed in TESTS
            )  # fmt: skip
            axes = Axis("True share", unit="%"), Axis("Chance that at most 40% is refused", unit="%", low=0, high=1)
            panels.append((f"alpha {alpha:g}, n = {n}", Lines(*axes, series, "")))
    return panels


def chance(name: str, n: int, alpha: float, share: float) -> float:
    test = {
        "most powerful": proportion.most_powerful,
        "normal": proportion.normal_power,
        "fiducial": proportion.fiducial_power,
    }[name]
    return test(n, NULL, min(share, 1 - 1e-9), alpha, LEVEL)


# OSGT and Gaussian ----------------------------------------------------------------------------------------------------

M, S = 3.0, math.sqrt(40)
"""The published example, at sensitivity 1."""


def osgt(scale: Scale) -> Panels:
    alphas, deltas = grids.even(0.2, 1.3, 45), grids.powers(1e-12, 0.03, 45)
    same = math.sqrt(offset.variance(M, S))
    equal = (
        line("OSGT, m = 3, s² = 40", "fourth", alphas, [offset.delta(alpha, M, S) for alpha in alphas]),
        line("Gaussian", "fifth", alphas, [gaussian.delta(alpha, same) for alpha in alphas]),
    )
    panels: Panels = [("Equal variance, 27.7", Lines(Axis("Alpha"), Axis("Delta", log=True), equal, ""))]
    for alpha in (0.1, 1.0):
        series = (
            line("OSGT", "fourth", deltas, [offset.variance(*offset.narrowest(alpha, delta)) for delta in deltas]),
            line("Gaussian", "fifth", deltas, [gaussian.deviation(alpha, delta) ** 2 for delta in deltas]),
            line("Laplace, without delta", "curator", deltas, [2 / alpha**2] * len(deltas), dashed=True),
        )
        axes = Axis("Delta", log=True), Axis("Variance", log=True)
        panels.append((f"Equal guarantee, alpha {alpha:g}", Lines(*axes, series, "")))
    return panels


# Quartiles ------------------------------------------------------------------------------------------------------------

QUARTILE_ALPHAS, QUARTILE_PEOPLE = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0), 400


def quartiles(scale: Scale) -> Panels:
    """Return errors from computed laws. The steps that move answers are drawn anew `scale.moves` times."""
    panels: Panels = []
    for atom in (0.0, 0.3, 0.6):
        plain = [quartile_error(alpha, atom, 0) for alpha in QUARTILE_ALPHAS]
        moved = [quartile_error(alpha, atom, scale.moves) for alpha in QUARTILE_ALPHAS]
        series = (
            line("answers as they are", "fourth", QUARTILE_ALPHAS, plain),
            line(f"moved by up to {STEPS}", "curator", QUARTILE_ALPHAS, moved),
        )
        axes = Axis("Alpha", log=True), Axis("Mean distance from the true quartiles", log=True)
        panels.append((f"{100 * atom:g}% of {QUARTILE_PEOPLE} answers equal", Lines(*axes, series, "")))
    return panels


def quartile_error(alpha: float, atom: float, moves: int) -> float:
    """Return the mean error over the three quartiles; 0 moves leaves answers unchanged."""
    true = answers(QUARTILE_PEOPLE, atom)
    if not moves:
        return mean_error(releases_of(true, true, alpha))
    found = []
    for seed in range(moves):
        chance = random.Random(SEED + seed)
        moved = quantiles.smoothed(true, SIZE, STEPS, lambda chance=chance: chance.getrandbits(53))
        found.append(mean_error(releases_of(moved, true, alpha)))
    return sum(found) / moves


# The majority ---------------------------------------------------------------------------------------------------------


def majority(scale: Scale) -> Panels:
    panels: Panels = []
    for alpha in (0.2, 1.0):
        margins = range(1, round(12 / alpha) + 1)
        series = (
            line("exponential mechanism", "fourth", margins, [exponential_error(m, alpha) for m in margins]),
            line("inverse sensitivity", "curator", margins, [exponential.majority_error(m, alpha) for m in margins]),
            line("no one does better", "none", margins, [exponential.majority_bound(m, alpha) for m in margins], True),
        )
        axes = Axis("Votes that must change"), Axis("Chance of the wrong side", log=True)
        panels.append((f"alpha {alpha:g}", Lines(*axes, series, "")))
    return panels
