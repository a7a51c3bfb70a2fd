"""The builder's whole pages, and the redirect after a request that failed. surveys/web/fragments.py has the parts of
pages."""

import secrets

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys.access import doer
from surveys.designer.studio import languages, review, versions
from surveys.designer.studio.pages import page
from surveys.drafts import presence
from surveys.life.versions import linked
from surveys.models import Survey
from surveys.rules.context import Context
from surveys.web.fragments import go
from surveys.web.policies import WITH_PREVIEW

FROZEN = _("This survey has been opened. Its questions are frozen.")
NOT_SAVED = _("This survey has been opened. Its questions are frozen, so this was not saved.")
REMOVED = _("This part is gone: someone has removed or renamed it.")


def gone(request: HttpRequest, survey: Survey, text: str | Promise = REMOVED) -> HttpResponse:
    """Redirect to the outline, which shows the reason."""
    messages.error(request, str(text))
    return go(request, reverse("survey-questions", args=[survey.pk]))


def full_page(request: HttpRequest, survey: Survey, context: Context, status: int = 200) -> HttpResponse:
    """Return a page of the builder. It is never cached, because values in its forms may have changed."""
    shown = context | {"current": "survey-questions", "visit": secrets.token_hex(8)}
    shown |= presence.others(survey, doer(request))
    template = "designer/editor/page.html"
    if "editor" in context and context["editor"].what == "texts":
        shown |= languages.listed(survey) | {"current": "survey-texts"}
        template = "designer/editor/texts.html"
    else:
        among = linked(survey, doer(request))
        shown |= {"version": versions.version_name(among), "related": versions.related(among)}
    if "editor" in context:
        shown["cautions"] = [each for each in review.warnings(survey) if each.url == context["editor"].url]
    response = page(request, survey, template, shown)
    response.status_code = status
    response["Content-Security-Policy"] = WITH_PREVIEW
    response["Cache-Control"] = "no-store"
    return response
