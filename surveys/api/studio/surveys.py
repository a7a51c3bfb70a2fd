"""The surveys of a person in the studio, drafts too: listed, begun, changed, deleted."""

from collections.abc import Callable
from datetime import UTC, datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse
from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys import drafts
from surveys.access import role_of, surveys_of
from surveys.api.bodies import read, text_of
from surveys.api.idempotency import HEADER, made_once
from surveys.api.json_schema import schema
from surveys.api.listing import PARTS, absolute, in_parts
from surveys.api.openapi_operation import operation
from surveys.api.problems import Refusal
from surveys.api.reading import answer, of_today, token_of
from surveys.api.studio.documents import NewSurvey, Settings, StudioPage, StudioSurvey
from surveys.api.studio.guard import SURVEY, Studio, changing, check, json_answer
from surveys.designer.files import shape
from surveys.designer.studio import creation, links
from surveys.designer.studio.deletion import confirmed_by
from surveys.designer.studio.export import copied
from surveys.designer.studio.pages import by_open_link
from surveys.designer.studio.terms import EndForm, OpeningTimeForm
from surveys.drafts import NotDraft
from surveys.life import actions
from surveys.life.deletion import delete
from surveys.life.versions import linked
from surveys.models import Role, Survey
from surveys.rules.limits import PEOPLE_MAX

TAG = "Studio"
DOCUMENT = schema(StudioSurvey)
OWNERS = ("results_public", "microdata_public", "archived")
TITLE = OpenApiParameter("title", str, required=True, description="Its title, or its number where it has none.")


class SurveysView(Studio):
    @operation(
        "studio_surveys",
        "Your surveys, drafts too",
        "All on which you have a role, the newest first.",
        {200: (schema(StudioPage), "A part of them.")},
        tag=TAG,
        parameters=PARTS,
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request) -> HttpResponse:
        user, token = self.person(request), token_of(request)
        rows = surveys_of(user)
        if token is not None and token.survey_id:
            rows = rows.filter(pk=token.survey_id)
        return of_today(answer(request, in_parts(request, rows, lambda survey: document(survey, user))))

    @changing(
        "begin_survey",
        "Begin a survey",
        "A draft of yours: one that you send, a template, a copy of another survey, or an empty one. A draft without "
        "forms and alphas gets those that are proposed.",
        {201: (DOCUMENT, "The draft.")},
        tag=TAG,
        parameters=[HEADER],
        refused=[403, 410, 413, 422],
        body=schema(NewSurvey),
    )
    def post(self, request: Request) -> HttpResponse:
        user = beginner(self, request)
        wanted = read(request, NewSurvey)
        return json_answer(*made_once(request, user, lambda: _begin(user, wanted).pk, teller(user)))


