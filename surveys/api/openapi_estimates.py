"""The published estimates in the OpenAPI description."""

from typing import Any

Schema = dict[str, Any]

CSV = (
    "One row per question, method and option, with both targets side by side: they are two answers to two questions, "
    "never to be added. Rows without default_method repeat the same reports by another method. n is the number of "
    "reports of the survey, n_about that of the reports that the row is about. Where quantity is share, estimates are "
    "fractions of 1; where it is mean, they are numbers in the unit, on the scale from scale_low to scale_high. Cells "
    "that do not apply are empty."
)


def _of(described: Schema, optional: Schema | None = None, description: str = "") -> Schema:
    properties = described | (optional or {})
    about = {"description": description} if description else {}
    return {"type": "object", "required": list(described), "properties": properties} | about


def _is(kind: str | list[str], description: str = "") -> Schema:
    return {"type": kind} | ({"description": description} if description else {})


def _list(items: Schema, description: str = "") -> Schema:
    return {"type": "array", "items": items} | ({"description": description} if description else {})


def _interval(description: str) -> Schema:
    return _list({"type": "number"}, description) | {"minItems": 2, "maxItems": 2}


def _target(description: str) -> Schema:
    numbers = {
        "standard_error": _is("number"),
        "interval": _interval("Holds for this option alone, at the document's confidence."),
        "simultaneous": _interval("Holds at once with the question's others (together); for a mean the same."),
        "interval_method": _is("string", "exact, answers_at_ends, unseen_respondent or widest_noise (M15, M30)."),
        "guarantee": _is(
            "string", "proved: no law of answers is covered less often. checked: held in every check, without a proof."
        ),
    }
    return _of(numbers, description=description)


_CATEGORY = _of(
    {
        "option": _is("string", "For a mean: mean."),
        "score": _is("number", "The total that the estimate is made of."),
        "estimate": _is("number", "Unbiased, so possibly impossible: a share as a fraction of 1; a mean in its unit."),
        "effective_n": _is(
            ["number", "null"], "Answers without privacy that would tell this share as precisely, at the estimate."
        ),
        "population": _target("Respondents are a sample: sampling and randomization count."),
        "respondents": _target("About exactly these respondents: only chance added for privacy counts."),
    },
    {"n_about": _is("integer", "multiple_choice: the reports about this option.")},
)
_WORTH = {
    "risk": _is(["number", "null"], "n_about times the expected total squared error over all shares."),
    "efficiency": _is(["number", "null"], "The least possible risk over this one; null where no bound is known."),
    "effective_n": _is(["number", "null"], "Answers without privacy that would be as precise in all."),
}
_METHOD = _of(
    {
        "method": _is("string", "support, threshold, sum, inverse or mean."),
        "at_equal_shares": _of(_WORTH, description="How much it tells if all shares are equal."),
        "at_estimate": _of(_WORTH, description="The same at the estimated shares, put on the simplex."),
        "categories": _list(_CATEGORY),
    }
)
_QUESTION = _of(
    {
        "key": _is("string", "The question's key; for an item of a grid followed by a dot and its place, from 1 on."),
        "kind": _is("string"),
        "text": _is("string"),
        "options": _list(_is("string"), "Those that reports are about; for a mean: mean."),
        "prefer_not_to_say": _is("boolean"),
        "alpha": _is("string", "Of the whole question, also where a result is about one item of it."),
        "mechanism": _is("string"),
        "d": _is("integer", "Number of options or bins; of a mean 1."),
        "n_about": _is("integer", "The reports that the estimates are based on: for an item of a grid those about it."),
        "together": _is("integer", "How many simultaneous intervals hold at once: of a grid those of all its items."),
        "informative_n": _is(
            ["integer", "null"], "Reports of the survey for simultaneous intervals of half the scale, as planned."
        ),
        "realised_alpha": _is("number"),
        "risk_bound": _is(
            ["number", "null"], "The least possible risk in the worst case (M19), a pure number; null where unknown."
        ),
        "methods": _list(_METHOD, "The first is the default one, shown and plotted."),
    },
    {
        "unit": _is("string", "Of a histogram's edges, or of a mean."),
        "edges": _list(_is("string"), "histogram: decimal strings, increasing."),
        "low": _is("string", "mean: the lower end of the scale."),
        "high": _is("string", "mean: its upper end."),
        "delta": _is("string", "osgt, gaussian: the chance for which alpha need not hold."),
        "realised_delta": _is("number", "The same, exactly from the table, at the stated alpha."),
    },
)
ESTIMATES = _of(
    {
        "survey": _is("string"),
        "title": _is("string"),
        "digest": _is("string", "SHA-256 of the definition's canonical bytes."),
        "release": _is("integer", "1, 2, ... of the survey. A release never changes."),
        "date": {"type": "string", "format": "date"},
        "final": _is("boolean", "Intervals hold for one look at the end, when this is true."),
        "n": _is("integer", "All reports of the release."),
        "totals_digest": _is("string", "SHA-256 of n and the score totals in canonical JSON."),
        "confidence": _is("number"),
        "alpha_total": _is("string"),
        "software": _is("string"),
        "questions": _list(_QUESTION, "One result per question, or one per item of a grid."),
    }
)
