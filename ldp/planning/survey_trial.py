"""A trial run of a whole survey: invented people draw forms and answer them, and their reports are tallied.

The draw of a form, the samplers, the packing and the tally are those of real reports; the words are not (`uniform`
comes from a seeded generator), so nothing of a trial may ever be released as a report. People answer each question
without regard to the others.
"""

import random
from typing import TYPE_CHECKING, Any, NamedTuple

from ldp import kinds
from ldp.forms import definition as definitions
from ldp.forms import lot, report
from ldp.forms.results import FormTally
from ldp.forms.schema import Definition
from ldp.planning import trial
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.crossing import Crossed
    from ldp.inference.variables import Variable
    from ldp.microdata import Table

Reports = list[dict[str, Any]]

# Answers of a trial in all: more take longer than somebody waits for a page.
ANSWERS_MAX = 60_000


class Trial(NamedTuple):
    """`shares` are what the people were drawn from, by the question's key, as many as its kind's `parameters` says;
    `tallies` are those of the forms, of a survey without forms of everybody; `crossing` is that of the pair, None where
    there is none or no report is about both."""

    shares: dict[str, list[float]]
    tallies: list[FormTally]
    crossing: "Crossed | None"


def affordable(definition: Definition) -> int:
    """For how many people a trial is made at most."""
    forms = range(len(definitions.forms(definition)))
    longest = max(len(definitions.questions_of(definition, form)) for form in forms)
    return min(trial.PEOPLE_MAX, ANSWERS_MAX // longest)


def run(definition: Definition, n: int, seed: int, pair: "tuple[Variable, Variable] | None" = None) -> Trial:
    """n people; the same seed gives the same people and the same reports. The pair is one that can be crossed."""
    chance = random.Random(seed)

    def uniform() -> int:
        return chance.getrandbits(53)

    questions, weights = definition["questions"], definitions.weights(definition)
    shares = {each["key"]: kinds.of(each).invented_shares(each, chance) for each in questions}
    drawn = [lot.draw(weights, uniform) for _ in range(n)]
    reports = [
        [_report(definition, form, shares, chance, uniform) for _ in range(drawn.count(form))]
        for form in range(len(weights))
    ]
    tallies = [_tally(definition, form, own) for form, own in enumerate(reports)]
    return Trial(shares, tallies, _crossing(definition, tallies, reports, *pair) if pair else None)


def _crossing(
    definition: Definition, tallies: list[FormTally], reports: list[Reports], first: "Variable", second: "Variable"
) -> "Crossed | None":
    """As a worker makes it: of a joint form from its tally, else from the reports."""
    from ldp.forms import results  # loads scipy, as the rest of this
    from ldp.inference import jointly
    from ldp.inference.crossed import Crossing

    keys = first.question["key"], second.question["key"]
    about = [form for form in sorted(definitions.questionnaire(definition).reports_about(*keys)) if tallies[form].n]
    together = results.crossing(definition, tallies, first, second) if about else None
    if together is not None or not about:
        return together
    tables = (_tables(definition, form, reports[form]) for form in about)
    counts = jointly.counts(first, second, ((own[keys[0]], own[keys[1]]) for own in tables))
    return Crossing(first, second, counts) if counts[0, 0] else None


def _tables(definition: Definition, form: int, reports: Reports) -> "dict[str, Table]":
    """The columns of each question of the form."""
    tables: dict[str, Table] = {}
    for part in report.parts(definition, form):
        tables |= part.tables(trial.rows(part.packing, [part.value(each) for each in reports]), 0)
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
    fields = (trial.field(part.packing, [part.value(each) for each in reports]) for part in parts)
    return FormTally(len(reports), tuple(part.tally(field) for part, field in zip(parts, fields, strict=True)))