class SurveyView(Studio):
    @operation(
        "studio_survey",
        "A survey in the studio",
        "What state it is in, and on which terms.",
        {200: (DOCUMENT, "The survey.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.VIEWER)
        return of_today(answer(request, document(stored, self.person(request))))

    @changing(
        "change_settings",
        "Change its settings",
        "All of them or none. What is so already is no error; what cannot be any more is 409.",
        {200: (DOCUMENT, "The survey as it is now.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403, 409, 422],
        body=schema(Settings),
    )
    def patch(self, request: Request, survey: int) -> HttpResponse:
        wanted = read(request, Settings)
        needed = Role.OWNER if any(name in wanted for name in OWNERS) else Role.DESIGNER
        stored, user = self.survey_for(request, survey, needed), self.person(request)
        with transaction.atomic():
            for name in wanted:
                _SETTERS[name](stored, user, wanted[name])  # type: ignore[literal-required]
                stored.refresh_from_db()
        return json_answer(200, document(stored, user))

    @changing(
        "delete_survey",
        "Delete it",
        "A draft or an ended survey, for good, with all reports and releases. For owners.",
        {204: (None, "It is gone.")},
        tag=TAG,
        parameters=[SURVEY, TITLE],
        refused=[403, 409, 422],
    )
    def delete(self, request: Request, survey: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.OWNER)
        typed = request.query_params.get("title")
        if typed is None:
            raise ParseError("“title” is missing.")
        if " ".join(typed.split()) != confirmed_by(stored):
            raise Refusal(422, "other_title", "“title” is not the survey’s.")
        if not delete(stored, self.person(request)):
            raise Refusal(409, "open", "An open survey cannot be deleted. End it first.")
        return HttpResponse(status=204)


def beginner(view: Studio, request: Request) -> User:
    """Whoever may begin a survey: nobody with a token for one survey only."""
    token = token_of(request)
    if token is not None and token.survey_id:
        raise Refusal(403, "insufficient_scope", "Your token is for one survey only.")
    return view.person(request)


def teller(user: User) -> Callable[[int], StudioSurvey | None]:
    """What is said of the survey of a number, where `user` may still see it."""

    def tell(number: int) -> StudioSurvey | None:
        survey = surveys_of(user).filter(pk=number).first()
        return None if survey is None else document(survey, user)

    return tell


def document(survey: Survey, user: User) -> StudioSurvey:
    width, versions = survey.closes_at_half_width, linked(survey, user)
    return {
        "number": survey.pk,
        "title": survey.title,
        "state": survey.state,  # type: ignore[typeddict-item]
        "role": role_of(user, survey) or Role.VIEWER,
        "slug": survey.slug,
        "digest": survey.digest or None,
        "link": None if survey.is_draft or not by_open_link(survey) else links.respondents(survey),
        "code": survey.code,
        "expected_n": survey.expected_n,
        "opened_at": time(survey.opened_at),
        "opens_at": time(survey.opens_at),
        "closes_at": time(survey.closes_at),
        "closes_after": survey.closes_after,
        "points": None if width is None else round(100 * width, 6),
        "batch": survey.batch,
        "closed_at": time(survey.closed_at),
        "results_public": survey.results_public,
        "microdata_public": survey.microdata_public,
        "keeps_files": survey.keeps_files,
        "archived": survey.archived_at is not None,
        "version": versions.own.number,
        "previous": survey.previous_id,
        "open_versions": [each.survey.pk for each in versions.open],
        "url": absolute("api-studio-survey", survey.pk),
    }


def time(moment: datetime | None) -> str | None:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if moment else None


def _begin(user: User, wanted: NewSurvey) -> Survey:
    if len(wanted) > 1:
        raise ParseError("There is at most one of draft, template and copy_of.")
    if "template" in wanted:
        made = creation.from_template(user, wanted["template"])
        if made is None:
            raise Refusal(422, "no_template", "There is no such template.")
        return made
    if "copy_of" in wanted:
        original = creation.older(user).filter(pk=wanted["copy_of"]).first()
        if original is None:
            raise Refusal(422, "no_survey", "You are no designer of such a survey.")
        return copied(original, user)
    return creation.from_json(user, shape.draft(wanted["draft"])) if "draft" in wanted else creation.blank(user)


# Settings -------------------------------------------------------------------------------------------------------------


def _expect(survey: Survey, user: User, n: int | None) -> None:
    if n is not None and not 1 <= n <= PEOPLE_MAX:
        raise Refusal(422, "settings", f"“expected_n”: a whole number from 1 to {PEOPLE_MAX}.")
    if not drafts.expect(survey, n):
        raise NotDraft


def _begin_at(survey: Survey, user: User, text: str | None) -> None:
    if _is_so(text, survey.opens_at):
        return
    form = OpeningTimeForm({"opens_at": text_of(text)})
    check(form, "settings")
    if not actions.set_opening_time(survey, user, form.cleaned_data["opens_at"]):
        raise Refusal(409, "not_now", "“opens_at” is set of an opened survey that has not begun.")


def _end_at(survey: Survey, user: User, text: str | None) -> None:
    if _is_so(text, survey.closes_at):
        return
    form = EndForm({"closes_at": text_of(text)})
    check(form, "settings")
    if not actions.set_end(survey, user, form.cleaned_data["closes_at"]):
        raise Refusal(409, "not_now", "“closes_at” is set of a survey that is open.")


def _is_so(text: str | None, stored: datetime | None) -> bool:
    """Whether it says what is stored; what is no time is for the form to refuse."""
    if not text_of(text).strip():
        return stored is None
    try:
        return stored is not None and parse_datetime(text or "") == stored
    except ValueError:
        return False


def _keep_files(survey: Survey, user: User, keep: bool) -> None:
    if survey.is_draft:
        raise Refusal(409, "not_now", "A draft has no files.")
    actions.keep_files(survey, user, keep)


def _let_type(survey: Survey, user: User, wanted: bool) -> None:
    if survey.is_draft:
        raise Refusal(409, "not_now", "A draft has no code.")
    actions.let_type(survey, user, wanted)


def _publish(survey: Survey, user: User, public: bool) -> None:
    actions.publish(survey, user, public)


def _publish_microdata(survey: Survey, user: User, public: bool) -> None:
    actions.publish_microdata(survey, user, public)


def _archive(survey: Survey, user: User, away: bool) -> None:
    if survey.state == Survey.State.OPEN:
        raise Refusal(409, "not_now", "An open survey is not archived. End it first.")
    actions.archive(survey, user, away)


_SETTERS: dict[str, Callable[..., None]] = {
    "expected_n": _expect,
    "opens_at": _begin_at,
    "closes_at": _end_at,
    "typed": _let_type,
    "keeps_files": _keep_files,
    "results_public": _publish,
    "microdata_public": _publish_microdata,
    "archived": _archive,
}
