"""Texts with their translations, from a form's cells to a draft's translations."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from surveys.rules.draft import Draft
from surveys.survey.definition.translation_texts import slots, translation


class Text(str):
    """A text in the survey's own language. `others` has its translations by tag, without empty ones."""

    others: dict[str, str]

    def __new__(cls, own: str, others: Mapping[str, str] | None = None) -> "Text":
        text = super().__new__(cls, own)
        text.others = {tag: other for tag, other in (others or {}).items() if other}
        return text

    def mapped(self, change: Callable[[str], str]) -> "Text":
        """Return the text after `change` in each language."""
        return Text(change(str(self)), {tag: change(other) for tag, other in self.others.items()})


def joined(between: str, parts: Iterable[str]) -> Text:
    """Return one text from the parts that are not empty."""
    texts = [part for part in parts if part]
    tags = dict.fromkeys(tag for text in texts for tag in _others(text))
    others = {tag: between.join(filter(None, (_others(text).get(tag, "") for text in texts))) for tag in tags}
    return Text(between.join(texts), others)


def put(draft: Draft, tags: Iterable[str]) -> None:
    """Add translations for these tags to the draft, from its texts. A missing translation is "", as on the page of
    languages."""
    texts = [(slot.name, _others(_at(draft, slot.path))) for slot in slots(draft)]
    made = {tag: translation(draft, {name: others.get(tag, "") for name, others in texts}) for tag in tags}
    if made:
        draft["translations"] = made


def _at(draft: Any, path: tuple[str | int, ...]) -> object:
    for step in path:
        draft = draft[step]
    return draft


def _others(text: object) -> dict[str, str]:
    return text.others if isinstance(text, Text) else {}
