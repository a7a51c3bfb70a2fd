"""The choices of the proposal's form, as its template shows them."""

from typing import NamedTuple

from surveys.designer.privacy.inputs import OTHER, PlanInput
from surveys.designer.studio.basis import totals
from surveys.designer.studio.meaning import TYPICAL_PRIOR
from surveys.rules.context import Context


class CrossedPair(NamedTuple):
    """Two questions to cross, by key; empty if not yet chosen."""

    first: str
    second: str


def context(form: PlanInput) -> Context:
    """Return the context of designer/alpha_plan.html: the choices of a plan."""
    chosen, rows = str(form["total"].value()), form.rows()
    pairs = [CrossedPair(*pair) for pair in form.pairs if all(pair)]
    return {
        "steps": totals(chosen),
        "prior": TYPICAL_PRIOR,
        "other": chosen == OTHER,
        # Room for one more.
        "pairs": [*pairs, CrossedPair("", "")],
        "names": [(question.key, question.text or question.key) for question in form.crossable],
        "rows": rows,
        "unfolded": bool(pairs or form.important or form.errors)
        or any(row.width.value() or row.own.value() for row in rows),
    }
