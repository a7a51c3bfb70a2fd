"""Invitations through the API: make, send, replace, revoke and count them. Designers need a token.

No answer shows who has answered, or when. Counts are of releases, and an action on an invitation looks the same whether
or not it was used (surveys/respondent/invitations/counts.py).
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys.access import has_role, published_survey
from surveys.api.documents import (  # fmt: skip
    Bounced,
    Forgotten,
    InvitationLink,
    InvitationsDocument,
    Links,
    NewEmails,
    NewInvitations,
    NewReminder,
    Queued,
    Remaining,
)
from surveys.api.idempotency import HEADER, once
from surveys.api.json_schema import schema
from surveys.api.openapi_operation import SLUG, operation
from surveys.api.problems import Refusal
from surveys.api.research_view import Asking, InsufficientScope, answer, of_today
from surveys.audit import record
from surveys.designer.studio.links import respondents
from surveys.figures.strengths import may_ask_for_trust
from surveys.models import AuditEntry, Release, Role, Scope, Survey
from surveys.respondent.invitations import addresses, book, counts, letters, refusals, texts
from surveys.respondent.invitations.texts import Words
from surveys.respondent.page.links import token_of
from surveys.survey.definition.invitations import FIELD
from surveys.survey.definition.languages import languages_of

GROUP_MOST = 80
NO_MAIL = "This site sends no email."
UNKNOWN = "No invitation to this survey has this link."

# Changes need a token and are never cached.
action = partial(operation, tag="Invitations", parameters=[SLUG, HEADER], conditional=False, known_by=["token"])


class Inviting(Asking):
    """A view of an open survey by invitation, for its designers."""

    def open_survey(self, request: Request, slug: str) -> Survey:
        """Return the survey. Raise 404 for other users and surveys, 403 if only the token's scope is missing."""
        survey = published_survey(slug)
        if not has_role(self.visitor(request, slug, Scope.INVITATIONS), survey, Role.DESIGNER):
            if any(has_role(self.visitor(request, slug, scope), survey, Role.DESIGNER) for scope in Scope):
                raise InsufficientScope
            raise Http404
        if survey.state != Survey.State.OPEN or FIELD not in survey.definition:
            raise Http404
        return survey

    def act(
        self,
        request: Request,
        slug: str,
        fields: dict[str, type],
        deed: Callable[..., Any],
        status: int,
        secret: bool = False,
    ) -> HttpResponse:
        """Return the result of `deed`, called with the survey and the body's fields, and record its text in the log. A
        `secret` answer is shown only once."""
        self.require_token(request)
        survey = self.open_survey(request, slug)
        body = _fields(request, fields)

        def make() -> tuple[int, object]:
            document, entry = deed(survey, **body)
            record(request.user, AuditEntry.Action.EDITED, survey, entry)
            return status, document

        try:
            status, document = once(request, request.user, make, secret)
        except refusals.REFUSED as error:
            field, rules = refusals.reasons(error, survey.unit_least)
            raise Refusal(422, f"invitations_{field}", " ".join(rules)) from None
        response = JsonResponse(document, status=status)
        patch_cache_control(response, no_store=True)
        return response


