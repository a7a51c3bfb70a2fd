"""The page of a draft's groups with separate results: forecasts, changes, or all groups together."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys import drafts
from surveys.access import doer, requires
from surveys.designer.privacy import groups as outlooks
from surveys.designer.privacy.precision import precision
from surveys.designer.studio.groups import GroupsInput, change, declare, proposed
from surveys.designer.studio.pages import page
from surveys.drafts import NotDraft
from surveys.models import Role, Survey
from surveys.survey.definition.invitations import GROUPS_MOST, groups_of


@require_http_methods(["GET", "HEAD", "POST"])
@requires(Role.DESIGNER)
def groups(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    if not survey.is_draft:
        raise Http404
    if request.method != "POST":
        return _show(request, survey)
    form = GroupsInput(request.POST, request.FILES)
    if not form.is_valid():
        return _show(request, survey, form)
    groups = form.cleaned_data["groups"]
    try:
        if len(groups) > GROUPS_MOST:
            declare(survey, doer(request), groups)
        else:
            drafts.change(survey, doer(request), change(groups), "groups")
    except NotDraft:
        messages.warning(request, _("This survey has been opened already. Its definition is frozen."))
        return redirect("survey-alpha", survey.pk)
    return redirect("survey-groups", survey.pk)


def _show(request: HttpRequest, survey: Survey, form: GroupsInput | None = None) -> HttpResponse:
    shown = outlooks.outlook(survey)
    small = [group.name for group in shown if group.small]
    lines = [name if people is None else f"{name}; {people}" for name, people in groups_of(survey.draft)]
    context = {
        "current": "survey-alpha",
        "form": form or GroupsInput(initial={"groups": "\n".join(lines)}),
        "groups": shown,
        "precision": precision(survey),
        "small": small,
        "ticked": proposed({group.name: group.n for group in shown if group.n}, small),
        "least": settings.RELEASE_LEAST,
        "in_forms": bool(survey.draft.get("forms")),
    }
    response = page(request, survey, "designer/groups.html", context)
    response.status_code = 422 if form else 200
    return response
