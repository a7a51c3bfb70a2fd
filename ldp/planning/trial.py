"""A trial run of a question: its mechanism randomizes invented people's answers into a tally like that of reports.

The samplers, the packing and the tally are those of real reports; the words are not (`uniform` comes from a seeded
generator), so nothing of a trial may ever be released as a report.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ldp import kinds, mechanisms, routing
from ldp.forms import definition as definitions
from ldp.forms import lot, report
from ldp.forms.results import FormTally
from ldp.forms.schema import Definition
from ldp.kernels import Rows
from ldp.packing import DrawPacking, Packing
from ldp.question import Drawn, Question
from ldp.scores import Totals
from ldp.tally import Batch, Field
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.arrays import Integers
    from ldp.forms.crossed import Crossed
    from ldp.inference.variables import Variable
    from ldp.microdata import MicrodataTable


PEOPLE_MAX = 20_000
DRAWS_MAX = 1_000_000


def affordable(question: Drawn) -> int:
    """For how many people a trial is made at most, by how many uniform integers a report takes."""
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
    """The score totals of n invented people with these shares, as many as the kind's `parameters` says. The same seed
    gives the same people and reports."""
    kind, chance = kinds.of(question), random.Random(seed)

    def uniform() -> int:
        return chance.getrandbits(53)

    answers = [kind.answer(question, kind.invented_answer(question, shares, chance), uniform) for _ in range(n)]
    return tally(question, answers, uniform)


def tally(question: Drawn, answers: list[Any], uniform: Uniform) -> Totals:
    """The tally of answers as the mechanism takes them."""
    randomizer = mechanisms.of_channel(question)
    return randomizer.tally(field(randomizer.packing(), [randomizer.randomize(answer, uniform) for answer in answers]))


def field(packing: Packing | DrawPacking, values: list[Any]) -> Field:
    """Randomized values as in packed reports."""
    return Batch(rows(packing, values)).field(0, packing.width)


def rows(packing: Packing | DrawPacking, values: list[Any]) -> Rows:
    """The packed bits of randomized values, (n, bytes)."""
    size = (packing.width + 7) // 8
    packed = b"".join((packing.encode(value) << 8 * size - packing.width).to_bytes(size, "big") for value in values)
    return np.frombuffer(packed, dtype=np.uint8).reshape(len(values), size)


# A trial run of a whole survey: invented people draw forms and answer them, and their reports are tallied -------------
#
# Real reports have the same draw of a form. People answer each question independently.

ReportValues = list[dict[str, Any]]
Held = tuple[str, tuple[int, ...]]  # a rule: the key of a question, and the options that lead on

# Answers of a trial in all: more take longer than a user waits for a page.
ANSWERS_MAX = 60_000


class Trial(NamedTuple):
    """`shares` are the drawn people's, by the question's key, as many as its kind's `parameters` says; `true` is the
    estimates' target, by the result's key (for an item of a grid, key.1 and on), where people who are not asked count
    as the filler; `tallies` are the forms', or everybody's without forms; `crossing` is the pair's, None where there is
    none or no report is about both."""

    shares: dict[str, list[float]]
    true: dict[str, list[float]]
    tallies: list[FormTally]
    crossing: "Crossed | None"


def affordable_survey(definition: Definition) -> int:
    """For how many people a trial is made at most."""
    forms = range(len(definitions.forms(definition)))
    longest = max(len(definitions.questions_of(definition, form)) for form in forms)
    return min(PEOPLE_MAX, ANSWERS_MAX // longest)


def run(definition: Definition, n: int, seed: int, pair: "tuple[Variable, Variable] | None" = None) -> Trial:
    """n people; the same seed gives the same people and the same reports. The pair is one that can be crossed."""
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
        _crossing(definition, tallies, reports, *pair) if pair else None,
    )


def true_shares(questions: Sequence[Question], shares: dict[str, list[float]]) -> dict[str, list[float]]:
    """What estimates are about, by their keys: people answer, or count as the filler where they are not asked."""
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
    """The chance that a person is asked `question`, since people answer each question without regard to the others.

    The rules that hold so far are a state; each question that decides something splits those states that ask it.
    """
    deciding = _deciding(questions, question)
    states: dict[frozenset[Held], float] = {frozenset(): 1.0}
    for each in deciding:
        rules = {held for own in (*deciding, question) for held in _rules(own) if held[0] == each["key"]}
        law = _rules_that_hold(each, rules, kinds.of(each).true_shares(each, shares[each["key"]]))
        after = defaultdict[frozenset[Held], float](float)
        for state, chance in states.items():
            for more, share in law.items() if _is_applicable(each, state) else [(frozenset(), 1.0)]:
                after[state | more] += chance * share
        states = after
    return sum(chance for state, chance in states.items() if _is_applicable(question, state))


def _deciding(questions: Sequence[Question], question: Question) -> list[Question]:
    """The questions that decide whether `question` is asked, in order."""
    keys = {key for key, _ in _rules(question)}
    for each in reversed(questions):
        if each["key"] in keys:
            keys |= {key for key, _ in _rules(each)}
    return [each for each in questions if each["key"] in keys]


def _rules(question: Question) -> set[Held]:
    return {(rule["question"], tuple(rule["options"])) for rule in routing.condition(question).rules}


def _is_applicable(question: Question, state: frozenset[Held]) -> bool:
    rules, joined = routing.condition(question)
    return joined((rule["question"], tuple(rule["options"])) in state for rule in rules)


def _rules_that_hold(question: Question, rules: set[Held], true: list[float]) -> dict[frozenset[Held], float]:
    """The chance of each set of rules about a question to hold where it is asked. A multiple choice draws each option;
    otherwise exactly one option is the answer."""
    by_option = [frozenset(held for held in rules if option in held[1]) for option in range(len(true))]
    law = defaultdict[frozenset[Held], float](float)
    if not kinds.of(question).several:
        for held, share in zip(by_option, true, strict=True):
            law[held] += share
        return law
    law[frozenset()] = 1.0
    for held, share in zip(by_option, true, strict=True):
        after = defaultdict[frozenset[Held], float](float)
        for state, chance in law.items():
            after[state | held] += chance * share
            after[state] += chance * (1 - share)
        law = after
    return law


def _crossing(
    definition: Definition, tallies: list[FormTally], reports: list[ReportValues], first: "Variable", second: "Variable"
) -> "Crossed | None":
    """As a worker makes it: of one draw from its tally, else from the reports."""
    from ldp.forms import results  # loads scipy, as the rest of this
    from ldp.inference.crossed import joint_counts
    from ldp.inference.variables import common_forms

    def read(one: "Variable", other: "Variable") -> "Integers":
        keys, forms = (one.question["key"], other.question["key"]), common_forms((one, other))
        about = sorted(forms or definitions.questionnaire(definition).reports_about(*keys))
        tables = (_tables(definition, form, reports[form]) for form in about if tallies[form].n)
        return joint_counts(one, other, ((own[keys[0]], own[keys[1]]) for own in tables))

    return results.crossing(definition, tallies, first, second, read)


def _tables(definition: Definition, form: int, reports: ReportValues) -> "dict[str, MicrodataTable]":
    """The columns of each question of the form."""
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
