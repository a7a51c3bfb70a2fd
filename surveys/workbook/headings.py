"""What stands above the columns of a workbook, and what its codes are called there: the names of the CSV in words."""

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys import mechanisms
from surveys.drafts.kinds import KINDS
from surveys.regressions.choosing import NAMES as MODELS
from surveys.results.glossary import INTERVALS, METHODS

Text = Promise | str

HEADINGS: Mapping[str, Text] = {
    "question": _("Key of the question"),
    "text": _("Question"),
    "kind": _("Kind of question"),
    "quantity": _("Quantity"),
    "unit": _("Unit"),
    "scale_low": _("Lowest number"),
    "scale_high": _("Highest number"),
    "alpha": _("Alpha"),
    "realised_alpha": _("Alpha that the table keeps"),
    "delta": _("Delta"),
    "realised_delta": _("Delta of the table"),
    "mechanism": _("Mechanism"),
    "form": _("Form, from 0 on"),
    "joint": _("Randomized together"),
    "method": _("Method"),
    "default_method": _("Usual method"),
    "option": _("Answer"),
    "n_about": _("Reports about it"),
    "score": _("Total of the scores"),
    "estimate": _("Estimate"),
    "estimate_high": _("Estimate, upper bound"),
    "effective_n": _("Worth in answers without privacy"),
    "target": _("About"),
    "standard_error": _("Standard error"),
    "confidence": _("Confidence"),
    "interval_low": _("Interval alone, from"),
    "interval_high": _("Interval alone, to"),
    "together": _("At once"),
    "simultaneous_low": _("Interval for all at once, from"),
    "simultaneous_high": _("Interval for all at once, to"),
    "interval_method": _("Kind of interval"),
    "guarantee": _("Guarantee"),
    "risk_bound": _("Least possible risk"),
    "risk_at_equal_shares": _("Risk at equal shares"),
    "efficiency_at_equal_shares": _("Efficiency at equal shares"),
    "effective_n_at_equal_shares": _("Worth of all at equal shares"),
    "risk_at_estimate": _("Risk at the estimate"),
    "efficiency_at_estimate": _("Efficiency at the estimate"),
    "effective_n_at_estimate": _("Worth of all at the estimate"),
    "informative_n": _("Reports needed for half the scale"),
    "survey_efficiency": _("Efficiency of the whole survey"),
    "share": _("Share"),
    "projected_share": _("Projected share"),
    "mean": _("Mean"),
    "projected_mean": _("Projected mean"),
    "level": _("Level of the quantile"),
    "option_low": _("From the answer"),
    "option_high": _("To the answer"),
    "every_release": _("At every release"),
    "reason": _("Why there is no number"),
    "other_question": _("Other version"),
    "other_option": _("Other answer"),
    "difference": _("Difference"),
    "told_apart": _("Told apart"),
    "p_value": _("p-value"),
    "corrected_p_value": _("p-value, corrected"),
    "at_release": _("Release"),
    "at_date": _("Date"),
    "n_asked": _("Reports of those who were asked"),
    "forged": _("Forged reports, at most"),
    "breaking": _("Forged reports that hide it is the most common"),
    "survey": _("Address of the survey"),
    "release": _("Release"),
    "wave": _("Wave"),
    "item": _("Item"),
    "change": _("Change since the wave before"),
    "change_low": _("That change, from"),
    "change_high": _("That change, to"),
    "changed": _("Changed"),
    "since_first": _("Change since the first wave"),
    "since_first_low": _("That since the first, from"),
    "since_first_high": _("That since the first, to"),
    "stratum": _("Key of the stratum's question"),
    "stratum_option": _("Stratum"),
    "estimate_of_all": _("Estimate of all"),
    "needed": _("Reports that would do"),
    "model": _("Model"),
    "outcome": _("Key of the outcome"),
    "term": _("Term"),
    "reference": _("Against"),
    "outcome_option": _("Answer of the outcome"),
    "profile_low": _("Profile interval, from"),
    "profile_high": _("Profile interval, to"),
    "smallest_shown": _("Smallest effect that shows"),
    "reports_needed": _("Reports that would show it"),
    "alpha_needed": _("Total alpha that would show it"),
    "by": _("Weighted by"),
    "known_shares": _("Known shares"),
    "unweighted": _("Unweighted"),
    "unweighted_standard_error": _("Standard error, unweighted"),
    "weighted": _("Weighted"),
    "design_effect": _("Design effect"),
    "covariance": _("Covariance"),
    "first": _("First question"),
    "second": _("Second question"),
    "standard_error_population": _("Standard error, population"),
    "standard_error_respondents": _("Standard error, respondents"),
}

_PLAIN: Mapping[str, Mapping[str, Text]] = {
    "target": {"population": _("The population"), "respondents": _("Only those who took part")},
    "guarantee": {"proved": _("proved"), "checked": _("checked, without a proof")},
    "quantity": {
        "share": _("Share"),
        "mean": _("Mean"),
        "cumulative_share": _("Cumulative share"),
        "quantile": _("Quantile"),
        "mean_rank": _("Mean rank"),
        "density": _("Density"),
        "share_among_answers": _("Share among those who said something"),
        "share_if_all_had_said": _("Share if everybody had said something"),
        "share_if_all_were_asked": _("Share if everybody had been asked"),
        "mean_if_all_were_asked": _("Mean if everybody had been asked"),
        "projected_share": _("Projected share"),
        "projected_mean": _("Projected mean"),
        "joint": _("Of everybody"),
        "within_first": _("Within rows"),
        "within_second": _("Within columns"),
        "coefficient": _("Coefficient"),
        "intercept": _("Intercept"),
        "predicted": _("Predicted share"),
        "marginal": _("Marginal effect"),
    },
    "unit": {"rank": _("rank")},
}
_NAMED: Mapping[str, Callable[[str], Text]] = {
    "kind": lambda name: KINDS[name].name,
    "method": lambda name: METHODS[name][0],
    "interval_method": lambda name: INTERVALS[name][0],
    "model": lambda name: MODELS[name],
    "mechanism": lambda name: mechanisms.MECHANISMS[name].name,
}


def value(column: str, cell: object) -> object:
    """What a workbook shows for it: a code's name, in the language that is active."""
    if not isinstance(cell, str):
        return cell
    if column in _NAMED:
        return str(_NAMED[column](cell))
    return str(_PLAIN.get(column, {}).get(cell, cell))
