"""The strength of an alpha's protection in four steps, which pages show as a word, a colour and a shape (M28).

Only this file has the thresholds. A report can raise a guess of one half to at most 74, 89 and 99 of 100 at alpha 1, 2
and 4; at a larger alpha it comes close to revealing the answer. If answers depend on each other, a whole report can
reveal as much about one answer as its total alpha allows (M39), so the first two steps end at the same alphas for a
question and for a report. "Weak" ends later for a report: only its parts together come close to revealing the answer.
"""

from fractions import Fraction

from ldp.exact import ALPHA_WEAK

STEPS = ("strong", "moderate", "weak", "hardly_any")

# The largest alphas of the first three steps, for one question and for a survey.
QUESTION = (Fraction(1), Fraction(2), ALPHA_WEAK)
SURVEY = (*QUESTION[:2], Fraction(8))
TOTAL_WEAK = SURVEY[-1]


def of_question(alpha: Fraction) -> str:
    return STEPS[_place(alpha, QUESTION)]


def of_survey(alphas: list[Fraction]) -> str:
    """Return the strength of a survey: the weaker of its total's and its weakest draw's."""
    return STEPS[max(_place(sum(alphas, Fraction(0)), SURVEY), *(_place(alpha, QUESTION) for alpha in alphas))]


def may_ask_for_trust(alphas: list[Fraction]) -> bool:
    """Return whether protection is strong or moderate, so that a survey may ask people to trust it."""
    return of_survey(alphas) in STEPS[:2]


def _place(alpha: Fraction, thresholds: tuple[Fraction, ...]) -> int:
    return sum(alpha > threshold for threshold in thresholds)
