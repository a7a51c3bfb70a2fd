"""Randomized response on options (M2)."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from tests.support.certificate_cases import ALPHAS, Case, moves
from tests.support.draws import Draw, moved, shifted
from tests.support.mutation import Swap, draw, fault, signed
from tests.support.questions import question
from tests.support.stated_channels import Small, randomized_response_channel

QUESTIONS = [question("few", "single_choice", "0.5", options=["a", "b", "c"], mechanism="randomized_response")]
DIGEST = "bb118e8598a4122d"
KIND, SUBJECT = "single_choice", "thresholds"
SMALL = Small(5, {"other": 3}, 64, 1, randomized_response_channel(5, {"other": 3}, 64), Fraction(64 - 4 * 3, 3))


def answers(d: int, table: Any) -> list[Any]:
    return list(range(d))


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    return [Draw([k * table["other"] for k in range(1, d)])]


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    return shifted(answer, d, table, u[0])


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    return moved(len(question["options"]), question["table"]["other"], answer, reported)


def cases() -> Iterator[Case]:
    for alpha, d in product(ALPHAS, (2, 3, 10, 255, 256)):
        yield from moves("randomized_response", "other", alpha, d, d, 1)


FAULTS = {
    "another category too often": fault(draw("k", "(k + 1)")),
    "last category never reached": fault(draw("range(1, d)", "range(1, d - 1)")),
    "signed compare": fault(signed()),
    "two categories' alpha for all": fault(Swap("table", "d", "2", inside="threshold")),
}


BROWSER_FAULTS = {
    "rounded division": (
        "mechanisms",
        """MECHANISMS.randomized_response.draw = (answer, table, d, uniform) =>
          (answer + Math.max(0, d - 1 - Math.round(uniform() / table.other))) % d;""",
    ),
    "last category never reached": (
        "mechanisms",
        """MECHANISMS.randomized_response.draw = (answer, table, d, uniform) => {
          const u = uniform();
          let shift = 0;
          for (let k = 1; k < d - 1; k += 1) shift += u < k * table.other ? 1 : 0;
          return (answer + shift) % d;
        };""",
    ),
}
