"""The name of each method and each kind of interval, with a sentence about it."""

from surveys.survey.mechanisms.words import _

METHODS: dict[str, tuple[str, str]] = {
    "support": (
        _("Corrected count (support)"),
        _("How often each answer was reported, corrected for the known odds of a change."),
    ),
    "threshold": (
        _("Threshold"),
        _("How often a bin's number was 1 or more, corrected for how often noise alone does that."),
    ),
    "sum": (
        _("Sum"),
        _("All the numbers of a bin added up, so that their noise cancels out on average."),
    ),
    "inverse": (
        _("Inverted odds (inverse)"),
        _("How often each answer was reported, with the known odds of every change undone for all answers together."),
    ),
    "mean": (
        _("Corrected mean"),
        _("The average of what was sent, corrected for the known odds and put back on the scale of the question."),
    ),
}
INTERVALS: dict[str, tuple[str, str]] = {
    "exact": (
        _("Exact"),
        _(
            "They hold at least as often as stated, for every number of reports and whatever the answers are: they "
            "invert the exact distribution of the reports."
        ),
    ),
    "answers_at_ends": (
        _("Exact for answers at the ends"),
        _(
            "They take every answer to be at an end of the scale, where answers vary most, and are too wide for "
            "others. This held in every check, but is not proved."
        ),
    ),
    "unseen_respondent": (
        _("Unseen respondent"),
        _(
            "They add one respondent, whose answer is at an end of the scale, and weight all reports at random. This "
            "held in every check, for few reports too, but is not proved."
        ),
    ),
    "sequence": (
        _("At every release"),
        _(
            "They hold at all releases of the survey together, however often anyone looks, even if the survey ends "
            "because of its results. That makes them wider than intervals for one look."
        ),
    ),
    "widest_noise": (
        _("Widest noise"),
        _(
            "They invert the distribution of the noise at the point of the scale where it is widest. This held in "
            "every check, but is not proved."
        ),
    ),
}
