"""A grid by sampling (M9)."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from tests.support.certificate_cases import ALPHAS, Case, keeping, question
from tests.support.draws import Draw
from tests.support.mutation import Swap, draw, fault
from tests.support.sampled_items import forced_items, item_draws, stated_items
from tests.support.stated_channels import Small, sampled_channel

QUESTIONS: list[dict[str, Any]] = []  # the kind's questions use it
DIGEST = ""
KIND, SUBJECT = "grid", "thresholds"


def answers(d: int, table: Any) -> list[Any]:
    return [list(indices) for indices in product(range(d), repeat=table["items"])]


TABLE = {"sample": 1, "keep": 4, "size": 2, "items": 2}
SMALL = Small(3, TABLE, 6, 4, sampled_channel(answers(3, TABLE), 3, 2, TABLE, 6), Fraction(4))


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    return item_draws(d, table, answer)


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    return stated_items(d, table, answer, u)


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    return forced_items(len(question["options"]), question["table"], answer, reported)


def cases() -> Iterator[Case]:
    for alpha, (d, sample) in product(ALPHAS, [(2, 5), (3, 2), (10, 3), (64, 2), (255, 1), (256, 1)]):
        for size in {1, 2, d // 2, d - 1} - {d}:
            yield from keeping("grid", alpha, d, Fraction(d, size) ** sample, {"sample": sample, "size": size})
    for d, sample, sound in ((64, 2, True), (65, 2, False), (5, 5, True), (6, 5, False)):
        yield question("grid", "1", d, {"sample": sample, "keep": 1, "size": 1}), sound
    for size in (0, 4, -1, 1.5, None, [1]):
        yield question("grid", "1", 4, {"sample": 1, "keep": 1, "size": size}), False


FAULTS = {
    "alpha for each item": fault(Swap("table", "alpha", "alpha * sample", inside="table")),
    "last item never drawn": fault(draw("len(answer)", "len(answer) - 1")),
    "last option never reached": fault(draw("_together(table, d)", "_together(table, d - 1)")),
    "the lists of one item for all": fault(draw("options", "listed[0]")),
    "the first item's answer for all": fault(draw("answer[item]", "answer[0]")),
}


BROWSER_FAULTS = {
    "always the first items": (
        "uniform",
        """sample = (n, m, uniform) => {
          const drawn = Array.from({ length: m }, (_, i) => i);
          drawn.forEach((i) => choice(n - i, uniform));
          return drawn;
        };""",
    ),
    "every item's first answer": (
        "mechanisms",
        """const drawn = MECHANISMS.grid.draw;
        MECHANISMS.grid.draw = (answer, table, d, uniform) =>
          drawn(answer.map(() => answer[0]), table, d, uniform);""",
    ),
    "two options' chance of the rest": (
        "mechanisms",
        """const drawn = MECHANISMS.grid.draw;
        MECHANISMS.grid.draw = (answer, table, d, uniform) => drawn(answer, table, 2, uniform);""",
    ),
}
