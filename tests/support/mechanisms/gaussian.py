"""Discrete Gaussian noise per bin (M6)."""

from collections.abc import Iterator
from typing import Any

from tests.support.bin_noise import NOISE_FAULTS, SMALL_NOISE, forced_noise, noise_draws, stated_noise
from tests.support.certificate_cases import Case, noise_tables
from tests.support.draws import Draw
from tests.support.questions import question

QUESTIONS = [
    question("bell", "histogram", "4", edges=["0", "1", "2"], mechanism="gaussian", delta="0.0010")
    | {"prefer_not_to_say": True}
]
DIGEST = "e45c9f7528eee168"
KIND, SUBJECT = "histogram", "noise"
SMALL = SMALL_NOISE


def answers(d: int, table: Any) -> list[Any]:
    return list(range(d))


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    return noise_draws(d, table)


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    return stated_noise(table, answer, u)


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    return forced_noise(question["table"], answer, reported)


def cases() -> Iterator[Case]:
    yield from noise_tables("gaussian")


FAULTS = NOISE_FAULTS

BROWSER_FAULTS = {
    "noise only beside the answer": (
        "mechanisms",
        """MECHANISMS.gaussian.draw = (answer, table, d, uniform) =>
          binNoise(-1, table, d, uniform).map((noise, j) => (j === answer ? 1 : noise));""",
    ),
    "threshold reached too late": (
        "mechanisms",
        """{ const sound = reached; reached = (thresholds, u) => sound(thresholds, u - 1); }""",
    ),
}
