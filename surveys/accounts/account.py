"""The account page, its time zone, invitations and sign-up."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.signup import complete_signup
from allauth.account.views import SignupView
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surveys.access import doer
from surveys.accounts import invitations
from surveys.models import Invitation, Membership, Profile, Role
from surveys.rules.context import Context
from surveys.web import zones


@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Show name, password, second factor and signing out."""
    factors = {factor.type: factor.wrap() for factor in Authenticator.objects.filter(user_id=request.user.pk)}
    codes = factors.get(Authenticator.Type.RECOVERY_CODES)
    shown = {
        "second_factor": factors.get(Authenticator.Type.TOTP),
        "zone": zones.zone_of(request),
        "zones": zones.NAMES,
    }
    return render(request, "account/page.html", shown | {"codes_left": len(codes.get_unused_codes()) if codes else 0})


@require_POST
@login_required
def zone(request: HttpRequest) -> HttpResponse:
    """Store the account's time zone. A zone sent with `first` never replaces a stored one."""
    name = request.POST.get("zone", "")
    if not zones.is_zone(name):
        return render(request, "account/zone_unknown.html", {"name": name}, status=422)
    profiles = Profile.objects.filter(user=doer(request))
    if not profiles.exists():
        Profile.objects.get_or_create(user=doer(request), defaults={"zone": name})
    if "first" in request.POST:
        return HttpResponse(status=204)
    profiles.update(zone=name)
    messages.success(request, _("Times are now shown in the time zone %(zone)s.") % {"zone": name})
    return redirect("account")


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest) -> HttpResponseBase:
    """Show the invitation with a button to join. A redirect removes the link's token from the URL at once."""
    token = request.GET.get("token")
    if token is not None and invitations.follow(request, token):
        return redirect("invitation")
    followed = invitations.followed(request) if token is None else None
    if followed is None:
        return render(request, "account/invitation_gone.html", status=404)
    if request.method == "POST" and request.user.is_authenticated:
        return _join(request, followed)
    return render(request, "account/invitation.html", {"invitation": followed, "role": _role(request, followed)})


def _join(request: HttpRequest, followed: Invitation) -> HttpResponseBase:
    assert request.user.is_authenticated
    try:
        invitations.accept(request.user, followed)
    except invitations.Gone:
        return redirect("invitation")
    messages.success(request, _("You have joined this survey."))
    return redirect("survey", followed.survey_id)


def _role(request: HttpRequest, followed: Invitation) -> Role | None:
    """Return the visitor's role if it includes the invitation's role; then there is nothing to accept."""
    given = Membership.objects.filter(survey=followed.survey, user_id=request.user.pk or 0).first()
    return Role(given.role) if given and Role(given.role).covers(Role(followed.role)) else None


class SignUpView(SignupView):
    """Sign up a visitor who followed an invitation. One transaction makes the account and adds it to the survey, so a
    link makes one account at most."""

    def form_valid(self, form: Any) -> HttpResponse:
        followed = invitations.followed(self.request)
        if followed is None:
            return redirect("invitation")
        try:
            with transaction.atomic():
                self.user = form.save(self.request)
                invitations.accept(self.user, followed)
        except invitations.Gone:
            return redirect("invitation")
        except IntegrityError:  # another sign-up took the name at the same moment
            form.add_error("username", get_adapter().validation_error("username_taken"))
            refused: HttpResponse = self.form_invalid(form)
            return refused
        joined = reverse("survey", args=[followed.survey_id])
        signed_in: HttpResponse = complete_signup(self.request, user=self.user, redirect_url=joined)
        return signed_in

    def get_context_data(self, **options: Any) -> Context:
        context: Context = super().get_context_data(**options)
        return context | {"invitation": invitations.followed(self.request)}
