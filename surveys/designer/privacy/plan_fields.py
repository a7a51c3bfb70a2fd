"""The choices of the form that a proposal is made of, as its template shows them."""

from fractions import Fraction
from typing import NamedTuple

from surveys.designer.privacy.inputs import OTHER, PlanInput
from surveys.designer.studio import meaning as words
from surveys.figures import strengths
from surveys.rules.context import Context


class TotalOption(NamedTuple):
    """An offered total with its step, and how likely an answer can seem after a report, of 100."""

    total: str
    step: strengths.ProtectionStep
    most: str
    chosen: bool


def totals(chosen: str) -> list[TotalOption]:
    """The steps of protection that are offered, each with an alpha that is certainly of this step."""
    steps = [(each, strengths.of_survey([Fraction(each)])) for each in strengths.TOTALS]
    return [TotalOption(each, step, words.raised(Fraction(each)), each == chosen) for each, step in steps]


class CrossedPair(NamedTuple):
    """Two questions that shall be crossed, by their keys; empty where none are chosen yet."""

    first: str
    second: str


def context(form: PlanInput) -> Context:
    """The names of design/alpha_plan.html: the choices of a plan."""
    chosen, rows = str(form["total"].value()), form.rows()
    pairs = [CrossedPair(*pair) for pair in form.pairs if all(pair)]
    return {
        "steps": totals(chosen),
        "prior": words.TYPICAL_PRIOR,
        "other": chosen == OTHER,
        # Room for one more.
        "pairs": [*pairs, CrossedPair("", "")],
        "names": [(question.key, question.text or question.key) for question in form.crossable],
        "rows": rows,
        "unfolded": bool(pairs or form.important or form.errors)
        or any(row.width.value() or row.own.value() for row in rows),
    }
