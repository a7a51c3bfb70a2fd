"""What a question can be expected to tell before anybody answers, for every mechanism that fits it (M19, M21 to M23).

Every outlook is given twice: `expected`, at equal shares (of an item: at one half; of a mean: numbers spread evenly
over the range), and `at_most`, where the shares are the ones that make it widest. Shares lie in 0..1, a mean in units
of its range. The target is the population.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ldp import bounds
from ldp.central import curator as central
from ldp.exact import parse_alpha
from ldp.mechanisms import FITTING, MECHANISMS, WITH_DELTA, numeric
from ldp.planning import bins
from ldp.planning.outlook import Outlook, Planner, Precision, Spread
from ldp.scores import ChannelMoments, ScoreMoments

ALPHA_WEAK = 4
# A half-width of a quarter: the interval spans half of all possible values.
HOPELESS = 1 / 4


@dataclass(frozen=True)
class Option:
    """A mechanism for the question.

    `efficiency` is the bound over the mechanism's risk (M19), None where no sharp bound is known (items, delta).
    `effective_n` people would tell as much without privacy. The prices say how many times larger the expected
    standard error is than without privacy, and than a trusted curator's at the same alpha (M23).
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
    """`options` are ranked, the most precise first. `bins` (histograms): how many to have, with and without privacy
    (M22).

    dataclasses.asdict makes it plain JSON data.
    """

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


