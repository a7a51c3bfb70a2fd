"""The lab's experiments about a whole question: all shares against the minimax rates, a density against its bins."""

from fractions import Fraction

import numpy as np

from benchmarks import simulation
from benchmarks.lab_scale import SEED, Panels, Scale, dots, line, upto
from ldp.central import bounds as central
from ldp.inference import estimates
from ldp.kinds import histogram
from ldp.mechanisms import bitwise, randomized_response
from surveys.public.lab.curves.charts import Axis, Lines

ALPHA, D = 1.0, 16
PEOPLE = (100, 316, 1000, 3162, 10_000, 31_623, 100_000)
Generator = np.random.Generator

# All shares -----------------------------------------------------------------------------------------------------------


def multinomial(scale: Scale) -> Panels:
    """Draw the squared (l2) and absolute (l1) error over all shares, for 16 equal shares at alpha 1."""
    generator, people = np.random.default_rng(SEED), upto(PEOPLE, scale.people)
    found = {name: [errors(name, n, scale.surveys, generator) for n in people] for name in ("bitwise", "curator")}
    found["randomized response"] = [errors("randomized response", n, scale.surveys, generator) for n in people]
    panels: Panels = []
    for k, (name, exact, rate) in enumerate((
        ("Squared error, l2", central.squared_errors, central.squared_rates),
        ("Absolute error, l1", central.absolute_errors, central.absolute_rates),
    )):  # fmt: skip
        exactly, rates = [exact(n, ALPHA, D) for n in people], [rate(n, ALPHA, D) for n in people]
        series = (
            dots("bitwise", "local", people, [pair[k] for pair in found["bitwise"]]),
            dots("randomized response", "fourth", people, [pair[k] for pair in found["randomized response"]]),
            dots("curator", "curator", people, [pair[k] for pair in found["curator"]]),
            line("sharp bound" if k == 0 else "sharp bound, normal", "local", people, [e.local for e in exactly]),
            line("curator, formula", "curator", people, [e.curator for e in exactly]),
            line("rates: low", "fifth", people, [r.local.low for r in rates], True),
            line("rates: high", "none", people, [r.local.high for r in rates], True),
        )
        panels.append((name, Lines(Axis("People, n", log=True), Axis("Error", log=True), series, "")))
    return panels


def errors(name: str, n: int, surveys: int, generator: Generator) -> tuple[float, float]:
    """Return the mean squared and absolute error of simulated surveys."""
    counts = simulation.population_counts([1 / D] * D, n, surveys, generator)
    if name == "curator":
        found = (counts + generator.laplace(scale=2 / ALPHA, size=counts.shape)) / n
    elif name == "bitwise":
        moments = next(iter(bitwise.moments(bitwise.table(Fraction(ALPHA), D), D).values()))
        found = estimates.shares(simulation.bit_totals(counts, moments, generator), n, moments)
    else:
        moments = next(iter(randomized_response.moments(randomized_response.table(Fraction(ALPHA), D, 1), D).values()))
        found = estimates.shares(simulation.randomized_response_totals(counts, moments, generator), n, moments)
    off = np.asarray(found) - 1 / D
    return float((off**2).sum(axis=1).mean()), float(np.abs(off).sum(axis=1).mean())


# A density ------------------------------------------------------------------------------------------------------------

DENSITY_PEOPLE, BINS = (1000, 10_000, 100_000), (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)


def density(scale: Scale) -> Panels:
    """Draw the integrated squared error of histograms of a triangle: too few bins are flat, too many are noisy."""
    generator = np.random.default_rng(SEED)
    moments = next(iter(bitwise.moments(bitwise.table(Fraction(ALPHA), 2), 2).values()))
    panels: Panels = []
    for heading, v in (("Local, alpha 1", histogram.bin_noise(moments)), ("Without privacy", 0.0)):
        series = []
        for n, role in zip(upto(DENSITY_PEOPLE, scale.people), ("fourth", "curator", "local"), strict=False):
            simulated = [density_error(n, k, v > 0, max(1, scale.surveys // 10), generator) for k in BINS]
            best = histogram.best_bins(n, v, most=BINS[-1])
            series += [
                dots(f"n = {n:,}; advised: {best}", role, BINS, simulated),
                line("", role, BINS, [triangle_error(k, n, v) for k in BINS]),
            ]
        axes = Axis("Bins", log=True), Axis("Integrated squared error", log=True)
        panels.append((heading, Lines(*axes, tuple(series), "")))
    return panels


def triangle(k: int) -> tuple[np.ndarray, float]:
    """Return the shares of k bins of the density min(4x, 4 - 4x), and the squared error of their flatness."""
    fine = 4096 // k
    x = (np.arange(k * fine) + 0.5) / (k * fine)
    heights = np.minimum(4 * x, 4 - 4 * x)
    shares = heights.reshape(k, fine).mean(axis=1)
    flat = float(((heights - np.repeat(shares, fine)) ** 2).mean())
    return shares / shares.sum(), flat


def triangle_error(k: int, n: int, v: float) -> float:
    """Return the exact integrated squared error, from flatness, sampling and noise."""
    shares, flat = triangle(k)
    slope = 0.0 if v == 0 else _slope()
    return flat + k * float((v + shares * slope + shares * (1 - shares)).sum()) / n


def _slope() -> float:
    """Return the noise variance of a share with the answer less that without."""
    moments = next(iter(bitwise.moments(bitwise.table(Fraction(ALPHA), 2), 2).values()))
    return (float(moments.v_a) - float(moments.v_b)) / float(moments.gap) ** 2


def density_error(n: int, k: int, private: bool, surveys: int, generator: Generator) -> float:
    shares, flat = triangle(k)
    counts = simulation.population_counts(shares, n, surveys, generator)
    found = counts / n
    if private:
        moments = next(iter(bitwise.moments(bitwise.table(Fraction(ALPHA), k), k).values()))
        found = estimates.shares(simulation.bit_totals(counts, moments, generator), n, moments)
    return flat + k * float(((found - shares) ** 2).sum(axis=1).mean())
