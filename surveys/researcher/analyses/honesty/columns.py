"""The columns, in a CSV and on a sheet, of corrected shares and of a share against a known one."""

from django.utils.translation import gettext_lazy as _

from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.column import Column

CORRECTED = (
    *common.HEADER,
    common.N_ABOUT.meaning_here("The reports of those who were asked both questions."),
    common.QUESTION.meaning_here(
        "The key of the corrected question; of an item or option followed by a dot and its place, from 1 on."
    ),
    common.OPTION.meaning_here("The answer."),
    Column("anchor", "text", _("Key of the attention question"), "The attention question that corrects."),
    Column("right_answer", "text", _("Right answer"), "The right answer to it."),
    Column(
        "attention",
        "number",
        _("Share of people who pay attention"),
        "The share of people who pay attention, as a fraction of 1.",
    ),
    Column("attention_standard_error", "number", _("Standard error of that share"), "Of attention."),
    Column("uncorrected", "number", _("Uncorrected"), "The share of all who were asked both, as a fraction of 1."),
    Column("uncorrected_standard_error", "number", _("Standard error, uncorrected"), "Of the uncorrected share."),
    Column("corrected", "number", _("Corrected"), "The share among those who pay attention, as a fraction of 1."),
    common.STANDARD_ERROR.meaning_here("Of the corrected share, for the population."),
    common.CONFIDENCE,
    common.INTERVAL_LOW.meaning_here("Lower end of the interval of the corrected share alone."),
    common.INTERVAL_HIGH,
    common.TOGETHER,
    common.SIMULTANEOUS_LOW,
    common.SIMULTANEOUS_HIGH,
)
KNOWN_SHARE = (
    *common.HEADER,
    common.N_ABOUT,
    common.QUESTION,
    common.OPTION.meaning_here("The answer whose share is known."),
    Column("known", "number", _("Known share"), "The publicly known share, as a fraction of 1."),
    common.ESTIMATE.meaning_here("The estimated share, as a fraction of 1; it may lie below 0 or above 1."),
    common.DIFFERENCE.meaning_here("The estimate less the known share."),
    common.CONFIDENCE,
    common.INTERVAL_LOW.meaning_here("Lower end of the interval of the estimated share, for the population."),
    common.INTERVAL_HIGH,
    Column("difference_low", "number", _("Difference, from"), "Lower end of the interval of the difference."),
    Column("difference_high", "number", _("Difference, to"), "Its upper end."),
)
