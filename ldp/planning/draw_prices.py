"""The price of a question in a draw (M44, M45): alone, or randomized together with others."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ldp import numeric, pooled_scores
from ldp.forms.columns import keep_chance
from ldp.kinds import KINDS
from ldp.kinds.protocol import Size
from ldp.mechanisms import ranking
from ldp.planning.candidates import PlannedQuestion, about_respondents, candidate
from ldp.planning.outlook import quantile
from ldp.scores import Target, indicator
from ldp.subsets import CELLS_MAX, Options

CONFIDENCE = 0.95

RANDOMIZED_RESPONSE = "randomized_response"
LISTING = (RANDOMIZED_RESPONSE, "multiple", "ranking", "grid")  # mechanisms whose reports list options
# Kinds whose reports cover a sample of items, with the number of options of an item; None is the question's number.
_ITEMS = {"multiple_choice": 2, "ranking": 2, "grid": None}


class Price(NamedTuple):
    """`variance` is n times an estimate's variance from n reports of the draw, at equal shares or for numbers spread
    evenly; `respondents` is the same about exactly the respondents. `addition` is n times the length that the published
    interval adds to each side of a normal one. `together` intervals hold at once."""

    variance: float
    respondents: float
    addition: float
    together: int

    def half_width(self, n: float, target: Target = "population") -> float:
        """Return the half-width of simultaneous intervals, for n reports."""
        z = quantile(CONFIDENCE, self.together)
        variance = self.respondents if target == "respondents" else self.variance
        return z * math.sqrt(variance / n) + self.addition / n


@dataclass(frozen=True)
class Alone:
    """A question's best separate draw. A report lists `listed` options, of each of `sample` items if there are items;
    None if the mechanism lists none."""

    mechanism: str
    price: Price
    listed: int | None = None
    sample: int | None = None


def joined(question: PlannedQuestion) -> Options | None:
    """Return the number of the answer's values in a joint draw; Items for a list or grid; None if the question must
    have a separate draw: a ranking, or a question with a named mechanism."""
    if question.delta or question.mechanism not in (None, RANDOMIZED_RESPONSE):
        return None
    return KINDS[question.kind].symbols(question.size)


@lru_cache(maxsize=1 << 14)
def with_others(kind: str, size: Size, listed: int, keep: float) -> Price:
    """Return the price of a question with `listed` options per report, if the draw keeps answers with the chance
    `keep`. For a list or grid it is its items' price, and a report draws `size.sample` items."""
    its, d = KINDS[kind], options(kind, size)
    share = listed / d
    p, q = keep + (1 - keep) * share, keep * (listed - 1) / (d - 1) + (1 - keep) * share
    moments, rarity = indicator(Fraction(p), Fraction(q)), its.rarity(size)
    return Price(
        rarity * its.spread(moments, size.d).expected,
        about_respondents(its, moments, size),
        rarity * numeric.addition(moments),
        its.together(size, d == 2 and is_one_answer(kind)),
    )


def is_one_answer(kind: str) -> bool:
    """Return whether an answer, or each item of a grid, names one option, so that the shares of two are mirror
    images."""
    return _ITEMS.get(kind) is None


def options(kind: str, size: Size) -> int:
    if kind in _ITEMS:
        return _ITEMS[kind] or size.d
    d = KINDS[kind].symbols(size)
    assert isinstance(d, int)
    return d


@lru_cache(maxsize=1 << 14)
def alone(question: PlannedQuestion, alpha: Fraction) -> Alone:
    """Return the draw of least variance. ValueError if the question's mechanism does not take this alpha."""
    if question.kind == "ranking":
        return min(_of_orders(question, alpha), key=lambda way: way.price.variance)
    if question.kind in _ITEMS:
        return min(_of_items(question, alpha), key=lambda way: way.price.variance)
    best = candidate(question, alpha)
    if best.mechanism == RANDOMIZED_RESPONSE:
        d, keep = options(question.kind, question.size), float(alpha)
        ways = (_listing(question, listed, keep_chance(keep, d / listed)) for listed in range(1, d))
        return min(ways, key=lambda way: way.price.variance)
    return Alone(best.mechanism, Price(best.spread.expected, best.respondents, best.addition, best.together))


def _listing(question: PlannedQuestion, listed: int, keep: float) -> Alone:
    return Alone(RANDOMIZED_RESPONSE, with_others(question.kind, question.size, listed, keep), listed)


def _of_items(question: PlannedQuestion, alpha: Fraction) -> Iterator[Alone]:
    """Yield the ways to draw some of the items and randomize their options together (M9)."""
    d, size = options(question.kind, question.size), question.size
    items = size.items if question.kind == "grid" else size.d
    mechanism = "grid" if question.kind == "grid" else "multiple"
    for sample in range(1, items + 1):
        if d**sample > CELLS_MAX:
            return
        for listed in range(1, d):
            keep = keep_chance(float(alpha), (d / listed) ** sample)
            price = with_others(question.kind, size._replace(sample=sample), listed, keep)
            yield Alone(mechanism, price, listed if question.kind == "grid" else None, sample)


def _of_orders(question: PlannedQuestion, alpha: Fraction) -> Iterator[Alone]:
    """Yield the ways to draw some of a ranking's entries and randomize their order (M9b)."""
    for sample in range(ranking.SAMPLE_MIN, min(ranking.SAMPLE_MAX, ranking.entries(question.size.d)) + 1):
        keep = keep_chance(float(alpha), math.factorial(sample))
        yield Alone("ranking", with_others("ranking", question.size._replace(sample=sample), 1, keep), None, sample)


def pooled(prices: Sequence[tuple[float, Price]]) -> Price:
    """Return the price of a question in several forms, each with its fraction of all reports (M45). Estimates weight
    forms by information. For exactly the respondents, weights unlike the fractions add an error. If a form's reports
    draw only some items, the population's intervals are used for the respondents too."""
    if any(price.respondents == price.variance for _, price in prices):
        prices = [(part, price._replace(respondents=price.variance)) for part, price in prices]
    information = [part / price.variance for part, price in prices]
    weights = [each / math.fsum(information) for each in information]
    people = math.fsum(part for part, _ in prices)
    rows = [(weight, part, price) for weight, (part, price) in zip(weights, prices, strict=True)]
    respondents = math.fsum(
        weight**2 * price.respondents / part
        + (weight - part / people) ** 2 * (price.variance - price.respondents) / part
        for weight, part, price in rows
    )
    return Price(1 / math.fsum(information), respondents, _addition(prices), prices[0][1].together)


def _addition(prices: Sequence[tuple[float, Price]]) -> float:
    """Return n times the length that a pooled interval adds to each side (numeric.addition): 1/2 over the mean of a
    report's whole number times gap; 0 for sums of known law, which are never pooled."""
    if not all(price.addition for _, price in prices):
        return 0.0
    scores = pooled_scores.whole_multiples([Fraction(price.addition / price.variance) for _, price in prices])
    return 1 / math.fsum(part * score / price.addition for score, (part, price) in zip(scores, prices, strict=True))
