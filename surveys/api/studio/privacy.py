"""The API of a survey's alphas and forms: what they promise and cost, proposals, and changes to a draft."""

from collections.abc import Sequence
from functools import partial

from django.http import Http404, QueryDict
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from surveys.api.bodies import text_of
from surveys.api.problems import Refusal
from surveys.api.studio import operations
from surveys.api.studio.guard import Studio, broken_rules, check
from surveys.api.studio.operations import number, reads
from surveys.api.studio.privacy_documents import (
    AcceptedPlan,
    NewAlpha,
    NewDraw,
    NewForm,
    NewHome,
    PrivacyDocument,
    PrivacyDraw,
    PrivacyForm,
    PrivacyQuestion,
    ProposalDocument,
    Wishes,
)
from surveys.api.studio.proposals import NOTHING, planned
from surveys.designer.privacy import storage
from surveys.designer.privacy.inputs import ArrangementInput, WhatIfInput, people_of
from surveys.designer.privacy.questions import (
    find_question,
    forms_of,
    question_in_form,
    questions_of,
    reports,
    shared_draws,
    within_budget,
)
from surveys.designer.privacy.storage import Arranged, Move
from surveys.designer.privacy.studio_question import FIELDS, PlannedDraw, PlannedForm, StudioQuestion
from surveys.designer.privacy.verdicts import PRECISE
from surveys.drafts import Changed
from surveys.drafts.assignment import EVERYONE, NEW, UnfitAssignment
from surveys.drafts.normalize import normalized
from surveys.figures import strengths
from surveys.figures.targets import usual_target
from surveys.models import Survey
from surveys.rules.texts import decimal

TAG = "Privacy"
changes = partial(operations.changes, tag=TAG, draft=True, refused=[409, 422])
UNFIT = {
    "fewest": "There must be at least two forms, or none.",
    "joint": "Only two or more questions, none of them a ranking, can be randomized together.",
    "arms": "Each version of a question must be in a form of its own.",
    "pooled": "Several forms can ask only a multiple choice, a grid, or a question that is randomized by randomized "
    "response.",
    "decides": "Each question, and those that depend on it, must stay in another form.",
    "alpha": "This alpha cannot be shared among the questions of the form.",
}
NONE = "none"
KEY = OpenApiParameter(
    "key", {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,31}$", "examples": ["by_bike"]}, OpenApiParameter.PATH,
    description="The question’s key.",
)  # fmt: skip
PLACE = number("place", "The form’s number, from 1 on.", 1, 200)


class Setting(Studio):
    """A view that changes a draft's alphas and forms."""

    def handle_exception(self, exc: Exception) -> object:
        if isinstance(exc, UnfitAssignment):
            exc = Refusal(422, f"forms_{exc}", UNFIT[str(exc)])
        return super().handle_exception(exc)


class PrivacyView(Studio):
    @reads(
        "privacy",
        "Its protection and precision",
        "For every question the alpha, the forms that ask it, and the half-width of 95% intervals; for a report the "
        "total alpha and its strength.",
        "The present state.",
        tag=TAG,
    )
    def get(self, request: Request, survey: Survey) -> PrivacyDocument:
        return _privacy(survey)


class ProposalView(Setting):
    @changes(
        "propose",
        "The proposal",
        "The proposed design for these people and this total alpha, and its precision. Nothing is stored.",
        "The proposal.",
    )
    def post(self, request: Request, survey: Survey, wanted: Wishes) -> ProposalDocument:
        return planned(survey, wanted).document()

    @changes(
        "take_proposal",
        "Apply the proposal",
        "Sets the forms and all alphas. The proposal is computed again from the same wishes.",
        "The new state.",
    )
    def put(self, request: Request, survey: Survey, wanted: AcceptedPlan) -> PrivacyDocument:
        plan = planned(survey, wanted)
        which = wanted.get("which", "proposal")
        chosen = plan.offered.proposal.design if which == "proposal" else plan.offered.everything
        if chosen is None:
            raise Refusal(422, "no_proposal", NOTHING)
        storage.apply(survey, self.person(request), wanted["mark"], plan.offered.brief, chosen)
        return _privacy(survey)


class AlphaView(Setting):
    @changes(
        "set_alpha",
        "Set a question’s alpha",
        "Also sets the mechanism if you name one. In a joint draw, it is the alpha of all questions of the draw, and "
        "nothing else is set.",
        "The new state.",
        parameters=[KEY],
    )
    def put(self, request: Request, survey: Survey, wanted: NewAlpha, key: str) -> PrivacyDocument:
        _check_mark(survey, wanted["mark"])
        question = _placed_question(survey, key, wanted.get("form"))
        typed = QueryDict(mutable=True)
        typed.update({name: text_of(wanted.get(name)) for name in FIELDS})
        form = WhatIfInput(typed, question, survey, "1")
        check(form, "alpha")
        storage.save(survey, self.person(request), question, question.mark, form.variant.settings())
        return _privacy(survey)


