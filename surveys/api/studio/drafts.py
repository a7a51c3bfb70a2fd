"""A survey's draft by program: read with what it lacks, replaced, opened, ended, made anew."""

from django.http import HttpResponse
from rest_framework.request import Request

from surveys.api.bodies import read, text_of
from surveys.api.documents import BrokenRule
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import operation
from surveys.api.problems import Refusal
from surveys.api.reading import answer, of_today
from surveys.api.studio.documents import ChangedDraft, DraftDocument, NewVersion, Opening, StudioSurvey
from surveys.api.studio.guard import CHANGED, SURVEY, Studio, broken_rules, changing, check, json_answer
from surveys.api.studio.surveys import TAG, document
from surveys.designer.files import shape
from surveys.designer.studio import review
from surveys.designer.studio.next_wave import declare
from surveys.designer.studio.terms import TermsForm
from surveys.drafts import NotDraft, mark, replace
from surveys.drafts.normalize import normalized
from surveys.life import chain, lifecycle, versions
from surveys.models import Role, Survey
from surveys.survey import definition as definitions
from surveys.survey.definition import DraftRefused

SURVEY_DOCUMENT, DRAFT_DOCUMENT = schema(StudioSurvey), schema(DraftDocument)


class DraftView(Studio):
    @operation(
        "draft",
        "Its draft",
        "With the digest to which it would be opened, or everything that it lacks. Of an opened survey what it was "
        "made of.",
        {200: (DRAFT_DOCUMENT, "The draft.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        return of_today(answer(request, draft_document(self.survey_for(request, survey, Role.DESIGNER))))

    @changing(
        "replace_draft",
        "Replace its draft",
        "By the draft that is sent. Translations that are as they were follow their questions; whoever works in the "
        "studio can take the change back there. Sending the same again is no error.",
        {200: (DRAFT_DOCUMENT, "The draft as it is stored.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403, 409, 413, 422],
        body=schema(ChangedDraft),
    )
    def put(self, request: Request, survey: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.DESIGNER), read(request, ChangedDraft)
        draft = shape.draft(wanted["draft"])
        return json_answer(200, draft_document(replace(stored, self.person(request), draft, wanted["mark"])))


class OpeningView(Studio):
    @changing(
        "open_survey",
        "Open it",
        "Freezes the draft into the definition of this digest, which everybody is asked. It cannot be undone.",
        {200: (SURVEY_DOCUMENT, "The survey with its link.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403, 409, 422],
        body=schema(Opening),
    )
    def post(self, request: Request, survey: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.DESIGNER), read(request, Opening)
        user = self.person(request)
        if not stored.is_draft:
            raise NotDraft
        form = TermsForm(stored, _terms(stored, wanted))
        check(form, "terms")
        try:
            lifecycle.open_survey(stored, user, wanted["digest"] or "none", form.terms())
        except lifecycle.DraftChanged:
            raise Refusal(409, "changed", CHANGED) from None
        except DraftRefused:
            raise
        except ValueError:
            raise NotDraft from None
        return json_answer(200, document(stored, user))


class ClosingView(Studio):
    @changing(
        "close_survey",
        "End it",
        "Nobody can answer any more, and the last release comes within seconds. It cannot be undone; of a survey that "
        "has ended it is no error.",
        {200: (SURVEY_DOCUMENT, "The survey.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403, 409],
    )
    def post(self, request: Request, survey: int) -> HttpResponse:
        stored, user = self.survey_for(request, survey, Role.DESIGNER), self.person(request)
        if not lifecycle.close_survey(stored, user) and stored.state != Survey.State.CLOSED:
            raise Refusal(409, "not_now", "The survey is not open.")
        return json_answer(200, document(stored, user))


class VersionsView(Studio):
    @changing(
        "new_version",
        "The draft of its next version",
        "With the same questions and the same people, and results of its own. As long as it is a draft, asking again "
        "gives the same one.",
        {201: (SURVEY_DOCUMENT, "The draft.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403, 409],
        body=schema(NewVersion),
    )
    def post(self, request: Request, survey: int) -> HttpResponse:
        stored, user = self.survey_for(request, survey, Role.DESIGNER), self.person(request)
        wave = read(request, NewVersion).get("wave", False)
        if stored.is_draft:
            raise Refusal(409, "not_now", "A draft has no versions. Copy it.")
        if wave and not chain.can_be_followed(stored):
            raise Refusal(409, "not_now", "No other wave can follow this one: too much would be told of a person.")
        draft = versions.new_version(stored, user)
        if wave:
            declare(draft, user, stored)
        return json_answer(201, document(draft, user))


def draft_document(survey: Survey) -> DraftDocument:
    shown = normalized(survey.draft)
    openable = review.look(survey)[0] if survey.is_draft else None
    return {
        "mark": mark(shown),
        "draft": dict(shown),
        "digest": openable.digest if openable else survey.digest or None,
        "alpha_total": openable.alpha_total if openable else None if survey.is_draft else survey.alpha_total,
        "missing": _missing(survey) if survey.is_draft else [],
        "warnings": openable.warnings if openable else [],
    }


def _missing(survey: Survey) -> list[BrokenRule]:
    """All that keeps a draft from being opened."""
    try:
        definition = definitions.build(survey.draft)
        chain.check(definition)
        lifecycle.check_relay(definition)
        lifecycle.check_book(definition)
    except DraftRefused as refused:
        return broken_rules(refused.refusals)
    return []


def _terms(survey: Survey, wanted: Opening) -> dict[str, str]:
    """What would be typed: what is said, and else what the survey has."""
    known = TermsForm(survey).initial
    return {name: text_of(wanted.get(name, known.get(name))) for name in TermsForm.base_fields}
