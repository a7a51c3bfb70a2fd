"""Coverage at every one of 50 looks, and the price: `python -m benchmarks.sequences` writes results/sequences.md.

A survey grows from 20 to 20,000 reports with 50 looks. A method covers if all 50 intervals do. Intervals for one look
are there for comparison: they lose their confidence if someone looks repeatedly.
"""

from fractions import Fraction

import numpy as np
from scipy import special, stats

from benchmarks import tables
from benchmarks.interval_methods import ALPHAS, CONFIDENCE, SHARES, binary_law, sum_law
from ldp.inference import convolution, intervals, sequences

LOOKS = np.unique(np.geomspace(20, 20_000, 50).round().astype(int))


def growing_totals(alpha: Fraction, share: float, surveys: int, generator: np.random.Generator) -> np.ndarray:
    """Return totals of 0/1 scores at the looks, shape (surveys, looks)."""
    moments = binary_law(alpha)
    batches = np.diff(LOOKS, prepend=0)
    true = generator.binomial(batches, share, size=(surveys, len(batches)))
    reports = generator.binomial(true, float(moments.a)) + generator.binomial(batches - true, float(moments.b))
    return np.cumsum(reports, axis=1)


def growing_sums(alpha: Fraction, share: float, surveys: int, generator: np.random.Generator) -> np.ndarray:
    """Return totals of one Laplace bin at the looks, shape (surveys, looks)."""
    moments = sum_law(alpha)[1]
    batches = np.diff(LOOKS, prepend=0)
    columns = []
    for batch in batches:
        chances = convolution.TotalLaw(int(batch), moments)
        cumulated = np.cumsum(chances.population(share))
        drawn = np.searchsorted(cumulated, generator.random(surveys) * cumulated[-1], side="right")
        columns.append(chances.low + drawn)
    return np.cumsum(np.stack(columns, axis=1), axis=1)


def always_covers(totals: np.ndarray, alpha: Fraction, share: float) -> float:
    """Return the part of surveys whose beta-binomial intervals hold the share at all looks, by the martingale."""
    evidence = sequences.log_evidence(totals, LOOKS, binary_law(alpha), share)
    return float(np.mean(np.all(evidence < -np.log(1 - CONFIDENCE), axis=1)))


def always_covers_tilted(totals: np.ndarray, scores: convolution.LatticeLaw, share: float) -> float:
    """Return the part of surveys whose tilted intervals hold the share at all looks, on both sides."""
    delta = (1 - CONFIDENCE) / 2
    covered = np.ones(len(totals), dtype=bool)
    for sign in (1, -1):
        tilts, inside, outside, log_weights = sequences.tilts(scores, delta, sign)
        cumulants = np.log(share * np.exp(inside) + (1 - share) * np.exp(outside))
        exponents = totals[..., None] * tilts - LOOKS[:, None] * cumulants + log_weights
        covered &= np.all(special.logsumexp(exponents, axis=-1) < -np.log(delta), axis=1)
    return float(np.mean(covered))


def always_covers_once(totals: np.ndarray, alpha: Fraction, share: float) -> float:
    """Return the part of surveys whose exact intervals for one look hold the share at all looks."""
    moments = binary_law(alpha)
    pi = float(moments.b) + float(moments.gap) * share
    tail = (1 - CONFIDENCE) / 2
    holds = (stats.binom.cdf(totals, LOOKS, pi) > tail) & (stats.binom.sf(totals - 1, LOOKS, pi) > tail)
    return float(np.mean(np.all(holds, axis=1)))


def price(alpha: Fraction, n: int, share: float = 0.2) -> tuple[float, float]:
    """Return the widths of both kinds of sequence over the exact interval's for one look, at the expected total."""
    moments, scores = binary_law(alpha), convolution.binary(binary_law(alpha))
    total = round(n * (float(moments.b) + float(moments.gap) * share))
    once = intervals.exact(total, n, moments, CONFIDENCE, "population")
    beta = sequences.beta_binomial(total, n, moments, CONFIDENCE)
    tilted = sequences.tilted(total, n, scores, CONFIDENCE, "population")
    width = once.high - once.low
    return (beta.high - beta.low) / width, (tilted.high - tilted.low) / width


def report(surveys: int) -> str:
    generator = np.random.default_rng(50)
    error = (0.95 * 0.05 / surveys) ** 0.5
    lines = [f"# {len(LOOKS)} looks from {LOOKS[0]} to {LOOKS[-1]} reports", ""]
    lines += [f"Written by `.venv/bin/python -m benchmarks.sequences`. M15. {surveys} surveys per line, standard error"]
    lines += [f"at most {error:.4f} where coverage is .95. Coverage is that of all looks together, at nominal .95.", ""]
    lines += [
        "| alpha | share | beta-binomial | tilted | tilted, Laplace sums | exact for one look |",
        "|---" * 6 + "|",
    ]
    for alpha in ALPHAS:
        for share in SHARES:
            totals = growing_totals(alpha, share, surveys, generator)
            sums = growing_sums(alpha, share, surveys, generator)
            found = [
                always_covers(totals, alpha, share),
                always_covers_tilted(totals, convolution.binary(binary_law(alpha)), share),
                always_covers_tilted(sums, sum_law(alpha)[1], share),
                always_covers_once(totals, alpha, share),
            ]
            lines.append(f"| {float(alpha):g} | {share} | " + " | ".join(f"{value:.4f}" for value in found) + " |")
    lines += ["", "Width over that of the exact interval for one look, share .2:", ""]
    lines += ["| alpha | n | beta-binomial | tilted |", "|---" * 4 + "|"]
    for alpha in ALPHAS:
        for n in (200, 2000, 20_000, 1_000_000):
            lines.append(f"| {float(alpha):g} | {n} | " + " | ".join(f"{x:.2f}" for x in price(alpha, n)) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    text = report(tables.number("surveys", 4000))
    tables.keep("sequences.md", text.encode())
    print(text)
