"""Who can answer: the choice among a draft's settings."""

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from surveys.access import requires
from surveys.definition.invitations import FIELD
from surveys.design.draft_settings import put
from surveys.design.terms import Form
from surveys.models import Role, Survey

OPEN_LINK, INVITED = "open", "invited"


class AnsweringForm(Form):
    who = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=gettext_lazy("Who can answer"),
        help_text=gettext_lazy(
            "By invitation each person has a link of their own, which lets in one report. The site signs the report "
            "without seeing it, so the signature that lets it in tells nobody whose it is."
        ),
        choices=[
            (OPEN_LINK, gettext_lazy("Anybody with the link, more than once if they like")),
            (INVITED, gettext_lazy("Only who is invited, once each")),
        ],
    )

    def __init__(self, survey: Survey, data: Any = None) -> None:
        super().__init__(data, initial={"who": INVITED if survey.draft.get(FIELD) is True else OPEN_LINK})


@require_POST
@requires(Role.DESIGNER)
def choose(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    who = request.POST.get("who")
    if who not in (OPEN_LINK, INVITED):
        raise Http404
    invited = who == INVITED
    words = _("Only who is invited can answer.") if invited else _("Anybody with the link can answer.")
    return put(request, survey, FIELD, invited, words, "by invitation" if invited else "by open link")
