"""The choice among a draft's settings of who can answer, and of groups."""

from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.designer.studio.terms import Input
from surveys.drafts import Change
from surveys.models import Survey
from surveys.rules.unchecked import as_list
from surveys.survey.definition.invitations import FIELD, GROUPS, GROUPS_MOST, NAME_MAX

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

    groups = forms.CharField(
        required=False,
        max_length=2 * GROUPS_MOST * NAME_MAX,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
        label=gettext_lazy("Groups whose results are published apart, one a line"),
        help_text=gettext_lazy(
            "By invitation only, and without forms. Each group needs at least %(least)d invited people. Each report "
            "then says of which group it is, which its page tells people before it asks; and a group’s reports wait "
            "until enough of them are there. Leave it empty, and a report says nothing about its person beside "
            "randomized answers."
        ),
    )

    def __init__(self, survey: Survey, data: Any = None) -> None:
        groups = "\n".join(map(str, as_list(survey.draft.get(GROUPS))))
        who = INVITED if survey.draft.get(FIELD) is True else OPEN_LINK
        super().__init__(data, initial={"who": who, "groups": groups})
        self.fields["groups"].help_text %= {"least": survey.batch or settings.BATCH}


def read(data: QueryDict) -> Change:
    """The draft's fields, in a sentence and in short. 404 where nothing like it was offered."""
    who = data.get("who")
    if who not in (OPEN_LINK, INVITED):
        raise Http404
    invited, lines = who == INVITED, map(str.strip, data.get("groups", "").splitlines())
    groups = [line for line in lines if line][: 2 * GROUPS_MOST] if invited else []
    words = _("Only who is invited can answer.") if invited else _("Anybody with the link can answer.")
    return Change({FIELD: invited, GROUPS: groups}, words, "by invitation" if invited else "by open link")
