"""The reports of a release, as a worker reads them for an analysis: crossed, or as a sample of combinations."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from ldp.arrays import Integers
from ldp.forms import results
from ldp.forms.crossed import Crossed, of_counts
from ldp.forms.definition import questionnaire
from ldp.inference import crossed as crossings
from ldp.inference.variables import Variable
from ldp.microdata import MicrodataTable
from ldp.regression.factors import factors
from ldp.regression.sample import Sample, Tabulation, joint_sample
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
    """The first variable crossed with each of the others, by their keys, from the tally of a draw that has both,
    else all from one reading of the reports. Without those that no report is about both of. NoReports where none is
    left."""
    release = reports.release
    forms = {other.key: forms_about(release, (first, other)) for other in others}
    others = [other for other in others if forms[other.key]]
    tallied = {
        other.key: results.crossing(release.survey.definition, release.form_tallies, first, other) for other in others
    }
    found: dict[str, Crossed] = {key: crossing for key, crossing in tallied.items() if crossing is not None}
    rest = [other for other in others if other.key not in found]
    counts = _counts(reports, first, rest, forms)
    found |= {other.key: of_counts(first, other, counts[other.key]) for other in rest if counts[other.key][0, 0]}
    if not found:
        raise NoReports
    return {other.key: found[other.key] for other in others if other.key in found}


def _counts(
    reports: Reports, first: Variable, others: Sequence[Variable], forms: Mapping[str, list[int]]
) -> dict[str, Integers]:
    counts: dict[str, Integers] = {other.key: np.zeros((1, 1), np.int64) for other in others}
    by_form: dict[int, list[Variable]] = {}
    for other in others:
        for form in forms[other.key]:
            by_form.setdefault(form, []).append(other)

    def add(form: int, tables: Mapping[str, MicrodataTable]) -> None:
        for other in by_form[form]:
            pair = tables[first.question["key"]], tables[other.question["key"]]
            counts[other.key] = counts[other.key] + crossings.joint_counts(first, other, [pair])

    if by_form:
        reports.read({form: [first, *variables] for form, variables in by_form.items()}, add)
    return counts


def sample(reports: Reports, variables: Sequence[Variable]) -> Sample:
    """The reports as weights of combinations of answers (ldp/regression/sample.py): from the tally of a draw that
    has all of the questions, else from the reports. NoReports where none is about all of them."""
    release, definition = reports.release, reports.release.survey.definition
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
