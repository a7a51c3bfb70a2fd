"""The totals of a form's packed reports, and their digest for a release."""

import hashlib
from typing import Any

import ldp.tally
from ldp.kernels import Rows
from surveys.models import Survey
from surveys.models.tally import FormCount, nothing
from surveys.survey.definition import canonical
from surveys.survey.definition.layout import Layout


def counted(survey: Survey, form: int, rows: Rows) -> FormCount:
    """n and the score totals of a form's packed reports, by part and method."""
    if not len(rows):
        return nothing(1)[0]
    batch = ldp.tally.Batch(rows)
    fields = Layout(survey.definition, form).fields
    totals = {field.key: field.part.tally(batch.field(field.start, field.width)) for field in fields}
    return {"n": len(rows), "totals": totals}


def add(whole: FormCount, more: FormCount) -> None:
    """Add counts of the same form in place; the first batch has nothing to add to."""
    whole["n"] += more["n"]
    for key, methods in more["totals"].items():
        for method, scores in methods.items():
            known = whole["totals"].setdefault(key, {}).setdefault(method, [0] * len(scores))
            whole["totals"][key][method] = [a + b for a, b in zip(known, scores, strict=True)]


def totals_digest(tallies: list[FormCount]) -> str:
    """SHA-256 of the canonical JSON of the counts, which the release's document names: of n and totals where the survey
    has no forms, else of the list of each form's."""
    whole: Any = tallies[0] if len(tallies) == 1 else tallies
    return hashlib.sha256(canonical(whole)).hexdigest()
