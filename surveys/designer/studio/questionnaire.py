"""The frozen questions and texts of an open or ended survey, with their digest."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from surveys.access import requires
from surveys.designer.studio import review
from surveys.designer.studio.pages import page
from surveys.models import Release, Role, Survey


@require_safe
@requires(Role.VIEWER)
def questionnaire(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show the questions. A question links to its results if a release has counted it."""
    if survey.is_draft:
        return redirect("survey", survey.pk)
    release = Release.objects.readable(survey).last()
    context = {"frozen": review.content_of(survey.definition), "released": release.counted if release else {}}
    return page(request, survey, "designer/asked.html", context)
