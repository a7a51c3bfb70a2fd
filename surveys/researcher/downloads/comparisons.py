"""Comparisons that a reader chose as files: those of the page of comparisons, and an answer against a value, at every
confidence."""

from collections.abc import Iterator, Sequence
from typing import cast

from django.utils.translation import override

from ldp.confidences import CONFIDENCES
from ldp.inference.reading import pairs
from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.analyses.comparisons.family import Family, family
from surveys.researcher.analyses.comparisons.selection import ComparisonSelection
from surveys.researcher.downloads import row_files
from surveys.researcher.downloads.comparison_document import (
    ComparedRow,
    ComparisonsDocument,
    ReleaseName,
    ValueComparisonDocument,
    ValueComparisonRow,
)
from surveys.researcher.results.question import value_comparison
from surveys.researcher.results.question.comparisons import UNTESTED, Comparison
from surveys.researcher.results.question.released import ReleasedQuestion, of_release
from surveys.researcher.results.question.selection import QuestionSelection as Chosen
from surveys.researcher.sheets import tables
from surveys.researcher.sheets.column import names
from surveys.researcher.sheets.common_columns import HEADER
from surveys.researcher.sheets.tables import json_text

COLUMNS = (*names(HEADER), *ComparedRow.__annotations__)
VALUE_COMPARISON_COLUMNS = (*names(HEADER), *ValueComparisonRow.__annotations__)


def comparisons(release: Release, chosen: ComparisonSelection) -> ComparisonsDocument:
    """Whatever confidence was chosen, all of them."""
    slug = release.survey.slug or ""
    every = [family(slug, release.number, chosen._replace(confidence=confidence)) for confidence in CONFIDENCES]
    rows = [row for compared in every for row in _rows(compared)]
    return cast(ComparisonsDocument, row_files.header(release) | {"comparisons": rows})


def _rows(compared: Family) -> Iterator[ComparedRow]:
    values = [compared.value] if compared.value is not None else []
    named = (("pair", compared.pairs), ("value", values), ("survey", compared.between))
    for comparison, every in named:
        for one in every:
            row = _about(compared, comparison, one) | numbers(compared, one)
            yield cast(ComparedRow, {name: row[name] for name in ComparedRow.__annotations__})


def _about(compared: Family, comparison: str, one: Comparison) -> Row:
    released, there = compared.released, compared.there if comparison == "survey" else None
    value = compared.chosen.value if comparison == "value" else None
    return {
        "comparison": comparison,
        "question": released.key,
        "text": released.question["text"],
        "n_about": released.rows[one.first][0].n,
        "option": released.options[one.first],
        "other_option": released.options[one.second or 0] if comparison == "pair" else None,
        "value": None if value is None else float(value) / 100,
        "other_survey": there and there.slug,
        "other_release": there and there.number,
        "other_question": there and there.key,
        "every_release": compared.watched,
        "guarantee": _guarantee(compared, comparison, one),
    }


def numbers(compared: Family, one: Comparison) -> Row:
    """A comparison's numbers; `reason` in English."""
    with override("en"):
        reason = str(UNTESTED[one.untested]) if one.untested else None
    return {
        "confidence": compared.chosen.confidence,
        "together": compared.together,
        "difference": one.estimate,
        "simultaneous_low": one.interval.low,
        "simultaneous_high": one.interval.high,
        "told_apart": one.shows,
        "p_value": one.p_value,
        "corrected_p_value": one.corrected,
        "reason": reason,
    }


def _guarantee(compared: Family, comparison: str, one: Comparison) -> str:
    """Whether the interval is proved. Of two surveys one that no exact test decides is put together from both; that of
    an answer and a value is the answer's own."""
    released, own = compared.released, compared.released.shared_totals
    if comparison == "survey":
        return "proved" if compared.watched or one.corrected is not None else "checked"
    if comparison == "value":
        return _published(released, one.first, compared.chosen.confidence)
    return "checked" if own is not None and not released.watched and not pairs.proved(own) else "proved"


def _published(released: ReleasedQuestion, place: int, confidence: float) -> str:
    categories = released.result(confidence)["methods"][0]["categories"]
    own = next(category for category in categories if category["option"] == released.options[place])
    return str(own["population"]["guarantee"])


# A value ----------------------------------------------------------------------------------------------------------


def value_comparison_document(release: Release, key: str, chosen: Chosen) -> ValueComparisonDocument:
    """An answer against the value that was chosen, whatever the confidence was."""
    released = of_release(release.survey.slug or "", release.number, key)
    rows = [_value_comparison_row(released, chosen._replace(confidence=confidence)) for confidence in CONFIDENCES]
    return cast(ValueComparisonDocument, row_files.header(release) | {"value_comparison": rows})


def _value_comparison_row(released: ReleasedQuestion, chosen: Chosen) -> ValueComparisonRow:
    one, (low, width) = value_comparison.verdict(released, chosen), value_comparison.scale(released)
    tallied, j = released.rows[chosen.option]
    with override("en"):
        reason = value_comparison.untested(released) if one.p_value is None else None
    return {
        "question": released.key,
        "text": released.question["text"],
        "n_about": tallied.n,
        "option": released.options[chosen.option],
        "unit": released.question["unit"] if released.is_mean else None,
        "value": low + width * one.value,
        "than": "more" if one.more else "less",
        "target": chosen.target,
        "estimate": low + width * float(tallied.shares[j]),
        "confidence": chosen.confidence,
        "interval_low": low + width * one.interval.low,
        "interval_high": low + width * one.interval.high,
        "p_value": one.p_value,
        "answer": one.answer,
        "every_release": released.watched,
        "reason": reason,
    }


# As files ---------------------------------------------------------------------------------------------------------


def _csv(
    columns: tuple[str, ...], document: ReleaseName, rows: Sequence[ComparedRow] | Sequence[ValueComparisonRow]
) -> str:
    same = {name: dict(document)[name] for name in names(HEADER)}
    return tables.csv_text(columns, (same | dict(row) for row in rows))


CSV, JSON = "text/csv; charset=utf-8", "application/json"
MADE = {"csv": (CSV, lambda made: _csv(COLUMNS, made, made["comparisons"])), "json": (JSON, json_text)}
VALUE_COMPARISON = {
    "csv": (CSV, lambda made: _csv(VALUE_COMPARISON_COLUMNS, made, made["value_comparison"])),
    "json": (JSON, json_text),
}
