"""The worth of forms and joint randomization, and whether they keep their promises: `python -m benchmarks.forms`.

Variances: surveys pass through the real draw, samplers, packing, tally and estimators, with equally common answers. A
row holds if the mean is within 3% of the formula; in a smaller run, within four standard errors. People: the numbers
for 5 points in every question, with everyone asked everything, and as proposed. Coverage in a joint form is exact: the
laws of totals are summed, at 95% alone and for all categories at once. It holds given a form's n, so also for any draw
of forms.

Simulated, with 600 surveys a cell: the page and the comparisons of a question of a joint form; its intervals at every
release of an open survey; its cross-table with a question for everyone, and its shares less another form's; everyone's
share if people left the form, or if an earlier answer kept the question from them. A cell is short if luck makes a cell
of .95 so short once in 100,000 times, that is if 56 of 600 miss. A true .87 is then found 998 times of 1,000, a true
.89 92 times of 100. The chance that any of some 3,000 statements is called short is 3% if all keep .95.

Draws of their own: benchmarks.coverage at these sizes. Elsewhere: regressions of a joint form (benchmarks.relations),
its weighted shares (weighting), more cross-tables of two draws (crossings_coverage), more comparisons of two surveys
(comparisons, between). Bound: the best of all channels by enumeration, and forms against the limit for all channels.
Status 0 only if every row holds.
"""

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from benchmarks import coverage as alone
from benchmarks import (
    forms_across,
    forms_coverage,
    forms_figures,
    forms_left,
    forms_looks,
    forms_simulated,
    forms_variance,
    reading,
    tables,
)
from benchmarks.coverage_cells import Cell, Scale
from ldp.forms import columns, efficiency
from ldp.kinds.protocol import Size
from ldp.planning import budget
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.design import Brief, BriefQuestion, Design
from ldp.planning.design_columns import draw_alone
from ldp.planning.design_needs import people as people_needed
from ldp.planning.design_needs import people_with
from ldp.planning.design_proposals import propose, propose_within

TOLERANCE = 0.03
FEWEST, EXPECTED = 20, 5000
YES_NO, DEMO, TEN = (2,) * 20, (3, 5, 4, 6, 6), (5,) * 10
SURVEYS = (
    *(("20 yes/no", YES_NO, total) for total in (1, 2, 3, 4)),
    *(("3, 5, 4, 6, 6 options", DEMO, total) for total in (2, 4)),
    ("10 of 5 options", TEN, 2),
)
# People for each form in a simulated survey; n times the variance does not depend on them.
PEOPLE = 20
# With 4,000 surveys the mean has a standard error of .5%, a sixth of the tolerance. Intervals take longer.
SIMULATED, READ = 4000, 600
PARTS = {
    f"Figures of a question of a joint form, {forms_simulated.NAME}": forms_figures,
    "A joint form at every release": forms_looks,
    "Across forms": forms_across,
    "People who did not answer": forms_left,
}
Row = list[object]
Judged = tuple[bool, Row]


def brief(options: tuple[int, ...], total: int) -> Brief:
    kinds = (("yes_no" if d == 2 else "single_choice", d) for d in options)
    asked = [BriefQuestion(f"q{k:02d}", PlannedQuestion(kind, Size(d))) for k, (kind, d) in enumerate(kinds)]
    return Brief(tuple(asked), Fraction(total), EXPECTED, FEWEST)


def ways(of: Brief) -> Iterator[tuple[str, Design]]:
    """Yield the proposal, everyone asked everything, and one form a question."""
    yield "proposal", propose(of).design
    alphas = budget.equal(of.total, len(of.questions))
    draws = (draw_alone(each, part) for each, part in zip(of.questions, alphas, strict=True))
    yield "everything", Design(tuple(draws))
    yield "alone", propose_within(of, [(each.key,) for each in of.questions]).design


def variances(name: str, options: tuple[int, ...], total: int, surveys: int) -> list[Judged]:
    """Return rows: n times the mean variance of a share in each draw, over the price's."""
    # The mean of squares of nearly normal errors, which are independent but for their sum.
    error = math.sqrt(2 / surveys / sum(d - 1 for d in options))
    allowed, rows, of = (
        TOLERANCE if surveys >= SIMULATED else max(TOLERANCE, 4 * error),
        list[Judged](),
        brief(options, total),
    )
    for way, design in ways(of):
        ratio = float(forms_variance.simulated(of, design, surveys, PEOPLE * len(design.parts), total).mean())
        rows.append((abs(ratio - 1) < allowed, [name, total, way, _forms(design), f"{ratio:.3f}", f"{error:.3f}"]))
    return rows


def _forms(design: Design) -> str:
    sizes = [len(keys) for keys in design.reports]
    return ", ".join(f"{sizes.count(size)} of {size}" for size in sorted(set(sizes), reverse=True))


def people() -> Iterator[tuple[bool, Row]]:
    for name, options, total in (*SURVEYS, ("50 yes/no", (2,) * 50, 2)):
        of = brief(options, total)
        designs = dict(ways(of))
        before, now = people_with(of, designs["everything"], 0.05), people_needed(of, 0.05)
        known = propose(of).efficiency
        best = f"{known.value:.2f}, {known.how}" if known else ""
        yield now < before, [name, total, f"{before:,}", f"{now:,}", f"{before / now:.1f}", best]


def coverage(alpha: str, n: int) -> list[forms_coverage.Cell]:
    groups = forms_coverage.groups((alpha,), (n,) if n <= 200 else ())
    return [*forms_coverage.cells((alpha,), (n,)), *groups]


