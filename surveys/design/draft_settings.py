"""A setting that a draft has as a field of its own, as whoever presses a button on the page of settings changes it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys import drafts
from surveys.access import doer
from surveys.drafts import NotDraft
from surveys.models import Survey
from surveys.rules.unchecked import Draft


def put(
    request: HttpRequest, survey: Survey, field: str, value: object, sentence: str, detail: str
) -> HttpResponseBase:
    """Store the field, or take it away where it has no value; `detail` is for the log."""

    def put_field(draft: Draft) -> str:
        draft.pop(field, None)
        if value:
            draft[field] = value
        return sentence

    try:
        drafts.change(survey, doer(request), put_field, detail)
    except NotDraft:
        messages.warning(request, _("This survey has been opened already. Its definition is frozen."))
    else:
        messages.success(request, sentence)
    return redirect("survey-settings", survey.pk)
