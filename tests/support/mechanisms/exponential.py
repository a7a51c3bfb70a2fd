"""The exponential mechanism on an ordered scale (M7)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ldp.tables import channel
from tests.support.certificate_cases import Case, sharp_pairs, shifted_rows
from tests.support.draws import THRESHOLDS_MAX, Draw, cell, reaching, some
from tests.support.mutation import AT_MOST, LOW_BYTES, Swap, draw, fault, signed
from tests.support.questions import question
from tests.support.stated_channels import Small, rows_channel

QUESTIONS = [
    question("scale", "ordered", "1", options=["not", "little", "some", "much", "all"], mechanism="exponential"),
    question("steep", "ordered", "16", options=[*"abc"], mechanism="exponential", prefer_not_to_say=True),
]
DIGEST = "60f36a696079f33c"
KIND, SUBJECT = "ordered", "weights"
SCALE = {"rows": [[8, 13], [4, 12], [3, 8]]}
SMALL = Small(3, SCALE, 16, 1, rows_channel(3, SCALE, 16), Fraction(8, 3))


def answers(d: int, table: Any) -> list[Any]:
    return list(range(len(table["rows"])))


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    return [Draw(some(table["rows"][answer], THRESHOLDS_MAX))]


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    return cell(table["rows"][answer], u[0])


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    return [reaching(question["table"]["rows"][answer], reported)]


def cases() -> Iterator[Case]:
    yield from sharp_pairs("exponential")
    yield from shifted_rows("exponential")


FAULTS = {
    "at most instead of less": fault(AT_MOST, module=channel),
    "last output never reached": fault(draw('table["rows"][answer]', 'table["rows"][answer][:-1]'), module=channel),
    "the row of another answer": fault(draw('table["rows"][answer]', 'table["rows"][answer - 1]'), module=channel),
    "signed compare": fault(signed(), module=channel),
    "low byte compared": fault(LOW_BYTES, module=channel),
    "twice the rate": fault(Swap("_table", "alpha", "(2 * alpha)", inside="steepest")),
}


BROWSER_FAULTS = {
    "the middle row for all": (
        "mechanisms",
        """MECHANISMS.exponential.draw = (answer, table, d, uniform) => exponential(1, table, d, uniform);""",
    ),
    "the answer kept at times": (
        "mechanisms",
        """MECHANISMS.exponential.draw = (answer, table, d, uniform) =>
          exponential(answer, table, d, uniform) || answer;""",
    ),
}
