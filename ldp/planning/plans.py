"""The expected precision of a question, for every mechanism that fits it (M19, M21 to M23).

An outlook has two values. `expected` is at equal shares (for an item one half, for a mean numbers spread evenly over
the range), `at_most` at the shares with the widest intervals. Shares are in 0..1, a mean in units of its range. The
target is the population.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from ldp.central import laplace as central
from ldp.exact import ALPHA_WEAK
from ldp.kinds import KINDS
from ldp.kinds.protocol import Size
from ldp.planning.candidates import PlannedQuestion, fitting, of_question
from ldp.planning.outlook import HOPELESS, Outlook, PlannedPrecision, Planner
from ldp.question import Drawn


@dataclass(frozen=True)
class Option:
    """A mechanism for the question.

    `efficiency` is the bound over the mechanism's risk (M19), None if no sharp bound is known (items, delta).
    `effective_n` people would give the same precision without privacy. The prices are ratios of the expected standard
    error: to that without privacy, and to that of a trusted curator at the same alpha (M23).
    """

    mechanism: str
    method: str
    outlook: Outlook
    efficiency: float | None
    effective_n: float
    price_of_privacy: float
    price_of_locality: float


@dataclass(frozen=True)
class Caution:
    code: str
    text: str


@dataclass(frozen=True)
class Plan:
    """`options` are ranked, the most precise first. `bins` (histograms) are the best numbers of bins with and without
    privacy (M22). dataclasses.asdict turns the plan into plain JSON data."""

    kind: str
    d: int
    alpha: float
    n: int
    confidence: float
    wished: float | None
    options: list[Option]
    without_privacy: Outlook
    trusted_curator: Outlook
    bins: dict[str, int] | None
    warnings: list[Caution]


def plan(
    kind: str,
    d: int,
    alpha: Fraction,
    n: int,
    wished: float | None = None,
    *,
    confidence: float = 0.95,
    items: int = 1,
    sample: int = 1,
    delta: Fraction | None = None,
) -> Plan:
    """Return the plan of one question for n >= 1 people. KeyError for an unknown kind, ValueError if no mechanism fits.

    d is the number of categories: items of a "multiple_choice", options of a "grid", which has `items` items. A report
    is about `sample` items, 2 or 3 of a ranking. With a `delta` the (alpha, delta)-private mechanisms are planned too.
    `wished` is a half-width.
    """
    its, size = KINDS[kind], Size(d, items, sample)
    # Sampling and a curator's noise add up.
    plain_outlook = Planner(n, wished, confidence, its.together(size, size.d == 2)).outlook
    changed, plain = its.sensitivity(size), its.without_privacy(size)
    curator = central.variance(plain.expected, n, float(alpha), changed)
    # Equal risks differ in the last digits. Among equals FITTING's order remains.
    candidates = fitting(PlannedQuestion(kind, size, delta=delta), alpha)
    ranked = sorted(candidates, key=lambda candidate: float(f"{candidate.spread.expected:.6g}"))
    if not ranked:
        raise ValueError("no mechanism takes this many categories at this alpha")
    options = [
        Option(
            candidate.mechanism,
            candidate.method,
            Planner(n, wished, confidence, candidate.together).outlook(
                candidate.spread, lambda spread, m: spread / m, candidate.addition
            ),
            candidate.efficiency,
            n * plain.expected / candidate.spread.expected,
            central.price(candidate.spread.expected, plain.expected),
            central.price(candidate.spread.expected / n, curator),
        )
        for candidate in ranked
    ]
    return Plan(
        kind,
        d,
        float(alpha),
        n,
        confidence,
        wished,
        options,
        plain_outlook(plain, lambda spread, m: spread / m),
        plain_outlook(plain, lambda spread, m: central.variance(spread, m, float(alpha), changed)),
        its.bins(n, alpha),
        _warnings(options[0].outlook.expected, alpha, wished, its.answers(size)),
    )


def informative_n(question: Drawn, confidence: float) -> int | None:
    """Return how many reports a definition's question needs, at equal shares, for simultaneous intervals that span at
    most half of all possible values; None if N_MOST are too few. stopping.reports_needed is for intervals that hold at
    every release."""
    candidate = of_question(question)
    planner = Planner(1, HOPELESS, confidence, candidate.together)
    outlook = planner.outlook(candidate.spread, lambda spread, n: spread / n, candidate.addition)
    return outlook.expected.n_needed_simultaneous


# Warnings -----------------------------------------------------------------------------------------------------------


def _warnings(best: PlannedPrecision, alpha: Fraction, wished: float | None, answers: int) -> list[Caution]:
    warnings = []
    if alpha > ALPHA_WEAK:
        factor = f"{math.exp(float(alpha)):,.0f}"
        warnings.append(
            Caution("weak_privacy", f"At this alpha a report can multiply the odds of an answer by {factor}.")
        )
    if best.half_width >= HOPELESS:
        text = "With this many people an interval spans half of all possible values or more: expect no result."
        warnings.append(Caution("hopeless", text))
    elif answers > 1 and best.simultaneous_half_width >= 1 / answers:
        text = "With this many people an equal share cannot be distinguished from 0. Fewer options give more precision."
        warnings.append(Caution("coarse", text))
    if wished is not None and best.half_width > wished:
        if best.n_needed is None:
            text = "No number of people is enough for the wished width."
        else:
            text = f"The wished width needs {best.n_needed:,} people."
        warnings.append(Caution("too_few", text))
    return warnings
