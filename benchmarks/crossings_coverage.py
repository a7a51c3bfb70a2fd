"""The rate at which statements on crossings hold: `python -m benchmarks.crossings_coverage` prints a table.

Mechanisms are crossed with each other, at alpha .5 to 8 and n 50 to 2000, for laws of answers that are independent or
not, even or sparse, for a population and for fixed respondents. The table has how often the intervals of joint shares
hold one by one, and all together; how often those within subgroups all hold; how often a cell with independent answers
is named; and how often the test of the whole table wrongly refuses independence at .05, of the times it was done.
Nominal are .95 for intervals, at most .05 for the others.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks import simulation
from ldp.forms.crossed import of_reports
from ldp.forms.joint_crossing import JointCrossing
from ldp.forms.marginals import JointTally
from ldp.forms.report import Part
from ldp.forms.schema import Draw
from ldp.inference import association, crossed, intervals
from ldp.inference.variables import Variable, variable
from ldp.mechanisms import MECHANISMS, randomized_response
from ldp.question import Drawn
from ldp.scores import ChannelMoments, Target

Law = npt.NDArray[np.float64]
CONFIDENCE, LEVEL = 0.95, 0.05

LAWS: dict[str, Callable[[int, int], Law]] = {
    "even": lambda d1, d2: np.full((d1, d2), 1 / (d1 * d2)),
    "sparse": lambda d1, d2: np.outer(_sparse(d1), _sparse(d2)),
    "dependent": lambda d1, d2: 0.5 * np.outer(_sparse(d1), _sparse(d2)) + 0.5 * _diagonal(d1, d2),
    "diagonal": lambda d1, d2: _diagonal(d1, d2),
}


def _sparse(d: int) -> Law:
    """Return nearly all in the first, one in twenty in the second, and no one in the last of three or more."""
    if d < 4:
        return np.array([0.95, 0.05, 0.0][:d])
    return np.array([0.92, 0.05, *[0.03 / (d - 3)] * (d - 3), 0.0])


def _diagonal(d1: int, d2: int) -> Law:
    law = np.zeros((d1, d2))
    law[np.arange(max(d1, d2)) % d1, np.arange(max(d1, d2)) % d2] = 1
    return law / law.sum()


@dataclass(frozen=True)
class Cell:
    first: str
    second: str
    shape: tuple[int, int]
    alpha: str
    n: int
    law: str
    target: Target = "population"


@dataclass
class Held:
    """How many surveys hold each statement. `alone` (d1, d2) counts surveys whose interval of a cell held."""

    surveys: int
    alone: Any
    together: int = 0
    within: int = 0
    named: int = 0
    tested: int = 0
    rejected: int = 0
    widths: list[float] = field(default_factory=list)


def question(key: str, mechanism: str, d: int, alpha: str) -> dict[str, Any]:
    """Return a question. With randomized response a report lists one option, or the number in the mechanism's name."""
    mechanism, _, size = mechanism.partition(" ")
    listed = {"size": min(int(size or 1), d - 1)} if mechanism == "randomized_response" else {}
    table = MECHANISMS[mechanism].table(Fraction(alpha), d, **listed)
    return {"key": key, "kind": "ordered", "text": key, "options": [f"o{j}" for j in range(d)], "mechanism": mechanism,
            "alpha": alpha, "table": table, "prefer_not_to_say": False}  # fmt: skip


def of_one_draw(
    keys: Sequence[str], shape: Sequence[int], alpha: str, sizes: Sequence[int] | None = None
) -> list[Drawn]:
    """Return questions of one draw under this alpha. A report lists `sizes` options of each, or one."""
    table = randomized_response.table(Fraction(alpha), shape, sizes or [1] * len(shape))
    asked = [question(key, "randomized_response", d, alpha) for key, d in zip(keys, shape, strict=True)]
    draw: Draw = {"alpha": alpha, "mechanism": "randomized_response", "table": table, "questions": list(keys)}
    return list(Part(tuple(asked), draw, 0).drawn)  # type: ignore[arg-type]


def crossing_of(first: Variable, second: Variable, counts: npt.ArrayLike) -> JointCrossing:
    """Return the crossing of two questions of one draw, with one option of each in a report, from the cells' counts."""
    cells = tuple(int(count) for count in np.ravel(counts))
    table = {"keep": first.question["table"]["keep"], "sizes": [1, 1]}
    shape = len(first.options), len(second.options)
    return JointCrossing(first, second, JointTally(table, shape, cells).pair(0, 1))


def sent(asked: dict[str, Any], true: npt.NDArray[np.int64], generator: np.random.Generator) -> npt.NDArray[np.int16]:
    """Return the columns of reports for these answers. Laplace noise has only its side, which alone is counted."""
    d, table = len(asked["options"]), asked["table"]
    law = next(iter(MECHANISMS[asked["mechanism"]].moments(table, d).values()))
    if isinstance(law, ChannelMoments):
        weights = np.array(law.weights, dtype=float)
        channel = weights / weights.sum(axis=1, keepdims=True)
        return simulation.outputs(true, channel, generator).astype(np.int16)[:, None]
    if asked["mechanism"] == "randomized_response" and table["sizes"] == [1]:
        return simulation.randomized_response(true, d, law, generator).argmax(axis=1).astype(np.int16)[:, None]
    if asked["mechanism"] == "randomized_response":
        return simulation.subsets(true, d, table["sizes"][0], law, generator).astype(np.int16)
    return simulation.bits(true, d, law, generator).astype(np.int16)


