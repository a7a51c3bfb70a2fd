"""Expected effect of an attention question: the width of the shares that it corrects (M42)."""

from collections.abc import Sequence
from typing import NamedTuple

from ldp.forms.crossed import Crossed
from ldp.honesty import attention
from ldp.honesty.attention import TooInattentive
from ldp.inference.variables import CELLS_MAX
from ldp.planning import expectation
from ldp.planning.thirds import CONFIDENCE
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.figures import numerals
from surveys.researcher.analyses.frame import planning


class Correction(NamedTuple):
    """A question with half-widths of a share in points, or, if `corrected` is empty, with the `needed` people."""

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
    """Return every attention question that corrects another one."""
    usual = numerals.percent(attention.USUAL)
    corrected = [(each, corrections(questions, each, each.people(n))) for each in questions]
    return [Anchored(each, rows, numerals.integer(each.people(n)), usual) for each, rows in corrected if rows]


def corrections(questions: Sequence[StudioQuestion], anchor: StudioQuestion, n: int) -> list[Correction]:
    """Return the anchor's effect on each question that it can correct; n people are asked the anchor."""
    if not anchor.built or not attention.is_anchor(anchor.built):
        return []
    others = (each for each in planning.with_one_answer(questions) if _corrects(anchor, each))
    return [_correction(each, *_expected(anchor, each, n)) for each in others]


def _corrects(anchor: StudioQuestion, question: StudioQuestion) -> bool:
    if anchor.name == question.name or planning.in_two_forms((anchor, question)):
        return False
    one, other = planning.variable(anchor), planning.variable(question)
    return len(one.options) * len(other.options) <= CELLS_MAX and attention.corrects(one, other)


def _expected(anchor: StudioQuestion, question: StudioQuestion, n: int) -> tuple[Crossed, int]:
    """Return the expected crossing of an attention question with another question, over the forms that ask both, and
    its number of reports. All answers are assumed to have equal shares."""
    ways, both = planning.ways_of_two((anchor, question)), planning.share((anchor, question))
    law = attention.law(ways[0].first, [1 / len(ways[0].second.options)] * len(ways[0].second.options), attention.USUAL)
    return expectation.crossing(ways, law), max(1, round(n * both / anchor.part))


def _correction(question: StudioQuestion, crossing: Crossed, n: int) -> Correction:
    plain = numerals.small(100 * attention.uncorrected_half_width(crossing, n, CONFIDENCE), 2)
    try:
        wide = numerals.small(100 * attention.half_width(crossing, n, CONFIDENCE), 2)
    except TooInattentive as refused:
        return Correction(question.text, plain, "", numerals.integer(refused.needed))
    return Correction(question.text, plain, wide, "")
