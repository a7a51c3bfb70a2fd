"""Expected effect of an attention question: the width of shares that it corrects (M42)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ldp.forms.joint_crossing import JointCrossing
from ldp.honesty import attention
from ldp.honesty.attention import NotCorrected, TooInattentive
from ldp.inference.crossed import Crossing
from ldp.inference.variables import CELLS_MAX, Variable, are_together, variables
from ldp.planning import expectation
from ldp.planning.thirds import CONFIDENCE
from surveys.designer.privacy.questions import StudioQuestion
from surveys.figures import numerals


class Correction(NamedTuple):
    """A question with the half-widths of a share in points, or how many would do where `corrected` is empty."""

    text: str
    uncorrected: str
    corrected: str
    needed: str


class Anchored(NamedTuple):
    """An attention question with its corrections, for n people."""

    anchor: StudioQuestion
    rows: list[Correction]
    people: str
    attentive: str


def anchored(questions: Sequence[StudioQuestion], n: int) -> list[Anchored]:
    """Every attention question that corrects another one."""
    usual = numerals.percent(attention.USUAL)
    corrected = [(each, corrections(questions, each, each.people(n))) for each in questions]
    return [Anchored(each, rows, numerals.integer(each.people(n)), usual) for each, rows in corrected if rows]


def corrections(questions: Sequence[StudioQuestion], anchor: StudioQuestion, n: int) -> list[Correction]:
    """The anchor's effect on each question that it can correct; n people are asked the anchor."""
    one = _variable(anchor)
    if one is None or not attention.is_anchor(one.question):
        return []
    others = [(each, _variable(each)) for each in questions if each.name != anchor.name]
    return [
        _correction(each, _expected(one, other), n if anchor.forms else each.people(n))
        for each, other in others
        if other is not None and _corrects(anchor, one, each, other)
    ]


def _variable(question: StudioQuestion) -> Variable | None:
    """The question as one variable; None where it is not built yet, is several, or several forms ask it."""
    made = None if question.several else question.variant.built
    listed = variables([made]) if made else []
    return listed[0] if len(listed) == 1 and listed[0].place is None else None


def _corrects(anchor: StudioQuestion, one: Variable, question: StudioQuestion, other: Variable) -> bool:
    places = {*anchor.places, *question.places}
    if len(places) > 1 or len(one.options) * len(other.options) > CELLS_MAX:
        return False
    try:
        attention.check(one, other)
    except NotCorrected:
        return False
    return True


def _expected(one: Variable, other: Variable) -> Crossing | JointCrossing:
    """The crossing of an attention question with another one that is expected where all answers have equal shares."""
    law = attention.law(one, np.full(len(other.options), 1 / len(other.options)).tolist(), attention.USUAL)
    if not are_together(one, other):
        return expectation.apart(one, other, law)
    return expectation.together(one, other, law, one.question["table"]["keep"])


def _correction(question: StudioQuestion, crossing: Crossing | JointCrossing, n: int) -> Correction:
    plain = numerals.small(100 * attention.uncorrected_half_width(crossing, n, CONFIDENCE), 2)
    try:
        wide = numerals.small(100 * attention.half_width(crossing, n, CONFIDENCE), 2)
    except TooInattentive as refused:
        return Correction(question.text, plain, "", numerals.integer(refused.needed))
    return Correction(question.text, plain, wide, "")
