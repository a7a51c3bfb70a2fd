"""The form for who can answer a draft, and how: by open link or invitation, in groups, through a relay, as the next
wave."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from surveys import drafts
from surveys.access import doer, requires
from surveys.designer.studio import answering, relays, waves
from surveys.designer.studio.next_wave import candidates
from surveys.drafts import Change, NotDraft
from surveys.models import Role, Survey
from surveys.rules.context import Context


def context(survey: Survey, user: User) -> Context:
    """Return the context of designer/participation.html."""
    return {
        "answering": answering.AnsweringInput(survey),
        "relay": relays.RelayInput(survey) if relays.relays_for(survey) else None,
        "wave_input": waves.WaveInput(survey, candidates(user)),
    }


@require_POST
@requires(Role.DESIGNER)
def save(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    """Store the form. Choices that the form does not name stay. Raise Http404 for a choice that was not offered."""
    changed = [change for change in _changes(request, request.POST) if change.changes(survey.draft)]
    try:
        if not survey.is_draft:
            raise NotDraft
        for change in changed:
            drafts.change(survey, doer(request), change, change.detail)
    except NotDraft:
        messages.warning(request, _("This survey has been opened already. Its definition is frozen."))
    else:
        messages.success(request, " ".join(change.sentence for change in changed) or _("Nothing changed."))
    return redirect(reverse("survey-alpha", args=[survey.pk]) + "#people")


def _changes(request: HttpRequest, data: QueryDict) -> list[Change]:
    named = [
        answering.read(data) if "who" in data else None,
        relays.read(data) if "relay" in data else None,
        waves.read(data, doer(request)) if "wave_of" in data else None,
    ]
    return [change for change in named if change]
