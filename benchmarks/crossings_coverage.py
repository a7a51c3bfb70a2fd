"""How often what is said of crossings holds: `python -m benchmarks.crossings_coverage` prints the tables of its figures.

Mechanisms against each other, alpha .5 to 8, n 50 to 2000, laws of answers that are independent or not, even or sparse,
for a population and for given respondents. Of each cell: how often the intervals of the joint shares hold one by one (the
worst) and all together, how often those within subgroups hold all together, how often a cell is named of which the
truth is that it does not stand out, and how often a test of independence at .05 is wrong (n is how often it was done).
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp.inference import association, crossed, intervals
from ldp.inference.estimates import Target
from ldp.inference.variables import Variable, variable
from ldp.mechanisms import MECHANISMS
from ldp.planning import simulation
from ldp.scores import ChannelMoments

Law = npt.NDArray[np.float64]
CONFIDENCE, LEVEL = 0.95, 0.05

LAWS: dict[str, Callable[[int, int], Law]] = {
    "even": lambda d1, d2: np.full((d1, d2), 1 / (d1 * d2)),
    "sparse": lambda d1, d2: np.outer(_sparse(d1), _sparse(d2)),
    "dependent": lambda d1, d2: 0.5 * np.outer(_sparse(d1), _sparse(d2)) + 0.5 * _diagonal(d1, d2),
    "diagonal": lambda d1, d2: _diagonal(d1, d2),
}


def _sparse(d: int) -> Law:
    """Nearly all in the first, one in twenty in the second, and nobody in the last of three or more."""
    return np.array([0.95, 0.05] if d == 2 else [0.92, 0.05, *[0.03 / (d - 3)] * (d - 3), 0.0] if d > 3 else [0.95, 0.05, 0])


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
    """Of so many surveys: `alone` (d1, d2) counts surveys whose interval of a cell held."""

    surveys: int
    alone: Any
    together: int = 0
    within: int = 0
    named: int = 0
    tested: int = 0
    rejected: int = 0
    widths: list[float] = field(default_factory=list)


def question(key: str, mechanism: str, d: int, alpha: str) -> dict[str, Any]:
    table = MECHANISMS[mechanism].table(Fraction(alpha), d)
    return {"key": key, "kind": "ordered", "text": key, "options": [f"o{j}" for j in range(d)], "mechanism": mechanism,
            "alpha": alpha, "table": table}  # fmt: skip


def sent(asked: dict[str, Any], true: npt.NDArray[np.int64], generator: np.random.Generator) -> npt.NDArray[np.int16]:
    """The columns of reports to these answers. Of Laplace noise the side alone, which is all that is counted."""
    d, table = len(asked["options"]), asked["table"]
    law = next(iter(MECHANISMS[asked["mechanism"]].moments(table, d).values()))
    if isinstance(law, ChannelMoments):
        channel = np.array(law.weights, dtype=float)
        return simulation.outputs(true, channel / channel.sum(axis=1, keepdims=True), generator).astype(np.int16)[:, None]
    if asked["mechanism"] == "randomized_response":
        return simulation.randomized_response(true, d, law, generator).argmax(axis=1).astype(np.int16)[:, None]
    if asked["mechanism"] == "subset":
        return simulation.subsets(true, d, table["m"], law, generator).astype(np.int16)
    return simulation.bits(true, d, law, generator).astype(np.int16)


def held(cell: Cell, surveys: int, seed: int) -> Held:
    """Simulated surveys, from a generator with this seed."""
    generator, law = np.random.default_rng(seed), LAWS[cell.law](*cell.shape)
    pair = _variables(cell)
    fixed = _people(law, cell.n)
    truth = law if cell.target == "population" else np.bincount(fixed, minlength=law.size).reshape(law.shape) / cell.n
    found = Held(surveys, np.zeros(cell.shape, dtype=int))
    for _ in range(surveys):
        people = generator.choice(law.size, cell.n, p=law.ravel()) if cell.target == "population" else fixed
        answers = people // cell.shape[1], people % cell.shape[1]
        parts = tuple(sent(one.question, true, generator) for one, true in zip(pair, answers, strict=True))
        _look(found, crossed.of_reports(*pair, [parts]), truth, cell.target)  # type: ignore[list-item]
    return found


def _variables(cell: Cell) -> tuple[Variable, Variable]:
    names = ((cell.first, cell.shape[0], "a"), (cell.second, cell.shape[1], "b"))
    one, other = (variable([question(key, name, d, cell.alpha)], key) for name, d, key in names)
    return one, other


def _people(law: Law, n: int) -> npt.NDArray[np.int64]:
    """n people whose shares are nearest to the law's, the most frequent cell taking up the rest."""
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
    test = association.whole(crossing) if null.all() else None
    found.tested += test is not None
    found.rejected += test is not None and test.p_value <= LEVEL


def _within(crossing: crossed.Crossing, truth: Law, level: float) -> bool:
    """Of subgroups that are shown. One that nobody is in has no shares: showing it is a miss."""
    shown, sums = ~crossing.too_small[0], truth.sum(axis=1)
    if (shown & (sums == 0)).any():
        return False
    ends = crossing.within_first_intervals(level)[shown]
    return bool(_holds(ends, truth[shown] / sums[shown][:, None]).all())


def _holds(ends: Law, truth: Law) -> npt.NDArray[np.bool_]:
    return np.asarray((ends[..., 0] <= truth + 1e-12) & (truth <= ends[..., 1] + 1e-12))


PAIRS = (("randomized_response", "randomized_response"), ("bitwise", "subset"), ("laplace", "exponential"))
SHAPES = ((2, 2), (3, 5))


def grid(full: bool = True) -> Iterator[Cell]:
    for first, second in PAIRS:
        for shape in SHAPES:
            for alpha in ("0.5", "1", "2", "4", "8") if full else ("8",):
                for n in (50, 200, 500, 2000) if full else (50, 500):
                    for law in LAWS:
                        for target in ("population", "respondents"):
                            yield Cell(first, second, shape, alpha, n, law, target)  # type: ignore[arg-type]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--surveys", type=int, default=100)
    options = asked.parse_args()
    print("| pair | cells | alpha | n | law | target | alone, worst | together | within | named | refused | width |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    started, least = time.process_time(), {"together": 1.0, "within": 1.0}
    for seed, cell in enumerate(grid()):
        got, n = held(cell, options.surveys, seed), options.surveys
        least = {name: min(least[name], getattr(got, name) / n) for name in least}
        tests = f"{got.rejected / got.tested:.2f} of {got.tested}" if got.tested else ""
        print(f"| {cell.first}, {cell.second} | {cell.shape[0]} x {cell.shape[1]} | {cell.alpha} | {cell.n} | {cell.law} | "
              f"{cell.target} | {got.alone.min() / n:.3f} | {got.together / n:.3f} | {got.within / n:.3f} | "
              f"{got.named / n:.3f} | {tests} | {np.mean(got.widths):.3f} |", flush=True)  # fmt: skip
    print(f"\nleast together {least['together']:.3f}, within {least['within']:.3f}; {time.process_time() - started:.0f} s")


if __name__ == "__main__":
    main()
