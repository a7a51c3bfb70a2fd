"""Subset selection (M4)."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from ldp import words
from ldp.exact import RESOLUTION, exp_below
from tests.support.certificate_cases import ALPHAS, Case, question
from tests.support.draws import ALWAYS, NEVER, Draw, dealt, shuffle
from tests.support.mutation import SIGNED, Start, Swap, draw, fault, low_byte
from tests.support.questions import question as draft_question
from tests.support.stated_channels import Channel, Small

QUESTIONS = [
    draft_question("half", "single_choice", "0.01", options=[*"abcdef"], mechanism="subset"),
    draft_question("all_but_one", "ordered", "0.02", options=[*"abc"], mechanism="subset", prefer_not_to_say=True),
]
DIGEST = "cbb5dacabd12a9dc"
KIND, SUBJECT = "ordered", "thresholds"


def channel(d: int, table: Any, resolution: int) -> Channel:
    m, p = table["m"], Fraction(table["in"], resolution)
    inside, outside = p / math.comb(d - 1, m - 1), (1 - p) / math.comb(d - 1, m)
    return [{z: inside if x in z else outside for z in combinations(range(d), m)} for x in range(d)]


SMALL = Small(4, {"m": 2, "in": 5}, 6, 3, channel(4, {"m": 2, "in": 5}, 6), Fraction(5 * 2, 1 * 2))


def answers(d: int, table: Any) -> list[Any]:
    return list(range(d))


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    return [Draw([table["in"]]), *(Draw([], d - 1 - i) for i in range(table["m"]))]


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    others = [(answer + step) % d for step in range(1, d)]
    return sorted([answer] * (u[0] < table["in"]) + dealt(others, u[1:])[: table["m"] - (u[0] < table["in"])])


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    d, m = len(question["options"]), question["table"]["m"]
    steps = [(each - answer) % d - 1 for each in reported if each != answer]
    spare = [step for step in range(d - 1) if step not in steps]  # drawn, and replaced by the answer
    return [ALWAYS if answer in reported else NEVER, *shuffle(d - 1, (steps + spare)[:m])]


def cases() -> Iterator[Case]:
    """t from R m/d to R m S/(m S + d - m), for every m that the table could name."""
    for alpha, d in product(ALPHAS, (2, 3, 10, 256)):
        power = exp_below(Fraction(alpha))
        for m in {1, 2, d // 2, d - 1} - {d}:
            most = math.floor(RESOLUTION * m * power / (m * power + d - m))
            fewest = math.ceil(Fraction(RESOLUTION * m, d))
            for t, sound in ((most, True), (most + 1, False), (fewest, True), (fewest - 1, False)):
                yield question("subset", alpha, d, {"m": m, "in": t}), sound
        for m in (0, d, d + 1, 1.5):
            yield question("subset", alpha, d, {"m": m, "in": RESOLUTION // 2}), False


FAULTS = {
    "the answer in too often": fault(draw('uniform() < table["in"]', 'uniform() < table["in"] + 1')),
    "the answer never in": fault(draw("inside", "False")),
    "draws that depend on the answer": fault(
        draw("shuffled(d - 1, m, uniform)", "shuffled(d - 1, m - inside, uniform) + [0] * inside")
    ),
    "signed compare": fault(draw("uniform() < table['in']", f"{SIGNED} < table['in']")),
    "low byte compared": fault(low_byte("in")),
    "last other category never drawn": fault(draw("d - 1", "d - 2", inside="shuffled")),
    "one category too few": fault(Swap("table", "m * bound + d - m", "m * bound + d - m - 1", "floor")),
    "one word for all choices": fault(
        Start("shuffled", "u = uniform()"),
        Swap("shuffled", "uniform", "lambda: u >> 1", inside="choice"),
        module=words,
    ),
    "remainders without rejection": fault(Swap("choice", "u >= end", "False"), module=words),
}


BROWSER_FAULTS = {
    "truth always in": (
        "mechanisms",
        """MECHANISMS.subset.draw = (answer, table, d, uniform) =>
          subset(answer, { ...table, in: 2 ** 53 }, d, uniform);""",
    ),
    "truth in on the wrong side": (
        "mechanisms",
        """MECHANISMS.subset.draw = (answer, table, d, uniform) =>
          subset(answer, { ...table, in: table.in + 1 }, d, uniform);""",
    ),
    "fewer choices where the truth is in": (
        "mechanisms",
        """MECHANISMS.subset.draw = (answer, table, d, uniform) => {
          const inside = uniform() < table.in;
          const steps = sample(d - 1, table.m - (inside ? 1 : 0), uniform).map((k) => k + 1);
          if (inside) steps[table.m - 1] = 0;
          return sorted(steps.map((step) => (answer + step) % d));
        };""",
    ),
    "order tells the truth": (
        "mechanisms",
        """sorted = (numbers) => numbers;""",
    ),
    "answer itself as another category": (
        "mechanisms",
        """MECHANISMS.subset.draw = (answer, table, d, uniform) => {
          const inside = uniform() < table.in;
          const steps = sample(d - 1, table.m, uniform);
          if (inside) steps[table.m - 1] = 0;
          return sorted(steps.map((step) => (answer + step) % d));
        };""",
    ),
    "biased choice": (
        "uniform",
        """choice = (k, uniform) => uniform() % k;""",
    ),
    "choice never the last": (
        "uniform",
        """{ const sound = choice; choice = (k, uniform) => sound(k, uniform) % Math.max(1, k - 1); }""",
    ),
    "shuffle in place": (
        "uniform",
        """sample = (n, m, uniform) => {
          const deck = Array.from({ length: n }, (_, i) => i);
          for (let i = 0; i < m; i += 1) {
            const j = choice(n - i, uniform);
            [deck[i], deck[j]] = [deck[j], deck[i]];
          }
          return deck.slice(0, m);
        };""",
    ),
}
