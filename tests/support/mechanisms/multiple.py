"""Several selections by sampling (M9)."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from ldp import words
from tests.support.certificate_cases import ALPHAS, Case, moves
from tests.support.draws import Draw
from tests.support.mutation import Swap, draw, fault, low_byte, signed
from tests.support.sampled_items import forced_items, item_draws, stated_items
from tests.support.stated_channels import Small, sampled_channel

QUESTIONS: list[dict[str, Any]] = []  # the kind's own questions take it
DIGEST = ""
KIND, SUBJECT = "multiple_choice", "thresholds"


def answers(d: int, table: Any) -> list[Any]:
    return [list(flags) for flags in product((False, True), repeat=d)]


TABLE = {"sample": 2, "other": 1}
SMALL = Small(3, TABLE, 6, 4, sampled_channel(answers(3, TABLE), 2, 3, TABLE, 6), Fraction(5) ** 2)


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    return item_draws(2, table, answer)


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    return stated_items(2, table, answer, u)


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    return forced_items(2, question["table"], answer, reported)


def cases() -> Iterator[Case]:
    for alpha, sample in product(ALPHAS, (1, 3, 9)):
        yield from moves("multiple", "other", alpha, 9, 2, sample, sample=sample)


OTHERS = '[uniform() < table["other"] for _ in items]'
FAULTS = {
    "the place itself never chosen": fault(
        Swap("shuffled", "i + choice(n - i, uniform)", "min(i + 1 + choice(n - i, uniform), n - 1)"),
        module=words,
    ),
    "choices among all again": fault(
        Swap("shuffled", "choice(n - i, uniform)", "choice(n, uniform) % (n - i)"), module=words
    ),
    "alpha not shared": fault(Swap("table", "alpha / sample", "alpha")),
    "one word for all bits": fault(draw(OTHERS, '[uniform() < table["other"]] * len(items)')),
    "zeros never flipped": fault(draw("answer[item] != flip", "(answer[item] and not flip)")),
    "signed compare": fault(signed()),
    "low byte compared": fault(low_byte("other")),
    "the order of items tells the answer": fault(
        draw(
            'sorted(shuffled(d, table["sample"], uniform))',
            'sorted(shuffled(d, table["sample"], uniform), key=lambda i: not answer[i])',
        ),
    ),
    "last item never drawn": fault(draw("d", "d - 1", inside="shuffled")),
}


BROWSER_FAULTS = {
    "only ticked items drawn": (
        "mechanisms",
        """MECHANISMS.multiple.draw = (answer, table, d, uniform) =>
          multiple(answer, table, d, uniform).filter(([item]) => answer[item]);""",
    ),
    "ticks reported as they are": (
        "mechanisms",
        """MECHANISMS.multiple.draw = (answer, table, d, uniform) =>
          multiple(answer, table, d, uniform).map(([item]) => [item, answer[item] ? 1 : 0]);""",
    ),
    "items in the order drawn": (
        "mechanisms",
        """sorted = (numbers) => numbers;""",
    ),
}
