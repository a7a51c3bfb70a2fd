"""A mean by one bit (M8)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tests.support.certificate_cases import ALPHAS, Case, keeping
from tests.support.draws import Draw, listed, listing, of_lists
from tests.support.mutation import Swap, draw, fault
from tests.support.questions import question
from tests.support.stated_channels import Small, randomized_response_channel

QUESTIONS = [question("step", "mean", "1", steps=["never", "seldom", "often", "always"], mechanism="one_bit")]
DIGEST = "2d93822efb635322"
KIND, SUBJECT = "mean", "thresholds"
TABLE = {"keep": 10, "sizes": [1]}
SMALL = Small(2, TABLE, 16, 2, randomized_response_channel(2, TABLE, 16), Fraction(13, 3))


def answers(d: int, table: Any) -> list[Any]:
    return [0, 1]


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    return of_lists((2,), table)


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    return listed([answer], (2,), table, u)[0]


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    return listing([answer], (2,), [reported])


def cases() -> Iterator[Case]:
    for alpha in ALPHAS:
        yield from keeping("one_bit", alpha, 0, Fraction(2), {"sizes": [1]})


FAULTS = {
    "never the other end": fault(draw("randomized_response.randomize(...)", "(uniform(), uniform(), [answer])[2]")),
    "twice the alpha": fault(Swap("table", "alpha", "2 * alpha", inside="table")),
}


BROWSER_FAULTS = {
    "bit never the other": (
        "mechanisms",
        """MECHANISMS.one_bit.draw = (answer, table, d, uniform) =>
          randomizedResponse(answer, { ...table, keep: 2 ** 53 }, 2, uniform);""",
    ),
}
