"""The API of a survey's people: members with roles, links that invite more, and the log. For owners."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal, TypedDict

from django.http import Http404
from rest_framework.request import Request

from surveys.accounts import invitations, members
from surveys.api.documents import like
from surveys.api.listing import PARTS, in_parts
from surveys.api.problems import Refusal
from surveys.api.studio import operations
from surveys.api.studio.fields import DAY, ROLE, TIME, Part
from surveys.api.studio.guard import Studio
from surveys.api.studio.operations import number
from surveys.api.studio.surveys import time
from surveys.models import AuditEntry, Invitation, Membership, Role, Survey

reads = partial(operations.reads, tag="People", role=Role.OWNER)
changes = partial(operations.changes, tag="People", role=Role.OWNER)
LAST = "A survey needs an owner. Make someone else an owner first."
MEMBER = number("member", "Of the list of people.")
INVITATION = number("invitation", "Of the list of open invitations.")


class Member(TypedDict):
    number: Annotated[int, "The number in the URL that changes the membership.", like(4)]
    username: Annotated[str, like("ada")]
    role: Annotated[str, ROLE]


class OpenInvitation(TypedDict):
    number: Annotated[int, "The number in the URL that revokes it.", like(2)]
    role: Annotated[str, ROLE]
    last_day: Annotated[str, "The last day on which the link is valid (UTC).", DAY]


class TeamDocument(TypedDict):
    members: list[Member]
    invitations: Annotated[list[OpenInvitation], "The links that are still valid."]


class NewRole(TypedDict):
    role: Literal["viewer", "researcher", "designer", "owner"]


class RoleLink(OpenInvitation):
    link: Annotated[
        str, "It is shown only this once.", like("https://survey.example.org/account/invitation/?token=8Y0oPq")
    ]


class AuditItem(TypedDict):
    at: Annotated[str, TIME]
    username: Annotated[str, like("ada")]
    action: Annotated[str, {"enum": list(AuditEntry.Action)} | like("opened")]
    detail: Annotated[str, like("digest 9f86d081884c7d65")]


class AuditPage(Part):
    items: list[AuditItem]


class TeamView(Studio):
    @reads(
        "people",
        "Its team",
        "Members with their roles, and valid role links. For owners.",
        "The team.",
    )
    def get(self, request: Request, survey: Survey) -> TeamDocument:
        return _people(survey)


class MemberView(Studio):
    @changes(
        "give_role",
        "Give someone another role",
        "A lower role takes away all rights of the former one. There is always an owner.",
        "The new team.",
        parameters=[MEMBER],
        refused=[409],
    )
    def put(self, request: Request, survey: Survey, wanted: NewRole, member: int) -> TeamDocument:
        return _changed(survey, lambda: members.give(self.person(request), survey, member, Role(wanted["role"])))

    @changes(
        "remove_member",
        "Remove someone's role",
        "Also removes their tokens for this survey and the invitations that they made.",
        "The new team.",
        parameters=[MEMBER],
        refused=[409],
    )
    def delete(self, request: Request, survey: Survey, member: int) -> TeamDocument:
        return _changed(survey, lambda: members.remove(self.person(request), survey, member))


class RoleLinksView(Studio):
    @changes(
        "invite_to_role",
        "Make a link that gives a role",
        f"The first user who opens it gets the role. It is valid for {invitations.DAYS} days, while you are an owner.",
        "The link, shown only this once.",
        status=201,
        keyed=True,
        secret=True,
        refused=[409, 422],
    )
    def post(self, request: Request, survey: Survey, wanted: NewRole) -> RoleLink:
        made, link = invitations.invite(self.person(request), survey, Role(wanted["role"]))
        return {**_invitation(made), "link": link}


class RoleLinkView(Studio):
    @changes(
        "revoke_role_link",
        "Revoke a role link",
        "The link is invalid from then on. Anyone who has used it keeps the role.",
        "The new team.",
        parameters=[INVITATION],
    )
    def delete(self, request: Request, survey: Survey, invitation: int) -> TeamDocument:
        row = survey.invitations.filter(pk=invitation).first()
        if row is None:
            raise Http404("There is no such invitation.")
        invitations.revoke(self.person(request), row)
        return _people(survey)


class AuditView(Studio):
    @reads("survey_log", "Its audit log", "The newest first. For owners.", "Part of the log.", parameters=PARTS)
    def get(self, request: Request, survey: Survey) -> AuditPage:
        part: AuditPage = in_parts(request, AuditEntry.objects.filter(survey_number=survey.pk), _line)
        return part


def _changed(survey: Survey, change: Callable[[], object]) -> TeamDocument:
    try:
        change()
    except members.LastOwner:
        raise Refusal(409, "last_owner", LAST) from None
    except members.NoMember:
        raise Http404("There is no such member.") from None
    return _people(survey)


def _people(survey: Survey) -> TeamDocument:
    memberships = survey.memberships.select_related("user").order_by("user__username")
    links = invitations.open_ones().filter(survey=survey).order_by("last_day", "pk")
    return {"members": [_member(each) for each in memberships], "invitations": [_invitation(each) for each in links]}


def _member(membership: Membership) -> Member:
    return {"number": membership.pk, "username": membership.user.get_username(), "role": membership.role}


def _invitation(invitation: Invitation) -> OpenInvitation:
    return {"number": invitation.pk, "role": invitation.role, "last_day": invitation.last_day.isoformat()}


def _line(entry: AuditEntry) -> AuditItem:
    return {"at": time(entry.at) or "", "username": entry.username, "action": entry.action, "detail": entry.detail}
