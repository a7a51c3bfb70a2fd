"""How strong the protection of an alpha is, in four steps that people read as a word, a colour and a shape.

The thresholds are said here and nowhere else. At alpha 1, 2 and 4 a guess of one half ends at most at 74, 89 and 99 of
100; above that a report comes close to telling the answer. Where answers depend on each other a whole report tells as
much about one of them as its total alpha allows (M39), so "strong" and "moderate" mean the same of an answer and of a
report. That a report comes close to telling is said of one from a larger total on: only all its parts together can.
"""

from fractions import Fraction

from ldp.exact import ALPHA_WEAK

STEPS = ("strong", "moderate", "weak", "hardly_any")

# Up to each of these it is the step of the same place, beyond the last the last step: of one question, of a survey.
QUESTION = (Fraction(1), Fraction(2), ALPHA_WEAK)
SURVEY = (*QUESTION[:2], Fraction(8))
TOTAL_WEAK = SURVEY[-1]


def of_question(alpha: Fraction) -> str:
    return STEPS[_place(alpha, QUESTION)]


def of_survey(alphas: list[Fraction]) -> str:
    """The strength of a survey with all its questions together: as weak as their total says, and no stronger than the
    weakest of them."""
    return STEPS[max(_place(sum(alphas, Fraction(0)), SURVEY), *(_place(alpha, QUESTION) for alpha in alphas))]


def leaves_doubt(alphas: list[Fraction]) -> bool:
    """Whether people may be asked to trust the protection of a survey: it is strong or moderate."""
    return of_survey(alphas) in STEPS[:2]


def _place(alpha: Fraction, thresholds: tuple[Fraction, ...]) -> int:
    return sum(alpha > threshold for threshold in thresholds)
