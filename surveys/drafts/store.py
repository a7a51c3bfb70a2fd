"""The one door to a stored draft. Nothing else writes one (tests/house/test_drafts.py).

Changes come one at a time, each to what stands there at that moment, so that nobody's work is lost. Whoever edits a
part (a question, the texts) says what it was when they read it, by its mark. Where it is another by now, somebody else
has changed it meanwhile, and `how` raises Changed: nothing is stored. Two people who edit different parts never meet.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.utils.translation import gettext as _

from surveys.audit import record, record_daily
from surveys.drafts import arms, forms, history, snapshots
from surveys.drafts.cells import cells, difference
from surveys.drafts.errors import Changed, NotDraft
from surveys.drafts.normalize import normalize
from surveys.models import AuditEntry, Membership, Role, Survey
from surveys.rules.draft import Draft, rewrite
from surveys.rules.unchecked import Unchecked, words_of
from surveys.survey.definition import TITLE_MAX
from surveys.survey.definition.translation_texts import follow


def mark(part: object) -> str:
    """What tells a part of a draft from what it was before."""
    return hashlib.sha256(json.dumps(part, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Change:
    """Values of a draft's fields, empty where it loses them; a sentence on what changed; and in short for the log."""

    fields: Mapping[str, object]
    sentence: str
    detail: str

    def __call__(self, draft: Draft) -> str:
        kept = {name: value for name, value in draft.items() if name not in self.fields}
        rewrite(draft, kept | {name: value for name, value in self.fields.items() if value})
        return self.sentence

    def changes(self, draft: Unchecked) -> bool:
        return any((draft.get(name) or None) != (value or None) for name, value in self.fields.items())


def begin(
    draft: Draft,
    owner: User | None = None,
    action: AuditEntry.Action = AuditEntry.Action.CREATED,
    detail: str = "",
    **fields: Any,
) -> Survey:
    """Store a new draft, complete or not. `detail` says in the log what it was made from."""
    with transaction.atomic():
        survey = Survey.objects.create(title=_title(draft), draft=draft, **fields)
        if owner:
            Membership.objects.create(survey=survey, user=owner, role=Role.OWNER)
            record(owner, action, survey, detail)
    return survey


def change(
    survey: Survey, user: User | AnonymousUser, how: Callable[[Draft], str], detail: str = "", visit: str = ""
) -> Survey:
    """The survey with its stored draft as `how` leaves it, which says in words what it did; in `user`'s history it can
    then be undone. Changes of one `visit` to a page are undone together. With `detail` each has an entry in the log,
    else there is one a day. The guard of the page has seen to it that somebody is signed in."""
    assert isinstance(user, User)
    with transaction.atomic():
        stored = Survey.objects.select_for_update().filter(pk=survey.pk, state=Survey.State.DRAFT).first()
        if stored is None:
            raise NotDraft
        given = deepcopy(stored.draft)
        normalize(stored.draft)
        # What is changed in place, such as a form's questions, must stay in the history as it was.
        before = cells(deepcopy(stored.draft))
        sentence = how(stored.draft)
        arms.settle(stored.draft)
        forms.settle(stored.draft)
        if "translations" in given:
            follow(given, stored.draft)
        if stored.draft != given:
            stored.title = _title(stored.draft)
            stored.save(update_fields=["draft", "title"])
            snapshots.keep(stored, user, given, sentence, visit)
            history.remember(stored, user, sentence, difference(before, cells(stored.draft)), visit)
            _audit(user, stored, detail)
    return stored


def replace(survey: Survey, user: User, draft: Draft, seen: str) -> Survey:
    """Return the survey with this draft, which a program has made of what it read. Changed where what stands there is
    neither what was seen, by its mark, nor this very draft, as after an answer that was lost."""
    wanted = deepcopy(draft)
    normalize(wanted)
    arms.settle(wanted)

    def put(stored: Draft) -> str:
        if stored == wanted:
            return ""
        if mark(stored) != seen:
            raise Changed
        rewrite(stored, wanted)
        return _("Replaced the whole draft.")

    return change(survey, user, put)


def expect(survey: Survey, n: int | None) -> bool:
    """Store how many people are expected, which stands beside the draft; False where the survey is no draft."""
    return Survey.objects.filter(pk=survey.pk, state=Survey.State.DRAFT).update(expected_n=n) == 1


def _audit(user: User, survey: Survey, detail: str) -> None:
    if detail:
        record(user, AuditEntry.Action.EDITED, survey, detail)
    else:
        record_daily(user, AuditEntry.Action.EDITED, survey)


def _title(draft: Draft) -> str:
    """What a draft is called in lists: as much of its title as has room there."""
    return words_of(draft.get("title"))[:TITLE_MAX]
