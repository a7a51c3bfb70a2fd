"""The list of what users did on a survey, newest first."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from surveys.access import requires
from surveys.designer.studio.pages import page
from surveys.models import AuditEntry, Role, Survey

SHOWN = 50  # on a page

Action = AuditEntry.Action
ACTIONS: dict[str, Promise] = {
    Action.CREATED: _("began the survey"),
    Action.IMPORTED: _("began the survey from a file"),
    Action.EDITED: _("edited the survey"),
    Action.OPENED: _("opened the survey"),
    Action.CLOSED: _("closed the survey"),
    Action.PUBLISHED: _("published the results"),
    Action.UNPUBLISHED: _("took the results back"),
    Action.MICRODATA_PUBLISHED: _("published the randomized reports"),
    Action.MICRODATA_UNPUBLISHED: _("took the randomized reports back"),
    Action.MICRODATA_ASKED: _("asked for the files of the randomized reports"),
    Action.MICRODATA_TAKEN: _("took files of the randomized reports"),
    Action.ARCHIVED: _("archived the survey"),
    Action.UNARCHIVED: _("took the survey out of the archive"),
    Action.DELETED: _("deleted the survey"),
    Action.INVITED: _("made an invitation"),
    Action.REVOKED: _("revoked an invitation"),
    Action.JOINED: _("accepted an invitation"),
    Action.ROLE_GIVEN: _("changed a role"),
    Action.REMOVED: _("removed a person"),
    Action.TOKEN_MADE: _("made an API token"),
    Action.TOKEN_REVOKED: _("revoked an API token"),
}


@require_safe
@requires(Role.OWNER)
def audit(request: HttpRequest, survey: Survey) -> HttpResponse:
    entries = AuditEntry.objects.filter(survey_number=survey.pk)
    part = Paginator(entries, SHOWN).get_page(request.GET.get("page"))
    actions = [(entry, ACTIONS.get(entry.action, entry.action)) for entry in part]
    return page(request, survey, "designer/audit.html", {"part": part, "actions": actions})
