"""The columns of the estimates, in the order of ldp/tidy.py."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from ldp import tidy
from surveys.researcher.results.glossary import INTERVALS
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.column import Column
from surveys.survey import mechanisms

# Columns without a heading have the same value in all rows. A workbook shows it on the first sheet.
ESTIMATES = (
    common.SURVEY,
    Column("title", "text", "", "The survey's title."),
    Column("digest", "text", "", "SHA-256 of the definition's canonical bytes."),
    common.RELEASE,
    common.DATE,
    Column("final", "true or false", "", "Whether the survey had ended. What intervals hold for says interval_method."),
    common.N,
    common.TOTALS_DIGEST,
    Column("software", "text", "", "What computed the release."),
    common.QUESTION,
    common.TEXT,
    common.KIND,
    common.QUANTITY,
    common.UNIT,
    Column("scale_low", "number", _("Lowest number"), "The least that the truth can be."),
    Column("scale_high", "number", _("Highest number"), "The largest that the truth can be."),
    Column(
        "alpha",
        "text",
        _("Alpha"),
        "The question's privacy parameter, as stated; where forms have their own, those of all, with spaces between.",
    ),
    Column(
        "realized_alpha",
        "number",
        _("Alpha that the table keeps"),
        "The least alpha that the question's table keeps; of several forms the largest of theirs.",
    ),
    Column("delta", "text", _("Delta"), "The chance for which alpha need not hold; empty where it always holds."),
    Column(
        "realized_delta",
        "number",
        _("Delta of the table"),
        "The same, exactly from the table; empty where alpha always holds.",
    ),
    Column(
        "mechanism",
        "text",
        _("Mechanism"),
        "How answers were randomized.",
        {name: mechanism.name for name, mechanism in mechanisms.MECHANISMS.items()},
    ),
    common.METHOD,
    Column(
        "default_method",
        "true or false",
        _("Usual method"),
        "false: another method for the same reports, for comparison only.",
    ),
    common.OPTION,
    common.N_ABOUT,
    Column("score", "number", _("Total of the scores"), "The total of the scores from which the estimate is computed."),
    common.ESTIMATE,
    common.EFFECTIVE_N,
    common.TARGET,
    common.STANDARD_ERROR,
    common.CONFIDENCE,
    common.INTERVAL_LOW,
    common.INTERVAL_HIGH,
    common.TOGETHER,
    common.SIMULTANEOUS_LOW,
    common.SIMULTANEOUS_HIGH,
    Column(
        "interval_method",
        "text",
        _("Kind of interval"),
        "sequence: holds at every release. exact, answers_at_ends, unseen_respondent, widest_noise: for one look, at "
        "an end that no release could move.",
        {name: words[0] for name, words in INTERVALS.items()},
    ),
    common.GUARANTEE.meaning_here(
        "proved: for every distribution of answers. checked: held in every check, without a proof; also the "
        "respondents' share at every release, which moves, where the population's intervals are used for it."
    ),
    Column(
        "risk_bound",
        "number",
        _("Least possible risk"),
        "The least risk that any mechanism with this alpha reaches in the worst case.",
    ),
    Column(
        "risk_at_equal_shares",
        "number",
        _("Risk at equal shares"),
        "n_about times the expected total squared error, if all shares are equal.",
    ),
    Column(
        "efficiency_at_equal_shares",
        "number",
        _("Efficiency at equal shares"),
        "The least possible risk over this one.",
    ),
    Column(
        "effective_n_at_equal_shares",
        "number",
        _("Worth of all at equal shares"),
        "Answers without privacy that would be as precise in all.",
    ),
    Column("risk_at_estimate", "number", _("Risk at the estimate"), "The risk at the estimated shares."),
    Column(
        "efficiency_at_estimate", "number", _("Efficiency at the estimate"), "The efficiency at the estimated shares."
    ),
    Column(
        "effective_n_at_estimate",
        "number",
        _("Worth of all at the estimate"),
        "The effective number of answers at the estimated shares.",
    ),
    Column(
        "informative_n",
        "whole number",
        _("Reports needed for half the scale"),
        "Reports that make simultaneous 95% intervals of this method half as wide as the scale.",
    ),
    Column(
        "survey_efficiency",
        "number",
        _("Efficiency of the whole survey"),
        "Of the whole survey: the least mean variance of all shares that is known under its alpha, were they equal, "
        "over that of these reports. Empty where none is known: of means and rankings.",
    ),
)
# For surveys in forms, and for surveys whose results are published by invited group.
JOINT = Column(
    "joint",
    "true or false",
    _("Randomized together"),
    "Whether it was randomized together with others, by one draw under one alpha; of several forms in one at least.",
)
FORM = Column(
    "form",
    "text",
    _("Form, from 0 on"),
    "The form that asks the question, from 0 on, or several with spaces between; empty where everyone was asked.",
)
FORMS = (FORM, JOINT)
GROUP = Column(
    "group",
    "text",
    _("Group"),
    "The group whose reports alone the estimate is of; empty where it is of all groups together.",
)
_DIGEST_OF_ALL = common.TOTALS_DIGEST.meaning_here(
    "SHA-256 of the list of each form's, or group's, n and score totals in canonical JSON."
)


def of_document(document: Mapping[str, object]) -> tuple[Column, ...]:
    """Return the columns of a document's estimates, in their order."""
    every = {column.name: column for column in (*ESTIMATES, *FORMS, GROUP)}
    if {"forms", "groups"} & document.keys():
        every["totals_digest"] = _DIGEST_OF_ALL
    return tuple(every[name] for name in tidy.columns(document))
