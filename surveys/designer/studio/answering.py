"""A draft's settings for who can answer, and for groups."""

from typing import Any

from django import forms
from django.http import Http404, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.designer.studio.terms import Input
from surveys.drafts import Change
from surveys.models import Survey
from surveys.survey.definition.invitations import FIELD, GROUPS, SAMPLE, groups_of

OPEN_LINK, INVITED, SAMPLED = "open", "invited", "sample"


class AnsweringInput(Input):
    who = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=gettext_lazy("Who can answer"),
        help_text=gettext_lazy(
            "With an open link a person can answer twice, and the site stores nothing that shows it. By invitation "
            "each person has a personal link, which allows one report. The site signs the report without seeing it, "
            "so the signature does not show whose report it is. Margins of a sample are wider, and about the "
            "population that it comes from. Other margins are about exactly the people who take part."
        ),
        choices=[
            (OPEN_LINK, gettext_lazy("Anyone with the link, as often as they like")),
            (INVITED, gettext_lazy("Invited people only, once each: all people you study")),
            (SAMPLED, gettext_lazy("Invited people only, once each: a sample")),
        ],
    )

    def __init__(self, survey: Survey, data: Any = None) -> None:
        invited = SAMPLED if survey.draft.get(SAMPLE) is True else INVITED
        who = invited if survey.draft.get(FIELD) is True else OPEN_LINK
        super().__init__(data, initial={"who": who})
        self.groups = groups_of(survey.draft)


def read(data: QueryDict) -> Change:
    """Return the change that the form makes. Raise Http404 for a choice that was not offered."""
    who = data.get("who")
    if who == OPEN_LINK:
        link = {FIELD: False, SAMPLE: False, GROUPS: []}
        return Change(link, _("Anyone with the link can answer."), "by open link")
    if who == INVITED:
        invited = {FIELD: True, SAMPLE: False}
        return Change(invited, _("Only invited people can answer. They are all people you study."), "by invitation")
    if who == SAMPLED:
        sampled = {FIELD: True, SAMPLE: True}
        return Change(sampled, _("Only invited people can answer. They are a sample."), "by invitation of a sample")
    raise Http404