class InvitationsView(Inviting):
    @operation(
        "invitations",
        "Invitations",
        "How many people are invited, and how many have answered: with each release, and for groups by counts that "
        "differ by at least a batch. No one learns who has answered. For designers.",
        {200: (schema(InvitationsDocument), "Of an open survey by invitation.")},
        tag="Invitations",
        parameters=[SLUG],
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return of_today(answer(request, _document(self.open_survey(request, slug))))

    @action(
        "invite",
        "Make invitations",
        "A link for each person, shown only this once. Each request makes more links.",
        {201: (schema(Links), "Their links.")},
        refused=[403, 409, 422],
        body=schema(NewInvitations),
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        return self.act(request, slug, {"count": int, "language": str, "group": str}, _invite, 201, True)


class EmailsView(Inviting):
    @action(
        "send_emails",
        "Invite by email",
        "Sends an email with a link to each email address, as soon as the mail server accepts it. An email address is "
        "deleted with its email, unless `keeps` is true.",
        {202: (schema(Queued), "The emails are queued.")},
        refused=[403, 409, 422],
        body=schema(NewEmails),
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        words = {"language": str, "subject": str, "text": str}
        return self.act(request, slug, {"addresses": list, "keeps": bool, "group": str} | words, _write, 202)


class RemindersView(Inviting):
    @action(
        "remind",
        "Remind",
        "Sends another email to each kept email address whose invitation was not used by the last count. Some of "
        "these people have answered since; no one learns who.",
        {202: (schema(Queued), "The emails are queued.")},
        refused=[403, 409, 422],
        body=schema(NewReminder),
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        return self.act(request, slug, {"language": str, "subject": str, "text": str}, _remind, 202)


class ReplacementsView(Inviting):
    @action(
        "replace_link",
        "Replace a lost link",
        "Both links open the same invitation, which accepts one report. The answer is the same whether or "
        "not it was used.",
        {201: (schema(InvitationLink), "Another link, shown only this once.")},
        refused=[403, 409, 422],
        body=schema(InvitationLink),
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        return self.act(request, slug, {"link": str}, _replace, 201, True)


class RevocationsView(Inviting):
    @action(
        "revoke_link",
        "Revoke an invitation",
        "No one can use it from then on; a report that it let in stays. The answer is the same whether or not it was "
        "used.",
        {200: (schema(Remaining), "It is revoked.")},
        refused=[403, 409, 422],
        body=schema(InvitationLink),
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        return self.act(request, slug, {"link": str}, _revoke, 200)


class BouncesView(Inviting):
    @action(
        "bounces",
        "Forget email addresses",
        "For people whose emails came back, or who want no more emails: their invitations stay, and no more emails go "
        "to them.",
        {200: (schema(Forgotten), "They are forgotten.")},
        refused=[403, 409, 422],
        body=schema(Bounced),
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        return self.act(request, slug, {"addresses": list}, _stop, 200)


# Actions: the document of the answer, and the text for the log --------------------------------------------------------


def _invite(survey: Survey, count: int = 0, language: str = "", group: str = "") -> tuple[Links, str]:
    if not 1 <= count <= book.MOST:
        raise ParseError(f"“count” is a whole number from 1 to {book.MOST}.")
    tag = _language(survey, language) if language else ""
    tokens = book.invite(survey.digest, count, _group(group), survey.unit_least)
    return {"links": [respondents(survey, tag, token) for token in tokens]}, f"made {count} invitations"


def _write(
    survey: Survey, addresses: Sequence[str] = (), keeps: bool = False, group: str = "", **words: str
) -> tuple[Queued, str]:
    people, wording = _people(addresses), _words(survey, texts.invitation, keeps, **words)
    letters.invite(survey.digest, people, wording, _group(group), survey.unit_least)
    return {"emails": len(people)}, f"invited {len(people)} people by mail"


def _remind(survey: Survey, **words: str) -> tuple[Queued, str]:
    count = letters.remind(survey.digest, _words(survey, texts.reminder, True, **words))
    return {"emails": count}, f"reminded at most {count} people by mail"


def _replace(survey: Survey, link: str = "") -> tuple[InvitationLink, str]:
    try:
        token = book.replace(survey.digest, _token(link))
    except book.UnknownInvitation:
        raise Refusal(422, "invitations_link", UNKNOWN) from None
    return {"link": respondents(survey, token=token)}, "replaced an invitation's link"


def _revoke(survey: Survey, link: str = "") -> tuple[Remaining, str]:
    if not book.take_back(survey.digest, _token(link)):
        raise Refusal(422, "invitations_link", UNKNOWN)
    return {"invited": book.invited(survey.digest)}, "took an invitation back"


def _stop(survey: Survey, addresses: Sequence[str] = ()) -> tuple[Forgotten, str]:
    count = letters.stop(survey.digest, _people(addresses))
    return {"forgotten": count}, f"forgot {count} addresses"


# ----------------------------------------------------------------------------------------------------------------------


def _document(survey: Survey) -> InvitationsDocument:
    groups, post = counts.groups(survey.digest), letters.post(survey.digest)
    invited = sum(group.invited for group in groups)
    releases = Release.objects.readable(survey).order_by("-number")
    return {
        "invited": invited,
        "releases": [
            {"release": each.number, "n": each.n, "percent": counts.percent(each.n, invited)} for each in releases
        ],
        "groups": [{"name": group.name, "invited": group.invited, "used": group.used} for group in groups],
        "emails": {
            "waiting": post.waiting,
            "per_minute": settings.MAIL_PER_MINUTE,
            "keeps": post.keeps,
            "undeliverable": list(post.undeliverable),
            "to_remind": letters.unanswered(survey.digest),
        },
    }


def _fields(request: Request, known: dict[str, type]) -> dict[str, Any]:
    """Return the body's fields. Missing ones are left to the action to refuse."""
    data = request.data
    if not isinstance(data, dict) or not data.keys() <= known.keys():
        raise ParseError(f"The body is a JSON object with no other fields than {', '.join(known)}.")
    for name, value in data.items():
        if type(value) is not known[name]:
            raise ParseError(f"“{name}” is of another type than the description says.")
    return data


def _words(
    survey: Survey, make: Callable[..., Words], keeps: bool, language: str = "", subject: str = "", text: str = ""
) -> Words:
    """Return the words in the request, or the site's. Raise 409 if no email can be sent."""
    if not settings.EMAIL_HOST:
        raise Refusal(409, "invitations_mail", NO_MAIL)
    cautions = not may_ask_for_trust(survey.definition)
    words = make(survey.title, _language(survey, language), survey.closes_at, cautions)
    words = words._replace(keeps=keeps, subject=subject or words.subject, text=text or words.text)
    texts.check(words)
    return words


def _language(survey: Survey, wished: str) -> str:
    tags = languages_of(survey.definition)
    if wished and wished not in tags:
        raise ParseError(f"“language” is one of {', '.join(tags)}.")
    return wished or tags[0]


def _people(listed: Sequence[str]) -> list[str]:
    if not 1 <= len(listed) <= book.MOST or not all(isinstance(each, str) and "\n" not in each for each in listed):
        raise ParseError(f"“addresses” is a list of 1 to {book.MOST} texts.")
    return addresses.read("\n".join(listed))


def _group(name: str) -> str:
    if len(name) > GROUP_MOST:
        raise ParseError(f"“group” has at most {GROUP_MOST} characters.")
    return name.strip()


def _token(text: str) -> str:
    token = token_of(text)
    if token is None:
        raise Refusal(422, "invitations_link", UNKNOWN)
    return token
