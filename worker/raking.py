"""Questions of a release weighted by several known margins."""

from ldp.weighting.margins import from_json, variables
from ldp.weighting.raking_document import RakingDocument, document
from surveys.models import Raking
from worker.estimation import header
from worker.reading import count
from worker.sampling import sample


def make(pk: int) -> None:
    """Count and weight, unless somebody does."""
    row = Raking.claim(pk)
    if row is not None:
        count(row, _document)


def _document(row: Raking) -> RakingDocument:
    chosen = from_json(row.margins)
    own = variables(chosen, row.release.survey.questions)
    return document(header(row.release), chosen, own, sample(row, own))
