"""Bitwise randomized response (M3)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tests.support.certificate_cases import ALPHAS, Case, moves
from tests.support.draws import ALWAYS, NEVER, Draw
from tests.support.mutation import Swap, draw, fault, low_byte, signed
from tests.support.questions import question
from tests.support.stated_channels import Small, bitwise_channel

QUESTIONS = [
    question("bits", "yes_no", "16", mechanism="bitwise"),
    question("counted", "histogram", "3", edges=["0", "1", "2"], mechanism="bitwise"),
]
DIGEST = "66b1310fd654b0f0"
KIND, SUBJECT = "single_choice", "thresholds"
SMALL = Small(3, {"flip": 5}, 16, 3, bitwise_channel(3, {"flip": 5}, 16), Fraction(16 - 5, 5) ** 2)


def answers(d: int, table: Any) -> list[Any]:
    return list(range(d))


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    return [Draw([table["flip"]])] * d


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    return "".join("01"[(j == answer) is not (one < table["flip"])] for j, one in enumerate(u))


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    return [ALWAYS if (bit == "1") != (j == answer) else NEVER for j, bit in enumerate(reported)]


def cases() -> Iterator[Case]:
    for alpha in ALPHAS:
        yield from moves("bitwise", "flip", alpha, 7, 2, 2)


FLIPS = '[uniform() < table["flip"] for _ in range(d)]'
FAULTS = {
    "alpha not halved": fault(Swap("table", "alpha / 2", "alpha")),
    "one word shared by all bits": fault(draw(FLIPS, '[uniform() < table["flip"]] * d')),
    "last bit never flipped": fault(draw(FLIPS, '[*(uniform() < table["flip"] for _ in range(d - 1)), False]')),
    "zeros never flipped": fault(draw("flip != (j == answer)", "(not flip and j == answer)")),
    "signed compare": fault(signed()),
    "low byte compared": fault(low_byte("flip")),
    "at most instead of less": fault(draw('uniform() < table["flip"]', 'uniform() <= table["flip"]')),
}


BROWSER_FAULTS = {
    "one word shared by all bits": (
        "mechanisms",
        """MECHANISMS.bitwise.draw = (answer, table, d, uniform) => {
          const shared = uniform();
          return bitwise(answer, table, d, () => shared);
        };""",
    ),
    "last bit never flipped": (
        "mechanisms",
        """MECHANISMS.bitwise.draw = (answer, table, d, uniform) =>
          bitwise(answer, table, d - 1, uniform) + (answer === d - 1 ? "1" : "0");""",
    ),
    "zeros never flipped": (
        "mechanisms",
        """MECHANISMS.bitwise.draw = (answer, table, d, uniform) => {
          const flips = Array.from({ length: d }, () => uniform() < table.flip);
          return flips.map((flip, j) => (!flip && j === answer ? "1" : "0")).join("");
        };""",
    ),
    "signed compare": (
        "mechanisms",
        """MECHANISMS.bitwise.draw = (answer, table, d, uniform) =>
          bitwise(answer, { flip: table.flip | 0 }, d, () => uniform() | 0);""",
    ),
    "low byte compared": (
        "mechanisms",
        """MECHANISMS.bitwise.draw = (answer, table, d, uniform) =>
          bitwise(answer, { flip: table.flip % 256 }, d, () => uniform() % 256);""",
    ),
    "flips half as often": (
        "mechanisms",
        """MECHANISMS.bitwise.draw = (answer, table, d, uniform) =>
          bitwise(answer, { flip: table.flip / 2 }, d, uniform);""",
    ),
}
