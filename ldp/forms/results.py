"""The results of a survey in forms, from what was tallied of each form (M35, M36b, M44)."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np

from ldp import kinds, results
from ldp.document import Document, QuestionResult, Retention
from ldp.forms import definition as definitions
from ldp.forms import efficiency, marginals, report, retention
from ldp.forms.crossed import JointCrossing
from ldp.forms.marginals import JointTally
from ldp.forms.schema import Definition
from ldp.inference.estimates import unit_variances
from ldp.inference.variables import Variable
from ldp.mechanisms import of
from ldp.question import Drawn
from ldp.results import Counted
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


def counted(definition: Definition, tallies: Sequence[FormTally]) -> Iterator[Counted]:
    """In the order of the definition; what no report is about is left out. A question for everybody has the totals of
    all forms added, one of a form those of its own reports, one of a draw of several what follows from its cells."""
    questions = {question["key"]: question for question in report.alone(definition)}
    totals_of: dict[str, tuple[Totals, int]] = {}
    for form, tally in enumerate(tallies):
        for part, totals in zip(report.parts(definition, form), tally.totals, strict=True) if tally.n else ():
            for key, own in _by_question(part, totals):
                before, n = totals_of.get(key, (None, 0))
                totals_of[key] = own if before is None else add(before, own), n + tally.n
    return ((question, *totals_of[key]) for key, question in questions.items() if key in totals_of)


def _by_question(part: report.Part, totals: Totals) -> Iterator[tuple[str, Totals]]:
    if not part.joint:
        yield part.keys[0], totals
        return
    tally = joint_tally(part, totals)
    for place, key in enumerate(part.keys):
        yield key, marginals.totals(part.drawn[place], tally, place)


def joint_tally(part: report.Part, totals: Totals) -> JointTally:
    """The tally of a draw of several questions."""
    return JointTally(part.draw["table"], part.counts, tuple(totals["support"]))


def of_survey(
    definition: Definition, tallies: Sequence[FormTally], confidence: float, every_look: bool = False
) -> list[QuestionResult]:
    """Each question's results with the n of those who were asked. One drawn with others has the alpha of all."""
    return [
        result
        for question, totals, n in counted(definition, tallies)
        for result in kinds.of(question).results(question, totals, n, confidence, every_look)
    ]


def add_forms(
    document: Document,
    definition: Definition,
    tallies: Sequence[FormTally],
    alphas: Sequence[str],
    stayed: Sequence[Retention | None],
) -> None:
    """What a release's document says of forms. `alphas` are those of their reports; `stayed` what `stayed` says, None
    for each where it cannot be told yet."""
    document["forms"] = [
        {
            "n": tally.n,
            "weight": form["weight"],
            "questions": [question["key"] for question in definitions.members(definition, k)],
            "joint": definitions.is_joint(form),
            "alpha_total": alphas[k],
            "retention": stayed[k],
        }
        for k, (form, tally) in enumerate(zip(definitions.forms(definition), tallies, strict=True))
    ]


def add_groups(
    document: Document,
    definition: Definition,
    tallies: Sequence[FormTally],
    levels: Sequence[float] = (),
    every_look: bool = False,
) -> None:
    """What a release's document says of the groups of people who were invited: the results of each by itself, as if it
    were a survey of its own, since its reports wait for batches of their own and are about everything."""
    names = definitions.groups(definition)
    document["groups"] = [{"name": name, "n": tally.n} for name, tally in zip(names, tallies, strict=True)]
    document["by_group"] = [
        {**result, "group": name}
        for place, name in enumerate(names)
        for result in results.questions(document["confidence"], _alone(definition, tallies, place), levels, every_look)
    ]


def _alone(definition: Definition, tallies: Sequence[FormTally], place: int) -> Iterator[Counted]:
    """What was counted of one group."""
    return counted(definition, [tally if k == place else FormTally(0, ()) for k, tally in enumerate(tallies)])


def stayed(definition: Definition, counts: Sequence[int], fewer_than: int, every_look: bool) -> list[Retention]:
    """The retention of an ended survey's forms: all reports are counted but for those of a form of which fewer than a
    number came. `every_look`: the survey may have ended because of its results."""
    unseen = [0 if n else fewer_than - 1 for n in counts]
    weights = definitions.weights(definition)
    return [_retention(each) for each in retention.of_forms(counts, weights, unseen=unseen, every_look=every_look)]


def _retention(of: retention.FormRetention) -> Retention:
    ends = [end if math.isfinite(end) else None for end in of.ratio]
    numbers = {"expected": of.expected, "direction": of.direction, "p_value": of.p_value}
    return cast(Retention, numbers | {"ratio": ends, "missing": of.missing})


def crossing(
    definition: Definition, tallies: Sequence[FormTally], first: Variable, second: Variable
) -> JointCrossing | None:
    """The crossing of two questions of one draw with at least one report; None where they are no such two."""
    if second.key not in first.question.get("together", []):
        return None
    found = drawn_together(definition, tallies, first.key)
    if found is None:
        return None
    part, totals = found
    places = part.keys.index(first.key), part.keys.index(second.key)
    return JointCrossing(first, second, joint_tally(part, totals).pair(*places))


def drawn_together(definition: Definition, tallies: Sequence[FormTally], key: str) -> tuple[report.Part, Totals] | None:
    """The draw of several questions that one of them stands in, and its totals over all forms; None without a report
    about it."""
    found: tuple[report.Part, Totals] | None = None
    for form, tally in enumerate(tallies):
        for part, totals in zip(report.parts(definition, form), tally.totals, strict=True) if tally.n else ():
            if key in part.keys:
                found = part, totals if found is None else add(found[1], totals)
    return found


def efficiency_of(definition: Definition, tallies: Sequence[FormTally]) -> float | None:
    """The bound of M48 over the mean variance that so many reports of each form give, at equal shares; None where a
    question is of another kind, or has no report."""
    n, each = sum(tally.n for tally in tallies), list(counted(definition, tallies))
    if len(each) < len(definition["questions"]):
        return None
    alpha = definitions.questionnaire(definition).alpha
    return planned_efficiency(alpha, [(question, about / n) for question, _, about in each])


def planned_efficiency(alpha: Fraction, questions: Sequence[tuple[Drawn, float]]) -> float | None:
    """The bound of M48 over the mean variance of questions, each asked of this part of the people, whose reports keep
    alpha; None where one is of another kind than yes or no."""
    if any(question["kind"] != "yes_no" for question, _ in questions):
        return None
    variances = [_variance(question) / part for question, part in questions]
    sizes = [len(question["options"]) for question, _ in questions]
    return efficiency.efficiency(float(alpha), sizes, variances).at_least


def _variance(question: Drawn) -> float:
    """The variance of one report, for a share of one half."""
    _, moments = of(question).default()
    return float(unit_variances(np.array(0.5), moments, "population"))
