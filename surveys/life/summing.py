"""The totals of a form's packed reports, and their digest in a release."""

import hashlib
from typing import Any

import ldp.tally
from ldp.kernels import Rows
from surveys.models import Survey
from surveys.models.tally import FormCount, nothing
from surveys.survey.definition import canonical


def counted(survey: Survey, form: int, rows: Rows) -> FormCount:
    """Return n and the score totals, by part and method, of a form's packed reports `rows`, shape (n, bytes)."""
    if not len(rows):
        return nothing(1)[0]
    batch = ldp.tally.Batch(rows)
    fields = survey.layout(form).fields
    totals = {field.key: field.part.tally(batch.field(field.start, field.width)) for field in fields}
    return {"n": len(rows), "totals": totals}


def add(whole: FormCount, more: FormCount) -> None:
    """Add the counts `more` to `whole`, both of one form, in place. `whole` may be empty."""
    whole["n"] += more["n"]
    for key, methods in more["totals"].items():
        for method, scores in methods.items():
            known = whole["totals"].setdefault(key, {}).setdefault(method, [0] * len(scores))
            whole["totals"][key][method] = [a + b for a, b in zip(known, scores, strict=True)]


def totals_digest(tallies: list[FormCount]) -> str:
    """Return the SHA-256, in hexadecimal, of the canonical JSON of the counts: of a single form's, or of the list of
    all forms'. A release's document names it."""
    whole: Any = tallies[0] if len(tallies) == 1 else tallies
    return hashlib.sha256(canonical(whole)).hexdigest()
