"""Deletion of a draft or an ended survey. It is final, and the user must type the title."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys.access import doer, requires
from surveys.designer.studio.pages import page
from surveys.figures import numerals
from surveys.life.deletion import delete
from surveys.models import Release, Role, Survey
from surveys.rules.context import Context


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.OWNER)
def deleting(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    if survey.state == Survey.State.OPEN:
        messages.warning(request, _("An open survey cannot be deleted. End it first."))
        return redirect("survey", survey.pk)
    typed, title = " ".join(request.POST.get("title", "").split()), confirmed_by(survey)
    if request.method != "POST" or typed != title:
        return _ask(request, survey, title)
    name = survey.title
    if delete(survey, doer(request)):
        messages.success(request, _("“%(title)s” is deleted.") % {"title": name or _("Untitled survey")})
    return redirect("surveys")


def confirmed_by(survey: Survey) -> str:
    """Return the text to type: the displayed title, or the number of an untitled survey."""
    return " ".join(survey.title.split()) or str(survey.pk)


def _ask(request: HttpRequest, survey: Survey, title: str) -> HttpResponseBase:
    release = Release.objects.filter(survey=survey).order_by("number").last()
    context: Context = {
        "title_to_type": title,
        "n": numerals.count(release.n) if release else "",
        "release": release,
    }
    context |= {"wrong": request.method == "POST", "typed": request.POST.get("title", "")}
    response = page(request, survey, "designer/deleting.html", context)
    response.status_code = 422 if request.method == "POST" else 200
    return response
