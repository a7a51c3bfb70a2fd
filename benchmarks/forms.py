"""What forms and joint randomization are worth, and that they keep their promises: `python -m benchmarks.forms`.

Variances: surveys through the real draw, samplers, packing, tally and estimators, with equally common answers; a row
holds if the mean is within 3% of the formula (in a smaller run, within four of its standard errors). People: for 5
points in every question, everything of everybody against what is proposed. Coverage in a joint form is exact: the laws
of totals are summed, at 95% alone and for all categories at once; it holds given a form's n, so whatever the draw
gives. Figures: what a question's own page and its contrasts say of one of a joint form, by simulated surveys, each cell
held if luck makes it once in 100,000 times or more often. Draws of their own: benchmarks.coverage at these sizes.
Elsewhere: regressions of a joint form (benchmarks.relations), weighted shares of one (weighting), cross-tables of two
draws (crossings_coverage), two forms or surveys compared (contrasts, between). Bound: the best of all channels by
enumeration, and forms against what nobody beats. Status 0 only if every row holds.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
from scipy import stats

from benchmarks import coverage as alone
from benchmarks import forms_coverage, forms_figures, forms_variance, tables
from benchmarks.coverage_cells import Cell, Scale
from ldp.forms import efficiency, retention
from ldp.kinds.protocol import Size
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.form_prices import Wanted
from ldp.planning.proposals import Comparison, Proposal, propose

TOLERANCE = 0.03
BATCH, EXPECTED = 100, 5000
YES_NO = [Wanted(PlannedQuestion("yes_no", Size(2)))] * 20
DEMO = [Wanted(PlannedQuestion("single_choice", Size(d))) for d in (3, 5, 4, 6, 6)]
TEN = [Wanted(PlannedQuestion("single_choice", Size(5)))] * 10
SURVEYS = (
    *(("20 yes/no", YES_NO, total) for total in (1, 2, 3, 4)),
    *(("3, 5, 4, 6, 6 options", DEMO, total) for total in (2, 4)),
    ("10 of 5 options", TEN, 2),
)
# People in a simulated survey for each form: the variance times n does not depend on it.
PEOPLE = 20
# Of these the mean has a standard error of .5%, a sixth of what a row allows; figures of a page take longer.
SIMULATED, READ = 4000, 60
Row = list[object]


def comparison(wanted: list[Wanted], total: int) -> Comparison:
    return propose(wanted, Fraction(total), EXPECTED, batch=BATCH)


def variances(surveys: int) -> Iterator[tuple[bool, Row]]:
    """n times the mean variance of a share over that without privacy; the unit of 20 yes/no questions is 1/4."""
    for name, wanted, total in SURVEYS:
        # A mean of so many squares of nearly normal errors, which are independent but for their sum.
        error = math.sqrt(2 / surveys / sum(each.asked.size.d - 1 for each in wanted))
        for way, proposal in zip(Comparison._fields, comparison(wanted, total), strict=True):
            simulated = forms_variance.simulated(proposal, surveys, PEOPLE * len(proposal.forms), total)
            ratio = float(simulated.mean()) / proposal.value
            yield (
                abs(ratio - 1) < (TOLERANCE if surveys >= SIMULATED else max(TOLERANCE, 4 * error)),
                [name, total, way, _forms(proposal), f"{proposal.value:.2f}", f"{ratio:.3f}", f"{error:.3f}"],
            )


def _forms(proposal: Proposal) -> str:
    sizes = [len(form.questions) for form in proposal.forms]
    return ", ".join(f"{sizes.count(size)} of {size}" for size in sorted(set(sizes), reverse=True))


def people() -> Iterator[tuple[bool, Row]]:
    for name, wanted, total in SURVEYS:
        found = comparison(wanted, total)
        before, now = found.everything.people(0.05), found.proposal.people(0.05)
        own = found.proposal.efficiency(Fraction(total))
        best = "" if own is None else f"{own:.2f}"
        yield now < before, [name, total, f"{before:,}", f"{now:,}", f"{before / now:.1f}", best]


def coverage(alphas: tuple[str, ...], sizes: tuple[int, ...]) -> Iterator[tuple[bool, Row]]:
    found = [*forms_coverage.cells(alphas, sizes), *forms_coverage.groups(alphas, tuple(n for n in sizes if n <= 200))]
    for what, target, n in dict.fromkeys((cell.what, cell.target, cell.n) for cell in found):
        own = [cell for cell in found if (cell.what, cell.target, cell.n) == (what, target, n)]
        for level in sorted({cell.promised for cell in own}):
            worst = min((cell for cell in own if cell.promised == level), key=lambda cell: cell.least)
            yield worst.holds, [what, target, n, f"{level:.4f}", f"{worst.least:.4f}", worst.alpha]


def draws_of_their_own(alphas: tuple[str, ...], sizes: tuple[int, ...], surveys: int) -> Iterator[tuple[bool, Row]]:
    """What a question has that stands in a form and is randomized alone, given the form's n."""
    scale = Scale(alphas, sizes, (2, 5), surveys)
    found = list(alone.cells(scale, np.random.default_rng(35)))
    for mechanism, target, n in dict.fromkeys((cell.mechanism, cell.target, cell.n) for cell in found):
        own = [cell for cell in found if (cell.mechanism, cell.target, cell.n) == (mechanism, target, n)]
        worst = min(own, key=_least)
        yield not any(map(alone.short, own)), [mechanism, target, n, len(own), f"{_least(worst):.4f}", worst.alpha]


