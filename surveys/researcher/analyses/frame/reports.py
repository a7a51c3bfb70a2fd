"""Read the reports of a release for an analysis, as crossings or as a sample of combinations."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from ldp.arrays import Integers
from ldp.forms import results
from ldp.forms.crossed import Crossed
from ldp.forms.definition import questionnaire
from ldp.inference import crossed as crossings
from ldp.inference.reached_cells import ReachedCells
from ldp.inference.variables import Variable, by_channel, common_forms, of_all, pair_of
from ldp.microdata import MicrodataTable
from ldp.regression import pair_sources
from ldp.regression.factors import factors
from ldp.regression.pair_sources import SplitReports
from ldp.regression.pairs import Source
from ldp.regression.reached_pairs import ReportPair, StatePair
from ldp.regression.sample import Sample, Tabulation, joint_sample
from surveys.models import Release


class NoReports(Exception):
    """No report is about all of the questions."""


class TooFewReached(Exception):
    """Too few people were asked the questions to estimate shares among them."""


class Reports(Protocol):
    @property
    def release(self) -> Release: ...

    def read(
        self, variables: Mapping[int, Sequence[Variable]], add: Callable[[int, Mapping[str, MicrodataTable]], None]
    ) -> None:
        """Call `add` with each form and the columns of its variables' questions by key, some reports at a time. An
        error ends the analysis if the reports do not match the release."""


def forms_about(release: Release, variables: Sequence[Variable]) -> list[int]:
    """Return the forms with reports that ask all the variables' questions in the same way."""
    keys, common = (variable.question["key"] for variable in variables), common_forms(variables)
    forms = questionnaire(release.survey.definition).reports_about(*keys)
    return [form for form in forms if release.tallies[form]["n"] and (common is None or form in common)]


def crossed(reports: Reports, first: Variable, others: Sequence[Variable]) -> dict[str, Crossed]:
    """Return the crossings of the first variable with the others, by the others' keys.

    The counts come from tallies of joint draws, else from one pass over the reports. A pair without reports about both
    is left out. Raise NoReports if no pair is left.
    """
    release = reports.release
    definition, questions = release.survey.definition, release.survey.questions
    pairs = {other.key: pair_of(questions, first.key, other.key, means=True) for other in others}
    ways = [(one, other) for pair in pairs.values() for one, other in by_channel(pair)]
    counts = _counts(reports, [way for way in ways if not results.is_tallied(*way)])

    def read(one: Variable, other: Variable) -> Integers:
        return counts[_name(one, other)]

    made = {key: results.crossing(definition, release.form_tallies, *pair, read) for key, pair in pairs.items()}
    crossings = {key: crossing for key, crossing in made.items() if crossing is not None}
    if not crossings:
        raise NoReports
    return crossings


def reached_cells(reports: Reports, pair: StatePair | ReportPair) -> ReachedCells:
    """Return two variables crossed among the people who were asked both, if not everyone was. Raise NoReports if no
    report shows who was asked, TooFewReached if hardly anyone was."""
    forms = forms_about(reports.release, pair.variables)
    reports.read(dict.fromkeys(forms, pair.variables), lambda _form, tables: pair.add(tables))
    cells = pair.cells()
    if cells is None:
        raise NoReports
    if cells.too_few:
        raise TooFewReached
    return cells


_Name = tuple[str, str, frozenset[int] | None]


def _name(one: Variable, other: Variable) -> _Name:
    return one.key, other.key, common_forms((one, other))


def _counts(reports: Reports, ways: Sequence[tuple[Variable, Variable]]) -> dict[_Name, Integers]:
    counts: dict[_Name, Integers] = {_name(*way): np.zeros((1, 1), np.int64) for way in ways}
    by_form: dict[int, list[tuple[Variable, Variable]]] = {}
    for way in ways:
        for form in forms_about(reports.release, way):
            by_form.setdefault(form, []).append(way)

    def add(form: int, tables: Mapping[str, MicrodataTable]) -> None:
        for one, other in by_form[form]:
            pair, name = (tables[one.question["key"]], tables[other.question["key"]]), _name(one, other)
            counts[name] = counts[name] + crossings.joint_counts(one, other, [pair])

    if by_form:
        reports.read({form: [each for way in own for each in way] for form, own in by_form.items()}, add)
    return counts


def sample(reports: Reports, variables: Sequence[Variable]) -> Sample:
    """Return the reports as weights of combinations of answers (ldp/regression/sample.py).

    They come from the tally of a joint draw of all questions, else from the reports. Raise NoReports if no report is
    about all questions, NotCrossed if forms ask these in different ways.
    """
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
    """Return the forms' information on pairs of these variables (ldp/regression/pair_sources.py). A form with one draw
    of them gives its tally. A form with several draws gives its reports, all read in one pass."""

    def read(forms: Mapping[int, SplitReports]) -> None:
        variables = {each.form: each.variables for each in about if each.form in forms}
        reports.read(variables, lambda form, tables: forms[form].add(tables))

    release, definition = reports.release, reports.release.survey.definition
    about = pair_sources.forms_about(definition, keys)
    return pair_sources.sources(definition, release.form_tallies, about, read)
