"""Crossings of a release: a row that somebody asked for, claimed by a worker, counted from the blocks, and kept. Two
questions of a joint form need no block: the release's totals have their table."""

import numpy as np

from ldp.crossing import CrossingDocument, document
from ldp.forms import results
from ldp.forms.crossed import Crossed
from ldp.forms.definition import questionnaire
from ldp.inference import crossed
from ldp.inference.variables import Variable, pair_of
from ldp.microdata import MicrodataTable
from surveys.models import Crossing
from worker.estimation import header
from worker.job_expiry import Abandoned
from worker.reading import Reason, count, read


def make(pk: int) -> None:
    """Count a crossing, unless somebody does."""
    row = Crossing.claim(pk)
    if row is not None:
        count(row, _document)


def _document(row: Crossing) -> CrossingDocument:
    return document(header(row.release), _crossed(row, *pair_of(row.release.survey.questions, row.first, row.second)))


def _crossed(row: Crossing, first: Variable, second: Variable) -> Crossed:
    """From the tally of a joint form that has both, else from the reports. Abandoned where none is about both."""
    release, definition = row.release, row.release.survey.definition
    forms = questionnaire(definition).reports_about(first.question["key"], second.question["key"])
    if not any(release.tallies[form]["n"] for form in forms):
        raise Abandoned(Reason.NOBODY)
    together = results.crossing(definition, release.form_tallies, first, second)
    if together is not None:
        return together
    counts = np.zeros((1, 1), dtype=np.int64)

    def add(tables: list[MicrodataTable]) -> None:
        nonlocal counts
        counts = counts + crossed.joint_counts(first, second, [(tables[0], tables[1])])

    read(row, forms, (first, second), add)
    if not counts[0, 0]:
        raise Abandoned(Reason.NOBODY)
    return crossed.Crossing(first, second, counts)
