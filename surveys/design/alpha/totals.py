"""The alphas of a survey together: what each buys, and what a split of a total would make of them."""

from fractions import Fraction
from math import prod
from typing import Any, NamedTuple

from ldp.planning import budget, meaning, weights
from ldp.planning.outlook import quantile
from ldp.planning.thirds import CONFIDENCE
from surveys.design import meaning as words
from surveys.design.alpha.figures import as_decimal, half_width, measure
from surveys.design.alpha.forms import Split
from surveys.design.alpha.questions import Question, alphas, within_budget
from surveys.figures import numerals

Data = dict[str, Any]

WEIGHT = 1.0
POINTS = 5.0  # the wished half-width where none is written: percentage points, of a mean percent of its range


class Row(NamedTuple):
    """A question of the list: its alpha with its step, and the half-width; empty where there is none."""

    question: Question
    step: words.Step | None
    width: str
    unit: str


def rows(questions: list[Question], n: int) -> list[Row]:
    return [_row(question, n) for question in questions]


def _row(question: Question, n: int) -> Row:
    if question.built is None or question.plan is None:
        return Row(question, None, "", "")
    width = half_width(question.built, question.plan, n)
    return Row(question, words.step(Fraction(question.alpha)), width, measure(question.built).unit)


def whole(questions: list[Question]) -> Data:
    """The survey's total and what a whole report can tell."""
    every, built = alphas(questions), [question.built for question in questions if question.built]
    if not every:
        return {}
    factor = prod((meaning.factor(question) for question in built), start=Fraction(1))
    return {
        "total": as_decimal(sum(every, Fraction(0))),
        "step": words.step_of_survey(every),
        "belief": words.belief_line_of_survey(factor) if len(built) == len(questions) else "",
    }


# A split --------------------------------------------------------------------------------------------------------------


class Share(NamedTuple):
    """What a split makes of a question; `own` is the field for its weight or wish, if there is one."""

    question: Question
    own: Any
    unit: str
    now: str
    width_now: str
    then: str
    width_then: str
    step: words.Step | None


def parts(questions: list[Question]) -> list[Question]:
    """The questions that a total is spent on: those that can be built with some alpha."""
    return [question for question in questions if question.variant.built]


def divided(form: Split, n: int) -> tuple[list[Fraction], budget.Stretched | None]:
    """The alphas for a form that is right, in the order of its questions."""
    total, how = form.cleaned_data["total"], form.cleaned_data["how"]
    planned = [question.variant.plan for question in form.questions]
    known = [each for each in planned if each is not None]
    if how == "equal":
        return budget.equal(total, len(known)), None
    if how == "weight":
        numbers = form.numbers(WEIGHT)
        return weights.by_weight(total, [weights.part(each, w) for each, w in zip(known, numbers, strict=True)]), None
    stretched = budget.by_width(total, _wishes(form), n)
    return stretched.alphas, stretched


def _wishes(form: Split) -> list[budget.Wish]:
    """A mean's own unit becomes a part of its range, percentage points a share."""
    wishes = []
    for question, number in zip(form.questions, form.numbers(0.0), strict=True):
        tried = question.variant
        assert tried.built and tried.plan
        width = number / measure(tried.built).times if number else POINTS / 100
        wishes.append(budget.Wish(tried.plan, width))
    return wishes


def shares(form: Split, split: list[Fraction] | None, n: int) -> list[Share]:
    """The share of every question of the form; without a split what stands there now."""
    then = [as_decimal(alpha) for alpha in split] if split else [""] * len(form.questions)
    changed = [question.changed(alpha=alpha) for question, alpha in zip(form.questions, then, strict=True)]
    after = [_row(each, n) for each in within_budget(changed)] if split else [None] * len(changed)
    return [_share(form, *each, n) for each in zip(form.questions, then, after, strict=True)]


def _share(form: Split, question: Question, then: str, after: Row | None, n: int) -> Share:
    now = _row(question, n)
    own = form[form.name(question)] if form.own else None
    unit = measure(question.variant.built).unit if question.variant.built else ""
    widths = now.width, after.width if after else ""
    return Share(question, own, unit, question.alpha, widths[0], then, widths[1], after.step if after else None)


def remark(stretched: budget.Stretched | None) -> Data:
    """How the wished intervals fare."""
    if stretched is None:
        return {}
    needed = as_decimal(stretched.needed) if stretched.needed is not None else ""
    return {"stretch": numerals.rounded_up(stretched.stretch, 3), "wider": stretched.stretch > 1, "needed": needed}


def blind(questions: int, total: Fraction, n: int) -> Data:
    """If every question were yes or no, and each browser reported on some of them only, drawn blindly (M27): the
    half-widths for one of the questions."""
    if questions < 2:
        return {}
    best = budget.best_sample(questions, float(total))
    all_of_them, some = (_blind_width(questions, sample, total, n) for sample in (questions, best))
    return {"questions": questions, "sample": best, "all": all_of_them, "some": some, "n": numerals.whole(n)}


def _blind_width(questions: int, sample: int, total: Fraction, n: int) -> str:
    """Two shares hold at once, as in every plan of a yes/no question."""
    variance = budget.blind_factor(questions, sample, float(total)) / n
    return "±" + numerals.rounded_up(100 * quantile(CONFIDENCE, 2) * variance**0.5)
