"""The choices of the form that a proposal is made of, as its template shows them."""

from fractions import Fraction
from typing import NamedTuple

from surveys.design import meaning
from surveys.design.alpha.forms import OTHER, TOTALS, Plan
from surveys.design.alpha.questions import Question


class Choice(NamedTuple):
    """A total that is offered, with what it means."""

    total: str
    step: meaning.Step
    chosen: bool


def plan_steps(form: Plan) -> list[Choice]:
    chosen = str(form["total"].value())
    return [Choice(total, meaning.step_of_survey([Fraction(total)]), total == chosen) for total in TOTALS]


def is_other(form: Plan) -> bool:
    return str(form["total"].value()) == OTHER


class Pair(NamedTuple):
    """Two questions that shall be crossed, by their keys; empty where none are chosen yet."""

    first: str
    second: str


def pair_rows(form: Plan) -> list[Pair]:
    """Those that are chosen, and room for one more."""
    return [Pair(*pair) for pair in form.pairs if all(pair)] + [Pair("", "")]


def names(questions: list[Question]) -> list[tuple[str, str]]:
    return [(question.key, question.text or question.key) for question in questions]
