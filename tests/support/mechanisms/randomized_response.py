"""Randomized response on subsets of options (M44), for one question."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from ldp import words
from tests.support.certificate_cases import ALPHAS, Case, keeping, question
from tests.support.draws import Draw, listed, listing, of_lists
from tests.support.mutation import SIGNED, Start, Swap, fault
from tests.support.questions import question as draft_question
from tests.support.stated_channels import Small, likelier, randomized_response_channel

QUESTIONS = [
    draft_question("few", "single_choice", "0.5", options=["a", "b", "c"], mechanism="randomized_response", size=1),
    draft_question("half", "single_choice", "0.01", options=[*"abcdef"], mechanism="randomized_response"),
    draft_question("all_but_one", "ordered", "0.02", options=[*"abc"], mechanism="randomized_response", size=3)
    | {"prefer_not_to_say": True},
]
DIGEST = "fad0564054391c1b"
KIND, SUBJECT = "single_choice", "thresholds"
TABLE = {"keep": 7, "sizes": [2]}
SMALL = Small(4, TABLE, 12, 3, randomized_response_channel(4, TABLE, 12), likelier((4,), TABLE, 12))


def answers(d: int, table: Any) -> list[Any]:
    return list(range(d))


def plan(d: int, table: Any, answer: Any) -> list[Draw]:
    return of_lists((d,), table)


def stated(d: int, table: Any, answer: Any, u: list[int]) -> Any:
    return listed([answer], (d,), table, u)[0]


def forced(question: Any, answer: Any, reported: Any) -> list[int]:
    return listing([answer], (len(question["options"]),), [reported])


def cases() -> Iterator[Case]:
    """Yield cases for every size that may be the best, and for sizes that no table may have."""
    for alpha, d in product(ALPHAS, (2, 3, 10, 255, 256)):
        for a in {1, 2, d // 2, d - 1} - {d}:
            yield from keeping("randomized_response", alpha, d, Fraction(d, a), {"sizes": [a]})
    for sizes in ([0], [4], [5], [-1], [1.5], [], [1, 1], [None], ["1"], [[1]], 1, "1", None, {}, {"0": 1}):
        yield question("randomized_response", "1", 4, {"keep": 1, "sizes": sizes}), False


KEPT = "uniform() < kept_below"


def steps(old: str, new: str, inside: str = "") -> Swap:
    return Swap("_steps", old, new, inside)


FAULTS = {
    "kept too often": fault(steps(KEPT, "uniform() < kept_below + 1")),
    "never kept": fault(steps(KEPT, "uniform() < 0")),
    "signed compare": fault(steps(KEPT, f"{SIGNED} < kept_below")),
    "low byte compared": fault(steps(KEPT, "(uniform() & 255) < (kept_below & 255)")),
    "the answer put in beside": fault(steps("0 not in places", "True")),
    "kept, and nothing put in": fault(steps("0 not in places", "False")),
    "last option never drawn": fault(steps("d", "d - 1", inside="shuffled")),
    "one option too few": fault(steps("a", "a - 1", inside="shuffled")),
    "the answer left out": fault(Swap("_listed", "(int(answer) + step) % d", "step % d")),
    "order tells the answer": fault(Swap("_listed", "sorted", "list")),
    "two options' rarity for all": fault(Swap("table", "rarity(counts, sizes)", "Fraction(2)")),
    "one word for all choices": fault(
        Start("shuffled", "u = uniform()"),
        Swap("shuffled", "uniform", "lambda: u >> 1", inside="choice"),
        module=words,
    ),
    "the place itself never chosen": fault(
        Swap("shuffled", "i + choice(n - i, uniform)", "min(i + 1 + choice(n - i, uniform), n - 1)"),
        module=words,
    ),
    "choices among all again": fault(
        Swap("shuffled", "choice(n - i, uniform)", "choice(n, uniform) % (n - i)"), module=words
    ),
    "remainders without rejection": fault(Swap("choice", "u >= end", "False"), module=words),
}

# Each fault replaces the function that draws the answers of one question and of several.
BROWSER_FAULTS = {
    "always kept": (
        "mechanisms",
        """{
          const sound = randomizedTogether;
          randomizedTogether = (answers, table, ...rest) => sound(answers, { ...table, keep: 2 ** 53 }, ...rest);
        }""",
    ),
    "kept on the wrong side": (
        "mechanisms",
        """{
          const sound = randomizedTogether;
          randomizedTogether = (answers, table, ...rest) =>
            sound(answers, { ...table, keep: table.keep + 1 }, ...rest);
        }""",
    ),
    "fewer choices where the answer is kept": (
        "mechanisms",
        """randomizedTogether = (answers, { keep, sizes }, counts, uniform) => {
          const kept = uniform() < keep;
          const drawn = counts.map((d, place) => kept
            ? [0, ...sample(d - 1, sizes[place] - 1, uniform).map((step) => step + 1)]
            : sample(d, sizes[place], uniform));
          return drawn.map((steps, place) => sorted(steps.map((step) => (answers[place] + step) % counts[place])));
        };""",
    ),
    "kept, and the last one replaced": (
        "mechanisms",
        """randomizedTogether = (answers, { keep, sizes }, counts, uniform) => {
          const kept = uniform() < keep;
          const drawn = counts.map((d, place) => sample(d, sizes[place], uniform));
          for (const steps of drawn) steps[0] = kept ? 0 : steps[0];
          return drawn.map((steps, place) => sorted(steps.map((step) => (answers[place] + step) % counts[place])));
        };""",
    ),
    "order tells the answer": (
        "mechanisms",
        """sorted = (numbers) => numbers;""",
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
