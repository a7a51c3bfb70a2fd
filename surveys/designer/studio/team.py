"""The people with a role on a survey, and invitations by link."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from surveys.access import has_role, requires
from surveys.accounts import invitations, members
from surveys.designer.studio.pages import page
from surveys.models import Role, Survey
from surveys.rules.context import Context

ROLES = (
    (Role.VIEWER, Role.VIEWER.label, gettext_lazy("sees results that are not published, and progress")),
    (Role.RESEARCHER, Role.RESEARCHER.label, gettext_lazy("also downloads, crosses and tests")),
    (Role.DESIGNER, Role.DESIGNER.label, gettext_lazy("also edits, opens, shares and closes the survey")),
    (Role.OWNER, Role.OWNER.label, gettext_lazy("also gives roles, publishes, archives and deletes")),
)
CHOICES = [(role, label) for role, label, _may in ROLES]


class RoleInput(forms.Form):
    role = forms.ChoiceField(choices=CHOICES, label=gettext_lazy("Role"), initial=Role.RESEARCHER)

    @property
    def chosen_role(self) -> Role:
        return Role(self.cleaned_data["role"])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.OWNER)
def team(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show members, open invitations, and the form for a new one. Only the response to the form shows the new link."""
    form = RoleInput(request.POST or None)
    shown: Context = {"form": form}
    if request.method == "POST" and form.is_valid():
        assert request.user.is_authenticated
        shown["made"], shown["link"] = invitations.invite(request.user, survey, form.chosen_role)
    shown["members"] = survey.memberships.select_related("user").order_by("user__username")
    shown["owners"] = sum(member.role == Role.OWNER for member in shown["members"])
    shown["invitations"] = invitations.open_ones().filter(survey=survey).order_by("last_day", "pk")
    return page(request, survey, "designer/team.html", shown | {"roles": ROLES})


@require_POST
@requires(Role.OWNER)
def member(request: HttpRequest, survey: Survey, member: int) -> HttpResponse:
    """Change or remove a member's role."""
    assert request.user.is_authenticated
    form = RoleInput(request.POST)
    try:
        if request.POST.get("do") == "remove":
            membership = members.remove(request.user, survey, member)
            messages.success(request, _("%(name)s has been removed from this survey.") % {"name": membership.user})
        elif form.is_valid():
            membership = members.give(request.user, survey, member, form.chosen_role)
            text = _("The role of %(name)s has been saved.") % {"name": membership.user}
            messages.success(request, text)
    except members.LastOwner:
        messages.error(request, _("A survey needs an owner. Make someone else an owner first."))
    except members.NoMember:
        messages.error(request, _("This person has since been removed."))
    return _back(request, survey)


@require_POST
@requires(Role.OWNER)
def revoke(request: HttpRequest, survey: Survey, invitation: int) -> HttpResponse:
    assert request.user.is_authenticated
    invitations.revoke(request.user, get_object_or_404(survey.invitations, pk=invitation))
    messages.success(request, _("The invitation has been revoked: its link no longer works."))
    return _back(request, survey)


def _back(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Redirect to this page, or to a page that a user without the role may see."""
    for name, needed in (("team", Role.OWNER), ("survey", Role.VIEWER)):
        if has_role(request.user, survey, needed):
            return redirect(name, survey.pk)
    return redirect("surveys")