class HomeView(Setting):
    @changes(
        "move_question",
        "Move a question to another form",
        "Moves also the questions that it depends on. With “also” it stays in its forms; with “none” it leaves one of "
        "several.",
        "The new state.",
        parameters=[KEY],
    )
    def put(self, request: Request, survey: Survey, wanted: NewHome, key: str) -> PrivacyDocument:
        _check_mark(survey, wanted["mark"])
        question = _question(survey, key)
        draft, to = normalized(survey.draft), wanted["to"]
        places = {str(place + 1): str(place) for place in range(len(draft.get("forms", [])))}
        if to not in places.keys() | {EVERYONE, NEW, NONE}:
            raise Refusal(422, "no_form", "“to”: everyone, new, none, or the number of a form.")
        at = wanted.get("at")
        if (at is not None and at not in question.places) or (to == NONE and not question.forms):
            raise Refusal(422, "no_form", "“at”: a form that asks the question.")
        if wanted.get("also") and (to in (EVERYONE, NONE) or not question.forms):
            raise Refusal(422, "no_form", "“also”: only a question of forms can be in a further form.")
        what = "leave" if to == NONE else "also" if wanted.get("also") else "move"
        home = at or next(iter(question.places), None)
        move = Move(what, places.get(to, to), "" if home is None else str(home - 1))
        storage.move(survey, self.person(request), storage.forms_mark(draft), key, move)
        return _privacy(survey)


class FormView(Setting):
    @changes(
        "set_form",
        "Set a form",
        "Sets how often the form is drawn, and its alpha.",
        "The new state.",
        parameters=[PLACE],
    )
    def put(self, request: Request, survey: Survey, wanted: NewForm, place: int) -> PrivacyDocument:
        _check_mark(survey, wanted["mark"])
        draft = normalized(survey.draft)
        if not 1 <= place <= len(draft.get("forms", [])):
            raise Http404("There is no such form.")
        form = ArrangementInput({"form": place, "weight": wanted["weight"], "alpha": text_of(wanted["alpha"])})
        check(form, "form")
        arranged = Arranged(form.cleaned_data["weight"], form.cleaned_data["alpha"])
        storage.arrange(survey, self.person(request), storage.forms_mark(draft), place, arranged)
        return _privacy(survey)


class DrawView(Setting):
    @changes(
        "set_draw",
        "Randomize questions together or separately",
        "In one form, or among the questions for everyone. Joint questions have the sum of their alphas; separated "
        "ones get equal parts.",
        "The new state.",
    )
    def put(self, request: Request, survey: Survey, wanted: NewDraw) -> PrivacyDocument:
        _check_mark(survey, wanted["mark"])
        draft, place, keys = normalized(survey.draft), wanted["form"], wanted["questions"]
        if not 0 <= place <= len(draft.get("forms", [])):
            raise Refusal(422, "no_form", "“form”: 0, or the number of a form.")
        questions = [_question(survey, key) for key in keys]
        if any((place not in each.places) if place else each.forms for each in questions):
            raise Refusal(422, "no_form", "“questions”: those that the form asks.")
        mark = storage.forms_mark(draft)
        storage.draw(survey, self.person(request), mark, place, keys, wanted["together"])
        return _privacy(survey)


def _check_mark(survey: Survey, mark: str) -> None:
    """Refuse if the draft has changed since the client read it. Each change checks its part again when it is stored."""
    if storage.draft_mark(normalized(survey.draft)) != mark:
        raise Changed


# As it is ------------------------------------------------------------------------------------------------------------


def _question(survey: Survey, key: str) -> StudioQuestion:
    question = find_question(questions_of(survey), key)
    if question is None:
        raise Http404("There is no such question.")
    return question


def _placed_question(survey: Survey, key: str, place: int | None) -> StudioQuestion:
    """Return the question as a form asks it, by default the first form that does."""
    question = _question(survey, key)
    if place is not None and place not in question.places:
        raise Refusal(422, "no_form", "“form”: one that asks the question.")
    own = question_in_form([question], key, str(place or ""))
    assert own
    return own


def _privacy(survey: Survey) -> PrivacyDocument:
    survey.refresh_from_db()
    questions, n = within_budget(questions_of(survey)), people_of(survey)
    every = [alphas for alphas in reports(questions) if alphas]
    steps = [strengths.of_survey(alphas) for alphas in every]
    return {
        "mark": storage.draft_mark(normalized(survey.draft)),
        "n": n,
        "alpha_total": decimal(max(map(sum, every))) if every else None,
        "strength": min(steps, key=lambda step: step.filled).name if steps else None,
        "people_needed": _needed(questions),
        "target": usual_target(survey.draft if survey.is_draft else survey.definition),
        "draws": [_draw(draw) for draw in shared_draws(questions)],
        "forms": [_form(form) for form in forms_of(questions)],
        "questions": [_line(question, n) for question in questions],
    }


def _needed(questions: Sequence[StudioQuestion]) -> int | None:
    if not questions or not all(question.built for question in questions):
        return None
    needed = [question.people_needed(PRECISE) for question in questions]
    return None if None in needed else max(filter(None, needed))


def _form(form: PlannedForm) -> PrivacyForm:
    return {
        "weight": form.weight,
        "share": float(form.share),
        "draws": [_draw(draw) for draw in form.draws],
    }


def _draw(draw: PlannedDraw) -> PrivacyDraw:
    return {"questions": draw.keys, "alpha": draw.alpha or None, "sizes": draw.sizes}


def _line(question: StudioQuestion, n: int) -> PrivacyQuestion:
    return {
        "key": question.key,
        "text": question.text,
        "forms": question.places,
        "alpha": question.alpha or None,
        "mechanism": question.built.get("mechanism") if question.built else None,
        "people": question.people(n),
        "half_width": question.half_width(n) if question.built else None,
        "missing": broken_rules(question.lacks),
    }
