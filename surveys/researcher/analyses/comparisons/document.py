"""The documents and tables of selected comparisons. The API's description is generated from their types."""

from collections.abc import Iterator
from typing import Annotated, Literal, TypedDict

from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from ldp.inference.reading import pairs
from ldp.tidy import Row
from surveys.researcher.analyses.comparisons.family import Family
from surveys.researcher.analyses.frame.comparison import TOLD_APART, Comparison, guarantee, row, with_reason
from surveys.researcher.analyses.frame.derived import ReleaseName
from surveys.researcher.results import reached
from surveys.researcher.results.question import value_comparison
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.released import ReleasedQuestion
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.column import Column, columns_of_type


class ComparedRow(TypedDict):
    """A comparison at one confidence. Its interval and p-value are corrected for all selected comparisons."""

    comparison: Annotated[
        Literal["pair", "value", "survey"],
        "pair: of two answers. value: of an answer and the value. survey: of an answer here and in the other survey.",
    ]
    question: str
    text: str
    n_about: int
    option: str
    other_option: Annotated[str | None, "The second answer of a pair."]
    value: Annotated[float | None, "A fraction of 1."]
    other_survey: Annotated[str | None, "The other survey's slug."]
    other_release: int | None
    other_question: str | None
    difference: Annotated[float, "Of shares, as a fraction of 1: the answer's less the other, or less the value."]
    confidence: float
    together: Annotated[int, "How many comparisons hold at once."]
    simultaneous_low: float
    simultaneous_high: float
    told_apart: Annotated[bool, "Whether the difference is shown, all comparisons taken together."]
    p_value: Annotated[float | None, "Exact and two-sided, for this comparison alone."]
    corrected_p_value: Annotated[float | None, "The same by Holm for all comparisons."]
    every_release: Annotated[bool, "Whether it holds at all releases together."]
    guarantee: Literal["proved", "checked"]
    reason: Annotated[str | None, "Why there is no p-value."]


class ComparisonsDocument(ReleaseName):
    comparisons: list[ComparedRow]


class ValueComparisonRow(TypedDict):
    """An answer, or a mean, against a value that was fixed beforehand, at one confidence."""

    question: str
    text: str
    n_about: int
    option: str
    unit: Annotated[str | None, "Of a mean."]
    value: Annotated[float, "A share as a fraction of 1, a mean in its unit."]
    than: Literal["more", "less"]
    target: Literal["population", "respondents"]
    estimate: float | None
    confidence: float
    interval_low: float
    interval_high: float
    p_value: Annotated[float | None, "Exact and one-sided."]
    answer: Annotated[Literal["yes", "no", "unknown"], "Whether it is more, or less, than the value."]
    every_release: bool
    reason: Annotated[str | None, "Why there is no p-value."]


class ValueComparisonDocument(ReleaseName):
    value_comparison: list[ValueComparisonRow]


_SHARED = (
    common.QUESTION,
    common.TEXT,
    common.N_ABOUT.meaning_here("The reports about the answer."),
    common.OPTION.meaning_here("The answer."),
    Column("value", "number", _("Value")),
    common.CONFIDENCE,
    common.P_VALUE,
    common.EVERY_RELEASE,
    common.REASON,
)
COMPARED = (
    *common.HEADER,
    *columns_of_type(
        ComparedRow,
        (
            *_SHARED,
            Column("comparison", "text", _("What is compared")),
            common.OTHER_OPTION,
            Column("other_survey", "text", _("Other survey")),
            Column("other_release", "whole number", _("Release"), "That of the other survey."),
            Column("other_question", "text", _("Key of the question"), "That of the other survey."),
            common.DIFFERENCE,
            common.TOGETHER,
            common.SIMULTANEOUS_LOW.meaning_here("Lower end of the interval that holds at once with all others."),
            common.SIMULTANEOUS_HIGH,
            TOLD_APART,
            common.CORRECTED_P_VALUE,
            common.GUARANTEE,
        ),
    ),
)
VALUE_COMPARED = (
    *common.HEADER,
    *columns_of_type(
        ValueComparisonRow,
        (
            *_SHARED,
            common.UNIT,
            Column("than", "text", _("Is it"), "more or less than the value."),
            common.TARGET,
            common.ESTIMATE.meaning_here("A share as a fraction of 1, a mean in its unit."),
            common.INTERVAL_LOW.meaning_here("Lower end of the interval."),
            common.INTERVAL_HIGH,
            Column("answer", "text", _("Answer")),
        ),
    ),
)


def compared_rows(compared: Family) -> Iterator[Row]:
    values = [compared.value] if compared.value is not None else []
    named = (("pair", compared.pairs), ("value", values), ("survey", compared.between))
    for comparison, every in named:
        for one in every:
            whole = _about(compared, comparison, one) | with_reason(row(one))
            yield {name: whole[name] for name in ComparedRow.__annotations__}


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
        "confidence": compared.chosen.confidence,
        "together": compared.together,
        "every_release": compared.watched,
        "guarantee": _guarantee(compared, comparison, one),
    }


def _guarantee(compared: Family, comparison: str, one: Comparison) -> str:
    """Return "proved" if the interval is proved, else "checked". An interval between two surveys is only checked if no
    exact test decides the comparison. For a value the guarantee is that of the answer."""
    released, own = compared.released, compared.released.shared_totals
    both = [released, *([compared.there] if comparison == "survey" and compared.there else [])]
    if compared.is_narrowed and not all(reached.proved(each, "population") for each in both):
        return "checked"
    if comparison == "survey":
        return "proved" if compared.watched or one.corrected is not None else "checked"
    if comparison == "value":
        return guarantee(released, released.options[one.first], compared.chosen.confidence)
    return "checked" if own is not None and not released.watched and not pairs.proved(own) else "proved"


def value_row(released: ReleasedQuestion, chosen: QuestionSelection) -> Row:
    one, (low, width) = value_comparison.verdict(released, chosen), value_comparison.scale(released)
    tallied, _j = released.rows[chosen.option]
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
        "target": reached.target_of(released, chosen.target),
        "estimate": None if one.estimate is None else low + width * one.estimate,
        "confidence": chosen.confidence,
        "interval_low": low + width * one.interval.low,
        "interval_high": low + width * one.interval.high,
        "p_value": one.p_value,
        "answer": one.answer,
        "every_release": released.watched,
        "reason": reason,
    }
