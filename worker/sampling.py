"""The reports of a release as weights of combinations of answers (ldp/regression/sample.py): from the tally of a joint
form that has all of the questions, else from the blocks."""

from collections.abc import Sequence

from ldp.forms.definition import questionnaire
from ldp.inference.variables import Variable
from ldp.regression.factors import factors
from ldp.regression.sample import Sample, Tabulation, joint_parts, joint_sample
from surveys.models import Counting
from worker.job_expiry import Abandoned
from worker.reading import Reason, read


def sample(row: Counting, variables: Sequence[Variable]) -> Sample:
    """Abandoned where no report is about all of them."""
    release, definition = row.release, row.release.survey.definition
    forms = questionnaire(definition).reports_about(*(each.question["key"] for each in variables))
    if not any(release.tallies[form]["n"] for form in forms):
        raise Abandoned(Reason.NOBODY)
    counted = joint_sample(definition, release.form_tallies, variables)
    if counted is not None:
        return counted
    tabulation = Tabulation(factors(variables, joint_parts(definition)))
    read(row, forms, variables, tabulation.add)
    try:
        return tabulation.sample()
    except ValueError:
        raise Abandoned(Reason.NOBODY) from None
