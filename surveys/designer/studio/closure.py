"""Ending a survey by hand: once more asked, then done."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys.access import doer, requires
from surveys.designer.studio.pages import by_invitation, page
from surveys.life.lifecycle import close_survey
from surveys.models import Release, Role, Survey


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def closure(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    if request.method == "POST":
        if close_survey(survey, doer(request)):
            text = _("The survey has ended. Its last results come within seconds, if %(least)d people have answered.")
            messages.success(request, text % {"least": settings.RELEASE_LEAST})
        else:
            messages.warning(request, _("The survey was not open."))
        return redirect("survey", survey.pk)
    if survey.state != Survey.State.OPEN:
        return redirect("survey", survey.pk)
    release = Release.objects.readable(survey).last()
    return page(
        request,
        survey,
        "designer/ending.html",
        {"release": release, "least": settings.RELEASE_LEAST, "invited": by_invitation(survey)},
    )