@dataclass(frozen=True)
class _Candidate:
    """`addition`: n times what the published interval adds to each side of a normal one (numeric.addition)."""

    mechanism: str
    method: str
    spread: Spread
    addition: float
    efficiency: float | None


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
    """The plan of one question for n >= 1 people. KeyError for an unknown kind, ValueError where no mechanism fits.

    d is the number of categories; of items for "multiple_choice"; of options for "grid", which has `items` items.
    `sample` items are reported. With a `delta` the (alpha, delta)-private mechanisms are planned too. `wished` is a
    half-width.
    """
    together = _together(kind, d, items)
    outlook = Planner(n, wished, confidence, together).outlook
    changed, plain = _sensitivity(kind, d, items), _without_privacy(kind, d)
    curator = central.variance(plain.expected, n, float(alpha), changed)
    # Equal risks differ in the last digits; of equals the first named for the kind comes first.
    ranked = sorted(_candidates(kind, d, alpha, items, sample, delta), key=lambda c: float(f"{c.spread.expected:.6g}"))
    if not ranked:
        raise ValueError("no mechanism takes this many categories at this alpha")
    options = [
        Option(
            candidate.mechanism,
            candidate.method,
            outlook(candidate.spread, lambda spread, m: spread / m, candidate.addition),
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
        outlook(plain, lambda spread, m: spread / m),
        outlook(plain, lambda spread, m: central.variance(spread, m, float(alpha), changed)),
        _bins(n, alpha) if kind == "histogram" else None,
        _warnings(options[0].outlook.expected, alpha, wished, _answers(kind, d)),
    )


# What the mechanisms that fit would do ------------------------------------------------------------------------------


def _candidates(
    kind: str, d: int, alpha: Fraction, items: int, sample: int, delta: Fraction | None
) -> Iterator[_Candidate]:
    for name in FITTING[kind]:
        extra: dict[str, Any] = {"sample": sample} if kind in ("multiple_choice", "grid") else {}
        if name in WITH_DELTA:
            if delta is None:
                continue
            extra = {"delta": delta}
        try:
            table = MECHANISMS[name].table(alpha, d, **extra)
        except ValueError:
            continue  # not for so many categories, or not for so small an alpha
        yield _candidate(kind, name, table, d, alpha, items, sample)


def _candidate(kind: str, name: str, table: Any, d: int, alpha: Fraction, items: int, sample: int) -> _Candidate:
    method, moments = next(iter(MECHANISMS[name].moments(table, d).items()))
    # A report tells of an item only if it drew the item.
    rarity = {"multiple_choice": d / sample, "grid": items / sample}.get(kind, 1.0)
    found = _spread(kind, moments, d)
    return _Candidate(
        name,
        method,
        Spread(rarity * found.expected, rarity * found.at_most),
        rarity * numeric.addition(moments),
        None if name in WITH_DELTA else _efficiency(kind, moments, found, float(alpha), d),
    )


def informative_n(question: dict[str, Any], confidence: float) -> int | None:
    """How many reports a definition's question needs for intervals that hold at once and span less than half of all
    possible values, at equal shares; None where N_MOST are too few."""
    kind, d = question["kind"], len(question.get("options", ()))
    items, sample = len(question.get("items", (None,))), question["table"].get("sample", 1)
    alpha = parse_alpha(question["alpha"])
    found = _candidate(kind, question["mechanism"], question["table"], d, alpha, items, sample)
    planner = Planner(1, HOPELESS, confidence, _together(kind, d, items))
    outlook = planner.outlook(found.spread, lambda spread, n: spread / n, found.addition)
    return outlook.expected.n_needed_simultaneous


def _together(kind: str, d: int, items: int) -> int:
    """How many intervals hold at once."""
    return {"mean": 1, "grid": d * items}.get(kind, d)


def _answers(kind: str, d: int) -> int:
    """Among how many answers one item is shared out: an option of a multiple choice applies or not."""
    return {"mean": 1, "multiple_choice": 2}.get(kind, d)


def _spread(kind: str, moments: ScoreMoments, d: int) -> Spread:
    if kind == "mean":
        most = float(max(numeric.noise(moments))) + 1 / 4 if isinstance(moments, ChannelMoments) else _widest(moments)
        return Spread(numeric.planned_variance(moments), most)
    if kind == "multiple_choice":
        return Spread(_widest(moments), _widest(moments))
    return Spread(bounds.uniform_risk(moments, d) / d, _widest(moments))


def _widest(moments: ScoreMoments) -> float:
    """The largest [s v_a + (1-s) v_b]/(a-b)^2 + s (1-s) over shares s."""
    v_a, v_b, square = float(moments.v_a), float(moments.v_b), float(moments.gap) ** 2
    if isinstance(moments, ChannelMoments):
        v_a = float(max(row[j] for j, row in enumerate(moments.variances)))
        v_b = float(max(v for x, row in enumerate(moments.variances) for j, v in enumerate(row) if x != j))
    slope = (v_a - v_b) / square + 1
    share = min(max(slope / 2, 0.0), 1.0)
    return v_b / square + slope * share - share**2


def _efficiency(kind: str, moments: ScoreMoments, found: Spread, alpha: float, d: int) -> float | None:
    if kind in ("multiple_choice", "grid"):
        return None
    if kind == "mean":
        # Numbers at the two ends only are a question with two categories, so its bound holds for the worst numbers.
        return bounds.sharp_constant(alpha, 2) / 2 / found.at_most
    return bounds.efficiency(moments, alpha, d)


# What others would do -----------------------------------------------------------------------------------------------


def _without_privacy(kind: str, d: int) -> Spread:
    expected = {"mean": 1 / 12, "multiple_choice": 1 / 4}.get(kind, (1 - 1 / d) / d if d else 0.0)
    return Spread(expected, 1 / 4)


def _sensitivity(kind: str, d: int, items: int) -> int:
    """By how much one answer changes the counts that a curator would publish, added up. Two shares are one number."""
    of_a_choice = 1 if d == 2 else 2
    return {"mean": 1, "multiple_choice": d, "grid": of_a_choice * items}.get(kind, of_a_choice)


def _bins(n: int, alpha: Fraction) -> dict[str, int]:
    """By bits, whose noise does not depend on how many bins there are."""
    bitwise = MECHANISMS["bitwise"]
    moments = next(iter(bitwise.moments(bitwise.table(alpha, 2), 2).values()))
    return {"advised": bins.best(n, bins.noise(moments)), "without_privacy": bins.best(n, 0.0)}


# What to beware of --------------------------------------------------------------------------------------------------


def _warnings(best: Precision, alpha: Fraction, wished: float | None, answers: int) -> list[Caution]:
    found = []
    if alpha > ALPHA_WEAK:
        factor = f"{math.exp(float(alpha)):,.0f}"
        found.append(
            Caution("weak_privacy", f"At this alpha a report can make somebody {factor} times surer of an answer.")
        )
    if best.half_width >= HOPELESS:
        text = "With this many people an interval spans half of all possible values or more: expect no result."
        found.append(Caution("hopeless", text))
    elif answers > 1 and best.simultaneous_half_width >= 1 / answers:
        text = (
            "With this many people a share as small as an equal one cannot be told from none. Fewer options tell more."
        )
        found.append(Caution("coarse", text))
    if wished is not None and best.half_width > wished:
        if best.n_needed is None:
            text = "No number of people is enough for the wished width."
        else:
            text = f"The wished width needs {best.n_needed:,} people."
        found.append(Caution("too_few", text))
    return found
