"""A survey's efficiency against the least error of every method (M48), from its definition and its reports."""

from collections.abc import Sequence
from fractions import Fraction

from ldp.document import SurveyEfficiency
from ldp.forms import definition as definitions
from ldp.forms import efficiency
from ldp.forms.efficiency import Efficiency
from ldp.forms.results import FormTally, counted
from ldp.forms.schema import Definition
from ldp.planning.candidates import of_question, size_of
from ldp.question import Drawn


def reported(definition: Definition, tallies: Sequence[FormTally]) -> Efficiency | None:
    """The efficiency of the forms' present numbers of reports, at equal shares; None where no bound is known, or a
    question has no report."""
    n, each = sum(tally.n for tally in tallies), list(counted(definition, tallies))
    if len(each) < len(definition["questions"]):
        return None
    alpha = definitions.questionnaire(definition).alpha
    return planned(alpha, [(question, about / n) for question, _, about in each])


def document(definition: Definition, tallies: Sequence[FormTally]) -> SurveyEfficiency | None:
    """`reported` as a published document holds it."""
    efficient = reported(definition, tallies)
    return efficient and {"value": efficient.value, "how": efficient.how, "at_least": efficient.at_least}


def planned(alpha: Fraction, questions: Sequence[tuple[Drawn, float]]) -> Efficiency | None:
    """How near to the bound questions come that are each asked of this part of the people, whose reports keep alpha;
    None where no bound is known: of means and rankings, and where a mechanism has a delta."""
    sizes, variances, importance = list[int](), list[float](), list[float]()
    for question, part in questions:
        items = efficiency.parts(question["kind"], size_of(question))
        if not items or "delta" in question:
            return None
        sizes += items
        variances += [of_question(question).spread.expected / part] * len(items)
        importance += [1 / len(items)] * len(items)
    return efficiency.efficiency(float(alpha), sizes, variances, importance)
