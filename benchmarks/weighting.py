"""Coverage of weighted shares (M41): how often the interval of a share holds the population's, if respondents differ.

    python -m benchmarks.weighting --surveys 400

Strata are 60, 30 and 10% of the population and 42.5, 37.5 and 20% of the respondents. In "weighted" 10, 26 and 50% of
them say "yes", so 18.8% of the population and 24.0% of the respondents do; in "rare" 1, 0 and 6%; in "opposed" 95, 50
and 5%. An alpha is that of each question, or of one draw of both. Surveys with too small a stratum show nothing and are
left out.
"""

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.crossings_coverage import crossing_of, of_one_draw, question, sent
from ldp.forms.crossed import Crossed, of_reports
from ldp.forms.joint_crossing import JointCrossing
from ldp.inference.product_subsets import keep
from ldp.inference.variables import Variable, pair_of
from ldp.weighting import margin

KNOWN, RESPONDENTS = np.array([0.6, 0.3, 0.1]), np.array([0.425, 0.375, 0.2])
LAWS = {
    "weighted": np.array([0.10, 0.26, 0.50]),
    "rare": np.array([0.01, 0.0, 0.06]),
    "opposed": np.array([0.95, 0.50, 0.05]),
}
PAIRS = (
    ("joint", "joint"),
    ("randomized_response", "randomized_response"),
    ("bitwise", "randomized_response"),
    ("randomized_response 2", "laplace"),
    ("exponential", "bitwise"),
)
ALPHAS, SIZES, CONFIDENCE = ("1", "2", "4", "8"), (200, 1000, 5000, 20_000), 0.95
Counts = npt.NDArray[np.int64]


class Held(NamedTuple):
    """The number of surveys that show their shares, how often the interval held, and means over them."""

    surveys: int
    held: int
    weighted: float
    unweighted: float
    effect: float


def held(
    mechanisms: tuple[str, str], alpha: str, n: int, yes: npt.NDArray[np.float64], surveys: int, seed: int
) -> Held:
    truth, rows = float(KNOWN @ yes), []
    for found in _crossings(mechanisms, alpha, n, yes, surveys, seed):
        if not found.too_small[0].any():
            got = margin.weighted(found, KNOWN.tolist())
            low, high = got.intervals(CONFIDENCE)[0]
            rows.append((low <= truth <= high, got.estimates[0], got.unweighted[0], got.design_effects[0]))
    if not rows:
        return Held(0, 0, 0, 0, 0)
    means = np.mean(rows, axis=0).tolist()
    return Held(len(rows), round(means[0] * len(rows)), *means[1:])


def _crossings(
    mechanisms: tuple[str, str], alpha: str, n: int, yes: npt.NDArray[np.float64], surveys: int, seed: int
) -> Iterator[Crossed]:
    generator = np.random.default_rng(seed)
    names = ["randomized_response" if name == "joint" else name for name in mechanisms]
    asked = [question(key, name, d, alpha) for key, name, d in zip("ab", names, (3, 2), strict=True)]
    asked = of_one_draw("ab", (3, 2), alpha) if mechanisms[0] == "joint" else asked
    first, second = pair_of(asked, "a", "b")
    law = np.column_stack((RESPONDENTS * yes, RESPONDENTS * (1 - yes)))
    for _ in range(surveys):
        if mechanisms[0] == "joint":
            yield _jointly(first, second, n, law, generator)
        else:
            people = generator.choice(6, n, p=law.ravel())
            tables = [sent(v.question, x, generator) for v, x in zip((first, second), divmod(people, 2), strict=True)]  # type: ignore[arg-type]
            yield of_reports(first, second, [(tables[0], tables[1])])


def _jointly(
    first: Variable, second: Variable, n: int, law: npt.NDArray[np.float64], generator: np.random.Generator
) -> JointCrossing:
    lam = float(keep(first))
    return crossing_of(first, second, generator.multinomial(n, (lam * law + (1 - lam) / 6).ravel()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--surveys", type=int, default=400, help="of each cell")
    surveys = parser.parse_args().surveys
    print("| mechanisms | alpha | n | law | surveys shown | held | unweighted | weighted | truth | design effect |")
    print("|---|---:|---:|---|---:|---:|---:|---:|---:|---:|")
    for mechanisms in PAIRS:
        for alpha in ALPHAS:
            for n in SIZES:
                for law, yes in LAWS.items():
                    _line(mechanisms, alpha, n, law, held(mechanisms, alpha, n, yes, surveys, 41))


def _line(mechanisms: tuple[str, str], alpha: str, n: int, law: str, got: Held) -> None:
    name = "jointly" if mechanisms[0] == "joint" else " by ".join(reversed(mechanisms))
    if got.surveys:
        truth = float(KNOWN @ LAWS[law])
        numbers = f"{got.held / got.surveys:.3f} | {got.unweighted:.3f} | {got.weighted:.3f} | {truth:.3f}"
        print(f"| {name} | {alpha} | {n} | {law} | {got.surveys} | {numbers} | {got.effect:.1f} |", flush=True)


if __name__ == "__main__":
    main()
