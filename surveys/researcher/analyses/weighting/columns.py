"""The columns of weighted shares in a CSV and on a sheet, for one margin or several."""

from django.utils.translation import gettext_lazy as _

from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.column import Column

COLUMNS = (
    *common.HEADER,
    common.N_ABOUT.meaning_here("The reports of those who were asked all of the questions."),
    common.QUESTION.meaning_here(
        "The key of the weighted question; of an item or option followed by a dot and its place, from 1 on."
    ),
    common.QUANTITY.meaning_here("share, or where answers are numbers also mean_rank of a scale or mean of bins."),
    common.UNIT.meaning_here("Of a mean; rank of a mean rank."),
    common.OPTION.meaning_here("The answer; empty for a mean."),
    Column(
        "by",
        "text",
        _("Weighted by"),
        "The key of the question with known shares; of several all, with spaces.",
    ),
    Column(
        "known_shares",
        "text",
        _("Known shares"),
        "Those of its answers, as fractions of 1 in their order; of several questions with semicolons between them.",
    ),
    Column("unweighted", "number", _("Unweighted"), "The share as it was reported, for the population."),
    Column("unweighted_high", "number", _("Unweighted, upper bound"), "Of a mean of bins: the mean lies below it."),
    Column("unweighted_standard_error", "number", _("Standard error, unweighted"), "Of the unweighted share."),
    Column("weighted", "number", _("Weighted"), "The weighted share, as a fraction of 1, or mean."),
    Column("weighted_high", "number", _("Weighted, upper bound"), "Of a mean of bins: the mean lies below it."),
    common.STANDARD_ERROR.meaning_here("Of the weighted share, for the population."),
    common.CONFIDENCE,
    common.INTERVAL_LOW.meaning_here(
        "Lower end of the interval of the weighted share alone; of a mean of bins it holds both bounds."
    ),
    common.INTERVAL_HIGH,
    common.TOGETHER,
    common.SIMULTANEOUS_LOW,
    common.SIMULTANEOUS_HIGH,
    Column(
        "design_effect",
        "number",
        _("Design effect"),
        "How many times the weighted share's variance is that of the unweighted one.",
    ),
    common.EFFECTIVE_N,
)
