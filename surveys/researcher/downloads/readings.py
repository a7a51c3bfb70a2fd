"""Rows with readings of a release's questions: quantiles, mean ranks, means of bins, cumulative and projected shares,
densities, and shares among people who gave an answer."""

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, product

from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from ldp import tidy
from ldp.confidences import CONFIDENCES
from ldp.document import Document
from ldp.honesty import attention
from ldp.inference.estimates import TARGETS
from ldp.tidy import Row
from surveys.figures.display import displayed
from surveys.models import Release
from surveys.researcher.results import response_cache
from surveys.researcher.results.question import readings, unasked
from surveys.researcher.results.question.readings import Ends, Reading
from surveys.researcher.results.released import ReleasedQuestion, of_release
from surveys.researcher.results.widths import at_every_release
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.column import Column, names
from surveys.survey import kinds

COLUMNS = (
    common.QUESTION,
    common.TEXT,
    common.KIND,
    common.UNIT.meaning_here(
        "Of numbers that are no shares: that of the question; rank, where the first step has rank 1."
    ),
    common.QUANTITY.meaning_here(
        "cumulative_share: of all who were asked, up to the option. quantile: of those who gave an answer. mean_rank, "
        "mean: the same; a mean of bins lies between estimate and estimate_high. density: the share of a bin over its "
        "width. share_among_answers: without those who prefer not to say. share_if_all_had_said: between estimate, "
        "none of them giving this answer, and estimate_high, all of them. share_among_asked, mean_among_asked: of "
        "those who were asked alone, for the population. share_if_all_were_asked, "
        "mean_if_all_were_asked: the same for those who were not asked, for the population. projected_share, "
        "projected_mean: the nearest possible value, which is biased; its intervals are those of the unbiased "
        "estimate. attention: the share of people who pay attention, by an attention question's right answer."
    ),
    Column("level", "number", _("Level of the quantile"), "Of a quantile: the part of the answers below it."),
    common.OPTION.meaning_here("What the number is about; of a quantile the step or bin that it is estimated in."),
    common.METHOD.meaning_here("How reports were made the estimate."),
    common.N_ABOUT.meaning_here("The reports that it is based on."),
    common.ESTIMATE.meaning_here(
        "Shares as fractions of 1; of a quantile in bins the bin's lowest number, empty where open."
    ),
    Column(
        "estimate_high",
        "number",
        _("Estimate, upper bound"),
        "The upper bound of a mean of bins or of what is “if all”, or the highest number of a quantile's bin.",
    ),
    common.STANDARD_ERROR.meaning_here("Of a density."),
    common.TARGET,
    common.CONFIDENCE,
    common.INTERVAL_LOW.meaning_here("Lower end of the interval for this number alone; empty where a bin is open."),
    common.INTERVAL_HIGH,
    common.TOGETHER,
    common.SIMULTANEOUS_LOW,
    common.SIMULTANEOUS_HIGH,
    Column("option_low", "text", _("From the answer"), "The first step or bin of a quantile's interval."),
    Column("option_high", "text", _("To the answer"), "The last one."),
    common.EVERY_RELEASE,
    common.GUARANTEE,
    common.REASON.meaning_here("Why there is no estimate, or no interval."),
)
NAMES = names(COLUMNS)
QUESTIONS_KEPT = 64


def question_columns(released: ReleasedQuestion) -> Row:
    """Return the columns that all rows about a question share."""
    unit = released.question["unit"] if released.is_mean else None
    own = {"question": released.key, "text": released.result(0.95)["text"], "kind": released.kind}
    return own | {"unit": unit, "together": released.together}


def rows(release: Release, language: str = "en") -> Iterator[Row]:
    """Yield a row by COLUMNS for each reading, target and confidence. A missing value is None. Reasons are in
    `language`."""
    document = response_cache.document(release)
    routed = {question["key"] for question in release.survey.questions if "asked_if" in question}
    projected = (row for row in _projected(document) if row["question"].partition(".")[0] not in routed)
    every = chain(_of_questions(release, document, language), _attention(release), projected)
    return ({name: row.get(name) for name in NAMES} for row in every)


