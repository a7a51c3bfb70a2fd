"""The choices of the form that a proposal is made of, as its template shows them."""

from fractions import Fraction
from typing import NamedTuple

from surveys.designer.privacy.inputs import OTHER, TOTALS, PlanInput
from surveys.figures import strengths
from surveys.rules.context import Context


class TotalOption(NamedTuple):
    """An offered total with its meaning."""

    total: str
    step: strengths.ProtectionStep
    chosen: bool


class CrossedPair(NamedTuple):
    """Two questions that shall be crossed, by their keys; empty where none are chosen yet."""

    first: str
    second: str


def context(form: PlanInput) -> Context:
    """The names of design/alpha_plan.html: the choices of a plan."""
    chosen, rows = str(form["total"].value()), form.rows()
    pairs = [CrossedPair(*pair) for pair in form.pairs if all(pair)]
    return {
        "steps": [TotalOption(each, strengths.of_survey([Fraction(each)]), each == chosen) for each in TOTALS],
        "other": chosen == OTHER,
        # Room for one more.
        "pairs": [*pairs, CrossedPair("", "")],
        "names": [(question.key, question.text or question.key) for question in form.crossable],
        "rows": rows,
        "unfolded": bool(pairs or form.important or form.errors)
        or any(row.width.value() or row.own.value() for row in rows),
    }
