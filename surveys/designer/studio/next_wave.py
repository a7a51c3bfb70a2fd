"""Declaring a draft the next wave of an earlier survey."""

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from surveys import drafts
from surveys.access import surveys_of
from surveys.life.chain import can_be_followed, declared
from surveys.models import Survey
from surveys.rules.unchecked import Draft
from surveys.survey.definition.waves import FIELD


def candidates(user: User) -> list[Survey]:
    """The opened surveys of `user`, the last one first, that can be followed."""
    opened = surveys_of(user).exclude(state=Survey.State.DRAFT).order_by("-opened_at")
    return [survey for survey in opened if can_be_followed(survey)]


def declare(survey: Survey, user: User, earlier: Survey | None) -> Survey:
    """The draft as the next wave of the earlier survey, or of none. NotDraft where it was opened meanwhile."""

    fields, words, detail = put_wave(earlier)

    def put(draft: Draft) -> str:
        draft.pop(FIELD, None)
        draft.update({name: value for name, value in fields.items() if value})
        return words

    return drafts.change(survey, user, put, detail)


def put_wave(earlier: Survey | None) -> tuple[dict[str, object], str, str]:
    """The field of a draft that is the next wave of the earlier survey, or of none, in a sentence and in short."""
    if earlier is None:
        return {FIELD: None}, _("No wave of another survey."), "no wave"
    title = {"title": earlier.title}
    return {FIELD: declared(earlier)}, _("The next wave of “%(title)s”.") % title, f"wave after {earlier.slug}"
