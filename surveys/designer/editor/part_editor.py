"""The form of the edited part, as its template shows it."""

from collections.abc import Sequence
from typing import NamedTuple, cast
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from surveys.designer.editor import arms, bins, picture_controls, routing
from surveys.designer.editor import context as builder_context
from surveys.designer.editor.bin_picture import bin_picture, span_picture
from surveys.designer.editor.context import Control, controls
from surveys.designer.editor.editors import Clash, Editor
from surveys.designer.editor.marks import marks
from surveys.designer.editor.problems import FieldProblem
from surveys.designer.privacy import scales
from surveys.designer.privacy.inputs import people_of
from surveys.designer.privacy.questions import planned_questions
from surveys.designer.studio.sentences import label
from surveys.drafts import forms, protection, spans
from surveys.drafts.kinds import KINDS, is_scale, name_of, takes_scale
from surveys.drafts.parts import TEXTS, unknown
from surveys.drafts.presets import PRESETS
from surveys.models import Survey
from surveys.rules.context import Context
from surveys.rules.draft import Draft, Question
from surveys.rules.unchecked import Unchecked, as_list
from surveys.survey.definition.fields import QUESTION
from surveys.survey.definition.languages import language_of
from surveys.survey.kinds import in_draft
from surveys.survey.kinds.fields import Field

# Fields with a place of their own in the form.
APART = ("asked_if", "exclusive", "right")
# Fields that are folded while empty: of a question, and of the survey's texts.
FOLDED = {"note", "picture"} | {field.name for field in TEXTS} - {"title", "introduction"}
# Fields outside the draft: tools that generate edges, and the survey's expected number of people.
TOOLS = (
    Field("expected_n", _("People you expect"), entered="number"),
    Field("low_end", _("From"), entered="number"),
    Field("high_end", _("To"), entered="number"),
    Field("bin_count", _("Bins"), entered="number"),
)


def part_context(
    survey: Survey,
    draft: Draft,
    editor: Editor | None,
    current: str = "",
    form: QueryDict | None = None,
    refused: Sequence[FieldProblem] = (),
) -> Context:
    """Return the page's context with an editor's form. `refused` fields are shown as sent. Raise Changed if the
    editor's part is gone."""
    part = editor.find(draft) if editor else {}
    context = builder_context.context(survey, draft, editor.name if editor else current)
    if editor is None:
        return context
    sentences = [*editor.problems(draft, context["problems"]), *refused]
    made = controls(editor.fields(part), part, sentences, form)
    context |= {
        "editor": editor,
        "part": part,
        "mark": marks(editor.fields(part), part),
        "said": sentences,
        "unknown": [label(name) for name in unknown(part, editor.fields(part))],
        "general": [each for each in sentences if not each.field],
        "controls": [each for each in made if not each.field.expert and each.field.name not in (*APART, *FOLDED)],
        "folded": (folded := [each for each in made if each.field.name in FOLDED]),
        "filled_in": any(each.text or each.problems for each in folded),
        "experts": [each for each in made if each.field.expert],
        "pictured": picture_controls.context(part),
        "comments": next((line.comments for line in context["lines"] if line.current), 0),
        "preview_url": reverse("survey-preview", args=[survey.pk]) + _form_query(draft, editor),
        "framed_url": reverse("survey-preview", args=[survey.pk]) + _only_query(editor),
    }
    context["everything"] = made
    context |= {each.field.name: each for each in made if each.field.name in APART}
    if editor.what == "question":
        context |= _question(survey, draft, cast(Question, part), sentences, form)
        context["everything"] = [*made, context["key"], context["arm"], *(context["bins"] or {"tools": []})["tools"]]
    if editor.what == "section":
        context |= {"ordinal": int(editor.name) + 1, "all": len(draft["sections"])}
    return context


def _form_query(draft: Draft, editor: Editor) -> str:
    """Return the query of a preview's URL that asks for the form of the edited question."""
    in_form = editor.what == "question" and forms.homes(draft, editor.name)
    return "?" + urlencode({"question": editor.name}) if in_form else ""


def _only_query(editor: Editor) -> str:
    """Return the query of a preview's URL that shows only the edited question or section."""
    only = {"question": editor.name, "section": str(int(editor.name) + 1) if editor.what == "section" else ""}
    return f"?{urlencode({'only': only[editor.what]})}" if editor.what in only else ""


