"""A mean by discrete Laplace noise (M8)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ldp.tables import channel
from tests.support.certificate_cases import Case, sharp_pairs, shifted_rows
from tests.support.draws import THRESHOLDS_MAX, Draw, cell, reaching, some
from tests.support.mutation import AT_MOST, Swap, draw, fault
from tests.support.questions import question
from tests.support.stated_channels import Small, rows_channel

QUESTIONS = [
    question("noise", "mean", "2.3", low="-10.5", high="40.25", mechanism="laplace_mean"),
    question("ends", "mean", "0.2", low="-3", high="-0.000001", mechanism="laplace_mean"),
    question("step_noise", "mean", "3", steps=[*"abcdefg"], mechanism="laplace_mean"),
]
DIGEST = "e13de302ca163ed3"
KIND, SUBJECT = "mean", "weights"
GRID = {"rows": [[5, 11, 13, 15], [2, 5, 11, 14], [1, 3, 5, 11]]}
SMALL = Small(3, GRID, 16, 1, rows_channel(3, GRID, 16, lowest=-1), Fraction(5))


def answers(d: int, table: Any) -> list[Any]:
    return list(range(len(table["rows"])))


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    return [Draw(some(table["rows"][answer], THRESHOLDS_MAX))]


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    return cell(table["rows"][answer], u[0]) - _beyond(table)


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    return [reaching(question["table"]["rows"][answer], reported + _beyond(question["table"]))]


def _beyond(table: Any) -> int:
    """Return by how many steps a report can lie beyond each end of the grid."""
    return (len(table["rows"][0]) + 1 - len(table["rows"])) // 2


def cases() -> Iterator[Case]:
    yield from sharp_pairs("laplace_mean")
    yield from shifted_rows("laplace_mean")


FAULTS = {
    "at most instead of less": fault(AT_MOST, module=channel),
    "not shifted": fault(draw("beyond(...)", "0")),
    "shifted by the answer": fault(draw("beyond(table)", "(beyond(table) - answer)")),
    "two grid points' alpha for all": fault(Swap("_table", "alpha", "(alpha * steps)", inside="steepest")),
}


BROWSER_FAULTS = {
    "off by one step": (
        "mechanisms",
        """MECHANISMS.laplace_mean.draw = (answer, table, d, uniform) => laplaceMean(answer, table, d, uniform) + 1;""",
    ),
    "clamped to the range": (
        "mechanisms",
        """MECHANISMS.laplace_mean.draw = (answer, table, d, uniform) =>
          Math.max(0, laplaceMean(answer, table, d, uniform));""",
    ),
}
