"""Regressions of a release: as crossings (worker/crossing.py), from the tally of a joint form that has all of the
model's questions, else from the blocks."""

from ldp.forms.definition import questionnaire
from ldp.inference.variables import Variable, variable
from ldp.regression.counted import joint_parts, joint_sample
from ldp.regression.document import RegressionDocument, document
from ldp.regression.factors import factors
from ldp.regression.sample import Sample, Tabulation
from ldp.regression.specification import from_json
from surveys.models import Regression
from worker.estimation import header
from worker.job_expiry import Abandoned
from worker.reading import Reason, count, read


def make(pk: int) -> None:
    """Count and fit a regression, unless somebody does."""
    row = Regression.claim(pk)
    if row is not None:
        count(row, _document)


def _document(row: Regression) -> RegressionDocument:
    chosen = from_json(row.model)
    own = [variable(row.release.survey.questions, key) for key in chosen.keys]
    return document(header(row.release), chosen, own, _sample(row, own))


def _sample(row: Regression, own: list[Variable]) -> Sample:
    """Abandoned where no report is about all of them."""
    release, definition = row.release, row.release.survey.definition
    forms = questionnaire(definition).reports_about(*(each.question["key"] for each in own))
    if not any(release.tallies[form]["n"] for form in forms):
        raise Abandoned(Reason.NOBODY)
    counted = joint_sample(definition, release.form_tallies, own)
    if counted is not None:
        return counted
    found = Tabulation(factors(own, joint_parts(definition)))
    read(row, forms, own, found.add)
    try:
        return found.sample()
    except ValueError:
        raise Abandoned(Reason.NOBODY) from None
