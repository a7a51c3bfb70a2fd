"""The choice among a draft's settings of who can answer, and of groups."""

from typing import Any

from django import forms
from django.http import Http404, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.designer.studio.terms import Input
from surveys.drafts import Change
from surveys.models import Survey
from surveys.survey.definition.invitations import FIELD, GROUPS, groups_of

OPEN_LINK, INVITED = "open", "invited"


class AnsweringInput(Input):
    who = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=gettext_lazy("Who can answer"),
        help_text=gettext_lazy(
            "With an open link somebody can answer twice, and no account or address is kept that would tell. By "
            "invitation each person has a link of their own, which lets in one report. The site signs the report "
            "without seeing it, so the signature that lets it in tells nobody whose it is."
        ),
        choices=[
            (OPEN_LINK, gettext_lazy("Anybody with the link, more than once if they like")),
            (INVITED, gettext_lazy("Only who is invited, once each")),
        ],
    )

    def __init__(self, survey: Survey, data: Any = None) -> None:
        who = INVITED if survey.draft.get(FIELD) is True else OPEN_LINK
        super().__init__(data, initial={"who": who})
        self.groups = groups_of(survey.draft)


def read(data: QueryDict) -> Change:
    """The draft's fields, in a sentence and in short. 404 where nothing like it was offered."""
    who = data.get("who")
    if who not in (OPEN_LINK, INVITED):
        raise Http404
    if who == INVITED:
        return Change({FIELD: True}, _("Only who is invited can answer."), "by invitation")
    return Change({FIELD: False, GROUPS: []}, _("Anybody with the link can answer."), "by open link")
