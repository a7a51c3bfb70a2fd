"""The pages of test answers: how they arrived, and the respondents' page that sends them."""

import io

import segno
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surveys.access import requires
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
    if not survey.is_draft:
        return redirect("survey", survey.pk)
    if request.method == "POST":
        storage.forget(survey)
        return redirect("survey-tests", survey.pk)
    rows = storage.newest_first(survey)
    newest = rows[0].pk if rows else 0
    if wants_fragments(request) and request.GET.get("after") == str(newest):
        return HttpResponse(headers={HEADER: "1", "Cache-Control": "no-store"})
    context: Context = {
        "answers": [(row, storage.lines(row)) for row in rows],
        "newest": newest,
        "askable": preview.preview(survey.draft).definition is not None,
        "most": storage.MOST,
    }
    if wants_fragments(request):
        return fragments(request, "designer/tryouts_list.html", context | {"survey": survey, "arrived": True})
    return studio_page(request, survey, "designer/tryouts.html", context)


@require_safe
@requires(Role.DESIGNER)
def code(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The address of the page that sends a test answer, for the camera of another device."""
    out = io.BytesIO()
    address = request.build_absolute_uri(reverse("survey-tests-page", args=[survey.pk]))
    segno.make(address, error="m", micro=False).save(
        out, kind="svg", scale=SCALE, border=QUIET, dark="#000", light="#fff"
    )
    return HttpResponse(out.getvalue(), content_type="image/svg+xml")


@require_safe
@requires(Role.DESIGNER)
def asking(request: HttpRequest, survey: Survey) -> HttpResponse:
    if not survey.is_draft:
        return redirect("survey", survey.pk)
    addresses = (reverse(f"survey-tests-{name}", args=[survey.pk]) for name in ("definition", "reports"))
    return preview.asking(request, survey, "designer/tryout_page.html", *addresses)


@require_safe
@requires(Role.DESIGNER)
def definition(request: HttpRequest, survey: Survey) -> HttpResponse:
    return preview.canonical(survey.draft)


@require_POST
@requires(Role.DESIGNER)
def receive(request: HttpRequest, survey: Survey) -> HttpResponse:
    """A test answer, as the page sends it: 201, or a refusal in the intake's words."""
    if not survey.is_draft:
        return responding(replies.refuse(refusals.OTHER_DEFINITION))
    try:
        stored = storage.receive(survey, request.body)
    except NotDraft:
        return responding(replies.refuse(refusals.OTHER_DEFINITION))
    return responding(stored) if isinstance(stored, Reply) else JsonResponse({"status": "kept apart"}, status=201)
