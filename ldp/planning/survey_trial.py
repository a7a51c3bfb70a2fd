"""A trial run of a whole survey: invented people draw forms and answer them, and their reports are tallied.

The draw of a form, the samplers, the packing and the tally are those of real reports; the words are not (`uniform`
comes from a seeded generator), so nothing of a trial may ever be released as a report. People answer each question
without regard to the others.
"""

import random
from typing import Any, NamedTuple

from ldp import kinds
from ldp.forms import definition as definitions
from ldp.forms import lot, report
from ldp.forms.definition import Definition
from ldp.forms.results import FormTally
from ldp.planning import trial
from ldp.words import Uniform

# Answers of a trial in all: more take longer than somebody waits for a page.
ANSWERS_MAX = 60_000


class Trial(NamedTuple):
    """`shares` are what the people were drawn from, by the question's key, as many as its kind's `parameters` says;
    `tallies` are those of the forms, of a survey without forms of everybody."""

    shares: dict[str, list[float]]
    tallies: list[FormTally]


def affordable(definition: Definition) -> int:
    """For how many people a trial is made at most."""
    forms = range(len(definitions.forms(definition)))
    longest = max(len(definitions.questions_of(definition, form)) for form in forms)
    return min(trial.PEOPLE_MAX, ANSWERS_MAX // longest)


def run(definition: Definition, n: int, seed: int) -> Trial:
    """n people; the same seed gives the same people and the same reports."""
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
    return Trial(shares, [_tally(definition, form, own) for form, own in enumerate(reports)])


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
