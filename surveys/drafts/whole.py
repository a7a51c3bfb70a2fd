"""A draft that is replaced as a whole, by a program that has read it."""

from copy import deepcopy

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from surveys.drafts import arms
from surveys.drafts.errors import Changed
from surveys.drafts.normalize import normalize
from surveys.drafts.store import change, mark
from surveys.models import Survey
from surveys.rules.unchecked import Draft


def replace(survey: Survey, user: User, draft: Draft, its_mark: str) -> Survey:
    """The survey with this draft. Changed where what stands there is neither what its reader read nor this very draft,
    as after an answer that was lost."""
    wanted = deepcopy(draft)
    normalize(wanted)
    arms.settle(wanted)

    def put(stored: Draft) -> str:
        if stored == wanted:
            return ""
        if mark(stored) != its_mark:
            raise Changed
        stored.clear()
        stored.update(wanted)
        return _("Replaced the whole draft.")

    return change(survey, user, put)
