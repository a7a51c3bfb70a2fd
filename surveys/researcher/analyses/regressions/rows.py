"""The rows of a regression's CSV."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext_lazy as _

from ldp.regression.document import Coefficient, Level, RegressionDocument, Share
from ldp.tidy import Row
from surveys.researcher.analyses.regressions import texts
from surveys.researcher.analyses.regressions.options import NAMES
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.column import Column

COLUMNS = (
    *common.HEADER,
    common.N_ABOUT.meaning_here(
        "The reports of those who were asked all questions of the model; of a model from pairs, two or more of them."
    ),
    Column("model", "text", _("Model"), "logistic, ordered, multinomial or linear.", NAMES),
    Column("outcome", "text", _("Key of the outcome"), "The key of the question that is explained."),
    replace(
        common.QUANTITY,
        meaning="coefficient, intercept (of an ordered model also a threshold), predicted: a predicted share or mean, "
        "or marginal: a marginal effect.",
        words={
            "coefficient": _("Coefficient"),
            "intercept": _("Intercept"),
            "predicted": _("Predicted share"),
            "marginal": _("Marginal effect"),
        },
    ),
    Column(
        "term",
        "text",
        _("Term"),
        "The key of the covariate, with = and the option where the coefficient is of one; two of them with a colon for "
        "a product.",
    ),
    common.OPTION.meaning_here("The answer that a predicted share or marginal effect is of."),
    Column("reference", "text", _("Against"), "The answer that a marginal effect compares it with."),
    Column("outcome_option", "text", _("Answer of the outcome"), "The answer of the outcome, where there is one."),
    common.ESTIMATE.meaning_here("Shares and effects are fractions of 1, coefficients those of the model."),
    common.STANDARD_ERROR.meaning_here("Of the estimate, for the population; it is robust."),
    common.CONFIDENCE,
    common.INTERVAL_LOW.meaning_here(
        "Lower end of the interval for this number alone; of a coefficient empty where all of a rare answer that "
        "decides it may be noise."
    ),
    common.INTERVAL_HIGH,
    common.SIMULTANEOUS_LOW.meaning_here(
        "Of a marginal effect: lower end of the interval that holds for all of them at once."
    ),
    common.SIMULTANEOUS_HIGH,
    Column(
        "profile_low",
        "number",
        _("Profile interval, from"),
        "Lower end by the profile likelihood, where one draw randomized all questions of the model together; empty "
        "where there is none.",
    ),
    Column("profile_high", "number", _("Profile interval, to"), "Its upper end."),
    common.SMALLEST_SHOWN.meaning_here("Of a coefficient: the effect that as many reports show in 80 of 100 surveys."),
    common.REPORTS_NEEDED.meaning_here("How many would show an odds ratio of 2 as often."),
    common.ALPHA_NEEDED.meaning_here(
        "The total alpha of all the model's questions, the present one or more, with which the present number would."
    ),
)
ENDS = ("low", "high")


def rows(document: RegressionDocument) -> Iterator[Row]:
    """Yield a row for each coefficient, predicted share and marginal effect at each confidence."""
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
    """Return the smallest effect that would show, and the reports and alpha for a larger one; None without a reach."""
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
