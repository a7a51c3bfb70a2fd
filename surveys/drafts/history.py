"""What each person can undo of their own changes to a draft, the last first. It is stored with the draft, in the same
transaction as the change, so that it outlives a page and a session.

A change is undone where all that it left still stands. What others changed elsewhere stays; where they, or the same
person on another page, changed the same since, the undo is refused (Overtaken) and nothing is overwritten.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User

from surveys.drafts import options
from surveys.drafts.cells import LAYOUT, Cell, CellIndex, Cells, cells, difference, document, value
from surveys.drafts.errors import Changed
from surveys.drafts.snapshots import room
from surveys.models import Revision, Survey
from surveys.rules.draft import Draft, rewrite, without

MOST, LEAST = 20, 3
CHARACTERS_MAX = 4_000_000  # pictures are large


class Overtaken(Changed):
    """What a change left does not stand any more. `cells` are those that differ, as they were before it and are now."""

    def __init__(self, overtaken: Sequence[Cell]) -> None:
        super().__init__()
        self.cells = overtaken


def remember(survey: Survey, user: User, sentence: str, changed: list[Cell], visit: str = "") -> None:
    """Call it in the transaction of the change. A change without words is none to undo."""
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
    """What was typed and taken back again is no change."""
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
    """Whether nobody changed the same cells in between."""
    left = {cell.path: cell.after for cell in first}
    return all(left.get(cell.path, cell.before) == cell.before for cell in then)


def _joined(first: Sequence[Cell], then: Sequence[Cell]) -> list[Cell]:
    before = {cell.path: cell.before for cell in [*then, *first]}
    after = {cell.path: cell.after for cell in [*first, *then]}
    return [Cell(path, was, after[path]) for path, was in before.items() if was != after[path]]


# Undoing --------------------------------------------------------------------------------------------------------------


def put_back(draft: Draft, changed: Sequence[Cell]) -> None:
    """Undo a change, in place; Overtaken where something of it does not stand any more."""
    now = cells(draft)
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


def _options_follow(now: Cells, values: dict[Any, list[Any]]) -> Cells:
    """Values that follow. Where a question's options become others, what names them by their places moves along; what
    the change itself moved is then put back as it was."""
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
    """What would stand in a question or a translation that is not there; empty texts go without a word."""
    orphans: Cells = {}
    for path, held in list(restored.items()):
        parent = {"question": (*path[:2], "key"), "translation": path[:2]}.get(str(path[0]), path)
        if parent not in restored:
            del restored[path]
            if held or path in values:
                orphans[path] = held
    return orphans


def _layout(now: Cells, changed: Sequence[Cell]) -> tuple[list[CellIndex], list[Cell]]:
    """The order that is put back: the one before, or where it was changed since, this one with what the change removed
    in its place again and without what it added."""
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
    """Behind the nearest of those above that is still there, and never above the first heading."""
    first = int(bool(rows) and isinstance(rows[0], int))
    return next((rows.index(row) + 1 for row in reversed(above) if row in rows), first)


def put_aside(survey: Survey, user: User, sentence: str, mine: Draft, theirs: Draft) -> None:
    """Somebody's own version, of which nothing is stored, as what an undo brings back. Call it while the draft,
    `theirs`, is locked."""
    remember(survey, user, sentence, difference(cells(mine), cells(theirs)))
