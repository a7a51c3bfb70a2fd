"""A ranking by sampling (M9b)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, factorial
from typing import Any

from tests.support.certificate_cases import ALPHAS, Case, keeping, question
from tests.support.draws import Draw, dealt, listed, listing, of_lists, shuffle
from tests.support.mutation import Swap, draw, fault
from tests.support.stated_channels import Channel, Small

QUESTIONS: list[dict[str, Any]] = []  # the kind's questions use it
DIGEST = ""
KIND, SUBJECT = "ranking", "thresholds"


def _entries(d: int) -> int:
    """Return the number of entries with d pairs, or with a few less."""
    return next(k for k in range(9, 2, -1) if k == 3 or k * (k - 1) // 2 <= d)


def _bits(order: Sequence[int], entries: Sequence[int]) -> list[int]:
    return [int(order.index(one) < order.index(other)) for one, other in combinations(entries, 2)]


def _orders(s: int) -> list[list[int]]:
    """Return the bits of each order; an order lists the places of the first, second, ... entry."""
    return [[int(one < other) for one, other in combinations(places, 2)] for places in permutations(range(s))]


def _together(table: Any) -> tuple[list[int], Any]:
    return [factorial(table["sample"])], {"keep": table["keep"], "sizes": [1]}


def answers(d: int, table: Any) -> list[Any]:
    """Return every order of few entries, or some orders of many."""
    k = _entries(d)
    every = list(permutations(range(k)))
    return [[bool(bit) for bit in _bits(order, range(k))] for order in every[:: max(1, len(every) // 24)]]


def _small(table: Any, resolution: int) -> Channel:
    """Return the channel of three entries: entries are drawn evenly, then reported in their true order with the chance
    lambda, otherwise in any order."""
    lam, s = Fraction(table["keep"], resolution), table["sample"]
    pairs = list(combinations(range(3), 2))

    def row(true: Sequence[int]) -> dict[Any, Fraction]:
        law = {}
        for said in permutations(range(3), s):
            entries = sorted(said)
            kept = said == tuple(entry for entry in true if entry in entries)
            report = zip(map(pairs.index, combinations(entries, 2)), _bits(said, entries), strict=True)
            law[tuple(report)] = (lam * kept + (1 - lam) / factorial(s)) / comb(3, s)
        return law

    return [row(order) for order in permutations(range(3))]


TABLE = {"sample": 3, "keep": 4}
SMALL = Small(3, TABLE, 6, 5, _small(TABLE, 6), Fraction(13))


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    k = _entries(len(answer))
    return [*(Draw([], k - i) for i in range(table["sample"])), *of_lists(*_together(table))]


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    k, s = _entries(len(answer)), table["sample"]
    pairs, entries = list(combinations(range(k), 2)), sorted(dealt(list(range(k)), u[:s]))
    among = [pairs.index(pair) for pair in combinations(entries, 2)]
    held = _orders(s).index([int(answer[place]) for place in among])
    [[order]] = listed([held], *_together(table), u[s:])
    return [[place, bit] for place, bit in zip(among, _orders(s)[order], strict=True)]


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    k = len(answer)
    pairs = list(combinations(range(k), 2))
    entries = sorted({entry for place, _ in reported for entry in pairs[place]})
    every = _orders(len(entries))
    held, wished = every.index(_bits(answer, entries)), every.index([bit for _, bit in reported])
    return [*shuffle(k, entries), *listing([held], [len(every)], [[wished]])]


def cases() -> Iterator[Case]:
    for alpha, d, sample in product(ALPHAS, (3, 8), (2, 3)):
        yield from keeping("ranking", alpha, d, Fraction(factorial(sample)), {"sample": sample})
    for sample in (0, 1, 4, 2.5, None, [2]):
        yield question("ranking", "1", 5, {"sample": sample, "keep": 1}), False


FAULTS = {
    "as if there were fewer orders": fault(Swap("_of_orders", 'factorial(table["sample"])', "2")),
    "kept as often as for twice the alpha": fault(Swap("table", "alpha", "2 * alpha")),
    "which entries are drawn tells the answer": fault(
        draw(
            "set(shuffled(entries(d), s, uniform))",
            "set(range(s)) if shuffled(entries(d), s, uniform) and answer[0] else {*range(entries(d))[-s:]}",
        ),
    ),
    "the bits of the answer": fault(draw("bit", "int(answer[number])")),
    "the other way round": fault(draw("orders(s)[order]", "orders(s)[::-1][order]")),
}


BROWSER_FAULTS = {
    "always the first entries": (
        "kinds/ranking",
        """{
          const sound = MECHANISMS.ranking.draw;
          MECHANISMS.ranking.draw = (answer, table, d, uniform) => {
            let drawn = 0;
            return sound(answer, table, d, () => (drawn++ < table.sample ? uniform() * 0 : uniform()));
          };
        }""",
    ),
    "bits as they are": (
        "kinds/ranking",
        """{
          const sound = MECHANISMS.ranking.draw;
          MECHANISMS.ranking.draw = (answer, table, d, uniform) =>
            sound(answer, table, d, uniform).map(([pair]) => [pair, answer[pair] ? 1 : 0]);
        }""",
    ),
    "orders the other way round": (
        "kinds/ranking",
        """{
          const sound = MECHANISMS.ranking.draw;
          MECHANISMS.ranking.draw = (answer, table, d, uniform) =>
            sound(answer.map((holds) => !holds), table, d, uniform);
        }""",
    ),
}
