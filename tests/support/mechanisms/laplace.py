"""Discrete Laplace noise per bin (M5)."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from ldp.exact import RESOLUTION
from tests.support.certificate_cases import ALPHAS, Case, moves
from tests.support.draws import ALWAYS, NEVER, Draw
from tests.support.mutation import Swap, draw, fault
from tests.support.questions import question
from tests.support.stated_channels import Channel, Small, bitwise_channel

QUESTIONS = [
    question("laplace", "histogram", "0.7", edges=["-1.5", "0", "2.25", "10"], mechanism="laplace")
    | {"prefer_not_to_say": True}
]
DIGEST = "9c5c2939ee4abc37"
KIND, SUBJECT = "histogram", "thresholds"


def channel(d: int, table: Any, resolution: int) -> Channel:
    flips = bitwise_channel(d, table, resolution)
    digits = [Fraction(b, resolution) for b in table["magnitude"]]
    law = {
        sum(bit << k for k, bit in enumerate(ones)): prod(
            b if one else 1 - b for one, b in zip(ones, digits, strict=True)
        )
        for ones in product((0, 1), repeat=len(digits))
    }

    def row(x: int) -> dict[tuple[int, ...], Fraction]:
        result = {}
        for bits, chance in flips[x].items():
            for magnitudes in product(law, repeat=d):
                report = tuple(1 + j if bit == "1" else -j for bit, j in zip(bits, magnitudes, strict=True))
                result[report] = chance * prod(law[j] for j in magnitudes)
        return result

    return [row(x) for x in range(d)]


SMALL = Small(
    2, {"flip": 1, "magnitude": [1, 2]}, 4, 6, channel(2, {"flip": 1, "magnitude": [1, 2]}, 4), Fraction(3) ** 2
)


def answers(d: int, table: Any) -> list[Any]:
    return list(range(d))


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    return [Draw([t]) for t in (table["flip"], *table["magnitude"])] * d


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    bins = [u[i : i + len(u) // d] for i in range(0, len(u), len(u) // d)]
    ones = [(j == answer) is not (first < table["flip"]) for j, (first, *_) in enumerate(bins)]
    sizes = [sum(2**k for k, b in enumerate(table["magnitude"]) if digits[k] < b) for _, *digits in bins]
    return [1 + size if one else -size for one, size in zip(ones, sizes, strict=True)]


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    wished = []
    for j, value in enumerate(reported):
        one = value >= 1
        wished.append(ALWAYS if one != (j == answer) else NEVER)
        distance = value - 1 if one else -value
        wished += [ALWAYS if distance >> k & 1 else NEVER for k in range(len(question["table"]["magnitude"]))]
    return wished


def cases() -> Iterator[Case]:
    for alpha in ALPHAS:
        yield from moves("laplace", "flip", alpha, 7, 2, 2, magnitude=[1, RESOLUTION - 1])


FAULTS = {
    "alpha not halved": fault(Swap("table", "bitwise.table(...)", "{'flip': exact.threshold(alpha, 2)}")),
    "magnitude from the flip's word": fault(draw("uniform() < b", "flip")),
    "magnitude tells the answer": fault(draw("-magnitude", "-magnitude * (j != answer)")),
    "last bin without noise": fault(draw('uniform() < table["flip"]', 'uniform() < table["flip"] and j < d - 1')),
}


BROWSER_FAULTS = {
    "magnitude from the flip's word": (
        "mechanisms",
        """MECHANISMS.laplace.draw = (answer, table, d, uniform) => Array.from({ length: d }, (_, j) => {
          const flip = uniform() < table.flip;
          const magnitude = table.magnitude.reduce((sum, _, k) => sum + (flip ? 2 ** k : 0), 0);
          return flip !== (j === answer) ? 1 + magnitude : 0 - magnitude;
        });""",
    ),
    "last bin without noise": (
        "mechanisms",
        """MECHANISMS.laplace.draw = (answer, table, d, uniform) => Array.from({ length: d }, (_, j) => {
          const kept = j < d - 1 ? table : { ...table, flip: 0 };
          return laplace(j === answer ? 0 : -1, kept, 1, uniform)[0];
        });""",
    ),
}
