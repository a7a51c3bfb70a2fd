"""The demo's questions in forms beside everyone asked everything: `python -m benchmarks.demo`.

It has the half-widths of simultaneous 95% intervals, as planned for the demo's 6,366 people at equal shares: in the
demo's forms, with everyone asked everything at the same total, and at the total that this needs for about the same
precision.
"""

from fractions import Fraction

import benchmarks.site  # noqa: F401
from benchmarks import tables
from ldp.planning import budget
from ldp.planning.design import Brief, BriefQuestion, Design
from ldp.planning.design_columns import Columns, draw_alone
from ldp.planning.design_outcomes import outcome
from surveys.designer.privacy.questions import planned_questions
from surveys.designer.privacy.standing import standing
from surveys.drafts.normalize import normalized
from surveys.public.demo import drafts
from surveys.survey import definition as built

PEOPLE, TOTALS = 6366, (2, 5)


def main() -> None:
    people, draft = tables.number("people", PEOPLE), normalized(drafts.draft())
    asked, total = planned_questions(draft), built.alpha_total(built.build(draft))
    questions = tuple(BriefQuestion(each.key, plan) for each in asked if (plan := each.without_form.variant.plan))
    columns = Columns(Brief(questions, Fraction(max(TOTALS)), people))
    now = standing(asked, columns.brief)
    assert now
    designs = [now, *(_everybody(questions, total) for total in TOTALS)]
    widths = [outcome(columns, design).half_widths for design in designs]
    rows = [[each.key, *(f"{100 * known[each.key]:.1f}" for known in widths)] for each in questions]
    everybody = [f"everybody asked all, total {total}" for total in TOTALS]
    lines = tables.table(["question", f"forms, total {total}", *everybody], rows)
    title = "Points to each side: the demo's questions in forms, and asked of everybody"
    tables.write("demo", title, lines)


def _everybody(questions: tuple[BriefQuestion, ...], total: int) -> Design:
    alphas = budget.equal(Fraction(total), len(questions))
    return Design(tuple(draw_alone(each, alpha) for each, alpha in zip(questions, alphas, strict=True)))


if __name__ == "__main__":
    main()
