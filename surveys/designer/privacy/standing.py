"""A draft's present forms and draws as a design. No proposal may be worse."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ldp.mechanisms import TOGETHER
from ldp.planning.design import Brief, Design, DesignDraw, DesignForm
from surveys.designer.privacy.questions import forms_of, shared_draws
from surveys.designer.privacy.studio_question import PlannedDraw, PlannedForm, StudioQuestion


def standing(questions: Sequence[StudioQuestion], brief: Brief) -> Design | None:
    """Return the present design of the brief's questions. Return None if it is incomplete, if its total is larger, if a
    pair to be crossed is not in one report, or if a pair to be kept apart is."""
    keys = {each.key for each in brief.questions}
    own, forms = [question for question in questions if question.key in keys], forms_of(questions)
    if not all(question.built for question in own) or any(set(form.keys) - keys for form in forms):
        return None
    shared = [_draw(draw, None, own) for draw in shared_draws(own)]
    alone = [_alone(question) for question in own if not question.asked]
    drawn = [DesignForm(form.weight, tuple(_draw(draw, form, own) for draw in form.draws)) for form in forms]
    design = Design((*alone, *shared), tuple(drawn))
    return design if _answers(design, brief) else None


def _draw(draw: PlannedDraw, form: PlannedForm | None, questions: Sequence[StudioQuestion]) -> DesignDraw:
    """Return the draw of built questions."""
    if draw.together and draw.joint:
        sizes = tuple(size if isinstance(size, int) else tuple(size) for size in draw.together.sizes)
        return DesignDraw(Fraction(draw.alpha), tuple(draw.keys), TOGETHER, sizes)
    question = next(each for each in questions if each.key == draw.name).in_form(form.place if form else None)
    assert question
    return _alone(question)


def _alone(question: StudioQuestion) -> DesignDraw:
    built = question.built
    assert built
    table: Any = built["table"]
    listed = table["sizes"] if built["mechanism"] == TOGETHER else [table["size"]] if "size" in table else []
    return DesignDraw(Fraction(built["alpha"]), (question.key,), built["mechanism"], tuple(listed), table.get("sample"))


def _answers(design: Design, brief: Brief) -> bool:
    everyone = {(draw.keys, draw.alpha) for draw in design.everyone}
    if design.alpha > brief.total or not {((key,), alpha) for key, alpha in brief.everyone} <= everyone:
        return False
    together = all(any({*pair} <= {*report} for report in design.reports) for pair in brief.together)
    return together and not any({*pair} <= {*report} for pair in brief.apart for report in design.reports)
