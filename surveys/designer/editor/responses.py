"""The builder's whole pages; its parts are fragments (surveys/web/fragments.py)."""

import secrets

from django.http import HttpRequest, HttpResponse

from surveys.designer.studio.pages import page
from surveys.models import Survey
from surveys.rules.context import Context
from surveys.web.policies import WITH_PREVIEW


def whole(request: HttpRequest, survey: Survey, context: Context, status: int = 200) -> HttpResponse:
    """A page of the builder. It is never shown again from a cache: what stands in its forms may have changed."""
    shown = context | {"current": "survey-questions", "visit": secrets.token_hex(8)}
    response = page(request, survey, "designer/editor/page.html", shown)
    response.status_code = status
    response["Content-Security-Policy"] = WITH_PREVIEW
    response["Cache-Control"] = "no-store"
    return response
