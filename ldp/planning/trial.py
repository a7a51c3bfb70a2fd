"""A trial run: mechanisms randomize invented people's answers into tallies.

Samplers, packing and tally are those of real reports. The random numbers are not: `uniform` comes from a seeded
generator. So nothing of a trial may ever be released as a report.
"""

import math
import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ldp import kinds, mechanisms, routing
from ldp.forms import definition as definitions
from ldp.forms import lot, report
from ldp.forms import results as in_forms
from ldp.forms.results import FormTally
from ldp.forms.schema import Definition
from ldp.kernels import Rows
from ldp.packing import DrawPacking, Packing
from ldp.planning import conditions
from ldp.question import Drawn, Question
from ldp.scores import Totals
from ldp.tally import Batch, Field
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.arrays import Integers
    from ldp.document import ConditionTally
    from ldp.forms.crossed import Crossed
    from ldp.inference.variables import Variable
    from ldp.microdata import MicrodataTable


PEOPLE_MAX = 20_000
DRAWS_MAX = 1_000_000


def affordable(question: Drawn) -> int:
    """Return the largest number of people in a question's trial, by the uniform integers in a report."""
    drawn = [0]
    chance = random.Random(0)

    def counted() -> int:
        drawn[0] += 1
        return chance.getrandbits(53)

    kind = kinds.of(question)
    mechanisms.of_channel(question).randomize(
        kind.answer(question, kind.random_answer(question, chance), counted), counted
    )
    return min(PEOPLE_MAX, DRAWS_MAX // drawn[0])


def totals(question: Drawn, shares: list[float], n: int, seed: int) -> Totals:
    """Return the score totals of n invented people with these shares, as many as the kind's `parameters`. The same seed
    gives the same people and reports."""
    kind, chance = kinds.of(question), random.Random(seed)

    def uniform() -> int:
        return chance.getrandbits(53)

    answers = [kind.answer(question, kind.invented_answer(question, shares, chance), uniform) for _ in range(n)]
    return tally(question, answers, uniform)


def tally(question: Drawn, answers: list[Any], uniform: Uniform) -> Totals:
    """Return the tally of answers in the form of the mechanism's inputs."""
    randomizer = mechanisms.of_channel(question)
    return randomizer.tally(field(randomizer.packing(), [randomizer.randomize(answer, uniform) for answer in answers]))


def field(packing: Packing | DrawPacking, values: list[Any]) -> Field:
    """Return randomized values as a field of packed reports."""
    return Batch(rows(packing, values)).field(0, packing.width)


def rows(packing: Packing | DrawPacking, values: list[Any]) -> Rows:
    """Return the packed bits of randomized values, (n, bytes)."""
    size = (packing.width + 7) // 8
    packed = b"".join((packing.encode(value) << 8 * size - packing.width).to_bytes(size, "big") for value in values)
    return np.frombuffer(packed, dtype=np.uint8).reshape(len(values), size)


# A trial of a whole survey --------------------------------------------------------------------------------------------
#
# Invented people draw forms like real people, and answer each question independently.

ReportValues = list[dict[str, Any]]

# The largest number of answers in a trial. More would take longer than a user waits for a page.
ANSWERS_MAX = 60_000


class Trial(NamedTuple):
    """The numbers of a trial. `shares` has the invented people's by question key, as many as the kind's `parameters`.
    `true` has the estimated values by result key (key.1 and so on for a grid's items), where people who are not asked
    count as the filler. `tallies` are the forms'. `conditions` has the scores that show who was asked (M34e).
    `crossing` is the pair's; None without a pair or a report about both."""

    shares: dict[str, list[float]]
    true: dict[str, list[float]]
    tallies: list[FormTally]
    conditions: "dict[str, ConditionTally]"
    crossing: "Crossed | None"


def affordable_survey(definition: Definition) -> int:
    """Return the largest number of people in a survey's trial."""
    forms = range(len(definitions.forms(definition)))
    longest = max(len(definitions.questions_of(definition, form)) for form in forms)
    return min(PEOPLE_MAX, ANSWERS_MAX // longest)


def run(definition: Definition, n: int, seed: int, pair: "tuple[Variable, Variable] | None" = None) -> Trial:
    """Return the trial of n people. The same seed gives the same people and reports. The pair must be one that can be
    crossed."""
    chance = random.Random(seed)

    def uniform() -> int:
        return chance.getrandbits(53)

    questions, weights = report.alone(definition), definitions.weights(definition)
    shares = {each["key"]: kinds.of(each).invented_shares(each, chance) for each in questions}
    drawn = [lot.draw(weights, uniform) for _ in range(n)]
    reports = [
        [_report(definition, form, shares, chance, uniform) for _ in range(drawn.count(form))]
        for form in range(len(weights))
    ]
    tallies = [_tally(definition, form, own) for form, own in enumerate(reports)]
    return Trial(
        shares,
        true_shares(questions, shares),
        tallies,
        _conditions(definition, tallies, reports),
        _crossing(definition, tallies, reports, *pair) if pair else None,
    )


def true_shares(questions: Sequence[Question], shares: dict[str, list[float]]) -> dict[str, list[float]]:
    """Return the estimated values by result key. People answer, or count as the filler if they are not asked."""
    return {key: each for question in questions for key, each in _true(questions, question, shares)}


def _true(
    questions: Sequence[Question], question: Question, shares: dict[str, list[float]]
) -> Iterator[tuple[str, list[float]]]:
    kind, key = kinds.of(question), question["key"]
    answered = kind.true_shares(question, shares[key])
    part = applicable_share(questions, question, shares)
    for item in range(len(question.get("items", [key]))):
        filler = kind.filler_shares(question, item) if "asked_if" in question else answered
        mixed = [part * own + (1 - part) * other for own, other in zip(answered, filler, strict=True)]
        yield f"{key}.{item + 1}" if "items" in question else key, mixed


def applicable_share(questions: Sequence[Question], question: Question, shares: dict[str, list[float]]) -> float:
    """Return the chance that a person is asked `question`, if people answer each question independently."""
    by_key = {each["key"]: each for each in questions}
    deciding = {rule["question"] for each in questions for rule in routing.condition(each).rules}
    true = {key: kinds.of(by_key[key]).true_shares(by_key[key], shares[key]) for key in deciding}
    return float(conditions.part(by_key, question["key"], true, math.inf))


def _conditions(
    definition: Definition, tallies: list[FormTally], reports: list[ReportValues]
) -> "dict[str, ConditionTally]":
    """Return the scores as a worker counts them, by the question's key; empty if totals show who was asked, or single
    reports do not."""
    questions = [question for question, _totals, _n in in_forms.counted(definition, tallies)]
    if not any("asked_if" in question for question in questions):
        return {}
    from ldp.inference.variables import common_forms  # these load scipy
    from ldp.regression.condition_scores import scores_of

    known = {question["key"]: scores for question in questions if (scores := scores_of(questions, question))}
    for scores in known.values():
        keys = [variable.question["key"] for variable in scores.variables]
        for form in common_forms(scores.variables) or definitions.questionnaire(definition).reports_about(*keys):
            if tallies[form].n:
                scores.add(_tables(definition, form, reports[form]))
    return {key: tally for key, scores in known.items() if (tally := scores.tally()) is not None}


def _crossing(
    definition: Definition, tallies: list[FormTally], reports: list[ReportValues], first: "Variable", second: "Variable"
) -> "Crossed | None":
    """Return the crossing as a worker computes it: from the tally for one draw, otherwise from the reports."""
    from ldp.forms import results  # these load scipy
    from ldp.inference.crossed import joint_counts
    from ldp.inference.variables import common_forms

    def read(one: "Variable", other: "Variable") -> "Integers":
        keys, forms = (one.question["key"], other.question["key"]), common_forms((one, other))
        about = sorted(forms or definitions.questionnaire(definition).reports_about(*keys))
        tables = (_tables(definition, form, reports[form]) for form in about if tallies[form].n)
        return joint_counts(one, other, ((own[keys[0]], own[keys[1]]) for own in tables))

    return results.crossing(definition, tallies, first, second, read)


def _tables(definition: Definition, form: int, reports: ReportValues) -> "dict[str, MicrodataTable]":
    """Return the columns of each question of the form, by key."""
    tables: dict[str, MicrodataTable] = {}
    for part in report.parts(definition, form):
        tables |= part.tables(rows(part.packing, [part.value(each) for each in reports]), 0)
    return tables


def _report(
    definition: Definition, form: int, shares: dict[str, list[float]], chance: random.Random, uniform: Uniform
) -> dict[str, Any]:
    answers = {
        each["key"]: kinds.of(each).invented_answer(each, shares[each["key"]], chance)
        for each in definitions.questions_of(definition, form)
    }
    return report.randomize(definition, form, answers, uniform)


def _tally(definition: Definition, form: int, reports: list[dict[str, Any]]) -> FormTally:
    parts = report.parts(definition, form) if reports else []
    fields = (field(part.packing, [part.value(each) for each in reports]) for part in parts)
    return FormTally(len(reports), tuple(part.tally(field) for part, field in zip(parts, fields, strict=True)))
