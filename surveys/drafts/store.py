"""The only module that writes stored drafts (tests/house/test_drafts.py).

Changes come one at a time and apply to the present draft, so that no one's work is lost. An editor of a part (a
question, the texts) sends the mark of the version that was read. If another user has changed the part since, `how`
raises Changed and nothing is stored. Edits of different parts never conflict.
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
from surveys.drafts import arms, forms, history, protection, snapshots
from surveys.drafts.cells import difference
from surveys.drafts.errors import Changed, NotDraft
from surveys.drafts.normalize import normalize
from surveys.figures import numerals
from surveys.models import AuditEntry, Membership, Revision, Role, Survey
from surveys.rules.draft import Draft, rewrite
from surveys.rules.unchecked import Unchecked, words_of
from surveys.survey.definition import TITLE_MAX
from surveys.survey.definition.translation_texts import follow


def mark(part: object) -> str:
    """Return a mark that changes with this part of a draft."""
    return hashlib.sha256(json.dumps(part, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Change:
    """A change of fields; empty values remove them. `sentence` is the message, `detail` the text for the log."""

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
    """Store a new draft, complete or not. `detail` names its source in the log."""
    if protection.total(draft) is not None:
        draft = deepcopy(draft)
        normalize(draft)
        _settle(draft, fields.get("expected_n"))
    with transaction.atomic():
        survey = Survey.objects.create(title=_title(draft), draft=draft, **fields)
        if owner:
            Membership.objects.create(survey=survey, user=owner, role=Role.OWNER)
            record(owner, action, survey, detail)
    return survey


def change(
    survey: Survey, user: User | AnonymousUser, how: Callable[[Draft], str], detail: str = "", visit: str = ""
) -> Survey:
    """Apply `how` to the stored draft, and return the survey. `how` returns a message, and `user` can undo the change.
    Changes of one `visit` to a page are undone together. A change with a `detail` has an entry in the log; the others
    of a day share one. The page's guard has checked that a user is signed in."""
    return _change(survey, user, lambda stored: how(stored.draft), detail, visit)


def _change(
    survey: Survey, user: User | AnonymousUser, how: Callable[[Survey], str], detail: str = "", visit: str = ""
) -> Survey:
    assert isinstance(user, User)
    with transaction.atomic():
        stored = Survey.objects.select_for_update().filter(pk=survey.pk, state=Survey.State.DRAFT).first()
        if stored is None:
            raise NotDraft
        given, expected = deepcopy(stored.draft), stored.expected_n
        normalize(stored.draft)
        # A copy, because changes in place, for example of a form's questions, must not change the history.
        before = history.cells_with_people(deepcopy(stored.draft), expected)
        sentence = how(stored)
        _settle(stored.draft, stored.expected_n)
        if "translations" in given:
            follow(given, stored.draft)
        if stored.draft == given and stored.expected_n == expected:
            return stored
        stored.title = _title(stored.draft)
        stored.save(update_fields=["draft", "title", "expected_n"])
        if stored.draft != given:
            snapshots.keep(stored, user, given, sentence, visit)
        after = history.cells_with_people(deepcopy(stored.draft), stored.expected_n)
        history.remember(stored, user, sentence, difference(before, after), visit)
        _audit(user, stored, detail)
    return stored


def _settle(draft: Draft, people: int | None) -> None:
    arms.settle(draft)
    forms.settle(draft)
    if protection.total(draft) is not None:
        from surveys.drafts import proposals  # numpy takes a while to load

        proposals.follow(draft, people)


def replace(survey: Survey, user: User, draft: Draft, seen: str) -> Survey:
    """Store a draft from an API client; return the survey. Raise Changed if the stored draft is neither the one with
    the mark `seen` nor equal to this draft (as after a lost response)."""
    wanted = deepcopy(draft)
    normalize(wanted)
    _settle(wanted, survey.expected_n)

    def put(stored: Draft) -> str:
        if stored == wanted:
            return ""
        if mark(stored) != seen:
            raise Changed
        rewrite(stored, wanted)
        return _("Replaced the whole draft.")

    return change(survey, user, put)


def expect(survey: Survey, user: User | AnonymousUser, n: int | None, visit: str = "") -> Survey:
    """Store the expected number of people, which is not part of the draft. Return the survey."""

    def set_number(stored: Survey) -> str:
        stored.expected_n = n
        return _("Set the people expected to %(n)s.") % {"n": numerals.integer(n) if n else _("no number")}

    return _change(survey, user, set_number, visit=visit)


def put_back(survey: Survey, user: User, step: Revision) -> Survey:
    """Undo a change; return the survey. Raise Revision.DoesNotExist if it was undone meanwhile, Overtaken if it cannot
    be undone."""

    def undo(stored: Survey) -> str:
        step.refresh_from_db()  # the draft is locked, so no one else undoes it now
        stored.expected_n = history.put_back(stored.draft, stored.expected_n, history.cells_of(step))
        step.delete()
        return ""

    return _change(survey, user, undo)


def _audit(user: User, survey: Survey, detail: str) -> None:
    if detail:
        record(user, AuditEntry.Action.EDITED, survey, detail)
    else:
        record_daily(user, AuditEntry.Action.EDITED, survey)


def _title(draft: Draft) -> str:
    """Return a draft's title for lists, cut to its maximal length."""
    return words_of(draft.get("title"))[:TITLE_MAX]
