"""Undo of each user's changes to a draft, newest first. A change is stored in the transaction that makes it, so it
outlives pages and sessions.

A change can be undone while its results are unchanged. Other users' changes elsewhere stay. If the same part was
changed since, by others or on another page, the undo is refused (Overtaken) and overwrites nothing.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User

from surveys.drafts import options, protection
from surveys.drafts.cells import LAYOUT, Cell, CellIndex, Cells, Path, cells, difference, document, value
from surveys.drafts.errors import Changed
from surveys.drafts.snapshots import room
from surveys.models import Revision, Survey
from surveys.rules.draft import Draft, rewrite, without

PEOPLE: Path = ("expected_n",)
MOST, LEAST = 20, 3
CHARACTERS_MAX = 4_000_000  # pictures are large


class Overtaken(Changed):
    """The results of a change were changed since. `cells` have those values: before the change, and now."""

    def __init__(self, overtaken: Sequence[Cell]) -> None:
        super().__init__()
        self.cells = overtaken


def remember(survey: Survey, user: User, sentence: str, changed: list[Cell], visit: str = "") -> None:
    """Store a change in its transaction. A change without a message cannot be undone."""
    if not (sentence and changed):
        return
    before = last(survey, user)
    if before and visit and before.visit == visit and _follows(cells_of(before), changed):
        _join(before, sentence, changed)
        return
    Revision.objects.create(survey=survey, user=user, said=sentence, cells=_stored(changed), visit=visit)
    most = room(_stored(changed), CHARACTERS_MAX, LEAST, MOST)
    old = Revision.objects.filter(survey=survey, user=user).order_by("-pk").values_list("pk", flat=True)[most:]
    Revision.objects.filter(pk__in=list(old)).delete()


def _join(before: Revision, sentence: str, changed: list[Cell]) -> None:
    """Merge a change into the previous one. If nothing differs any more, the previous change is deleted."""
    before.said, before.cells = sentence, _stored(_joined(cells_of(before), changed))
    if before.cells:
        before.save(update_fields=["cells", "said"])
    else:
        before.delete()


def last(survey: Survey, user: User) -> Revision | None:
    return Revision.objects.filter(survey=survey, user=user).order_by("pk").last()


def cells_of(revision: Revision) -> list[Cell]:
    return [Cell(tuple(path), before, after) for path, before, after in revision.cells]


def _stored(changed: Sequence[Cell]) -> list[list[object]]:
    return [[cell.path, cell.before, cell.after] for cell in changed]


def _follows(first: Sequence[Cell], then: Sequence[Cell]) -> bool:
    """Return whether no one changed the same cells in between."""
    left = {cell.path: cell.after for cell in first}
    return all(left.get(cell.path, cell.before) == cell.before for cell in then)


def _joined(first: Sequence[Cell], then: Sequence[Cell]) -> list[Cell]:
    before = {cell.path: cell.before for cell in [*then, *first]}
    after = {cell.path: cell.after for cell in [*first, *then]}
    return [Cell(path, was, after[path]) for path, was in before.items() if was != after[path]]


# Undoing --------------------------------------------------------------------------------------------------------------


def cells_with_people(draft: Draft, people: int | None) -> Cells:
    """Return a draft's cells without the planner's values, and the expected number of people. The draft may be
    changed."""
    return cells(protection.without(draft)) | ({PEOPLE: people} if people else {})


def put_back(draft: Draft, people: int | None, changed: Sequence[Cell]) -> int | None:
    """Undo a change in place. Return the expected number of people. Raise Overtaken if a result of the change was
    changed since."""
    now = cells_with_people(draft, people)
    fields = [cell for cell in changed if cell.path != LAYOUT]
    values = {cell.path: cell.before for cell in fields}
    overtaken = [replace(cell, after=value(now, cell.path)) for cell in fields if value(now, cell.path) != cell.after]
    restored = {path: held for path, held in _options_follow(now, values).items() if path not in values}
    restored |= {path: held[0] for path, held in values.items() if held}
    restored[LAYOUT], moved = _layout(now, changed)
    overtaken += moved + [Cell(path, [held], value(now, path)) for path, held in _orphans(restored, values).items()]
    if overtaken:
        raise Overtaken(overtaken)
    rewrite(draft, document(restored))
    return next(iter(values.get(PEOPLE, value(now, PEOPLE))), None)


def _options_follow(now: Cells, values: dict[Any, list[Any]]) -> Cells:
    """Return the cells after the undo's side effects: if a question's options change, references to their places
    follow. The caller then restores the change's cells."""
    draft = document(now)
    for question in draft["questions"]:
        key = question["key"]
        fields = {str(path[2]): held for path, held in values.items() if path[:2] == ("question", key)}
        if fields and fields.get("key", [key]):
            other = without(question, fields)
            rewrite(other, other | {name: held[0] for name, held in fields.items() if held})
            options.follow(draft, question, deepcopy(other))
    return cells(draft)


def _orphans(restored: Cells, values: dict[Any, list[Any]]) -> Cells:
    """Remove and return cells whose question or translation is missing. Empty texts are dropped silently."""
    orphans: Cells = {}
    for path, held in list(restored.items()):
        parent = {"question": (*path[:2], "key"), "translation": path[:2]}.get(str(path[0]), path)
        if parent not in restored:
            del restored[path]
            if held or path in values:
                orphans[path] = held
    return orphans


def _layout(now: Cells, changed: Sequence[Cell]) -> tuple[list[CellIndex], list[Cell]]:
    """Return the order to restore: the one before the change. If the order was changed since, return the present order
    without added rows and with removed rows. If that is impossible, also return the order as an overtaken cell."""
    stands: list[CellIndex] = now[LAYOUT]
    cell = next((cell for cell in changed if cell.path == LAYOUT), None)
    if cell is None:
        return stands, []
    [before], [after] = cell.before, cell.after
    if stands == after:
        return before, []
    removed, added = [row for row in before if row not in after], [row for row in after if row not in before]
    same = [row for row in before if row not in removed] == [row for row in after if row not in added]
    if not same or not all(isinstance(row, str) for row in removed + added) or set(removed) & set(stands):
        return stands, [Cell(LAYOUT, [before], [stands])]
    rows = [row for row in stands if row not in added]
    for row in removed:
        rows.insert(_place(rows, before[: before.index(row)]), row)
    return rows, []


def _place(rows: list[CellIndex], above: list[CellIndex]) -> int:
    """Return the place after the nearest row of `above` that remains, but not above the first heading."""
    first = int(bool(rows) and isinstance(rows[0], int))
    return next((rows.index(row) + 1 for row in reversed(above) if row in rows), first)


def put_aside(survey: Survey, user: User, sentence: str, mine: Draft, theirs: Draft) -> None:
    """Store a user's unsaved version, so that an undo restores it. Call this while the draft, `theirs`, is locked."""
    remember(survey, user, sentence, difference(cells(mine), cells(theirs)))
