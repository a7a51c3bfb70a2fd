"""Questions on the edge of their certificate, exact to the last unit: sound ones, and ones that are weaker than they
state (P2)."""

import copy
import math
import random
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, pairwise, product
from typing import Any

from ldp.exact import RESOLUTION, exp_below
from ldp.mechanisms import MECHANISMS, WITH_DELTA
from surveys.rules.texts import decimal
from tests.support import kinds, mechanisms

ALPHAS = ["0.01", "0.1", "0.693147", "1", "2.5", "6", "10", "16"]
DELTA = "0.00001"
DRAWN = ("alpha", "delta", "mechanism", "table")
Case = tuple[dict[str, Any], bool]


def question(mechanism: str, alpha: str, d: int, table: Any, **more: Any) -> dict[str, Any]:
    """Return a question as a definition states it, with its mechanism, alpha and table."""
    shared = {"key": "q", "text": "How so?", "note": "", "prefer_not_to_say": False}
    made = shared | {"mechanism": mechanism, "alpha": alpha, "table": table} | of_kind(mechanisms.of(mechanism).KIND, d)
    made |= {"delta": DELTA} if mechanism in WITH_DELTA else {}
    return made | more


def of_kind(kind: str, d: int = 4) -> dict[str, Any]:
    """Return the fields of the kind, with d options or bins; a mean has none."""
    return {"kind": kind} | kinds.of(kind).fields(d)


def definition(question: dict[str, Any]) -> dict[str, Any]:
    """Return the definition of one randomized question."""
    content = {name: value for name, value in question.items() if name not in DRAWN}
    draw = {name: question[name] for name in DRAWN if name in question} | {"questions": [content.get("key")]}
    return {"format": 1, "title": "Title", "introduction": "", "questions": [content], "draws": [draw]}


def sound_question(mechanism: str, alpha: str = "2", d: int = 4) -> dict[str, Any]:
    """Return a question with d categories and the server's table."""
    extra = (Fraction(DELTA),) if mechanism in WITH_DELTA else ()
    return question(mechanism, alpha, d, MECHANISMS[mechanism].table(Fraction(alpha), d, *extra))


# Thresholds: the sharpest certified one and the next one --------------------------------------------------------------


def least(alpha: Fraction, d: int) -> int:
    """Return the least t with 2^53 - (d-1) t <= t e^alpha (M1)."""
    return math.ceil(RESOLUTION / (exp_below(alpha) + d - 1))


