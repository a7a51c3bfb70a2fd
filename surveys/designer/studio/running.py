"""The settings of an opened survey, on its overview: beginning and end, readers of its results, new versions, the
archive."""

from django.conf import settings as site
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from surveys.access import doer, requires
from surveys.designer.studio import overview
from surveys.designer.studio.pages import page
from surveys.designer.studio.terms import EndInput, OpeningTimeInput
from surveys.life import actions, versions
from surveys.life.lifecycle import close_survey
from surveys.models import Release, Role, Survey
from surveys.web.tabs import by_invitation


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def closure(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    """End a survey by hand, after a page that asks for confirmation."""
    if request.method == "POST":
        if close_survey(survey, doer(request)):
            text = _("The survey has ended. Its last results come within seconds, if %(least)d people have answered.")
            messages.success(request, text % {"least": site.RELEASE_LEAST})
        else:
            messages.warning(request, _("The survey was not open."))
        return redirect("survey", survey.pk)
    if survey.state != Survey.State.OPEN:
        return redirect("survey", survey.pk)
    release = Release.objects.readable(survey).last()
    context = {"release": release, "least": site.RELEASE_LEAST, "invited": by_invitation(survey)}
    return page(request, survey, "designer/ending.html", context)


@require_POST
@requires(Role.DESIGNER)
def end(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    form = EndInput(request.POST)
    if not form.is_valid():
        return overview.show(request, survey, end=form)
    moved = actions.set_end(survey, doer(request), form.cleaned_data["closes_at"])
    return _redirect(request, survey, moved, _("The end is set."), _("The survey has ended already."))


@require_POST
@requires(Role.DESIGNER)
def opening_time(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    form = OpeningTimeInput(request.POST)
    if not form.is_valid():
        return overview.show(request, survey, beginning=form)
    moved = actions.set_opening_time(survey, doer(request), form.cleaned_data["opens_at"])
    return _redirect(request, survey, moved, _("The beginning is set."), _("The survey has begun already."))


@require_POST
@requires(Role.OWNER)
def publication(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    public = _is_wanted(request)
    done = (
        _("Anyone with the link to the results can now see them.")
        if public
        else _("Only people with a role can now see them.")
    )
    return _redirect(request, survey, actions.publish(survey, doer(request), public), done)


@require_POST
@requires(Role.OWNER)
def microdata(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    public = _is_wanted(request)
    if public:
        done = _("Anyone with the link can now download the randomized reports. Their files are being made.")
    else:
        done = _("Only researchers can now take the randomized reports.")
    return _redirect(request, survey, actions.publish_microdata(survey, doer(request), public), done)


@require_POST
@requires(Role.DESIGNER)
def files(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    keep = _is_wanted(request)
    if survey.is_draft:
        raise Http404
    if keep:
        done = _("From now on the files of each release are made and kept, beginning with the newest one.")
    else:
        done = _("The files of new releases are no longer kept. Those already kept stay.")
    return _redirect(request, survey, actions.keep_files(survey, doer(request), keep), done)


@require_POST
@requires(Role.OWNER)
def archive(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    away = _is_wanted(request)
    done = _("The survey is in the archive.") if away else _("The survey is back from the archive.")
    return _redirect(request, survey, actions.archive(survey, doer(request), away), done)


@require_POST
@requires(Role.DESIGNER)
def version(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    if survey.is_draft:
        raise Http404
    draft = versions.new_version(survey, doer(request))
    messages.success(request, _("This is the draft of the next version, with the same questions."))
    return redirect("survey", draft.pk)


def _is_wanted(request: HttpRequest) -> bool:
    """Return the value of the pressed button. Raise Http404 for any other."""
    if request.POST.get("to") not in ("yes", "no"):
        raise Http404
    return request.POST["to"] == "yes"


def _redirect(request: HttpRequest, survey: Survey, did: bool, done: str, already: str = "") -> HttpResponseBase:
    """Redirect to the page with the result. Nothing has changed if another user was faster."""
    if did:
        messages.success(request, done)
    else:
        messages.warning(request, already or _("Nothing changed: it was already so, or the survey is open."))
    return redirect("survey", survey.pk)
