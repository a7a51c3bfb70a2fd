"""Each share of a release once, for readers who sum a column. The share is by the question's first method, for the
default target of the results page, at the document's confidence."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from ldp import tidy
from ldp.tidy import Row
from surveys.figures.targets import usual_target
from surveys.models import Release
from surveys.researcher.downloads.readings import projected
from surveys.researcher.results import response_cache
from surveys.researcher.results.widths import at_every_release
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets import tables
from surveys.researcher.sheets.column import Column, names

COLUMNS = (
    common.QUESTION,
    common.TEXT,
    Column(
        "option_number", "whole number", _("Place of the answer"), "Its place among the question's answers, from 1 on."
    ),
    common.OPTION.meaning_here("The answer."),
    common.N_ABOUT,
    Column("share", "number", _("Share"), "Unbiased, as a fraction of 1; so it may lie below 0 or above 1."),
    common.STANDARD_ERROR,
    common.INTERVAL_LOW,
    common.INTERVAL_HIGH,
    common.SIMULTANEOUS_LOW,
    common.SIMULTANEOUS_HIGH,
    Column(
        "projected_share",
        "number",
        _("Projected share"),
        "The nearest shares that can be, from 0 to 1 and 1 in all; biased. Each for itself where people may choose "
        "several answers.",
    ),
    common.CONFIDENCE.meaning_here("Of the intervals: the same in all rows."),
    common.TARGET.meaning_here(
        "The same in all rows, and whom the results page is about at first: the respondents of a survey by invitation, "
        "the population of one that anyone with the link may answer."
    ),
    common.METHOD.meaning_here("How reports were made the share: each question's usual one."),
    common.EVERY_RELEASE,
)


def csv_text(release: Release) -> str:
    return tables.csv_text(names(COLUMNS), rows(release))


def csv_file(release: Release) -> bytes:
    return tables.marked(csv_text(release))


def rows(release: Release) -> Iterator[Row]:
    """Yield a row for each option, with the keys COLUMNS. A mean is not a share and is left out."""
    options = {question["key"]: question.get("options", []) for question in release.survey.questions}
    for row, value in usual(release):
        if row["quantity"] == "share":
            number = options[row["question"].partition(".")[0]].index(row["option"]) + 1
            both = row | {"share": row["estimate"], "projected_share": value, "option_number": number}
            yield {name: both[name] for name in names(COLUMNS)}


def usual(release: Release) -> Iterator[tuple[Row, float]]:
    """Yield each estimate's single default row, with its projected value."""
    document, target = response_cache.document(release), usual_target(release.survey.definition)
    values, same = dict(projected(document)), {"every_release": at_every_release(document)}
    for row in tidy.rows(document):
        once = (row["target"], row["confidence"]) == (target, document["confidence"])
        if once and row["default_method"]:
            yield row | same, values[row["question"], row["method"], row["option"]]
