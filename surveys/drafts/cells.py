"""A draft as cells: a question's field, a text, a heading or a translated text by path, and the layout. A path stays
the same when other parts move. A change is the list of changed cells with their values before and after, so changes of
different parts are in different cells.

`document(cells(draft))` equals the draft if it has the shape of normalize.py.
"""

from dataclasses import dataclass
from typing import Any, cast

from surveys.rules.draft import Draft, DraftSection
from surveys.survey.definition.translation_texts import Slot, slots, text_at, translation

Path = tuple[str | int, ...]
Cells = dict[Path, Any]
CellIndex = str | int

LAYOUT: Path = ("layout",)
PARTS = {"questions", "sections", "translations"}


@dataclass(frozen=True)
class Cell:
    """A cell that differs, with its values before and after, each in a list, which may be empty."""

    path: Path
    before: list[Any]
    after: list[Any]


def cells(draft: Draft) -> Cells:
    every: Cells = {("texts", name): value for name, value in draft.items() if name not in PARTS}
    for question in draft["questions"]:
        every |= {("question", question["key"], name): value for name, value in question.items()}
    for i, section in enumerate(draft.get("sections", ())):
        every["section", i] = {name: held for name, held in section.items() if name != "questions"}
    every[LAYOUT] = _layout(draft)
    return every | _translation_cells(draft)


def document(every: Cells) -> Draft:
    texts = {str(path[1]): value for path, value in every.items() if path[0] == "texts"}
    questions: dict[CellIndex, Any] = {}
    for path, value in every.items():
        if path[0] == "question":
            questions.setdefault(path[1], {})[path[2]] = value
    listed = [questions[row] for row in every[LAYOUT] if isinstance(row, str)]
    sections: list[DraftSection] = []
    for row in every[LAYOUT]:
        if isinstance(row, int):
            sections.append(every["section", row] | {"questions": []})
        elif sections:
            sections[-1]["questions"].append(row)
    draft = cast(Draft, texts | {"questions": listed} | ({"sections": sections} if sections else {}))
    return draft | _translations(draft, every)


def difference(before: Cells, after: Cells) -> list[Cell]:
    """Return the cells that differ."""
    paths = [path for path in before | after if (path in before, before.get(path)) != (path in after, after.get(path))]
    return [Cell(path, value(before, path), value(after, path)) for path in paths]


def value(every: Cells, path: Path) -> list[Any]:
    return [every[path]] if path in every else []


def _layout(draft: Draft) -> list[CellIndex]:
    """Return the keys of questions and the indices of headings, in order."""
    if "sections" not in draft:
        return [question["key"] for question in draft["questions"]]
    rows: list[CellIndex] = []
    for i, section in enumerate(draft["sections"]):
        rows += [i, *section["questions"]]
    return rows


# Translations ---------------------------------------------------------------------------------------------------------


def _translation_cells(draft: Draft) -> Cells:
    """Return a cell for each translation and for each of its texts. A malformed translation from a file is one cell."""
    given = draft.get("translations")
    if not isinstance(given, dict) or not given:
        return {("texts", "translations"): given} if "translations" in draft else {}
    named = [(slot, _by_key(draft, slot)) for slot in slots(draft)]
    every: Cells = {}
    for tag, texts in given.items():
        written = {slot.name: text_at(texts, slot.path) for slot, _path in named}
        regular = translation(draft, written) == texts
        every["translation", tag] = True if regular else texts
        if regular:
            every |= {("translation", tag, *path): written[slot.name] for slot, path in named}
    return every


def _translations(draft: Draft, every: Cells) -> Draft:
    tags = [(str(path[1]), value) for path, value in every.items() if path[0] == "translation" and len(path) == 2]
    named = [(slot.name, _by_key(draft, slot)) for slot in slots(draft)] if tags else []
    made = {
        tag: translation(draft, {name: every.get(("translation", tag, *path), "") for name, path in named})
        if value is True
        else value
        for tag, value in tags
    }
    return {"translations": made} if made else {}


def _by_key(draft: Draft, slot: Slot) -> Path:
    """Return the slot's path with the question's key instead of its index."""
    head, *rest = slot.path
    return (head, draft["questions"][int(rest[0])]["key"], *rest[1:]) if head == "questions" else slot.path
