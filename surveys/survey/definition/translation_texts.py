"""A draft's translations: which texts need one, which are there, and how they follow changes of the draft.

A translation holds texts by position. So whenever a part of the draft is moved, removed or rewritten, its texts go with
it: a question is recognized by its key, a section and an option by their own text.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from surveys.rules.unchecked import Built, Unchecked, as_list, as_object, words_of
from surveys.survey import kinds
from surveys.survey.definition.languages import TRANSLATED

# The field with a scale's steps changes its name when the scale is asked for its mean alone (surveys/drafts/scales.py).
SCALE = {"options": "steps", "steps": "options"}
LONG = {"introduction", "consent", "thanks", "text", "note"}


class Slot(NamedTuple):
    """A text of the draft: its path in a translation, and what it says in the survey's own language."""

    path: tuple[str | int, ...]
    original: str

    @property
    def name(self) -> str:
        return ".".join(map(str, self.path))

    @property
    def is_long(self) -> bool:
        return self.path[-1] in LONG


def slots(draft: Unchecked) -> Iterator[Slot]:
    """Yield every text that a translation needs, in the order of the page."""
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
    """Return the text at a path; empty where there is none."""
    for step in path:
        try:
            texts = texts[step]
        except (KeyError, IndexError, TypeError):
            return ""
    return texts if isinstance(texts, str) else ""


def translation(draft: Unchecked, texts: dict[str, str]) -> Built:
    """Return a translation with the draft's shape and the texts given by slot names; texts not given are empty."""
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
    """Move every translation's texts to where their parts are in the draft now, in place. A draft whose translations
    were changed themselves is left as it is."""
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
    """Yield the name of each of the draft's texts with its path before the change."""
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
    """Return for each new name its index among the old ones, None where it has none. A name not among them gets its own
    index if the old name there is gone: it was renamed."""
    free = [i for i, name in enumerate(old) if name not in new]
    return [old.index(name) if name in old else i if i in free else None for i, name in enumerate(new)]
