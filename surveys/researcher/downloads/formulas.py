"""How each mechanism's reports become estimates, in words and formulas; docs/recompute.md has all of it."""

from typing import NamedTuple

from ldp.mechanisms import of
from ldp.question import Drawn
from surveys.survey import kinds, mechanisms


class Formula(NamedTuple):
    """A method's score of one report. Its mean is `a` where the option is true and `b` where it is not. `form` is only
    there where forms randomize the question in different ways; the score is then that of pooled shares, the number that
    a 1 counts in this form times it."""

    method: str
    score: str
    a: float
    b: float
    form: int | None = None


ESTIMATE = "estimate = (S/n - b)/(a - b), S being the total of the scores over the n reports"
OF_ITS_FORM = " with the question's form"
ON_ITS_SCALE = "; put on the scale: low + (high - low) times that"


def of_question(question: Drawn) -> list[Formula]:
    """One for each method, the default one first."""
    scores, moments = mechanisms.of(question).scores, of(question).moments()
    return [Formula(method, scores[method], float(law.a), float(law.b)) for method, law in moments.items()]


def estimate(question: Drawn) -> str:
    of_form = OF_ITS_FORM if "form" in question else ""
    return ESTIMATE + of_form + (ON_ITS_SCALE if kinds.of(question).averaged else "")
