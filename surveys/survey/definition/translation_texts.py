"""A draft's translations: texts that need one, texts that have one, and how translations follow changes of the draft.

A translation holds texts by position. If a part of the draft is moved, removed or rewritten, its translated texts
follow. Questions are recognized by key, sections and options by their text.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from surveys.rules.unchecked import Built, Unchecked, as_list, as_object, words_of
from surveys.survey import kinds
from surveys.survey.definition.languages import TRANSLATED

# The field of a scale's steps is renamed if the scale is asked for its mean alone (surveys/drafts/scales.py).
SCALE = {"options": "steps", "steps": "options"}
LONG = {"introduction", "consent", "thanks", "text", "note"}


class Slot(NamedTuple):
    """A text of the draft: its path in a translation, and the original."""

    path: tuple[str | int, ...]
    original: str

    @property
    def name(self) -> str:
        return ".".join(map(str, self.path))

    @property
    def is_long(self) -> bool:
        return self.path[-1] in LONG


def slots(draft: Unchecked) -> Iterator[Slot]:
    """Yield every text that needs a translation, in the page's order."""
    yield from _texts(draft, TRANSLATED, ())
    yield from _alt(draft, "logo", ())
    for i, section in enumerate(_objects(draft.get("sections"))):
        yield from _texts(section, ("title", "text"), ("sections", i))
    for i, question in enumerate(_objects(draft.get("questions"))):
        names = _names(question)
        yield from _texts(question, [name for name in ("text", "note", "unit") if name in names], ("questions", i))
        yield from _alt(question, "picture", ("questions", i))
        for name in sorted(kinds.LISTS):
            for j, line in enumerate(as_list(question.get(name)) if name in names else ()):
                yield Slot(("questions", i, name, j), str(line))


def _texts(part: Unchecked, names: Sequence[str], path: tuple[str | int, ...]) -> Iterator[Slot]:
    for name in names:
        if words := words_of(part.get(name)):
            yield Slot((*path, name), words)


def _alt(part: Unchecked, name: str, path: tuple[str | int, ...]) -> Iterator[Slot]:
    """Yield the description of a part's picture."""
    if words := words_of(as_object(part.get(name)).get("alt")):
        yield Slot((*path, name), words)


def _names(question: Unchecked) -> set[str]:
    return {"text", "note", *(kinds.texts(question) if kinds.in_draft(question) else ())}


def _objects(value: object) -> list[Built]:
    return [*map(as_object, as_list(value))]


def text_at(texts: Any, path: Sequence[str | int]) -> str:
    """Return the text at a path; "" if there is none."""
    for step in path:
        try:
            texts = texts[step]
        except (KeyError, IndexError, TypeError):
            return ""
    return texts if isinstance(texts, str) else ""


def translation(draft: Unchecked, texts: dict[str, str]) -> Built:
    """Return a translation of the draft's shape with these texts, by slot name. Missing texts are ""."""
    made: Built = {"title": ""}
    if draft.get("sections"):
        made["sections"] = [{} for _ in draft["sections"]]
    made["questions"] = [{} for _ in _objects(draft.get("questions"))]
    for slot in slots(draft):
        part: Any = made
        for step in slot.path[:-1]:
            part = part.setdefault(step, []) if isinstance(step, str) else part[step]
        if isinstance(part, list):
            part.append(texts.get(slot.name, ""))
        else:
            part[slot.path[-1]] = texts.get(slot.name, "")
    return made


# Following a draft ----------------------------------------------------------------------------------------------------


def follow(before: Unchecked, draft: Unchecked) -> None:
    """Move every translation's texts to the new positions of their parts, in place. If the change edited translations
    itself, nothing moves."""
    given = draft.get("translations")
    if not isinstance(given, dict) or given != before.get("translations"):
        return
    paths = dict(_moves(before, draft))
    for tag, texts in given.items():
        own = {name: text_at(texts, path) for name, path in paths.items()}
        followed = translation(draft, own)
        if isinstance(texts, dict) and followed != texts:
            given[tag] = followed


def _moves(before: Unchecked, draft: Unchecked) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    """Yield each text's slot name with its path before the change."""
    sections = _aligned(*(_named(each.get("sections"), "title") for each in (before, draft)))
    questions = _aligned(*(_named(each.get("questions"), "key") for each in (before, draft)))
    for slot in slots(draft):
        head, *rest = slot.path
        if not rest:
            yield slot.name, slot.path
            continue
        was = {"sections": sections, "questions": questions}[str(head)][int(rest[0])]
        if was is None:
            continue
        if len(rest) == 2:
            yield slot.name, (head, was, rest[1])
            continue
        name = str(rest[1])
        whole, new = _objects(before.get("questions"))[was], draft["questions"][int(rest[0])][name]
        former = name if name in whole else SCALE.get(name, name)
        at = _aligned(as_list(whole.get(former)), new)[int(rest[2])]
        if at is not None:
            yield slot.name, (head, was, former, at)


def _named(parts: object, field: str) -> list[object]:
    return [each.get(field) for each in _objects(parts)]


def _aligned(old: Sequence[object], new: Sequence[object]) -> list[int | None]:
    """Return the old index of each new name, None for a new part. A name that is not among the old ones keeps its index
    if the old name at that index is gone: it was renamed."""
    free = [i for i, name in enumerate(old) if name not in new]
    return [old.index(name) if name in old else i if i in free else None for i, name in enumerate(new)]
