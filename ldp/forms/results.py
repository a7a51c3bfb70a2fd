"""The results of a survey in forms, from what was tallied of each form (M34b to M36b)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ldp import kinds
from ldp.document import QuestionResult
from ldp.forms import definition as definitions
from ldp.forms import efficiency, marginals, report
from ldp.forms.definition import Definition
from ldp.forms.marginals import JointTally
from ldp.forms.report import Joint, Single
from ldp.inference.estimates import unit_variances
from ldp.mechanisms import of
from ldp.question import Question
from ldp.scores import Totals


@dataclass(frozen=True)
class FormTally:
    """n reports of a form, and the totals of each of its `report.parts`, in their order. Those of batches add up."""

    n: int
    totals: tuple[Totals, ...]

    def __add__(self, other: "FormTally") -> "FormTally":
        if not self.n or not other.n:
            return self if self.n else other
        added = (add(one, two) for one, two in zip(self.totals, other.totals, strict=True))
        return FormTally(self.n + other.n, tuple(added))


def add(one: Totals, two: Totals) -> Totals:
    return {name: [x + y for x, y in zip(one[name], two[name], strict=True)] for name in one}


# A question with what was counted of it: as one that was asked alone, its totals and the reports about it.
Counted = tuple[Question, Totals, int]


def counted(definition: Definition, tallies: Sequence[FormTally]) -> Iterator[Counted]:
    """In the order of the definition; what no report is about is left out. A question for everybody has the totals of
    all forms added, one of a form those of its own reports, one of a joint form the sums over its tuples."""
    questions = {question["key"]: question for question in report.alone(definition)}
    found: dict[str, tuple[Totals, int]] = {}
    for form, tally in enumerate(tallies):
        for part, totals in zip(report.parts(definition, form), tally.totals, strict=True) if tally.n else ():
            for key, own in _by_question(part, totals):
                before, n = found.get(key, (None, 0))
                found[key] = own if before is None else add(before, own), n + tally.n
    return ((question, *found[key]) for key, question in questions.items() if key in found)


def _by_question(part: report.Part, totals: Totals) -> Iterator[tuple[str, Totals]]:
    if isinstance(part, Single):
        yield part.question["key"], totals
        return
    tally = joint_tally(part, totals)
    for place, key in enumerate(part.keys):
        yield key, marginals.totals(part.alone(place), tally, place)


def joint_tally(part: Joint, totals: Totals) -> JointTally:
    return JointTally(part.table, part.sizes, tuple(totals["support"]))


def of_survey(
    definition: Definition, tallies: Sequence[FormTally], confidence: float, every_look: bool = False
) -> list[QuestionResult]:
    """Each question's results with the n of those who were asked. A joint form's question has its form's alpha."""
    return [
        result
        for question, totals, n in counted(definition, tallies)
        for result in kinds.of(question).results(question, totals, n, confidence, every_look)
    ]


def efficiency_of(definition: Definition, tallies: Sequence[FormTally]) -> float | None:
    """The bound of M36b over the mean variance that so many reports of each form give, at equal shares; None where a
    question is of another kind, or has no report."""
    n, each = sum(tally.n for tally in tallies), list(counted(definition, tallies))
    if len(each) < len(definition["questions"]) or any(question["kind"] != "yes_no" for question, *_ in each):
        return None
    alpha = definitions.questionnaire(definition).alpha
    return efficiency.efficiency(float(alpha), [_variance(question) * n / about for question, _, about in each])


def _variance(question: Question) -> float:
    """The variance of one report, for a share of one half."""
    _, moments = of(question).default()
    return float(unit_variances(np.array(0.5), moments, "population"))
