"""Noise with offset-symmetric Gaussian tails per bin (M6)."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from tests.support.bin_noise import NOISE_FAULTS, SMALL_NOISE, forced_noise, noise_draws, stated_noise
from tests.support.certificate_cases import Case, noise_tables, sharp_noise
from tests.support.draws import Draw
from tests.support.questions import question

QUESTIONS = [question("tails", "histogram", "1", edges=["0", "1", "2", "3"], mechanism="osgt", delta="0.000001")]
DIGEST = "ed08a2b1d72a6877"
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
    yield from islice(sharp_noise("osgt"), 60)
    yield from noise_tables("osgt")


FAULTS = NOISE_FAULTS

BROWSER_FAULTS = {
    "noise reused": (
        "mechanisms",
        """MECHANISMS.osgt.draw = (answer, table, d, uniform) => {
          const u = uniform();
          return binNoise(answer, table, d, () => u);
        };""",
    ),
    "last threshold skipped": (
        "mechanisms",
        """{ const sound = reached; reached = (thresholds, u) => sound(thresholds.slice(0, -1), u); }""",
    ),
}