def _question(
    survey: Survey,
    draft: Draft,
    question: Question,
    problems: Sequence[FieldProblem],
    form: QueryDict | None,
) -> Context:
    order = [each["key"] for each in draft["questions"]]
    place = order.index(question["key"])
    expert = [each for each in problems if each.field in ("key", "mechanism", "size", "delta", "sample")]
    return {
        "ordinal": place + 1,
        "all": len(order),
        "kind_name": name_of(question),
        "kind_names": list(KINDS),
        "key": _control(QUESTION["key"], question["key"], problems, form),
        "unfolded": bool(expert) or bool(question.keys() & {"mechanism", "size", "delta", "sample"}),
        "routing": routing.context(draft, question),
        "option_lines": routing.lines(question),
        "is_scale": is_scale(question),
        "presets": PRESETS.items() if takes_scale(question) else (),
        "nothing": _nothing(question, language_of(draft)),
        "span_presets": spans.PRESETS.items() if "dates" in question else (),
        "spans": span_picture(question) if "dates" in question else None,
        "scale": _scale(survey, draft, question),
        "drawn": _drawn(draft, question),
        "arms": arms.context(survey, draft, question),
        "arm": _control(QUESTION["arm_of"], "", problems, None),
        "alpha_url": reverse("survey-alpha", args=[survey.pk]),
        "bins": _bins(survey, draft, question, problems, form) if question.get("kind") == "histogram" else None,
    }


def _nothing(question: Question, language: str) -> list[str] | None:
    """Return the options that mean "nothing applies"; None if the page adds none."""
    kind = in_draft(question)
    if kind is None or not (kind.several and kind.options_are_answers):
        return None
    options = as_list(question.get("options"))
    return [str(options[place]) for place in kind.nothing(question, language)]


class DrawLine(NamedTuple):
    """A draw that asks a question. `form` is its number from 1, 0 for everyone; `others` counts other questions."""

    form: int
    alpha: str
    others: int


def _drawn(draft: Draft, question: Question) -> list[DrawLine]:
    """Return a question's draws; none if the question has its own alpha or the planner sets all draws."""
    if forms.settings_of(draft, question) is not None or protection.total(draft) is not None:
        return []
    listed = [(0, None), *enumerate(forms.forms_of(draft), 1)]
    draws = [(place, forms.draw_in(draft, question["key"], form)) for place, form in listed]
    return [
        DrawLine(place, builder_context.first_words(draw.get("alpha"), 12), len(draw["questions"]) - 1)
        for place, draw in draws
        if draw
    ]


def _scale(survey: Survey, draft: Draft, question: Question) -> scales.ScaleTarget | None:
    """Return a scale's target (shares or mean), with the alternative."""
    placed = next(each for each in planned_questions(cast(Unchecked, draft)) if each.key == question["key"])
    return scales.scale_target(placed, people_of(survey), draft)


def _bins(
    survey: Survey, draft: Draft, question: Question, problems: Sequence[FieldProblem], form: QueryDict | None
) -> Context:
    """Return the tool that generates edges, with its advice."""
    advice = bins.advice(draft, question, survey.expected_n)
    texts = {"bin_count": str(advice.bins or "")} | bins.evenly_spaced(question)
    texts["expected_n"] = str(survey.expected_n or "")
    return {
        "advised": advice.bins,
        "alpha": advice.alpha,
        "expected_n": advice.people,
        "picture": bin_picture(question, language_of(draft)),
        "tools": [_control(field, texts.get(field.name, ""), problems, form) for field in TOOLS],
    }


def _control(field: Field, text: str, problems: Sequence[FieldProblem], form: QueryDict | None) -> Control:
    about = [each for each in problems if each.field == field.name]
    return Control(field, form.get(field.name, "") if form else text, about)


def versions(clash: Clash, draft: Draft) -> Context:
    """Return both users' versions of the fields that both changed, to choose from."""
    if clash.theirs is None or clash.merge is None:
        return {"removed": True}
    both = clash.merge.both
    return {
        "differences": builder_context.differences(both, clash.merge.part, clash.theirs, draft),
        "their_mark": marks(both, clash.theirs),
    }
