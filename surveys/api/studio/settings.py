"""The API of a survey in the studio: its state, its settings, its deletion."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, NotRequired, TypedDict

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys import drafts
from surveys.api.bodies import text_of
from surveys.api.documents import like
from surveys.api.problems import Refusal
from surveys.api.studio.fields import END, TIME, WHOLE
from surveys.api.studio.guard import Studio, check
from surveys.api.studio.operations import changes, reads
from surveys.api.studio.surveys import StudioSurvey, document
from surveys.designer.studio.deletion import confirmed_by
from surveys.designer.studio.terms import EndInput, OpeningTimeInput
from surveys.life import actions
from surveys.life.deletion import delete
from surveys.models import Role, Survey
from surveys.rules.limits import PEOPLE_MAX

OWNERS = frozenset({"results_public", "microdata_public", "archived"})
TITLE = OpenApiParameter("title", str, required=True, description="Its title, or its number where it has none.")


class Settings(TypedDict):
    """The settings that may change at any time. Absent ones stay unchanged."""

    expected_n: NotRequired[Annotated[int | None, "For drafts only.", WHOLE | like(1000)]]
    opens_at: NotRequired[Annotated[str | None, "For surveys that have not begun; null for at once.", TIME]]
    closes_at: NotRequired[
        Annotated[
            str | None, "For open surveys; null to end it by hand. A day without a time means its end, in UTC.", END
        ]
    ]
    typed: NotRequired[Annotated[bool, "Whether it has a short code that people without the link can type at /s/."]]
    keeps_files: NotRequired[bool]
    results_public: NotRequired[Annotated[bool, "For owners."]]
    microdata_public: NotRequired[Annotated[bool, "For owners."]]
    archived: NotRequired[Annotated[bool, "For owners, and for surveys that are not open."]]


class StudioSurveyView(Studio):
    @reads(
        "studio_survey",
        "A survey in the studio",
        "Its state and its terms.",
        "The survey.",
        role=Role.VIEWER,
    )
    def get(self, request: Request, survey: Survey) -> StudioSurvey:
        return document(survey, self.person(request))

    @changes(
        "change_settings",
        "Change its settings",
        "Changes all of them or none. A setting without a change is not an error. One that is no longer possible gets "
        "409.",
        "The changed survey.",
        refused=[409, 422],
    )
    def patch(self, request: Request, survey: Survey, wanted: Settings) -> StudioSurvey:
        if OWNERS & wanted.keys():
            self.survey_for(request, survey.pk, Role.OWNER)
        user = self.person(request)
        with transaction.atomic():
            for name in wanted:
                _SETTERS[name](survey, user, wanted[name])  # type: ignore[literal-required]
                survey.refresh_from_db()
        return document(survey, user)

    @changes(
        "delete_survey",
        "Delete it",
        "Deletes a draft or an ended survey permanently, with all reports and releases. For owners.",
        "Deleted.",
        role=Role.OWNER,
        status=204,
        parameters=[TITLE],
        refused=[409, 422],
    )
    def delete(self, request: Request, survey: Survey) -> None:
        typed = request.query_params.get("title")
        if typed is None:
            raise ParseError("“title” is missing.")
        if " ".join(typed.split()) != confirmed_by(survey):
            raise Refusal(422, "other_title", "“title” is not the survey’s.")
        if not delete(survey, self.person(request)):
            raise Refusal(409, "open", "An open survey cannot be deleted. End it first.")


def _expect(survey: Survey, user: User, n: int | None) -> None:
    if n is not None and not 1 <= n <= PEOPLE_MAX:
        raise Refusal(422, "settings", f"“expected_n”: a whole number from 1 to {PEOPLE_MAX}.")
    drafts.expect(survey, user, n)


def _begin_at(survey: Survey, user: User, text: str | None) -> None:
    if _is_so(text, survey.opens_at):
        return
    form = OpeningTimeInput({"opens_at": text_of(text)})
    check(form, "settings")
    if not actions.set_opening_time(survey, user, form.cleaned_data["opens_at"]):
        raise Refusal(409, "not_now", "“opens_at” is set of an opened survey that has not begun.")


def _end_at(survey: Survey, user: User, text: str | None) -> None:
    if _is_so(text, survey.closes_at):
        return
    form = EndInput({"closes_at": text_of(text)})
    check(form, "settings")
    if not actions.set_end(survey, user, form.cleaned_data["closes_at"]):
        raise Refusal(409, "not_now", "“closes_at” is set of a survey that is open.")


def _is_so(text: str | None, stored: datetime | None) -> bool:
    """Return whether the text states the stored time. The form refuses a text that is not a time."""
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