def moves(mechanism: str, name: str, alpha: str, d: int, ends: int, parts: int, **more: Any) -> Iterator[Case]:
    """Yield questions on both sides of the bounds of t. There are `parts` parts of `ends` categories each, and t is
    right from the least threshold to 2^53/ends."""
    t = least(Fraction(alpha) / parts, ends)
    for candidate, sound in ((t, True), (t - 1, False), (RESOLUTION // ends, True), (RESOLUTION // ends + 1, False)):
        yield question(mechanism, alpha, d, {name: candidate} | more), sound


def keeping(mechanism: str, alpha: str, d: int, rarity: Fraction, more: Any) -> Iterator[Case]:
    """Yield questions on both sides of the bounds of t (M44). t is right from 1 to the largest t with 1 + t D/(2^53 -
    t) <= e^alpha, if one in D reports fits."""
    bound = exp_below(Fraction(alpha)) - 1
    t = math.floor(RESOLUTION * bound / (bound + rarity))
    for candidate, sound in ((t, True), (t + 1, False), (1, True), (0, False)):
        yield question(mechanism, alpha, d, {"keep": candidate} | more), sound


# Weights: every pair of rows, every output, one unit ------------------------------------------------------------------


def sharp_pairs(mechanism: str) -> Iterator[Case]:
    """Yield tables of three rows and three outputs. The rows are equal, but one row has another chance for one output.
    That chance is the largest that another row allows, or one unit more."""
    usual = RESOLUTION // 10 + 7
    for alpha, z, (low, high) in product(("0.01", "0.5"), range(3), ((0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1))):
        power = exp_below(Fraction(alpha))
        for unit, sound in ((0, True), (1, False)):
            weights = [[usual] * 3 for _ in range(3)]
            weights[3 - low - high][z] += usual // 1000
            weights[high][z] = math.floor(usual * power) + unit
            for (
                row
            ) in weights:  # the next output takes the rest, eight times as much, so its ratio is never the sharpest
                row[(z + 1) % 3] += RESOLUTION - sum(row)
            yield question(mechanism, alpha, 3, {"rows": [_thresholds(row) for row in weights]}), sound


def shifted_rows(mechanism: str) -> Iterator[Case]:
    """Yield the server's tables with one threshold moved a little or far. Exact fractions over all pairs decide whether
    a table is sound."""
    chosen = random.Random(3)
    for alpha, d in product(("0.5", "2", "7.3"), (2, 5)):
        table = MECHANISMS[mechanism].table(Fraction(alpha), d)
        for step in (0, 1, -1, 2**20, -(2**20), 2**45):
            rows = copy.deepcopy(table["rows"])
            rows[chosen.randrange(len(rows))][chosen.randrange(len(rows[0]))] += step
            yield question(mechanism, alpha, len(rows), {"rows": rows}), _keeps(rows, exp_below(Fraction(alpha)))


def _thresholds(weights: list[int]) -> list[int]:
    return list(accumulate(weights))[:-1]


def _weights(thresholds: list[int]) -> list[int]:
    return [high - low for low, high in pairwise([0, *thresholds, RESOLUTION])]


def _keeps(rows: list[list[int]], power: Fraction) -> bool:
    """Return whether no output is likelier by more than the power: for each output, the likeliest row is compared with
    the least likely one."""
    columns = list(zip(*map(_weights, rows), strict=True))
    return all(min(column) >= 1 and max(column) <= min(column) * power for column in columns)


# Noise: the delta of every pair of values -----------------------------------------------------------------------------

TRILLION = 10**12


def delta_of(thresholds: list[int], alpha: str) -> Fraction:
    """Return the delta of noise by the definition in M6, pair by pair."""
    power, weights = exp_below(Fraction(alpha)), _weights(thresholds)
    pairs = list(zip([0, *weights], [*weights, 0], strict=True))
    n, m = power.numerator, power.denominator
    excess = sum(max(a * f * m - n * b * e, 0) for a, b in pairs for e, f in pairs)
    return Fraction(excess, m * RESOLUTION**2)


def sharp_noise(mechanism: str) -> Iterator[Case]:
    """Yield random noise tables without end, each twice: with delta rounded up to its last digit, and with one unit
    less in that digit."""
    chosen = random.Random(6)
    while True:
        alpha, reach = decimal(Decimal(f"{chosen.uniform(2, 5):.3f}")), chosen.randrange(3, 9)
        shape = [math.exp(-1.9 * abs(k)) * chosen.uniform(0.8, 1.25) for k in range(-reach, reach + 1)]
        weights = [int(w / sum(shape) * RESOLUTION) for w in shape]
        weights[reach] += RESOLUTION - sum(weights)
        noise = _thresholds(weights)
        delta = math.ceil(delta_of(noise, alpha) * TRILLION)
        if 1 < delta <= TRILLION // 1000:
            for units, sound in ((delta, True), (delta - 1, False)):
                yield question(mechanism, alpha, 3, {"noise": noise}, delta=decimal(Decimal(units) / TRILLION)), sound


def noise_tables(mechanism: str) -> Iterator[Case]:
    """Yield the server's tables, unchanged and with the middle threshold moved."""
    for alpha, step in product(("2", "4"), (0, 2**30, 2**48, -(2**50))):
        noise = list(sound_question(mechanism, alpha)["table"]["noise"])
        noise[len(noise) // 2] += step
        sound = min(_weights(noise)) > 0 and delta_of(noise, alpha) <= Fraction(DELTA)
        yield question(mechanism, alpha, 4, {"noise": noise}), sound