def held(cell: Cell, surveys: int, seed: int) -> Held:
    """Return the results of simulated surveys, from a generator with this seed."""
    generator, law = np.random.default_rng(seed), LAWS[cell.law](*cell.shape)
    pair = _variables(cell)
    fixed = _people(law, cell.n)
    truth = law if cell.target == "population" else np.bincount(fixed, minlength=law.size).reshape(law.shape) / cell.n
    found = Held(surveys, np.zeros(cell.shape, dtype=int))
    for _ in range(surveys):
        people = generator.choice(law.size, cell.n, p=law.ravel()) if cell.target == "population" else fixed
        answers = people // cell.shape[1], people % cell.shape[1]
        parts = tuple(sent(one.question, true, generator) for one, true in zip(pair, answers, strict=True))
        _look(found, of_reports(*pair, [parts]), truth, cell.target)  # type: ignore[list-item]
    return found


def _variables(cell: Cell) -> tuple[Variable, Variable]:
    names = ((cell.first, cell.shape[0], "a"), (cell.second, cell.shape[1], "b"))
    one, other = (variable([question(key, name, d, cell.alpha)], key) for name, d, key in names)
    return one, other


def _people(law: Law, n: int) -> npt.NDArray[np.int64]:
    """Return n people whose shares are nearest to the law's. The most frequent cell takes the rest."""
    counts = np.floor(law.ravel() * n).astype(int)
    counts[counts.argmax()] += n - counts.sum()
    return np.repeat(np.arange(law.size), counts)


def _look(found: Held, crossing: crossed.Crossing, truth: Law, target: Target) -> None:
    alone = crossing.intervals(CONFIDENCE)
    found.alone += _holds(alone, truth)
    level = intervals.bonferroni(CONFIDENCE, truth.size)
    joint = crossing.intervals(level)
    found.together += int(_holds(joint, truth).all())
    found.widths.append(float((joint[..., 1] - joint[..., 0]).mean()))
    found.within += int(_within(crossing, truth, level) and _within(crossing.turned(), truth.T, level))
    if target == "population":
        _test(found, crossing, truth)


def _test(found: Held, crossing: crossed.Crossing, truth: Law) -> None:
    null = np.abs(truth - np.outer(truth.sum(axis=1), truth.sum(axis=0))) < 1e-12
    standing = association.cells(crossing)
    found.named += int(standing is not None and bool((standing.corrected[null] <= LEVEL).any()))
    test = association.whole_table(crossing) if null.all() else None
    found.tested += test is not None
    found.rejected += test is not None and test.p_value <= LEVEL


def _within(crossing: crossed.Crossing, truth: Law, level: float) -> bool:
    """Return whether the shown subgroups hold. A subgroup that no one is in has no shares, so showing it is a miss."""
    shown, sums = ~crossing.too_small[0], truth.sum(axis=1)
    if (shown & (sums == 0)).any():
        return False
    ends = crossing.within_first_intervals(level)[shown]
    return bool(_holds(ends, truth[shown] / sums[shown][:, None]).all())


def _holds(ends: Law, truth: Law) -> npt.NDArray[np.bool_]:
    return np.asarray((ends[..., 0] <= truth + 1e-12) & (truth <= ends[..., 1] + 1e-12))


PAIRS = (
    ("randomized_response", "randomized_response"),
    ("bitwise", "randomized_response 2"),
    ("laplace", "exponential"),
)
SHAPES = ((2, 2), (3, 5))
ALPHAS, SIZES = ("0.5", "2", "4", "8"), (50, 500, 2000)
TARGETS: tuple[Target, ...] = ("population", "respondents")


def cells(alpha: str, n: int, target: Target) -> list[Cell]:
    return [Cell(*pair, shape, alpha, n, law, target) for pair in PAIRS for shape in SHAPES for law in LAWS]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--surveys", type=int, default=30, help="of each of the 24 pairs, shapes and laws in a row")
    surveys, started = asked.parse_args().surveys, time.process_time()
    print(
        "| target | alpha | n | surveys | alone | alone, worst cell | together | within | named | refused of tested |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for target in TARGETS:
        for alpha in ALPHAS:
            for n in SIZES:
                row = cells(alpha, n, target)
                found = [held(cell, surveys, seed) for seed, cell in enumerate(row)]
                print(f"| {target} | {alpha} | {n} | {surveys * len(row)} | {_line(found)} |", flush=True)
    print(f"\n{time.process_time() - started:.0f} s")


def _line(found: list[Held]) -> str:
    """Return the line of all surveys of a row. The worst cell is the one whose interval alone held least often."""
    surveys = sum(one.surveys for one in found)
    alone = sum(float(one.alone.mean()) for one in found) / surveys
    worst = min(one.alone.min() / one.surveys for one in found)
    together, within, named = (sum(getattr(one, name) for one in found) / surveys for name in PARTS)
    tests = f"{sum(one.rejected for one in found)} of {sum(one.tested for one in found)}"
    return f"{alone:.3f} | {worst:.2f} | {together:.3f} | {within:.3f} | {named:.3f} | {tests}"


PARTS = ("together", "within", "named")


if __name__ == "__main__":
    main()
