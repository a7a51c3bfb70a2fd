"""A draft after each change. Designers can look at these states and go back to them."""

import json
from copy import deepcopy
from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from surveys.drafts.cells import Cell, cells, difference
from surveys.drafts.normalize import normalized
from surveys.models import Snapshot, Survey
from surveys.rules.draft import Draft, rewrite

MOST = 100
LEAST = 10
NOW = timedelta(minutes=10)  # a user counts as at work for this long after a change
# All snapshots of a draft together. The limit matters for pictures, because each snapshot holds the whole draft.
CHARACTERS_MAX = 8_000_000


def keep(survey: Survey, user: User, before: Draft, sentence: str, visit: str) -> None:
    """Store a snapshot in the transaction of a change from `before`. Changes of one visit to a page share it."""
    newest = Snapshot.objects.filter(survey=survey).order_by("pk").last()
    if newest is None:
        Snapshot.objects.create(survey=survey, content=before, at=timezone.now())
    now = {"content": survey.draft, "at": timezone.now()}
    if newest and visit and (newest.visit, newest.user_id) == (visit, user.pk):
        Snapshot.objects.filter(pk=newest.pk).update(said=sentence or newest.said, **now)
        return
    Snapshot.objects.create(survey=survey, user=user, said=sentence, visit=visit, **now)
    most = room(survey.draft, CHARACTERS_MAX, LEAST, MOST)
    old = Snapshot.objects.filter(survey=survey).order_by("-pk").values_list("pk", flat=True)[most:]
    Snapshot.objects.filter(pk__in=list(old)).delete()


def editing(survey: Survey, user: User) -> list[str]:
    """Return the names of other users who changed the draft in the last minutes, latest first."""
    others = Snapshot.objects.filter(survey=survey, user__isnull=False, at__gt=timezone.now() - NOW).exclude(user=user)
    return list(dict.fromkeys(others.order_by("-at").values_list("user__username", flat=True)))


def room(part: object, characters: int, least: int, most: int) -> int:
    """Return how many copies of `part` fit into these characters, at least `least` and at most `most`."""
    return min(most, max(least, characters // len(json.dumps(part))))


def go_back(draft: Draft, snapshot: Snapshot) -> None:
    """Restore the snapshot's draft, in place."""
    rewrite(draft, deepcopy(snapshot.content))


def since(snapshot: Snapshot, survey: Survey) -> list[Cell]:
    """Return the cells that differ, with their values in the snapshot and now."""
    return difference(cells(normalized(snapshot.content)), cells(normalized(survey.draft)))
