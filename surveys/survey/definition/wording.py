"""All that a respondent sees with a question, to detect whether another survey asked it in other words."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from surveys.survey.definition import pictures
from surveys.survey.definition.document import Definition
from surveys.survey.definition.languages import in_language, languages_of

_TEXTS = ("text", "note", "unit", "limits", "exclusive")  # from these the page words the accepted numbers and options
_LISTS = ("options", "items", "ranked", "steps")


class Wording(NamedTuple):
    """The texts shown with a question, by language tag, and the pictures."""

    texts: dict[str, tuple[Any, ...]]
    pictures: tuple[str, ...]

    def differs(self, other: "Wording") -> bool:
        return self.is_reworded(other) or self.pictures != other.pictures

    def is_reworded(self, other: "Wording") -> bool:
        """Return whether the texts of a common language differ, or there is no common language."""
        both = self.texts.keys() & other.texts.keys()
        return not both or any(self.texts[tag] != other.texts[tag] for tag in both)


def wording(definition: Definition, key: str) -> Wording:
    """Return the texts and pictures that are shown with a question."""
    texts = {tag: _texts(in_language(definition, tag), key) for tag in languages_of(definition)}
    picture = pictures.of_question(definition, key)
    return Wording(
        {tag: (*each, pictures.alt(picture, tag) if picture else "") for tag, each in texts.items()},
        pictures.seen(definition, key),
    )


def _texts(translated: Mapping[str, Any], key: str) -> tuple[Any, ...]:
    question = next(each for each in translated["questions"] if each["key"] == key)
    sections = (each for each in translated.get("sections", ()) if key in each["questions"])
    around = next(((each["title"], each["text"]) for each in sections), ("", ""))
    return (*(question.get(name, "") for name in _TEXTS), *(tuple(question.get(name, ())) for name in _LISTS), *around)
