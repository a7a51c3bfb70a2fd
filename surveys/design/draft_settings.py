"""A setting that a draft has in fields of its own, as whoever presses a button on the page of settings changes it."""

from collections.abc import Mapping

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
    request: HttpRequest, survey: Survey, fields: Mapping[str, object], sentence: str, detail: str
) -> HttpResponseBase:
    """Store the fields, and take those away that have no value; `detail` is for the log."""

    def put_fields(draft: Draft) -> str:
        for name, value in fields.items():
            draft.pop(name, None)
            if value:
                draft[name] = value
        return sentence

    try:
        drafts.change(survey, doer(request), put_fields, detail)
    except NotDraft:
        messages.warning(request, _("This survey has been opened already. Its definition is frozen."))
    else:
        messages.success(request, sentence)
    return redirect("survey-settings", survey.pk)
