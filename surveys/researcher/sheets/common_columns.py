"""The columns that several tables share. A table can replace the meaning."""

from django.utils.translation import gettext_lazy as _

from surveys.researcher.results.glossary import METHODS
from surveys.researcher.sheets.column import Column
from surveys.survey import kinds

SURVEY = Column("survey", "text", _("URL name of the survey"), "The survey's part of its URL.")
RELEASE = Column(
    "release", "whole number", _("Release"), "The release: 1, 2, ... of the survey. A release never changes."
)
DATE = Column("date", "date", _("Date"), "The day of the release (UTC).")
TOTALS_DIGEST = Column(
    "totals_digest", "text", _("Digest of the totals"), "SHA-256 of n and the score totals in canonical JSON."
)
N = Column("n", "whole number", _("Reports"), "All reports of the release.")
# The columns that name the release of a table.
HEADER = (SURVEY, RELEASE, DATE, TOTALS_DIGEST, N)

QUESTION = Column(
    "question",
    "text",
    _("Key of the question"),
    "The question's key; for an item of a grid followed by a dot and its place, from 1 on.",
)
TEXT = Column("text", "text", _("Question"), "The question as it was asked; for an item of a grid with the item.")
KIND = Column(
    "kind",
    "text",
    _("Kind of question"),
    "The kind of question.",
    {name: kind.name for name, kind in kinds.KINDS.items()},
)
UNIT = Column("unit", "text", _("Unit"), "Of a mean; empty where there is none.", {"rank": _("rank")})
QUANTITY = Column(
    "quantity",
    "text",
    _("Quantity"),
    "What is estimated: share, as a fraction of 1, or mean, in the unit. share_asked_or_not, mean_asked_or_not: of "
    "everyone; people who were not asked count as the answer that the codebook names.",
    {
        "share": _("Share"),
        "mean": _("Mean"),
        "share_asked_or_not": _("Share of everyone, asked or not"),
        "mean_asked_or_not": _("Mean of everyone, asked or not"),
        "cumulative_share": _("Cumulative share"),
        "quantile": _("Quantile"),
        "mean_rank": _("Mean rank"),
        "density": _("Density"),
        "share_among_answers": _("Share among those who said something"),
        "share_if_all_had_said": _("Share if everyone had said something"),
        "share_among_asked": _("Share among those who were asked"),
        "mean_among_asked": _("Mean among those who were asked"),
        "share_if_all_were_asked": _("Share if everyone had been asked"),
        "mean_if_all_were_asked": _("Mean if everyone had been asked"),
        "projected_share": _("Projected share"),
        "projected_mean": _("Projected mean"),
        "attention": _("Share of people who pay attention"),
    },
)
METHOD = Column(
    "method",
    "text",
    _("Method"),
    "How reports were made an estimate.",
    {name: words[0] for name, words in METHODS.items()},
)
OPTION = Column("option", "text", _("Answer"), "The option that the estimate is about; mean for a mean.")
OTHER_OPTION = Column("other_option", "text", _("Other answer"), "The second one.")
N_ABOUT = Column("n_about", "whole number", _("Reports about it"), "The reports that the estimate is based on.")
ESTIMATE = Column("estimate", "number", _("Estimate"), "Unbiased, so it may lie outside of what is possible.")
STANDARD_ERROR = Column("standard_error", "number", _("Standard error"), "Of the estimate, for the target.")
EFFECTIVE_N = Column(
    "effective_n",
    "number",
    _("Worth in answers without privacy"),
    "Answers without privacy that would show this share as precisely; empty for a mean.",
)
TARGET = Column(
    "target",
    "text",
    _("About"),
    "population: respondents are a sample of a population. respondents: about exactly those who took part.",
    {"population": _("The population"), "respondents": _("Only those who took part")},
)
CONFIDENCE = Column(
    "confidence", "number", _("Confidence"), "How often the intervals of this row hold, at least: 0.9, 0.95 or 0.99."
)
INTERVAL_LOW = Column(
    "interval_low", "number", _("Interval alone, from"), "Lower end of the interval for this option alone."
)
INTERVAL_HIGH = Column("interval_high", "number", _("Interval alone, to"), "Its upper end.")
TOGETHER = Column("together", "whole number", _("At once"), "How many simultaneous intervals hold at once.")
SIMULTANEOUS_LOW = Column(
    "simultaneous_low",
    "number",
    _("Interval for all at once, from"),
    "Lower end of the interval that holds at once with those of the other options.",
)
SIMULTANEOUS_HIGH = Column("simultaneous_high", "number", _("Interval for all at once, to"), "Its upper end.")
EVERY_RELEASE = Column(
    "every_release",
    "true or false",
    _("At every release"),
    "true: the intervals hold at all releases of the survey together. false: for one look.",
)
GUARANTEE = Column(
    "guarantee",
    "text",
    _("Guarantee"),
    "proved: for every distribution of answers. checked: held in every check, without a proof.",
    {"proved": _("proved"), "checked": _("checked, without a proof")},
)
DIFFERENCE = Column("difference", "number", _("Difference"))
P_VALUE = Column("p_value", "number", _("p-value"))
CORRECTED_P_VALUE = Column("corrected_p_value", "number", _("p-value, corrected"))
REPORTS_NEEDED = Column("reports_needed", "whole number", _("Reports that would show it"))
REASON = Column("reason", "text", _("Why there is no number"))
SMALLEST_SHOWN = Column("smallest_shown", "number", _("Smallest effect that shows"))
ALPHA_NEEDED = Column("alpha_needed", "number", _("Total alpha that would show it"))
