"""The page “Try it”: received test answers, the testers' link, a trial run; and the respondents' page that sends test
answers."""

import io

import segno
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surveys.access import doer, requires
from surveys.designer.privacy import inputs, survey_trial
from surveys.designer.studio import preview
from surveys.designer.studio.pages import page as studio_page
from surveys.designer.studio.sharing import QUIET, SCALE
from surveys.designer.tryouts import storage
from surveys.drafts import NotDraft
from surveys.models import Role, Survey
from surveys.respondent.intake import refusals, replies
from surveys.respondent.intake.replies import Reply
from surveys.respondent.intake.views import responding
from surveys.rules.context import Context
from surveys.web.fragments import HEADER, fragments, wants_fragments


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def page(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show a draft as respondents see it, its test answers, the testers' link, and a trial run. An opened survey shows
    the trial run only. A POST erases the test answers."""
    if request.method == "POST":
        storage.forget(survey)
        return redirect("survey-try", survey.pk)
    rows = storage.newest_first(survey)
    newest = rows[0].pk if rows else 0
    if wants_fragments(request) and request.GET.get("after") == str(newest):
        return HttpResponse(headers={HEADER: "1", "Cache-Control": "no-store"})
    context: Context = {"answers": [(row, storage.lines(row)) for row in rows], "newest": newest}
    if wants_fragments(request):
        return fragments(request, "designer/tryouts_list.html", context | {"survey": survey, "arrived": True})
    context |= {
        "askable": preview.preview(survey.draft).definition is not None,
        "most": storage.MOST,
        "link": _link(survey),
        "wish": inputs.wishes_query(request.GET),
    }
    if "seed" in request.GET:
        context |= {"ran": True} | survey_trial.context(request, survey)
    return studio_page(request, survey, "designer/tryouts.html", context)


@require_POST
@requires(Role.DESIGNER)
def link(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Make, replace or end the testers' link."""
    user = doer(request)
    try:
        if "end" in request.POST:
            storage.end_link(survey, user)
        else:
            storage.renew_link(survey, user)
    except NotDraft:
        messages.warning(request, _("This survey has been opened already. Its definition is frozen."))
    return redirect("survey-try", survey.pk)


def _link(survey: Survey) -> str:
    """Return the full URL for testers; "" if there is none."""
    token = storage.link_of(survey)
    return settings.SITE_URL + reverse("try", args=[token]) if token else ""


@require_safe
@requires(Role.DESIGNER)
def code(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Return the testers' link as a QR code."""
    if not (address := _link(survey)):
        raise Http404
    out = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        out, kind="svg", scale=SCALE, border=QUIET, dark="#000", light="#fff"
    )
    return HttpResponse(out.getvalue(), content_type="image/svg+xml")


@require_safe
@requires(Role.DESIGNER)
def asking(request: HttpRequest, survey: Survey) -> HttpResponse:
    if not survey.is_draft:
        return redirect("survey", survey.pk)
    addresses = (reverse(f"survey-try-{name}", args=[survey.pk]) for name in ("definition", "reports"))
    return preview.asking(request, survey, "designer/tryout_page.html", *addresses)


@require_safe
@requires(Role.DESIGNER)
def definition(request: HttpRequest, survey: Survey) -> HttpResponse:
    return preview.canonical(survey.draft)


@require_POST
@requires(Role.DESIGNER)
def receive(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Receive a test answer from the page. Return 201, or a refusal in the intake's words."""
    return received(survey, request.body)


def received(survey: Survey, body: bytes) -> HttpResponse:
    """Store a test answer; the response tells the result."""
    if not survey.is_draft:
        return responding(replies.refuse(refusals.OTHER_DEFINITION))
    try:
        stored = storage.receive(survey, body)
    except NotDraft:
        return responding(replies.refuse(refusals.OTHER_DEFINITION))
    return responding(stored) if isinstance(stored, Reply) else JsonResponse({"status": "kept apart"}, status=201)
