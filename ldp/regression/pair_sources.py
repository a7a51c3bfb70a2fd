"""The forms of a survey about a model's questions, for models computed from pairs of questions (M47).

A linear model without products is computed from pairs in three cases: no form asks all of its questions; the forms that
ask all randomize them in several ways; or other forms ask some of them. All of these forms are then pooled. At equal
shares and without effects, pooling is at least as precise as the forms that ask everything. Questions for everyone and
those of one form are one sample (M40).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ldp.forms import definition as definitions
from ldp.forms import report, results
from ldp.forms.marginals import JointTally
from ldp.forms.results import FormTally
from ldp.forms.schema import Definition
from ldp.inference.variables import CELLS_MAX, NotCrossed, Variable, of_all, pair_of, variable
from ldp.microdata import MicrodataTable
from ldp.question import Drawn
from ldp.regression.draw_scores import DrawScores
from ldp.regression.factors import factors
from ldp.regression.pairs import Source, check_pairs, pairs_of
from ldp.regression.report_scores import ReportScores
from ldp.regression.sample import Tabulation
from ldp.regression.specification import NotFitted, Specification
from ldp.scores import Totals


class FormVariables(NamedTuple):
    """The variables of a model in a form, with the form's channels."""

    form: int
    variables: tuple[Variable, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(each.key for each in self.variables)

    @property
    def is_tallied(self) -> bool:
        """Return whether the totals of one draw are enough."""
        whole = all(each.place is None for each in self.variables)
        return whole and len({each.draw for each in self.variables}) == 1


def is_by_pairs(definition: Definition, model: Specification) -> bool:
    """Return whether the model is computed from pairs. NotCrossed if it has an unknown question."""
    if "forms" not in definition or model.model != "linear" or model.interactions:
        return False
    variables = _variables(report.alone(definition), model.keys)
    try:
        of_all(variables)
    except NotCrossed:
        return True
    some = any(len(each.variables) < len(variables) for each in forms_about(definition, model.keys, 1))
    return some and any("asked" in each.question for each in variables)


def forms_about(definition: Definition, keys: Sequence[str], least: int = 2) -> list[FormVariables]:
    """Return the forms that ask at least `least` of the variables."""
    made = []
    for form in range(len(definitions.forms(definition))):
        questions = report.alone(definition, [form])
        in_form = {question["key"] for question in questions}
        own = [key for key in keys if key.partition(".")[0] in in_form]
        if len(own) >= least:
            made.append(FormVariables(form, tuple(_variables(questions, own))))
    return made


def _variables(questions: list[Drawn], keys: Sequence[str]) -> list[Variable]:
    return [variable(questions, key, means=True) for key in keys]


def check(definition: Definition, keys: Sequence[str], forms: Sequence[FormVariables]) -> None:
    """Raise PairsMissing if these forms lack a pair of the keys. Raise NotCrossed if every report is about only one of
    two items of a question, or two keys cannot be crossed. Raise NotFitted if a form's reports must be read and have
    too many combinations of answers."""
    together = list[tuple[str, str]]()
    for each in forms:
        questions = report.alone(definition, [each.form])
        together += [pair for pair in pairs_of(each.keys) if _is_reported(questions, pair)]
        if not each.is_tallied and math.prod(len(own.options) for own in each.variables) > CELLS_MAX:
            raise NotFitted("too large")
    known = {frozenset(pair) for pair in together}
    items = (pair for each in forms for pair in pairs_of(each.keys) if len({_question(key) for key in pair}) == 1)
    if any(frozenset(pair) not in known for pair in items):
        raise NotCrossed("one drawn")
    check_pairs(keys, together)


def _is_reported(questions: list[Drawn], pair: tuple[str, str]) -> bool:
    """Return whether a form's reports can be about both keys: not if they are about one item of a question."""
    try:
        pair_of(questions, *pair, means=True)
    except NotCrossed as refused:
        if refused.reason != "one drawn":
            raise
        return False
    return True


def _question(key: str) -> str:
    return key.partition(".")[0]


class SplitReports:
    """A form's reports about the variables: a sample for each set of variables that reports are about. A device draws
    the items of a list or grid without looking at answers."""

    def __init__(self, form: FormVariables) -> None:
        self._variables = form.variables
        self._tabulations: dict[tuple[int, ...], Tabulation] = {}

    def add(self, tables: Mapping[str, MicrodataTable]) -> None:
        """Add reports; `tables` are the columns (n, size) of each question, by key."""
        columns = [tables[each.question["key"]] for each in self._variables]
        about = np.stack([each.about(own) for each, own in zip(self._variables, columns, strict=True)], axis=1)
        for row in np.unique(about, axis=0):
            places, own = tuple(np.flatnonzero(row).tolist()), (about == row).all(axis=1)
            if places:
                self._of(places).add([columns[place][own] for place in places])

    def _of(self, places: tuple[int, ...]) -> Tabulation:
        if places not in self._tabulations:
            self._tabulations[places] = Tabulation(factors([self._variables[place] for place in places]))
        return self._tabulations[places]

    def scores(self) -> list[ReportScores]:
        """Return the scores of each sample."""
        some = any(each.place is not None for each in self._variables)
        return [
            ReportScores(tuple(self._variables[place] for place in places), self._tabulations[places].sample(), some)
            for places in sorted(self._tabulations)
        ]


def sources(
    definition: Definition,
    tallies: Sequence[FormTally],
    forms: Sequence[FormVariables],
    read: Callable[[Mapping[int, SplitReports]], object],
) -> list[Source]:
    """Return the sources of `forms` with reports: the draw's totals or, if a form has items or several draws of these
    questions, its reports, which `read` adds by form. Other forms of the survey are sources for single questions: the
    totals of their draws by randomized response."""
    counted = [each for each in forms if tallies[each.form].n]
    reports = {each.form: SplitReports(each) for each in counted if not each.is_tallied}
    if reports:
        read(reports)
    made: list[Source] = []
    for each in counted:
        if each.is_tallied:
            made.append(_of_totals(definition, tallies[each.form], each))
        else:
            made.extend(reports[each.form].scores())
    keys, paired = {key for each in forms for key in each.keys}, {each.form for each in forms}
    tallied = (
        each for form, own in enumerate(tallies) if form not in paired for each in _tallied(definition, form, own)
    )
    return [*made, *(DrawScores(each.of((key,))) for each in tallied for key in each.keys if key in keys)]


def _tallied(definition: Definition, form: int, tally: FormTally) -> list[JointTally]:
    """Return the tallies of a form's draws by randomized response; empty without reports."""
    each = zip(report.parts(definition, form), tally.totals, strict=True) if tally.n else ()
    return [
        results.joint_tally(part, totals, tally.n) if part.joint else _alone(part, totals)
        for part, totals in each
        if part.draw["mechanism"] == "randomized_response"
    ]


def _alone(part: report.Part, totals: Totals) -> JointTally:
    counts = tuple(totals["support"])
    return JointTally(part.draw["table"], (len(counts),), counts, part.keys)


def _of_totals(definition: Definition, tally: FormTally, form: FormVariables) -> DrawScores:
    [draw] = results.joint_tallies(definition, form.form, tally, form.keys)
    return DrawScores(draw.of(tuple(key for key in draw.keys if key in form.keys)))
