"""The previous survey of a draft that is a next wave: its choice among the settings, and the privacy loss of people who
answer both."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from ldp.exact import ALPHA_MAX
from ldp.planning import meaning
from surveys.access import doer, requires
from surveys.designer.studio.meaning import TYPICAL_PRIOR
from surveys.designer.studio.next_wave import candidates, declare, put_wave
from surveys.designer.studio.terms import Input
from surveys.drafts import Change
from surveys.life import chain
from surveys.life.versions import new_version
from surveys.models import Role, Survey
from surveys.researcher.results.facts import apart_from
from surveys.rules.texts import decimal
from surveys.rules.unchecked import as_object
from surveys.survey.definition.waves import FIELD


class WaveInput(Input):
    """The choice of a previous survey among `earlier` ones."""

    wave_of = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Asks again the people of"),
        help_text=gettext_lazy(
            "Results then show what has changed. Respondents read what their reports of all waves together can reveal."
        ),
    )

    def __init__(self, survey: Survey, earlier: list[Survey], data: Any = None) -> None:
        now = as_object(survey.draft.get(FIELD)).get("survey", "")
        super().__init__(data, initial={"wave_of": now})
        listed = [(each.slug or "", f"{each.title} ({each.opened_at:%Y-%m-%d})") for each in earlier]
        lost = [(now, now)] if now not in {"", *dict(listed)} else []
        self.fields["wave_of"].choices = [("", _("no earlier survey")), *lost, *listed]  # type: ignore[attr-defined]


def read(data: QueryDict, user: User) -> Change:
    """Return the change that the form makes. Raise Http404 for a survey that `user` could not choose."""
    wanted = data.get("wave_of", "")
    earlier = next((each for each in candidates(user) if each.slug == wanted), None)
    if wanted and earlier is None:
        raise Http404
    return put_wave(earlier)


@require_POST
@requires(Role.DESIGNER)
def next_wave(request: HttpRequest, survey: Survey) -> HttpResponseBase:
    """Make a draft of the next wave, with the same questions and people."""
    if survey.is_draft or not chain.can_be_followed(survey):
        raise Http404
    draft = new_version(survey, doer(request))
    declare(draft, doer(request), survey)
    messages.success(request, _("This is the draft of the next wave, with the same questions."))
    return redirect("survey", draft.pk)


def sentence(draft: Mapping[str, Any], factor: Fraction | None, delta: Fraction) -> str:
    """Return a sentence on the privacy loss of all waves' reports together (M39), "" if one is unknown.
    This report changes odds by at most `factor`, except with probability `delta`."""
    earlier = chain.before(draft)
    if factor is None or earlier is None:
        return ""
    alpha = chain.together(earlier.definition)
    _low, high = meaning.outward(
        meaning.belief(Fraction(TYPICAL_PRIOR, 100), factor * meaning.power(float(min(alpha, ALPHA_MAX))))
    )
    text = _(
        "It is the next wave of “%(title)s”. People who took part before have already sent alpha %(alpha)s: with this "
        "report, a guess of %(prior)s%% could rise to %(high)s%%%(apart)s. Respondents read this too."
    )
    words = {"title": earlier.title, "alpha": decimal(alpha), "prior": TYPICAL_PRIOR, "high": high}
    return text % (words | {"apart": apart_from(delta + chain.deltas_together(earlier.definition))})
