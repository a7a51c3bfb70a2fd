"""Regressions of a release."""

from ldp.inference.variables import variable
from ldp.regression.document import RegressionDocument, document
from ldp.regression.specification import from_json
from surveys.models import Regression
from worker.estimation import header
from worker.reading import count
from worker.sampling import sample


def make(pk: int) -> None:
    """Count and fit a regression, unless somebody does."""
    row = Regression.claim(pk)
    if row is not None:
        count(row, _document)


def _document(row: Regression) -> RegressionDocument:
    chosen = from_json(row.model)
    own = [variable(row.release.survey.questions, key, means=True) for key in chosen.keys]
    return document(header(row.release), chosen, own, sample(row, own))
