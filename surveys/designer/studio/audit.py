"""The list of what users did on a survey, newest first."""

import re
from datetime import date

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext
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
OF_ROLES = {Action.INVITED, Action.REVOKED, Action.JOINED, Action.ROLE_GIVEN, Action.REMOVED}
ROLE = re.compile("|".join(Role))
DAY = re.compile(r"\d{4}-\d\d-\d\d")


@require_safe
@requires(Role.OWNER)
def audit(request: HttpRequest, survey: Survey) -> HttpResponse:
    entries = AuditEntry.objects.filter(survey_number=survey.pk)
    part = Paginator(entries, SHOWN).get_page(request.GET.get("page"))
    actions = [(entry, ACTIONS.get(entry.action, entry.action), in_words(entry)) for entry in part]
    return page(request, survey, "designer/audit.html", {"part": part, "actions": actions})


def in_words(entry: AuditEntry) -> str:
    """Return the roles and the day of an entry in the page's language; "" if the entry is not about a role. The log
    stores English."""
    if entry.action not in OF_ROLES:
        return ""
    name, colon, rest = entry.detail.rpartition(": ")
    roles = ROLE.sub(lambda role: str(Role(role[0]).label), rest)
    days = DAY.sub(lambda day: date_format(date.fromisoformat(day[0])), roles)
    return name + colon + days.replace(", ", gettext(", ")).replace("→", gettext("→"))
