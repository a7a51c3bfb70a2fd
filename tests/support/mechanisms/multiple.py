"""Several selections by sampling (M9)."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from tests.support.certificate_cases import ALPHAS, Case, keeping, question
from tests.support.draws import Draw
from tests.support.mutation import Swap, draw, fault
from tests.support.sampled_items import forced_items, item_draws, stated_items
from tests.support.stated_channels import Channel, Small, sampled_channel

QUESTIONS: list[dict[str, Any]] = []  # the kind's questions use it
DIGEST = ""
KIND, SUBJECT = "multiple_choice", "thresholds"


def _bits(rows: Channel) -> Channel:
    """Replace each item's list of one end by that end."""
    return [{tuple((item, bit) for item, (bit,) in z): chance for z, chance in row.items()} for row in rows]


def answers(d: int, table: Any) -> list[Any]:
    return [list(flags) for flags in product((False, True), repeat=d)]


TABLE = {"sample": 2, "keep": 4}
SMALL = Small(3, TABLE, 6, 5, _bits(sampled_channel(answers(3, TABLE), 2, 3, TABLE, 6)), Fraction(9))


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    return item_draws(2, table, answer)


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    return [[item, bit] for item, [bit] in stated_items(2, table, answer, u)]


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    return forced_items(2, question["table"], answer, [(item, [bit]) for item, bit in reported])


def cases() -> Iterator[Case]:
    for alpha, sample in product(ALPHAS, (1, 3, 9)):
        yield from keeping("multiple", alpha, 9, Fraction(2**sample), {"sample": sample})
    for sample, sound in ((12, True), (13, False)):
        yield question("multiple", "1", 14, {"sample": sample, "keep": 1}), sound


FAULTS = {
    "items drawn apart": fault(Swap("table", "(2,) * sample", "(2,)")),
    "zeros always kept": fault(draw("bit", "bit and int(answer[item])")),
    "the first item's answer for all": fault(draw("answer[item]", "answer[0]")),
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
        """const drawn = MECHANISMS.multiple.draw;
        MECHANISMS.multiple.draw = (answer, table, d, uniform) =>
          drawn(answer, table, d, uniform).filter(([item]) => answer[item]);""",
    ),
    "ticks reported as they are": (
        "mechanisms",
        """const drawn = MECHANISMS.multiple.draw;
        MECHANISMS.multiple.draw = (answer, table, d, uniform) =>
          drawn(answer, table, d, uniform).map(([item]) => [item, answer[item] ? 1 : 0]);""",
    ),
    "items in the order drawn": (
        "mechanisms",
        """sorted = (numbers) => numbers;""",
    ),
}
