"""Changes of a stored draft: one at a time, each to what stands there at that moment, so that nobody's work is lost.

Whoever edits a part (a question, the texts) says what it was when they read it, by its mark. Where it is another by
now, somebody else has changed it meanwhile, and the change is refused with Changed. Two people who edit different
parts never meet.
"""

import hashlib
import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from django.db import transaction

from surveys.definition.translating import follow
from surveys.lifecycle import title_of
from surveys.models import Survey

Draft = dict[str, Any]


class Frozen(Exception):
    """The survey is no draft any more."""


class Changed(Exception):
    """Somebody else has changed, moved or removed the part meanwhile."""


def mark(part: object) -> str:
    """What tells a part of a draft from what it was before."""
    return hashlib.sha256(json.dumps(part, sort_keys=True).encode()).hexdigest()[:16]


def edit(number: int, change: Callable[[Draft], None]) -> Survey:
    """Apply `change` to the stored draft, in place; where it raises Changed, nothing is stored."""
    with transaction.atomic():
        survey = Survey.objects.select_for_update().get(pk=number)
        if not survey.is_draft:
            raise Frozen
        before = deepcopy(survey.draft)
        change(survey.draft)
        follow(before, survey.draft)
        survey.title = title_of(survey.draft)
        survey.save(update_fields=["draft", "title"])
    return survey
