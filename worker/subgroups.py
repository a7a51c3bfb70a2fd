"""The subgroups of a release: as crossings (worker/crossing.py) of one stratum with every other question, each from
the tally of a joint form that has both, else all from one reading of the blocks."""

from collections.abc import Mapping, Sequence

import numpy as np

from ldp.arrays import Integers
from ldp.forms import results
from ldp.forms.crossed import Crossed
from ldp.forms.definition import questionnaire
from ldp.inference import crossed
from ldp.inference.variables import Variable
from ldp.microdata import MicrodataTable
from ldp.subgroups import SubgroupsDocument, document, partners
from surveys.models import Subgroups
from worker.estimation import header
from worker.job_expiry import Abandoned
from worker.reading import Reason, count, read_forms


def make(pk: int) -> None:
    """Count subgroups, unless somebody does."""
    row = Subgroups.claim(pk)
    if row is not None:
        count(row, _document)


def _document(row: Subgroups) -> SubgroupsDocument:
    """Abandoned where no report is about the stratum and anything else."""
    questions = row.release.survey.questions
    stratum, others = partners(questions, row.stratum)
    parts = _of_joint_forms(row, stratum, others)
    parts |= _of_reports(row, stratum, [other for other in others if other.key not in parts])
    if not parts:
        raise Abandoned(Reason.NOBODY)
    return document(header(row.release), questions, [parts[other.key] for other in others if other.key in parts])


def _of_joint_forms(row: Subgroups, stratum: Variable, others: Sequence[Variable]) -> dict[str, Crossed]:
    definition, tallies = row.release.survey.definition, row.release.form_tallies
    each = {
        other.key: results.crossing(definition, tallies, stratum, other)
        for other in others
        if stratum.form is None or tallies[stratum.form].n
    }
    return {key: crossing for key, crossing in each.items() if crossing is not None}


def _of_reports(row: Subgroups, stratum: Variable, others: Sequence[Variable]) -> dict[str, Crossed]:
    by_form, counts = _by_form(row, stratum, others), dict[str, Integers]()

    def add(form: int, tables: Mapping[str, MicrodataTable]) -> None:
        for other in by_form[form]:
            pair = tables[stratum.question["key"]], tables[other.question["key"]]
            counts[other.key] = counts.get(other.key, np.zeros((1, 1), np.int64)) + crossed.joint_counts(
                stratum, other, [pair]
            )

    if by_form:
        read_forms(row, {form: _questions([stratum, *of]) for form, of in by_form.items()}, add)
    return {
        other.key: crossed.Crossing(stratum, other, counts[other.key])
        for other in others
        if other.key in counts and counts[other.key][0, 0]
    }


def _by_form(row: Subgroups, stratum: Variable, others: Sequence[Variable]) -> dict[int, list[Variable]]:
    """What is read of the reports of each form that has any."""
    whole, variables = questionnaire(row.release.survey.definition), dict[int, list[Variable]]()
    for other in others:
        for form in whole.reports_about(stratum.question["key"], other.question["key"]):
            if row.release.tallies[form]["n"]:
                variables.setdefault(form, []).append(other)
    return variables


def _questions(variables: Sequence[Variable]) -> list[Variable]:
    """One variable of each question."""
    return list({each.question["key"]: each for each in variables}.values())
