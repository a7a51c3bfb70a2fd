"""A survey's first page in the studio."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from surveys.access import requires
from surveys.design.pages import page
from surveys.models import Role, Survey


@require_safe
@requires(Role.VIEWER)
def overview(request: HttpRequest, survey: Survey) -> HttpResponse:
    return page(request, survey, "design/overview.html", {})
