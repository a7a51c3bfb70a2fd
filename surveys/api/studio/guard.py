"""Permissions and refusals of the studio's API."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import override
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from surveys.access import managed_survey
from surveys.api.bodies import JsonParser
from surveys.api.documents import BrokenRule
from surveys.api.problems import Refusal
from surveys.api.research_view import Asking, InsufficientScope, token_of
from surveys.drafts import Changed, NotDraft
from surveys.models import Role, Scope, Survey
from surveys.rules.refusals import RuleBreach as Broken
from surveys.survey.definition import DraftRefused
from surveys.web.gate import AGAIN_AFTER, GateBusy

NO_DRAFT = "The survey has been opened: its definition is frozen."
CHANGED = "Someone else has changed this since you read it. Nothing was stored."


class Studio(Asking):
    """A view for people with a role on a survey. Changes need a token with the scope studio."""

    parser_classes = [JsonParser]

    def initial(self, request: Request, *args: Any, **options: Any) -> None:
        super().initial(request, *args, **options)
        if not request.user.is_authenticated:
            raise NotAuthenticated

    def dispatch(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        """Handle the request in English, whatever the client's language."""
        with override("en"):
            response: HttpResponse = super().dispatch(request, *args, **options)
            patch_cache_control(response, no_store=True) if request.method not in SAFE_METHODS else None
        return response

    def person(self, request: Request) -> User:
        """Return the user. Raise 403 if only the token's scope is missing."""
        token = token_of(request)
        if token is not None and not token.has(Scope.STUDIO):
            raise InsufficientScope
        assert isinstance(request.user, User)
        return request.user

    def survey_for(self, request: Request, number: int, needed: Role) -> Survey:
        """Return the survey with this number for people with this role or a higher one. Raise 404 for others."""
        survey = managed_survey(request.user, token_of(request), number, needed)
        self.person(request)
        return survey

    def handle_exception(self, exc: Exception) -> Any:
        return super().handle_exception(_refusal(exc))


class DocumentsBusy(Refusal):
    """Documents of others are being made, or enough of this account's."""

    wait = AGAIN_AFTER  # seconds, which REST framework sends in Retry-After

    def __init__(self) -> None:
        super().__init__(503, "busy", "Documents are made one after the other: try again later.")


def _refusal(error: Exception) -> Exception:
    """Return the API's refusal for an error of a draft."""
    if isinstance(error, DraftRefused):
        return Refusal(422, "draft", "The draft breaks rules.", broken_rules(error.refusals))
    if isinstance(error, GateBusy):
        return DocumentsBusy()
    if isinstance(error, NotDraft):
        return Refusal(409, "no_draft", NO_DRAFT)
    return Refusal(409, "changed", CHANGED) if isinstance(error, Changed) else error


def broken_rules(refusals: Sequence[Broken]) -> list[BrokenRule]:
    return [{"field": each.field, "code": each.code, "rule": str(each.rule)} for each in refusals]


def check(form: forms.Form, code: str, names: dict[str, str] | None = None) -> None:
    """Raise 422 with every broken rule of a form. `names` are the fields' names in the API if they differ."""
    if form.is_valid():
        return
    rules: list[BrokenRule] = [
        {"field": (names or {}).get(field, field), "code": str(each.code or "invalid"), "rule": " ".join(each.messages)}
        for field, errors in form.errors.as_data().items()
        for each in errors
    ]
    raise Refusal(422, code, " ".join(f"“{rule['field']}”: {rule['rule']}" for rule in rules), rules)
