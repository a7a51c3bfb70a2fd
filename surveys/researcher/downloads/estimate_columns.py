"""What each column of the estimates holds."""

TARGET = "population: respondents are a sample of a population. respondents: about exactly those who took part"

ESTIMATES = {
    "survey": ("text", "The survey's part of its address."),
    "title": ("text", "The survey's title."),
    "digest": ("text", "SHA-256 of the definition's canonical bytes."),
    "release": ("whole number", "The release: 1, 2, ... of the survey. A release never changes."),
    "date": ("date", "The day of the release (UTC)."),
    "final": ("true or false", "Whether the survey had ended. What intervals hold for says interval_method."),
    "n": ("whole number", "All reports of the release."),
    "totals_digest": ("text", "SHA-256 of n and the score totals in canonical JSON."),
    "software": ("text", "What computed the release."),
    "question": ("text", "The question's key; for an item of a grid followed by a dot and its place, from 1 on."),
    "text": ("text", "The question as it was asked; for an item of a grid with the item."),
    "kind": ("text", "The kind of question."),
    "quantity": ("text", "What is estimated: share, as a fraction of 1, or mean, in the unit."),
    "unit": ("text", "Of a mean; empty where there is none."),
    "scale_low": ("number", "The least that the truth can be."),
    "scale_high": ("number", "The largest that the truth can be."),
    "alpha": ("text", "The question's privacy parameter, as stated."),
    "realised_alpha": ("number", "The least alpha that the question's table keeps."),
    "delta": ("text", "The chance for which alpha need not hold; empty where it always holds."),
    "realised_delta": ("number", "The same, exactly from the table; empty where alpha always holds."),
    "mechanism": ("text", "How answers were randomized."),
    "method": ("text", "How reports were made an estimate."),
    "default_method": ("true or false", "false: another method for the same reports, for comparison only."),
    "option": ("text", "The option that the estimate is about; mean for a mean."),
    "n_about": ("whole number", "The reports that the estimate is based on."),
    "score": ("number", "The total of the scores that the estimate is made of."),
    "estimate": ("number", "Unbiased, so it may lie outside of what is possible."),
    "effective_n": ("number", "Answers without privacy that would tell this share as precisely; empty for a mean."),
    "target": ("text", TARGET + "."),
    "standard_error": ("number", "Of the estimate, for the target."),
    "confidence": ("number", "How often the intervals of this row hold, at least: 0.9, 0.95 or 0.99."),
    "interval_low": ("number", "Lower end of the interval for this option alone."),
    "interval_high": ("number", "Its upper end."),
    "together": ("whole number", "How many simultaneous intervals hold at once."),
    "simultaneous_low": ("number", "Lower end of the interval that holds at once with those of the other options."),
    "simultaneous_high": ("number", "Its upper end."),
    "interval_method": (
        "text",
        "sequence: holds at every release. exact, answers_at_ends, unseen_respondent, widest_noise: for one look, at "
        "an end that no release could move.",
    ),
    "guarantee": (
        "text",
        "proved: for every law of answers. checked: held in every check, without a proof; so too the respondents' "
        "share at every release, which moves, where the population's intervals stand for it.",
    ),
    "risk_bound": ("number", "The least risk that any mechanism with this alpha reaches in the worst case."),
    "risk_at_equal_shares": ("number", "n_about times the expected total squared error, if all shares are equal."),
    "efficiency_at_equal_shares": ("number", "The least possible risk over this one."),
    "effective_n_at_equal_shares": ("number", "Answers without privacy that would be as precise in all."),
    "risk_at_estimate": ("number", "The risk at the estimated shares."),
    "efficiency_at_estimate": ("number", "The efficiency at the estimated shares."),
    "effective_n_at_estimate": ("number", "The effective number of answers at the estimated shares."),
    "informative_n": (
        "whole number",
        "Reports that make simultaneous 95% intervals of this method half as wide as the scale.",
    ),
    "survey_efficiency": (
        "number",
        "Of the whole survey: the least possible mean variance of all shares under its alpha, were they equal, over "
        "that of these reports. With fewer than this part of the reports no survey can be as precise. Empty where it "
        "is not known: for questions of other kinds than yes_no.",
    ),
}
# Of the estimates of surveys in forms.
FORM = {
    "form": ("whole number", "The form that the question stands in, from 0 on; empty where everybody was asked."),
    "joint": ("true or false", "Whether it was randomized together with its form's other questions, under one alpha."),
}
# Of those of surveys by invitation whose results are published by group, too.
GROUP = {
    "group": ("text", "The group whose reports alone the estimate is of; empty where it is of all groups together.")
}
DIGEST = {
    "totals_digest": ("text", "SHA-256 of the list of each form's, or group's, n and score totals in canonical JSON.")
}
