"""A mean by one bit (M8)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from tests.support.certificate_cases import ALPHAS, Case, moves
from tests.support.draws import Draw, moved, shifted
from tests.support.mutation import Swap, draw, fault
from tests.support.questions import question
from tests.support.stated_channels import Small, randomized_response_channel

QUESTIONS = [question("step", "mean", "1", steps=["never", "seldom", "often", "always"], mechanism="one_bit")]
DIGEST = "1b91622d4600fca9"
KIND, SUBJECT = "mean", "thresholds"
SMALL = Small(2, {"other": 3}, 16, 1, randomized_response_channel(2, {"other": 3}, 16), Fraction(13, 3))


def answers(d: int, table: Any) -> list[Any]:
    return [0, 1]


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    return [Draw([table["other"]])]


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    return shifted(answer, 2, table, u[0])


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    return moved(2, question["table"]["other"], answer, reported)


def cases() -> Iterator[Case]:
    for alpha in ALPHAS:
        yield from moves("one_bit", "other", alpha, 0, 2, 1)


FAULTS = {
    "never flipped": fault(draw("randomized_response.randomize(...)", "(uniform(), answer)[1]")),
    "twice the alpha": fault(Swap("table", "alpha", "2 * alpha", inside="table")),
}


BROWSER_FAULTS = {
    "bit never the other": (
        "mechanisms",
        """MECHANISMS.one_bit.draw = (answer, table, d, uniform) => randomizedResponse(answer, table, 1, uniform);""",
    ),
}
