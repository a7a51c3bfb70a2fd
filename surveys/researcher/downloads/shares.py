"""The shares of a release, each once: by each question's first method, about whom the results page is at first, at the
document's confidence. For people who sum a column."""

from collections.abc import Iterator

from ldp import tidy
from ldp.tidy import Row
from surveys.figures.targets import usual_target
from surveys.models import Release
from surveys.researcher.downloads import tables
from surveys.researcher.downloads.readings import projected
from surveys.researcher.results import response_cache
from surveys.researcher.results.widths import at_every_release

COLUMNS = (
    "question", "text", "option_number", "option", "n_about", "share", "standard_error", "interval_low",
    "interval_high", "simultaneous_low", "simultaneous_high", "projected_share", "confidence", "target", "method",
    "every_release",
)  # fmt: skip


def csv_text(release: Release) -> str:
    return tables.csv_text(COLUMNS, rows(release))


def csv_file(release: Release) -> bytes:
    return tables.marked(csv_text(release))


def rows(release: Release) -> Iterator[Row]:
    """One for each option, with the keys COLUMNS. A mean is no share and is left out."""
    options = {question["key"]: question.get("options", []) for question in release.survey.questions}
    for row, value in usual(release):
        if row["quantity"] == "share":
            number = options[row["question"].partition(".")[0]].index(row["option"]) + 1
            both = row | {"share": row["estimate"], "projected_share": value, "option_number": number}
            yield {name: both[name] for name in COLUMNS}


def usual(release: Release) -> Iterator[tuple[Row, float]]:
    """The rows of the estimates that say each of them once, with the projected values."""
    document, target = response_cache.document(release), usual_target(release.survey.definition)
    values, same = dict(projected(document)), {"every_release": at_every_release(document)}
    for row in tidy.rows(document):
        once = (row["target"], row["confidence"]) == (target, document["confidence"])
        if once and row["default_method"]:
            yield row | same, values[row["question"], row["method"], row["option"]]
