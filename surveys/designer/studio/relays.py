"""The choice of a relay among a draft's settings, if the site has any."""

from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.designer.studio.terms import Input
from surveys.drafts import Change
from surveys.models import Survey
from surveys.survey.definition.relay import FIELD

DIRECT = ""


class RelayInput(Input):
    relay = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=gettext_lazy("How reports reach this site"),
        help_text=gettext_lazy(
            "Someone else runs the relay. It sees who sends something, but cannot read it. This site reads the "
            "report, but does not see where it comes from. This holds as long as the two do not share what they see."
        ),
    )

    def __init__(self, survey: Survey, data: Any = None) -> None:
        super().__init__(data, initial={FIELD: survey.draft.get(FIELD) or DIRECT})
        through = [(each, _("Through the relay %(relay)s") % {"relay": each}) for each in relays_for(survey)]
        self.fields[FIELD].choices = [(DIRECT, _("Straight to this site")), *through]  # type: ignore[attr-defined]


def relays_for(survey: Survey) -> list[str]:
    """Return the relays of this site. A relay that only the draft names is included, so that the designer can remove
    it; opening refuses it."""
    named = survey.draft.get(FIELD)
    others = [named] if isinstance(named, str) and named and named not in settings.RELAYS else []
    return [*settings.RELAYS, *others]


def read(data: QueryDict) -> Change:
    """Return the change of the draft's relay. Raise Http404 for a relay that the site does not have."""
    origin = data.get(FIELD)
    if origin not in (DIRECT, *settings.RELAYS):
        raise Http404
    words = _("Reports come through the relay.") if origin else _("Reports come straight to this site.")
    return Change({FIELD: origin}, words, f"relay {origin}" if origin else "no relay")
