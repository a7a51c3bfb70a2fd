"""A survey's efficiency against the least error of any method (M48), from its definition and its reports."""

from collections.abc import Collection, Sequence
from fractions import Fraction

from ldp.document import SurveyEfficiency
from ldp.forms import definition as definitions
from ldp.forms import efficiency
from ldp.forms.efficiency import Efficiency
from ldp.forms.schema import Definition
from ldp.planning.candidates import of_question, size_of
from ldp.question import Drawn
from ldp.results import Counted


def reported(definition: Definition, counted: Collection[Counted], n: int) -> Efficiency | None:
    """Return the efficiency at equal shares. Each question has its present number of reports, of n in all. None if no
    bound is known, or a question has no report."""
    if len(counted) < len(definition["questions"]):
        return None
    alpha = definitions.questionnaire(definition).alpha
    return planned(alpha, [(question, about / n) for question, _, about in counted])


def document(definition: Definition, counted: Collection[Counted], n: int) -> SurveyEfficiency | None:
    """Return `reported` in the format of a release's document."""
    efficient = reported(definition, counted, n)
    return efficient and {"value": efficient.value, "how": efficient.how, "at_least": efficient.at_least}


def planned(alpha: Fraction, questions: Sequence[tuple[Drawn, float]]) -> Efficiency | None:
    """Return how near a survey comes to the bound if each question is asked of its fraction of the people and reports
    keep alpha; None if no bound is known: for means and rankings, and if a mechanism has a delta."""
    sizes, variances, importance = list[int](), list[float](), list[float]()
    for question, part in questions:
        items = efficiency.parts(question["kind"], size_of(question))
        if not items or "delta" in question:
            return None
        sizes += items
        variances += [of_question(question).spread.expected / part] * len(items)
        importance += [1 / len(items)] * len(items)
    return efficiency.efficiency(float(alpha), sizes, variances, importance)