def least(cells: list[forms_coverage.Cell]) -> Iterator[Judged]:
    for what, target, n, promised in dict.fromkeys((each.what, each.target, each.n, each.promised) for each in cells):
        own = [each for each in cells if (each.what, each.target, each.n, each.promised) == (what, target, n, promised)]
        worst = min(own, key=lambda each: each.least)
        yield worst.holds, [what, target, n, f"{promised:.4f}", f"{worst.least:.4f}", worst.alpha]


def draws_of_their_own(alpha: str, n: int, surveys: int) -> list[Cell]:
    """Return the coverage of a question that a form randomizes alone, given the form's n."""
    return list(alone.cells(Scale((alpha,), (n,), (2, 5), surveys), _generator(alpha, n)))


def of_mechanisms(cells: list[Cell]) -> Iterator[Judged]:
    for mechanism, target, n in dict.fromkeys((cell.mechanism, cell.target, cell.n) for cell in cells):
        own = [cell for cell in cells if (cell.mechanism, cell.target, cell.n) == (mechanism, target, n)]
        worst = min(own, key=_least)
        yield not any(map(alone.short, own)), [mechanism, target, n, len(own), f"{_least(worst):.4f}", worst.alpha]


def _least(cell: Cell) -> float:
    return min(cell.alone, cell.at_once)


def simulated(part: str, alpha: str, n: int, surveys: int) -> list[reading.Cell]:
    return list(PARTS[part].cells(alpha, n, surveys, _generator(alpha, n)))


def _generator(alpha: str, n: int) -> np.random.Generator:
    return np.random.default_rng([34, n, int(8 * Fraction(alpha))])


def bound(questions: tuple[int, ...]) -> Iterator[tuple[bool, Row]]:
    """Compare the best 0/1-valued f with the best subcube, and with the limit for ten times as many questions."""
    for alpha, count in product(np.arange(0.5, 4.01, 0.5), questions):
        alone = columns.best_alone(alpha, 2) / 4
        joint = max(t * columns.keep_chance(alpha, 2**t) ** 2 for t in range(1, count + 1))
        best, above = enumerated(count, alpha), efficiency.bound(float(alpha), (2,) * 10 * count).at_most * alone
        holds = math.isclose(best, joint, rel_tol=1e-9) and best <= above * (1 + 1e-9)
        yield holds, [f"{alpha:g}", count, f"{best:.4f}", f"{best / joint:.4f}", f"{above / joint:.2f}"]


def enumerated(questions: int, alpha: float) -> float:
    points = np.array(list(product((-1, 1), repeat=questions)))
    f = np.arange(1 << len(points))[:, None] >> np.arange(len(points)) & 1
    weight = ((f @ points / len(points)) ** 2).sum(axis=1)
    return float((math.expm1(alpha) ** 2 * weight / (1 + math.expm1(alpha) * f.mean(axis=1)) ** 2).max())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", type=int, default=SIMULATED, help="simulated for each variance")
    parser.add_argument("--most", type=int, default=max(forms_coverage.SIZES), help="reports of a coverage")
    chosen = parser.parse_args()
    with ProcessPoolExecutor() as processes:
        parts = {title: list(rows) for title, rows in _parts(chosen, processes).items()}
    failed = sum(not holds for rows in parts.values() for holds, _ in rows)
    lines = [__doc__.partition("\n\n")[2].strip()]
    for title, rows in parts.items():
        table = [[*row, "yes" if holds else "NO"] for holds, row in rows]
        lines += ["", f"## {title}", "", *tables.table([*HEADERS[title], "holds"], table)]
    tables.write("forms", "One alpha for a whole survey", [*lines, "", f"Rows that do not hold: {failed}."])
    return 1 if failed else 0


def _parts(chosen: argparse.Namespace, processes: Executor) -> dict[str, Iterable[Judged]]:
    """Return the rows of each part. The longest work begins first."""
    sizes = tuple(n for n in forms_coverage.SIZES if n <= chosen.most)
    alphas, surveys = forms_coverage.ALPHAS if len(sizes) > 1 else ("0.5", "8"), min(READ, chosen.surveys)
    cells = [(alpha, n) for n in reversed(sizes) for alpha in alphas]

    def each(of: Callable[..., list[Any]], over: Iterable[tuple[Any, ...]], *more: Any) -> Callable[[], list[Any]]:
        futures = [processes.submit(of, *one, *more) for one in over]
        return lambda: [one for future in futures for one in future.result()]

    read = {part: each(simulated, ((part, *cell) for cell in cells), surveys) for part in PARTS}
    varied = each(variances, SURVEYS, chosen.surveys)
    exact, own = each(coverage, cells), each(draws_of_their_own, cells, surveys)
    return {
        "Variances": varied(),
        "People for 5 points": people(),
        "Coverage in a joint form": least(exact()),
        **{part: forms_simulated.rows(cells_of()) for part, cells_of in read.items()},
        "Coverage of draws of their own": of_mechanisms(own()),
        "Accused though nobody leaves": forms_left.accused(sizes),
        "Bounds of how many left": forms_left.ratios(sizes),
        "Bound": bound((2, 3, 4)),
    }


HEADERS = {
    "Variances": ["questions", "total", "way", "forms", "simulated / formula", "error"],
    "People for 5 points": ["questions", "total", "everything", "proposed", "ratio", "efficiency"],
    "Coverage in a joint form": ["look", "target", "n", "promised", "least", "at alpha"],
    **dict.fromkeys(PARTS, forms_simulated.HEADER),
    "Coverage of draws of their own": ["mechanism", "target", "n", "cells", "least", "at alpha"],
    "Accused though nobody leaves": ["weights", "n", "promised", "chance"],
    "Bounds of how many left": ["weights", "stayed", "n", "promised", "chance"],
    "Bound": ["alpha", "questions", "best channel", "best / forms", "bound / forms"],
}


if __name__ == "__main__":
    sys.exit(main())
