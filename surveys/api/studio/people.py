"""Who works on a survey, by program: members with their roles, links that invite more of them, the log. For owners."""

from typing import Any

from django.http import Http404, HttpResponse
from rest_framework.request import Request

from surveys.accounts import invitations, members
from surveys.api.bodies import read
from surveys.api.idempotency import HEADER, once
from surveys.api.json_schema import schema
from surveys.api.listing import PARTS, in_parts
from surveys.api.openapi_operation import operation
from surveys.api.problems import Refusal
from surveys.api.reading import answer, of_today
from surveys.api.studio.documents import LogLine, LogPage, Member, NewRole, OpenInvitation, PeopleDocument, RoleLink
from surveys.api.studio.guard import SURVEY, Studio, changing, json_answer, place
from surveys.api.studio.surveys import time
from surveys.models import AuditEntry, Invitation, Membership, Role, Survey

TAG = "People"
LAST = "A survey has an owner. Make somebody else one first."
PEOPLE = schema(PeopleDocument)
MEMBER = place("member", "Of the list of people.")
INVITATION = place("invitation", "Of the list of open invitations.")


class PeopleView(Studio):
    @operation(
        "people",
        "Who works on it",
        "Its members with their roles, and links that can still be followed. For owners.",
        {200: (PEOPLE, "The people.")},
        tag=TAG,
        parameters=[SURVEY],
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        return of_today(answer(request, _people(self.survey_for(request, survey, Role.OWNER))))


class MemberView(Studio):
    @changing(
        "give_role",
        "Give somebody another role",
        "Whoever may do less from then on keeps nothing that the role gave them. There is always an owner.",
        {200: (PEOPLE, "The people as they are now.")},
        tag=TAG,
        parameters=[SURVEY, MEMBER],
        refused=[403, 409],
        body=schema(NewRole),
    )
    def put(self, request: Request, survey: int, member: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.OWNER), read(request, NewRole)
        return self.change(stored, lambda: members.give(self.person(request), stored, member, Role(wanted["role"])))

    @changing(
        "remove_member",
        "Take somebody's role away",
        "With their tokens for this survey, and the invitations that they made.",
        {200: (PEOPLE, "The people as they are now.")},
        tag=TAG,
        parameters=[SURVEY, MEMBER],
        refused=[403, 409],
    )
    def delete(self, request: Request, survey: int, member: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.OWNER)
        return self.change(stored, lambda: members.remove(self.person(request), stored, member))

    def change(self, survey: Survey, how: Any) -> HttpResponse:
        try:
            how()
        except members.LastOwner:
            raise Refusal(409, "last_owner", LAST) from None
        except members.NoMember:
            raise Http404("There is no such member.") from None
        return json_answer(200, _people(survey))


class RoleLinksView(Studio):
    @changing(
        "invite_to_role",
        "Make a link that gives a role",
        f"Whoever follows it first, signed in, gets the role. It can be followed for {invitations.DAYS} days, as long "
        "as you are an owner.",
        {201: (schema(RoleLink), "The link, told this once.")},
        tag=TAG,
        parameters=[SURVEY, HEADER],
        refused=[403, 409, 422],
        body=schema(NewRole),
    )
    def post(self, request: Request, survey: int) -> HttpResponse:
        stored, wanted = self.survey_for(request, survey, Role.OWNER), read(request, NewRole)
        user = self.person(request)

        def make() -> tuple[int, RoleLink]:
            made, link = invitations.invite(user, stored, Role(wanted["role"]))
            return 201, {**_invitation(made), "link": link}

        return json_answer(*once(request, user, make, secret=True))


class RoleLinkView(Studio):
    @changing(
        "revoke_role_link",
        "Revoke such a link",
        "Nobody can follow it any more. Where somebody has, they keep their role.",
        {200: (PEOPLE, "The people as they are now.")},
        tag=TAG,
        parameters=[SURVEY, INVITATION],
        refused=[403],
    )
    def delete(self, request: Request, survey: int, invitation: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.OWNER)
        row = stored.invitations.filter(pk=invitation).first()
        if row is None:
            raise Http404("There is no such invitation.")
        invitations.revoke(self.person(request), row)
        return json_answer(200, _people(stored))


class LogView(Studio):
    @operation(
        "survey_log",
        "What people did on it",
        "The newest first. For owners.",
        {200: (schema(LogPage), "A part of the log.")},
        tag=TAG,
        parameters=[SURVEY, *PARTS],
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request, survey: int) -> HttpResponse:
        stored = self.survey_for(request, survey, Role.OWNER)
        return of_today(answer(request, in_parts(request, AuditEntry.objects.filter(survey_number=stored.pk), _line)))


def _people(survey: Survey) -> PeopleDocument:
    memberships = survey.memberships.select_related("user").order_by("user__username")
    links = invitations.open_ones().filter(survey=survey).order_by("last_day", "pk")
    return {"members": [_member(each) for each in memberships], "invitations": [_invitation(each) for each in links]}


def _member(membership: Membership) -> Member:
    return {"number": membership.pk, "username": membership.user.get_username(), "role": membership.role}


def _invitation(invitation: Invitation) -> OpenInvitation:
    return {"number": invitation.pk, "role": invitation.role, "last_day": invitation.last_day.isoformat()}


def _line(entry: AuditEntry) -> LogLine:
    return {"at": time(entry.at) or "", "username": entry.username, "action": entry.action, "detail": entry.detail}
