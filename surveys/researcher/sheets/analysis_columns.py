"""The columns that the tables of analyses have alone, until each analysis declares its table's."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from surveys.researcher.sheets import common_columns
from surveys.researcher.sheets.column import Column, Text

_QUANTITY = {
    "joint": _("Of everybody"),
    "within_first": _("Within rows"),
    "within_second": _("Within columns"),
    "within": _("Within the stratum"),
    "difference": _("Difference"),
    "coefficient": _("Coefficient"),
    "intercept": _("Intercept"),
    "predicted": _("Predicted share"),
    "marginal": _("Marginal effect"),
}
_ALONE = (
    Column("wave", "whole number", _("Wave")),
    Column("item", "text", _("Item")),
    Column("change", "number", _("Change since the wave before")),
    Column("change_low", "number", _("That change, from")),
    Column("change_high", "number", _("That change, to")),
    Column("reworded", "true or false", _("Other texts than in the last wave")),
    Column("other_pictures", "true or false", _("Other pictures than in the last wave")),
    Column("compared", "whole number", _("Changes at once")),
    Column("changed", "true or false", _("Changed")),
    Column("since_first", "number", _("Change since the first wave")),
    Column("since_first_low", "number", _("That since the first, from")),
    Column("since_first_high", "number", _("That since the first, to")),
    Column("stratum", "text", _("Key of the stratum's question")),
    Column("stratum_option", "text", _("Stratum")),
    Column("estimate_of_all", "number", _("Estimate of all")),
    Column("needed", "whole number", _("Reports that would do")),
    Column("model", "text", _("Model")),
    Column("outcome", "text", _("Key of the outcome")),
    Column("term", "text", _("Term")),
    Column("reference", "text", _("Against")),
    Column("outcome_option", "text", _("Answer of the outcome")),
    Column("profile_low", "number", _("Profile interval, from")),
    Column("profile_high", "number", _("Profile interval, to")),
    Column("anchor", "text", _("Key of the attention question")),
    Column("right_answer", "text", _("Right answer")),
    Column("attention", "number", _("Share of people who pay attention")),
    Column("attention_standard_error", "number", _("Standard error of that share")),
    Column("corrected", "number", _("Corrected")),
    Column("uncorrected", "number", _("Uncorrected")),
    Column("uncorrected_standard_error", "number", _("Standard error, uncorrected")),
    Column("smallest_shown", "number", _("Smallest effect that shows")),
    Column("alpha_needed", "number", _("Total alpha that would show it")),
    Column("by", "text", _("Weighted by")),
    Column("known_shares", "text", _("Known shares")),
    Column("unweighted", "number", _("Unweighted")),
    Column("unweighted_high", "number", _("Unweighted, upper bound")),
    Column("unweighted_standard_error", "number", _("Standard error, unweighted")),
    Column("weighted", "number", _("Weighted")),
    Column("weighted_high", "number", _("Weighted, upper bound")),
    Column("known", "number", _("Known share")),
    Column("difference_low", "number", _("Difference, from")),
    Column("difference_high", "number", _("Difference, to")),
    Column("trend", "text", _("Over all waves")),
    Column("design_effect", "number", _("Design effect")),
    Column("first", "text", _("First question")),
    Column("second", "text", _("Second question")),
    Column("standard_error_population", "number", _("Standard error, population")),
    Column("standard_error_respondents", "number", _("Standard error, respondents")),
)
_COMMON = [column for column in vars(common_columns).values() if isinstance(column, Column)]
_BY_NAME = {column.name: column for column in (*_COMMON, *_ALONE)} | {
    "quantity": replace(common_columns.QUANTITY, words={**common_columns.QUANTITY.words, **_QUANTITY})
}


def columns(names: Iterable[str], **words: Mapping[str, Text]) -> tuple[Column, ...]:
    """`words` are those of the codes that stand in the column of this name."""
    return tuple(replace(_BY_NAME[name], words=words.get(name, _BY_NAME[name].words)) for name in names)
