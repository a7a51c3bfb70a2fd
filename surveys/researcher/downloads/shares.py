"""Each share of a release once, for readers who sum a column. The share is by the question's first method, for the
default target of the results page, at the document's confidence."""

from collections.abc import Iterator
from functools import lru_cache

from django.utils.translation import gettext_lazy as _

from ldp import tidy
from ldp.scores import Target
from ldp.tidy import Row
from surveys.figures.targets import usual_target
from surveys.models import Release
from surveys.researcher.downloads.readings import projected
from surveys.researcher.results import reached, response_cache
from surveys.researcher.results.released import of_release
from surveys.researcher.results.widths import at_every_release
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets import tables
from surveys.researcher.sheets.column import Column, names

QUESTIONS_KEPT = 64
COLUMNS = (
    common.QUESTION,
    common.TEXT,
    Column(
        "option_number", "whole number", _("Place of the answer"), "Its place among the question's answers, from 1 on."
    ),
    common.OPTION.meaning_here("The answer."),
    common.N_ABOUT,
    Column(
        "share",
        "number",
        _("Share"),
        "Unbiased, as a fraction of 1; so it may lie below 0 or above 1. Empty where only the interval is known.",
    ),
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
        "Whom the results page is about at first: the respondents of a survey by invitation, "
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


def usual(release: Release) -> Iterator[tuple[Row, float | None]]:
    """Yield the rows of the estimates that say each of them once, with the projected values. Those of a question that
    only some people were asked are of these, and have none."""
    document, target = response_cache.document(release), usual_target(release.survey.definition)
    values, same = dict(projected(document)), {"every_release": at_every_release(document)}
    for row in tidy.rows(document):
        once = (row["target"], row["confidence"]) == (target, document["confidence"])
        if not once or not row["default_method"]:
            continue
        own = row["question"], row["method"], row["option"]
        some = _of_reached(release.survey.slug or "", release.number, row["question"], target, row["confidence"])
        yield row | same | some.get(row["option"], {}), None if some else values[own]


@lru_cache(maxsize=QUESTIONS_KEPT)
def _of_reached(slug: str, number: int, key: str, target: Target, confidence: float) -> dict[str, Row]:
    """Return the numbers of those who were asked alone, by option; none if everyone was."""
    released = of_release(slug, number, key)
    low, scale = released.scale
    numbers = reached.among_reached(released, confidence, target)
    return {
        option: {
            "quantity": "mean" if released.is_mean else "share",
            "target": reached.target_of(released, target),
            "estimate": None if one.estimate is None else low + scale * one.estimate,
            "standard_error": None if one.estimate is None else scale * one.standard_error,
            **tidy.ends("interval", (low + scale * end for end in one.interval)),
            **tidy.ends("simultaneous", (low + scale * end for end in one.simultaneous)),
            "guarantee": "proved" if reached.proved(released, target) else "checked",
        }
        for option, one in zip(released.options, numbers, strict=False)
    }
