"""The columns of the subgroups' CSV and sheet."""

from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.column import Column

COLUMNS = (
    *common.HEADER,
    common.N_ABOUT.meaning_here("The reports of those who were asked both the question and the stratum's."),
    Column(
        "stratum",
        "text",
        _("Key of the stratum's question"),
        "The key of the question whose answers make the strata; of an item or option with a dot and its place.",
    ),
    replace(
        common.QUANTITY,
        meaning="within: the share within the stratum. difference: the share within the stratum less that within "
        "reference.",
        words={"within": _("Within the stratum"), "difference": _("Difference")},
    ),
    Column("stratum_option", "text", _("Stratum"), "The answer that makes the stratum."),
    Column("reference", "text", _("Against"), "The answer that makes the other stratum of a difference."),
    common.QUESTION.meaning_here("The question's key; of an item or option with a dot and its place, from 1 on."),
    common.OPTION.meaning_here("The answer that the share is of; mean for a mean."),
    common.UNIT,
    Column("estimate_of_all", "number", _("Estimate of all"), "The share of all who were asked both questions."),
    common.ESTIMATE.meaning_here(
        "The share within the stratum, or the difference, as a fraction of 1; a mean in its unit. Empty where a "
        "stratum is too small."
    ),
    common.CONFIDENCE,
    common.TOGETHER.meaning_here("How many shares of the file, or differences, hold at once."),
    common.SIMULTANEOUS_LOW.meaning_here(
        "Lower end of the interval that holds at once with those of all shares, or of all differences."
    ),
    common.SIMULTANEOUS_HIGH,
    Column(
        "needed",
        "whole number",
        _("Reports that would be enough"),
        "Where a stratum is too small: about how many reports about both questions would do.",
    ),
)