def _of_questions(release: Release, document: Document, language: str) -> Iterator[Row]:
    for result in document["questions"]:
        released = of_release(release.survey.slug or "", release.number, result["key"])
        about: Row = {"question": result["key"], "text": result["text"], "kind": result["kind"]}
        about |= {"method": result["methods"][0]["method"], "n_about": released.n_about}
        about |= {"every_release": released.watched}
        for target, confidence, reading in _of_question(released.slug, released.number, released.key):
            yield about | {"target": target, "confidence": confidence} | _row(released, reading, language)


@lru_cache(maxsize=QUESTIONS_KEPT)
def _of_question(slug: str, number: int, key: str) -> tuple[tuple[str, float, Reading], ...]:
    """Kept for all files and languages: a question takes some tenths of a second. Where only some people were asked,
    numbers of everyone would count the filler as an answer."""
    released = of_release(slug, number, key)
    return tuple(
        (target, confidence, reading)
        for target, confidence in product(TARGETS, CONFIDENCES)
        for reading in (
            *(() if released.is_routed else readings.of_question(released, confidence, target)),
            *(unasked.readings(released, confidence) if target == "population" else ()),
        )
    )


def _row(released: ReleasedQuestion, reading: Reading, language: str) -> Row:
    places, options = reading.places, released.options
    with override(language):
        reason = str(reading.reason)
    return {
        "quantity": reading.quantity,
        "level": None if reading.level is None else float(reading.level / 100),
        "option": reading.option or None,
        "unit": reading.unit or None,
        "estimate": _finite(reading.estimate),
        "estimate_high": _finite(reading.estimate_high),
        "standard_error": reading.standard_error,
        "together": reading.together,
        **_ends("interval", reading.interval),
        **_ends("simultaneous", reading.simultaneous),
        "option_low": None if places is None else options[places.first],
        "option_high": None if places is None else options[places.last],
        "guarantee": None if reading.interval is None else "proved" if reading.proved else "checked",
        "reason": reason or None,
    }


def _finite(number: float | None) -> float | None:
    return None if number is None or math.isinf(number) else number


def _ends(name: str, ends: Ends | None) -> Row:
    low, high = ends or (None, None)
    return {f"{name}_low": _finite(low), f"{name}_high": _finite(high)}


# Attention ------------------------------------------------------------------------------------------------------------


def _attention(release: Release) -> Iterator[Row]:
    """Yield the share of people who pay attention, according to each attention question (M42)."""
    for question, _totals, _n in release.counted.values():
        if attention.is_anchor(question):
            yield from _of_anchor(of_release(release.survey.slug or "", release.number, question["key"]))


def _of_anchor(released: ReleasedQuestion) -> Iterator[Row]:
    question, d = released.question, len(released.question["options"])
    tallied, j = released.rows[question["right"]]
    about: Row = {"question": released.key, "text": question["text"], "kind": released.kind, "quantity": "attention"}
    about |= {"option": released.options[j], "n_about": released.n_about, "every_release": released.watched}
    about |= {"target": "population", "estimate": attention.attention(float(tallied.shares[j]), d)}
    for confidence in CONFIDENCES:
        interval = attention.attention_interval(tallied.interval(j, confidence, "population"), d)
        yield about | {"confidence": confidence, **_ends("interval", interval)}


# Projected ------------------------------------------------------------------------------------------------------------


def _projected(document: Document) -> Iterator[Row]:
    """Yield the nearest possible values of every method (M14), with the intervals of the unprojected estimates."""
    values = dict(projected(document))
    every_release = at_every_release(document)
    for row in tidy.rows(document):
        of_row = {"estimate": values[row["question"], row["method"], row["option"]], "every_release": every_release}
        yield row | of_row | {"quantity": f"projected_{row['quantity']}", "standard_error": None}


def projected(document: Document) -> Iterator[tuple[tuple[str, str, str], float]]:
    """Yield each question's key, method and option with the projected value."""
    for result in displayed(document["questions"]):
        for method in result["methods"]:
            options = [category["option"] for category in method["categories"]]
            estimates = [category["estimate"] for category in method["categories"]]
            for option, value in zip(options, kinds.of(result).possible(estimates, result), strict=True):
                yield (result["key"], method["method"], option), value
