"""The settings of a draft that stand in one form on the page of settings, stored by one press."""

from collections.abc import Mapping
from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from surveys import drafts
from surveys.access import doer, requires
from surveys.designer.studio import answering, relays, waves
from surveys.drafts import NotDraft
from surveys.models import Role, Survey
from surveys.rules.unchecked import Draft


class Change(NamedTuple):
    """Fields of the draft, None where it loses them; a sentence on what changed; and for the log the same in short."""

    fields: Mapping[str, object]
    sentence: str
    detail: str

    def put(self, draft: Draft) -> str:
        for name, value in self.fields.items():
            draft.pop(name, None)
            if value:
                draft[name] = value
        return self.sentence

    def changes(self, draft: Draft) -> bool:
        return any((draft.get(name) or None) != (value or None) for name, value in self.fields.items())


@require_POST
@requires(Role.DESIGNER)
def store(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    """Store what the form says; what it does not name stays. 404 where a choice was not offered."""
    changed = [change for change in _changes(request, request.POST) if change.changes(survey.draft)]
    try:
        if not survey.is_draft:
            raise NotDraft
        for change in changed:
            drafts.change(survey, doer(request), change.put, change.detail)
    except NotDraft:
        messages.warning(request, _("This survey has been opened already. Its definition is frozen."))
    else:
        messages.success(request, " ".join(change.sentence for change in changed) or _("Nothing changed."))
    return redirect("survey-settings", survey.pk)


def _changes(request: HttpRequest, data: QueryDict) -> list[Change]:
    given = [
        answering.read(data) if "who" in data else None,
        relays.read(data) if "relay" in data else None,
        waves.read(data, doer(request)) if "wave_of" in data else None,
    ]
    return [Change(*each) for each in given if each]
