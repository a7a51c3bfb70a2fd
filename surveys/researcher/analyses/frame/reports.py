"""The reports of a release, as a worker reads them for an analysis: crossed, or as a sample of combinations."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from ldp.arrays import Integers
from ldp.forms import results
from ldp.forms.crossed import Crossed, of_counts
from ldp.forms.definition import questionnaire
from ldp.inference import crossed as crossings
from ldp.inference.variables import Variable, of_all, pair_of
from ldp.microdata import MicrodataTable
from ldp.regression import pair_sources
from ldp.regression.factors import factors
from ldp.regression.pair_sources import FormVariables
from ldp.regression.pairs import Source
from ldp.regression.sample import ReportSample, Sample, Tabulation, joint_sample
from surveys.models import Release


class NoReports(Exception):
    """No report is about all of the questions."""


class Reports(Protocol):
    @property
    def release(self) -> Release: ...

    def read(
        self, variables: Mapping[int, Sequence[Variable]], add: Callable[[int, Mapping[str, MicrodataTable]], None]
    ) -> None:
        """Hand over the columns of the questions of each form's variables, by the questions' keys, some reports at a
        time. What is raised where they are not those of the release ends the analysis."""


def forms_about(release: Release, variables: Sequence[Variable]) -> list[int]:
    """The forms that have all of the variables' questions and any report."""
    keys = (variable.question["key"] for variable in variables)
    forms = questionnaire(release.survey.definition).reports_about(*keys)
    return [form for form in forms if release.tallies[form]["n"]]


def crossed(reports: Reports, first: Variable, others: Sequence[Variable]) -> dict[str, Crossed]:
    """The first variable crossed with each of the others, by their keys, from the tallies of draws that have both,
    else all from one reading of the reports. Without those that no report is about both of. NoReports where none is
    left."""
    release = reports.release
    questions, definition = release.survey.questions, release.survey.definition
    pairs = {other.key: pair_of(questions, first.key, other.key, means=True) for other in others}
    forms = {key: forms_about(release, pair) for key, pair in pairs.items()}
    pairs = {key: pair for key, pair in pairs.items() if forms[key]}
    tallied = {key: results.crossing(definition, release.form_tallies, *pair) for key, pair in pairs.items()}
    crossings: dict[str, Crossed] = {key: crossing for key, crossing in tallied.items() if crossing is not None}
    rest = {key: pair for key, pair in pairs.items() if key not in crossings}
    counts = _counts(reports, rest, forms)
    crossings |= {key: of_counts(*pair, counts[key]) for key, pair in rest.items() if counts[key][0, 0]}
    if not crossings:
        raise NoReports
    return {key: crossings[key] for key in pairs if key in crossings}


def _counts(
    reports: Reports, pairs: Mapping[str, tuple[Variable, Variable]], forms: Mapping[str, list[int]]
) -> dict[str, Integers]:
    counts: dict[str, Integers] = {key: np.zeros((1, 1), np.int64) for key in pairs}
    by_form: dict[int, list[str]] = {}
    for key in pairs:
        for form in forms[key]:
            by_form.setdefault(form, []).append(key)

    def add(form: int, tables: Mapping[str, MicrodataTable]) -> None:
        for key in by_form[form]:
            first, other = pairs[key]
            pair = tables[first.question["key"]], tables[other.question["key"]]
            counts[key] = counts[key] + crossings.joint_counts(first, other, [pair])

    if by_form:
        pairs_of_form = {form: [each for key in keys for each in pairs[key]] for form, keys in by_form.items()}
        reports.read(pairs_of_form, add)
    return counts


def sample(reports: Reports, variables: Sequence[Variable]) -> Sample:
    """The reports as weights of combinations of answers (ldp/regression/sample.py): from the tally of a draw that
    has all of the questions, else from the reports. NoReports where none is about all of them, NotCrossed where forms
    ask these in different ways."""
    release, definition = reports.release, reports.release.survey.definition
    variables = of_all(variables)
    forms = forms_about(release, variables)
    if not forms:
        raise NoReports
    counted = joint_sample(definition, release.form_tallies, variables)
    if counted is not None:
        return counted
    tabulation = Tabulation(factors(variables))

    def add(form: int, tables: Mapping[str, MicrodataTable]) -> None:
        tabulation.add([tables[variable.question["key"]] for variable in variables])

    reports.read(dict.fromkeys(forms, variables), add)
    try:
        return tabulation.sample()
    except ValueError:
        raise NoReports from None


def sources(reports: Reports, keys: Sequence[str]) -> list[Source]:
    """What the forms tell of pairs of these variables (ldp/regression/pair_sources.py): from the tallies of their
    draws, and from one reading of the reports of forms that have several draws of these."""

    def read(forms: Sequence[FormVariables]) -> dict[int, ReportSample]:
        tabulations = {each.form: Tabulation(factors(each.variables)) for each in forms}
        questions = {each.form: [own.question["key"] for own in each.variables] for each in forms}

        def add(form: int, tables: Mapping[str, MicrodataTable]) -> None:
            tabulations[form].add([tables[key] for key in questions[form]])

        reports.read({each.form: each.variables for each in forms}, add)
        return {form: made.sample() for form, made in tabulations.items() if made.n}

    release, definition = reports.release, reports.release.survey.definition
    return pair_sources.sources(definition, release.form_tallies, pair_sources.forms_about(definition, keys), read)
