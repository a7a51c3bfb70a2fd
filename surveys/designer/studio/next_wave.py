"""Making a draft the next wave of an earlier survey."""

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from surveys import drafts
from surveys.access import surveys_of
from surveys.drafts import Change
from surveys.life.chain import can_be_followed, declared
from surveys.models import Survey
from surveys.survey.definition.waves import FIELD


def candidates(user: User) -> list[Survey]:
    """Return the opened surveys of `user` that can have a next wave, last opened first."""
    opened = surveys_of(user).exclude(state=Survey.State.DRAFT).order_by("-opened_at")
    return [survey for survey in opened if can_be_followed(survey)]


def declare(survey: Survey, user: User, earlier: Survey | None) -> Survey:
    """Make the draft the next wave of the earlier survey, or of none. Raise NotDraft if it was opened meanwhile."""
    change = put_wave(earlier)
    return drafts.change(survey, user, change, change.detail)


def put_wave(earlier: Survey | None) -> Change:
    """Return the change that makes a draft the next wave of the earlier survey, or of none."""
    if earlier is None:
        return Change({FIELD: None}, _("No wave of another survey."), "no wave")
    words = _("The next wave of “%(title)s”.") % {"title": earlier.title}
    return Change({FIELD: declared(earlier)}, words, f"wave after {earlier.slug}")
