"""The rows of a regression's CSV."""

from collections.abc import Iterator
from typing import Any

from ldp.regression.document import Coefficient, Level, RegressionDocument, Share
from ldp.tidy import Row
from surveys.researcher.analyses.regressions import texts

COLUMNS = (
    "survey", "release", "date", "totals_digest", "n", "n_about", "model", "outcome", "quantity", "term", "option",
    "reference", "outcome_option", "estimate", "standard_error", "confidence", "interval_low", "interval_high",
    "simultaneous_low", "simultaneous_high", "profile_low", "profile_high", "smallest_shown", "reports_needed",
    "alpha_needed",
)  # fmt: skip
ENDS = ("low", "high")


def rows(document: RegressionDocument) -> Iterator[Row]:
    """One for each coefficient, predicted share and marginal effect, and confidence."""
    header = document["header"]
    same = {name: header[name] for name in ("survey", "release", "date", "totals_digest", "n")}
    same |= {"n_about": document["n_about"], "model": document["model"]["model"], "outcome": texts.outcome(document)}
    for row in document["coefficients"]:
        term = ":".join(_level(document, level) for level in row["levels"])
        own = {"quantity": "coefficient" if row["levels"] else "intercept", "term": term, "option": None}
        yield from _levels(document, same | own | {"reference": None} | _reach(row), row)
    for quantity in ("predicted", "marginal"):
        for share in document[quantity]:
            options = _options(document, share["key"])
            against = None if share["reference"] is None else options[share["reference"]]
            own = {"quantity": quantity, "term": share["key"], "option": options[share["option"]], "reference": against}
            yield from _levels(document, same | own | _reach(None), share)


def _reach(row: Coefficient | None) -> Row:
    """What would show a coefficient; nothing of the others."""
    reach = row.get("reach") if row else None
    names = {"smallest_shown": "smallest", "reports_needed": "reports", "alpha_needed": "alpha"}
    return {name: reach[field] if reach else None for name, field in names.items()}  # type: ignore[literal-required]


def _levels(document: RegressionDocument, same: Row, row: Coefficient | Share) -> Iterator[Row]:
    of_outcome = None if row["outcome"] is None else _options(document, texts.outcome(document))[row["outcome"]]
    same = same | {"outcome_option": of_outcome}
    same |= {"estimate": row["estimate"], "standard_error": row["standard_error"]}
    nothing = [(None, None)] * len(document["confidences"])
    others: Any = {name: row.get(name) or nothing for name in ("simultaneous", "profile")}
    for place, confidence in enumerate(document["confidences"]):
        each = {"interval": row["intervals"][place]} | {name: ends[place] for name, ends in others.items()}
        ends = {f"{name}_{end}": limit for name, own in each.items() for end, limit in zip(ENDS, own, strict=True)}
        yield same | {"confidence": confidence} | ends


def _level(document: RegressionDocument, level: Level) -> str:
    return (
        level["key"]
        if level["option"] is None
        else f"{level['key']}={_options(document, level['key'])[level['option']]}"
    )


def _options(document: RegressionDocument, key: str) -> list[str]:
    return next(variable["options"] for variable in document["variables"] if variable["key"] == key)
