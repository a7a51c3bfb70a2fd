"""Every mechanism, method and kind of interval by its name and in one plain sentence."""

from typing import NamedTuple

# Whom an estimate is about; each has errors and intervals of its own.
TARGETS = ("population", "respondents")


class Mechanism(NamedTuple):
    """`sent` is what each browser sent, with {sample} for how many of how many it drew. `one_for_both`: the luck of who
    took part cannot be told from the chance added, so both targets have the same intervals."""

    name: str
    sent: str
    one_for_both: bool = False


MECHANISMS = {
    "randomized_response": Mechanism(
        "Randomized response",
        "Each browser sent the true answer or, by published odds, one of the others.",
    ),
    "subset": Mechanism(
        "Subset selection",
        "Each browser sent a set of answers; by published odds the true one is in it more often than any other.",
    ),
    "bitwise": Mechanism(
        "Bitwise randomized response",
        "Each browser sent a 1 or a 0 for every answer, each of them changed by published odds.",
    ),
    "exponential": Mechanism(
        "Exponential mechanism",
        "Each browser sent one answer by published odds: the true one most often, and a near one more often than a "
        "far one.",
    ),
    "laplace": Mechanism(
        "Discrete Laplace noise per bin",
        "Each browser sent a number for every bin, with random noise of a published law added to each.",
    ),
    "osgt": Mechanism(
        "Offset-symmetric Gaussian tails (OSGT) per bin",
        "Each browser sent a number for every bin, with random noise of a published law added to each; its shape is "
        "between those of Laplace and Gaussian noise.",
    ),
    "gaussian": Mechanism(
        "Discrete Gaussian noise per bin",
        "Each browser sent a number for every bin, with random noise of a published law added to each.",
    ),
    "one_bit": Mechanism(
        "One bit",
        "Each browser sent a 1 or a 0: the higher the number on its scale, the likelier a 1, by published odds.",
        one_for_both=True,
    ),
    "laplace_mean": Mechanism(
        "Discrete Laplace noise on the number",
        "Each browser rounded the number at random to one of a few points of the scale and sent it with random noise "
        "of a published law.",
    ),
    "multiple": Mechanism(
        "Multiple selection by sampling",
        "Each browser drew {sample} answers by chance and sent whether each applies, changed to the "
        "opposite by published odds.",
    ),
    "grid": Mechanism(
        "Grid by sampling",
        "Each browser drew {sample} items by chance and sent the answer to each or, by published "
        "odds, one of the others.",
    ),
}
METHODS = {
    "support": (
        "Corrected count (support)",
        "How often each answer was reported, corrected for the known odds of a change.",
    ),
    "threshold": (
        "Threshold",
        "How often a bin's number was 1 or more, corrected for how often noise alone does that.",
    ),
    "sum": (
        "Sum",
        "All the numbers of a bin added up, so that their noise cancels out on average.",
    ),
    "inverse": (
        "Inverted odds (inverse)",
        "How often each answer was reported, with the known odds of every change undone for all answers together.",
    ),
    "mean": (
        "Corrected mean",
        "The average of what was sent, corrected for the known odds and put back on the scale of the question.",
    ),
}
INTERVALS = {
    "exact": (
        "Exact",
        "They hold at least as often as they say for every number of reports and whatever the answers are: they invert "
        "the exact law of the reports.",
    ),
    "answers_at_ends": (
        "Exact for answers at the ends",
        "They take every answer to be at an end of the scale, where answers vary most, and are too wide for others. "
        "This held in every check, but is not proved.",
    ),
    "unseen_respondent": (
        "Unseen respondent",
        "They add one more respondent, who answers an end of the scale, and weigh all reports at random. This held in "
        "every check, for few reports too, but is not proved.",
    ),
    "sequence": (
        "At every release",
        "They hold at all releases of the survey together, so that it could end as soon as they were narrow enough. "
        "That makes them wider than intervals for one look.",
    ),
    "widest_noise": (
        "Widest noise",
        "They invert the law of the noise where on the scale it is widest. This held in every check, but is not "
        "proved.",
    ),
}
