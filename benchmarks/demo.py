"""The demo's questions in forms beside the same questions asked of everybody: `python -m benchmarks.demo`.

How wide the simultaneous 95% intervals are to each side, as planned for the demo's 6,366 people at equal shares: as it
asks them, with everything asked of everybody at the same total, and at the total that this took for about the same
precision.
"""

from fractions import Fraction

import benchmarks.site  # noqa: F401
from benchmarks import tables
from ldp.forms import definition as definitions
from ldp.kinds.protocol import Size
from ldp.planning import budget
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.form_prices import Wanted
from ldp.planning.proposals import DesignedForm, designed
from surveys.public.demo import drafts
from surveys.survey import definition as built

PEOPLE, TOTALS = 6366, (2, 5)


def main() -> None:
    people = tables.number("people", PEOPLE)
    definition = built.build(drafts.draft())
    questions = definition["questions"]
    wanted = [Wanted(PlannedQuestion(each["kind"], Size(len(each["options"])))) for each in questions]
    now = designed(wanted, [_form(definition, k) for k in range(len(definition["forms"]))]).half_widths(people)
    every = tuple(range(len(questions)))
    before = [
        designed(wanted, [DesignedForm(every, budget.equal(Fraction(total), len(every)))]).half_widths(people)
        for total in TOTALS
    ]
    rows = [
        [question["key"], *(f"{100 * widths[k]:.1f}" for widths in (now, *before))]
        for k, question in enumerate(questions)
    ]
    everybody = [f"everybody asked all, total {total}" for total in TOTALS]
    lines = tables.table(["question", f"forms, total {built.alpha_total(definition)}", *everybody], rows)
    title = "Points to each side: the demo's questions in forms, and asked of everybody"
    tables.write("demo", title, lines)


def _form(definition: definitions.Definition, k: int) -> DesignedForm:
    form, keys = definition["forms"][k], [question["key"] for question in definition["questions"]]
    asked = definitions.questionnaire(definition).forms[k]
    members, alphas = tuple(sorted(map(keys.index, asked.questions))), tuple(draw.alpha for draw in asked.draws)
    return DesignedForm(members, alphas, definitions.is_joint(form), form["weight"])


if __name__ == "__main__":
    main()
