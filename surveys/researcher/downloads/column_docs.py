"""What each column of the downloads holds: for the companion file, the files' own labels and docs/downloads.md."""

from collections.abc import Mapping

from ldp import tidy
from surveys.researcher.downloads.estimate_columns import DIGEST, ESTIMATES, FORM, GROUP, TARGET

COVARIANCES = {
    "question": ("text", "As in the estimates."),
    "method": ("text", "As in the estimates."),
    "target": ("text", TARGET + "."),
    "option": ("text", "The row of the matrix."),
    "other_option": ("text", "The column of the matrix: this option or one after it; the matrix is symmetric."),
    "covariance": ("number", "Of the two estimates, at the estimated shares put where shares can be."),
}
_HEADER = {name: ESTIMATES[name] for name in ("survey", "release", "date", "totals_digest", "n")}
_QUESTION_TEXT = {name: ESTIMATES[name] for name in ("question", "text")}
_QUESTION = {**_QUESTION_TEXT, "kind": ESTIMATES["kind"]}
_EVERY_RELEASE = (
    "true or false",
    "true: the intervals hold at all releases of the survey together. false: for one look.",
)
SHARES = {
    **_QUESTION_TEXT,
    "option_number": ("whole number", "Its place among the question's answers, from 1 on."),
    "option": ("text", "The answer."),
    "n_about": ESTIMATES["n_about"],
    "share": ("number", "Unbiased, as a fraction of 1; so it may lie below 0 or above 1."),
    "standard_error": ESTIMATES["standard_error"],
    "interval_low": ESTIMATES["interval_low"],
    "interval_high": ESTIMATES["interval_high"],
    "simultaneous_low": ESTIMATES["simultaneous_low"],
    "simultaneous_high": ESTIMATES["simultaneous_high"],
    "projected_share": (
        "number",
        "The nearest shares that can be, from 0 to 1 and 1 in all; biased. Each for itself "
        "where people may choose several answers.",
    ),
    "confidence": ("number", "Of the intervals: the same in all rows."),
    "target": (
        "text",
        "The same in all rows, and whom the results page is about at first: the population of a survey by invitation, "
        "the respondents of one that anybody with the link may answer.",
    ),
    "method": ("text", "How reports were made the share: each question's usual one."),
    "every_release": _EVERY_RELEASE,
}
READINGS = {
    **_HEADER,
    **_QUESTION,
    "unit": ("text", "Of numbers that are no shares: that of the question; rank, where the first step has rank 1."),
    "quantity": (
        "text",
        "cumulative_share: of all who were asked, up to the option. quantile: of those who gave an answer. mean_rank, "
        "mean: the same; a mean of bins lies between estimate and estimate_high. density: the share of a bin over its "
        "width. share_among_answers: without those who prefer not to say. share_if_all_had_said: between estimate, "
        "none of them giving this answer, and estimate_high, all of them. share_if_all_were_asked, "
        "mean_if_all_were_asked: the same for those who were not asked, for the population. projected_share, "
        "projected_mean: the nearest possible value, which is biased; its intervals are those of the unbiased "
        "estimate. attention: the share of people who pay attention, by an attention question's right answer.",
    ),
    "level": ("number", "Of a quantile: the part of the answers below it."),
    "option": ("text", "What the number is about; of a quantile the step or bin that it is estimated in."),
    "method": ("text", "How reports were made the estimate."),
    "n_about": ("whole number", "The reports that it is based on."),
    "estimate": (
        "number",
        "Shares as fractions of 1; of a quantile in bins the bin's lower edge, empty where open.",
    ),
    "estimate_high": (
        "number",
        "The upper bound of a mean of bins or of what is “if all”, or the upper edge of a quantile's bin.",
    ),
    "standard_error": ("number", "Of a density."),
    "target": ESTIMATES["target"],
    "confidence": ESTIMATES["confidence"],
    "interval_low": ("number", "Lower end of the interval for this number alone; empty where a bin is open."),
    "interval_high": ESTIMATES["interval_high"],
    "together": ESTIMATES["together"],
    "simultaneous_low": ("number", "Lower end of the interval that holds at once with those of the other options."),
    "simultaneous_high": ESTIMATES["simultaneous_high"],
    "option_low": ("text", "The first step or bin of a quantile's interval."),
    "option_high": ("text", "The last one."),
    "every_release": _EVERY_RELEASE,
    "guarantee": ("text", "proved: for every law of answers. checked: held in every check, without a proof."),
    "reason": ("text", "Why there is no estimate, or no interval."),
}
CONTRASTS = {
    **_HEADER,
    **_QUESTION,
    "n_about": READINGS["n_about"],
    "option": ("text", "The first answer of the pair."),
    "other_question": ("text", "Another version of the question, if the second answer is its; empty where it is not."),
    "other_option": ("text", "The second one."),
    "difference": (
        "number",
        "The share of the first in the population less that of the second, unbiased; of versions of a mean, in its "
        "unit.",
    ),
    "confidence": ("number", "At which all pairs of the question are compared together: 0.9, 0.95 or 0.99."),
    "together": ("whole number", "How many pairs that are."),
    "simultaneous_low": ("number", "Lower end of the interval that holds at once with those of all pairs."),
    "simultaneous_high": ESTIMATES["simultaneous_high"],
    "told_apart": ("true or false", "Whether the difference is shown, all pairs taken together."),
    "p_value": ("number", "Exact and two-sided, of equal shares, for this pair alone."),
    "corrected_p_value": ("number", "The same by Holm for all pairs of the question."),
    "reports_needed": (
        "whole number",
        "How many reports would show a difference of 5 points between the two in 80 of 100 surveys, for a single look "
        "and all pairs compared; empty where no number would, or it is not known.",
    ),
    "every_release": _EVERY_RELEASE,
    "guarantee": READINGS["guarantee"],
    "reason": ("text", "Why there is no p-value."),
}
TREND = {
    **_HEADER,
    **_QUESTION,
    "unit": ("text", "Of a mean; empty where there is none."),
    "option": ("text", "The option that the estimate is about; mean for a mean."),
    "at_release": ("whole number", "The release that the row is of: this one, or one of the eleven before it."),
    "at_date": ("date", "Its day (UTC)."),
    "n_asked": ("whole number", "Its reports of those who were asked the question."),
    "estimate": ESTIMATES["estimate"],
    "target": ESTIMATES["target"],
    "confidence": ESTIMATES["confidence"],
    "together": ("whole number", "How many options' intervals hold at once, each at all releases."),
    "simultaneous_low": ("number", "Lower end of the interval that holds for all options at all releases together."),
    "simultaneous_high": ESTIMATES["simultaneous_high"],
    "guarantee": READINGS["guarantee"],
}
FORGED = {
    **_HEADER,
    **_QUESTION,
    "unit": TREND["unit"],
    "option": TREND["option"],
    "n_about": READINGS["n_about"],
    "forged": ("whole number", "At most so many of these reports are forged; 0 where all are honest."),
    "confidence": ESTIMATES["confidence"],
    "together": ("whole number", "How many options' intervals hold at once."),
    "simultaneous_low": (
        "number",
        "Lower end of the interval that holds the honest population's share, or mean, whatever forged reports say.",
    ),
    "simultaneous_high": ESTIMATES["simultaneous_high"],
    "breaking": (
        "whole number",
        "Of the most common answer: with how many forged reports that is no longer known. Empty where it is not known "
        "even with none, and in other rows.",
    ),
    "every_release": _EVERY_RELEASE,
}
FILES = {
    "estimates": ESTIMATES,
    "shares": SHARES,
    "covariances": COVARIANCES,
    "readings": READINGS,
    "contrasts": CONTRASTS,
    "trend": TREND,
    "forged": FORGED,
}
COLUMNS = ("file", "column", "type", "meaning")


def estimates(document: Mapping[str, object]) -> dict[str, tuple[str, str]]:
    """The columns of a document's estimates, in their order."""
    every = ESTIMATES | FORM | GROUP | (DIGEST if {"forms", "groups"} & document.keys() else {})
    return {name: every[name] for name in tidy.columns(document)}


def rows(document: Mapping[str, object]) -> list[dict[str, str]]:
    """The companion file."""
    files = FILES | {"estimates": estimates(document)}
    return [
        {"file": file, "column": column, "type": kind, "meaning": meaning}
        for file, columns in files.items()
        for column, (kind, meaning) in columns.items()
    ]
