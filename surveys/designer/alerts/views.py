"""/surveys/<number>/alerts/: the user's alerts by email, the survey's webhooks, and deliveries."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.validators import EmailValidator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surveys.access import doer, has_role, requires
from surveys.designer.alerts import addresses, receivers
from surveys.designer.studio.pages import page
from surveys.designer.studio.terms import Input
from surveys.models import AlertReader, Delivery, Role, Survey, Webhook
from surveys.rules.context import Context
from surveys.rules.mail import is_address

SHOWN = 20  # deliveries
KINDS = {
    "survey.opened": gettext_lazy("Opened"),
    "survey.first_release": gettext_lazy("First results"),
    "survey.precision_reached": gettext_lazy("Precise enough"),
    "survey.ended": gettext_lazy("Ended"),
    "survey.trouble": gettext_lazy("Something is wrong"),
}
STATES = {
    Delivery.State.WAITING: gettext_lazy("waits"),
    Delivery.State.SENT: gettext_lazy("arrived"),
    Delivery.State.FAILED: gettext_lazy("given up"),
}


class MailInput(Input):
    address = forms.EmailField(
        max_length=254,  # of the model
        label=gettext_lazy("Your email address"),
        help_text=gettext_lazy("A new email address must be confirmed by email first."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def clean_address(self) -> str:
        address = str(self.cleaned_data["address"])
        if not is_address(address):
            raise forms.ValidationError(EmailValidator.message)
        return address


class WebhookInput(Input):
    url = forms.CharField(
        max_length=addresses.LONGEST,
        label=gettext_lazy("URL"),
        help_text=gettext_lazy("Begins with https://. Alerts are posted there as JSON, signed."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "url", "dir": "ltr"}),
    )

    def clean_url(self) -> str:
        url = str(self.cleaned_data["url"]).strip()
        try:
            addresses.target(url)
        except addresses.WebhookRefused:
            raise forms.ValidationError(
                _("The URL must begin with https:// and have a public host, without a name, a password or a #.")
            ) from None
        return url


@never_cache
@require_safe
@requires(Role.VIEWER)
def alerts(request: HttpRequest, survey: Survey) -> HttpResponse:
    return _show(request, survey)


def _show(request: HttpRequest, survey: Survey, **more: Any) -> HttpResponse:
    user = doer(request)
    context: Context = {
        "form": WebhookInput(),
        "mail_form": MailInput(initial={"address": user.email}),
        "sends": bool(settings.EMAIL_HOST),
        "token": "",
        "reader": AlertReader.objects.filter(survey=survey, user=user).first(),
        "webhooks": [],
        "current": "survey-alerts",
        **more,
    }
    if has_role(user, survey, Role.DESIGNER):
        context["webhooks"] = [(each, _deliveries(each)) for each in survey.webhooks.select_related("made_by")]
        context["may_add"] = len(context["webhooks"]) < receivers.WEBHOOKS_MOST
    return page(request, survey, "designer/alerts.html", context)


def _deliveries(webhook: Webhook) -> list[Context]:
    """Return the newest deliveries with their days; times are not shown."""
    return [
        {
            "name": each.name if each.alert else "",
            "what": KINDS[each.alert.kind] if each.alert else _("Test"),
            "day": each.day,
            "state": STATES[Delivery.State(each.state)],
            "status": each.status,
            "attempts": each.attempts,
        }
        for each in webhook.deliveries.select_related("alert")[:SHOWN]
    ]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.VIEWER)
def confirm(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    """Confirm an email address. The link shows a button, and pressing it confirms."""
    token = request.POST.get("token", request.GET.get("token", ""))
    reader = receivers.in_question(token, survey, doer(request))
    if reader is None:
        messages.warning(request, _("This link has expired or is not yours. Ask for alerts again."))
    elif request.method != "POST":
        return _show(request, survey, token=token, reader=reader)
    else:
        receivers.confirm(reader)
        messages.success(request, _("Alerts of this survey come to %(address)s.") % {"address": reader.address})
    return redirect("survey-alerts", survey.pk)


@require_POST
@requires(Role.VIEWER)
def mail(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    user, to = doer(request), request.POST.get("to")
    if to not in ("yes", "no") or (to == "yes" and not settings.EMAIL_HOST):
        raise Http404
    if to == "no":
        receivers.wish_no_mail(survey, user)
        messages.success(request, _("You will get no more emails about this survey."))
        return redirect("survey-alerts", survey.pk)
    form = MailInput(request.POST)
    if not form.is_valid():
        return _refused(request, survey, mail_form=form)
    address = form.cleaned_data["address"]
    try:
        known = receivers.wish_mail(survey, user, get_language() or settings.LANGUAGE_CODE, address)
    except receivers.TooManyWebhooks:
        form.add_error("address", _("You have been asked often enough today."))
        return _refused(request, survey, mail_form=form)
    if known:
        messages.success(request, _("Alerts of this survey come to %(address)s.") % {"address": address})
    else:
        messages.success(request, _("An email is on its way to %(address)s: follow its link.") % {"address": address})
    return redirect("survey-alerts", survey.pk)


@never_cache
@require_http_methods(["POST"])
@requires(Role.DESIGNER)
def add(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    """Add a webhook. Only this response shows the secret."""
    form = WebhookInput(request.POST)
    if not form.is_valid():
        return _refused(request, survey, form=form)
    try:
        made, secret = receivers.add_webhook(survey, doer(request), form.cleaned_data["url"])
    except receivers.TooManyWebhooks:
        most = receivers.WEBHOOKS_MOST
        form.add_error(
            "url",
            ngettext(
                "The survey has %(n)d webhook already. Remove one first.",
                "The survey has %(n)d webhooks already. Remove one first.",
                most,
            )
            % {"n": most},
        )
        return _refused(request, survey, form=form)
    return _show(request, survey, made=made, secret=secret)


def _refused(request: HttpRequest, survey: Survey, **forms: Input) -> HttpResponse:
    response = _show(request, survey, **forms)
    response.status_code = 422
    return response


@require_POST
@requires(Role.DESIGNER)
def remove(request: HttpRequest, survey: Survey, webhook: int) -> HttpResponseBase:
    row = get_object_or_404(survey.webhooks, pk=webhook)
    receivers.remove_webhook(survey, doer(request), row)
    messages.success(request, _("Nothing more is posted to %(host)s.") % {"host": row.host})
    return redirect("survey-alerts", survey.pk)


@require_POST
@requires(Role.DESIGNER)
def test(request: HttpRequest, survey: Survey, webhook: int) -> HttpResponseBase:
    row = get_object_or_404(survey.webhooks, pk=webhook, gone=False)
    try:
        receivers.send_test(row, doer(request))
    except receivers.TooManyWebhooks:
        _warn_of_most(request)
    else:
        messages.success(request, _("A test is on its way. This page shows its result in a few seconds."))
    return redirect("survey-alerts", survey.pk)


@require_POST
@requires(Role.DESIGNER)
def again(request: HttpRequest, survey: Survey, webhook: int, name: str) -> HttpResponseBase:
    """Post an alert once more under its id."""
    to = get_object_or_404(survey.webhooks, pk=webhook, gone=False)
    row = get_object_or_404(to.deliveries, alert__isnull=False, name=name)
    try:
        receivers.send_again(row, doer(request))
    except receivers.TooManyWebhooks:
        _warn_of_most(request)
    else:
        messages.success(request, _("The alert is on its way again. This page shows its result in a few seconds."))
    return redirect("survey-alerts", survey.pk)


def _warn_of_most(request: HttpRequest) -> None:
    most = receivers.BY_HAND_MOST
    messages.warning(
        request,
        ngettext(
            "Nothing was sent: at most %(n)d test or repetition a day goes out for a survey, and for an account.",
            "Nothing was sent: at most %(n)d tests and repetitions a day go out for a survey, and for an account.",
            most,
        )
        % {"n": most},
    )