def _least(cell: Cell) -> float:
    return min(cell.alone, cell.at_once)


def accused(sizes: tuple[int, ...]) -> Iterator[tuple[bool, Row]]:
    """Two forms, where nobody leaves: the chance that one is named, exactly."""
    for n, weights in product(sizes, ((1, 1), (1, 3))):
        law = stats.binom.pmf(np.arange(n + 1), n, weights[0] / sum(weights))
        named = [any(form.direction for form in retention.of_forms((k, n - k), weights)) for k in range(n + 1)]
        chance = float(law @ named)
        yield chance <= retention.LEVEL, [f"{weights[0]}:{weights[1]}", n, f"{retention.LEVEL}", f"{chance:.5f}"]


def bound(questions: tuple[int, ...]) -> Iterator[tuple[bool, Row]]:
    """The best of all 0/1-valued f over the best subcube, and the bound over it."""
    for alpha, count in product(np.arange(0.5, 4.01, 0.5), questions):
        joint = max(efficiency.joint_information(alpha, t) for t in range(1, count + 1))
        best, above = enumerated(count, alpha), efficiency.bound(float(alpha), count)
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
    sizes = tuple(n for n in forms_coverage.SIZES if n <= chosen.most)
    alphas, read = forms_coverage.ALPHAS if len(sizes) > 1 else ("0.5", "8"), min(READ, chosen.surveys)
    parts = {
        "Variances": (
            ["questions", "total", "way", "forms", "formula", "simulated / formula", "error"],
            variances(chosen.surveys),
        ),
        "People for 5 points": (["questions", "total", "everything", "proposed", "ratio", "efficiency"], people()),
        "Coverage in a joint form": (["look", "target", "n", "promised", "least", "at alpha"], coverage(alphas, sizes)),
        f"Figures of a question of a joint form, {forms_figures.NAME}": (
            ["figure", "target", "n", "promised", "mean", "least", "where"],
            forms_figures.rows(alphas, sizes, read),
        ),
        "Coverage of draws of their own": (
            ["mechanism", "target", "n", "cells", "least", "at alpha"],
            draws_of_their_own(alphas, sizes, read),
        ),
        "Accused though nobody leaves": (["weights", "n", "promised", "chance"], accused(sizes)),
        "Bound": (["alpha", "questions", "best channel", "best / forms", "bound / forms"], bound((2, 3, 4))),
    }
    lines, failed = [__doc__.partition("\n\n")[2].strip()], 0
    for title, (header, rows) in parts.items():
        found = list(rows)
        failed += sum(not holds for holds, _ in found)
        lines += [
            "",
            f"## {title}",
            "",
            *tables.table([*header, "holds"], [[*row, "yes" if holds else "NO"] for holds, row in found]),
        ]
    tables.write("forms", "One alpha for a whole survey", [*lines, "", f"Rows that do not hold: {failed}."])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
