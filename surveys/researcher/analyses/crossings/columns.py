"""The columns of a cross-table's CSV and sheet."""

from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from surveys.researcher.analyses.crossings.grid import SHARES
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.column import Column

COLUMNS = (
    *common.HEADER,
    common.N_ABOUT.meaning_here("The reports about both questions, also of people who were not asked one of them."),
    Column(
        "first",
        "text",
        _("First question"),
        "The first question's key; of an item or option followed by a dot and its place, from 1 on.",
    ),
    Column("second", "text", _("Second question"), "That of the second one."),
    common.OPTION.meaning_here("The answer to the first question."),
    common.OTHER_OPTION.meaning_here("The answer to the second question."),
    replace(
        common.QUANTITY,
        meaning="joint: the share of both answers among the people who were asked both questions. within_first: the "
        "share of the second among those who gave the first. within_second: the share of the first among those who "
        "gave the second. A subgroup that is too small has no rows.",
        words={str(name): text for name, text in SHARES.items()},
    ),
    common.ESTIMATE.meaning_here("The share, as a fraction of 1; it may lie below 0 or above 1."),
    Column(
        "standard_error_population",
        "number",
        _("Standard error, population"),
        "Of a joint share, if respondents are a sample of a population.",
    ),
    Column(
        "standard_error_respondents",
        "number",
        _("Standard error, respondents"),
        "Of a joint share, about exactly those who took part.",
    ),
    common.CONFIDENCE,
    common.INTERVAL_LOW.meaning_here("Lower end of the interval for this cell alone; joint shares only."),
    common.INTERVAL_HIGH,
    common.TOGETHER,
    common.SIMULTANEOUS_LOW.meaning_here("Lower end of the interval that holds at once with those of all cells."),
    common.SIMULTANEOUS_HIGH,
    common.P_VALUE.meaning_here(
        "Fisher's, that this cell is as if the two questions were independent; of an impossible estimate that of the "
        "nearest possible one."
    ),
    common.CORRECTED_P_VALUE.meaning_here("The same by Holm for all cells."),
    common.SMALLEST_SHOWN.meaning_here(
        "Of the commonest answer to each question: the least difference that as many reports show in 80 of 100 surveys."
    ),
    common.REPORTS_NEEDED.meaning_here("Of the same: how many reports would show 10 points as often."),
    common.ALPHA_NEEDED.meaning_here("Of the same: with which total alpha the present number would show 10 points."),
    common.REASON.meaning_here("Why there is no p-value."),
)
