"""Every mechanism, method and kind of interval by its name and in one plain sentence."""

from collections.abc import Callable
from typing import NamedTuple, cast

from django.utils.translation import gettext_lazy

_ = cast(Callable[[str], str], gettext_lazy)  # read in the reader's language, and used like any other text

# Whom an estimate is about; each has errors and intervals of its own.
TARGETS = ("population", "respondents")


class Mechanism(NamedTuple):
    """`sent` is what each browser sent, with {sample} for how many of how many it drew. `one_for_both`: the luck of who
    took part cannot be told from the chance added, so both targets have the same intervals."""

    name: str
    sent: str
    one_for_both: bool = False


MECHANISMS: dict[str, Mechanism] = {
    "randomized_response": Mechanism(
        _("Randomized response"),
        _("Each browser sent the true answer or, by published odds, one of the others."),
    ),
    "subset": Mechanism(
        _("Subset selection"),
        _("Each browser sent a set of answers; by published odds the true one is in it more often than any other."),
    ),
    "bitwise": Mechanism(
        _("Bitwise randomized response"),
        _("Each browser sent a 1 or a 0 for every answer, each of them changed by published odds."),
    ),
    "exponential": Mechanism(
        _("Exponential mechanism"),
        _(
            "Each browser sent one answer by published odds: the true one most often, and a near one more often than a "
            "far one."
        ),
    ),
    "laplace": Mechanism(
        _("Discrete Laplace noise per bin"),
        _("Each browser sent a number for every bin, with random noise of a published law added to each."),
    ),
    "osgt": Mechanism(
        _("Offset-symmetric Gaussian tails (OSGT) per bin"),
        _(
            "Each browser sent a number for every bin, with random noise of a published law added to each; its shape "
            "is between those of Laplace and Gaussian noise."
        ),
    ),
    "gaussian": Mechanism(
        _("Discrete Gaussian noise per bin"),
        _("Each browser sent a number for every bin, with random noise of a published law added to each."),
    ),
    "one_bit": Mechanism(
        _("One bit"),
        _("Each browser sent a 1 or a 0: the higher the number on its scale, the likelier a 1, by published odds."),
        one_for_both=True,
    ),
    "laplace_mean": Mechanism(
        _("Discrete Laplace noise on the number"),
        _(
            "Each browser rounded the number at random to one of a few points of the scale and sent it with random "
            "noise of a published law."
        ),
    ),
    "multiple": Mechanism(
        _("Multiple selection by sampling"),
        _(
            "Each browser drew {sample} answers by chance and sent whether each applies, changed to the "
            "opposite by published odds."
        ),
    ),
    "grid": Mechanism(
        _("Grid by sampling"),
        _(
            "Each browser drew {sample} items by chance and sent the answer to each or, by published "
            "odds, one of the others."
        ),
    ),
}
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
            "They hold at least as often as they say for every number of reports and whatever the answers are: they "
            "invert the exact law of the reports."
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
            "They add one more respondent, who answers an end of the scale, and weigh all reports at random. This "
            "held in every check, for few reports too, but is not proved."
        ),
    ),
    "sequence": (
        _("At every release"),
        _(
            "They hold at all releases of the survey together, however often somebody looks, and whenever it ends "
            "because of them. That makes them wider than intervals for one look."
        ),
    ),
    "widest_noise": (
        _("Widest noise"),
        _(
            "They invert the law of the noise where on the scale it is widest. This held in every check, but is not "
            "proved."
        ),
    ),
}
