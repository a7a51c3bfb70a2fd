"""The parts of a draft that an editor edits: the survey's texts, a section's heading, a question."""

from collections.abc import Iterable

from surveys.drafts.fields import Part
from surveys.rules.draft import Draft, rewrite
from surveys.survey.definition.arms import FIELD
from surveys.survey.definition.fields import SECTION, SURVEY
from surveys.survey.kinds.fields import Field

TEXTS = tuple(field for field in SURVEY.values() if field.widget)
SECTION_FIELDS = tuple(field for field in SECTION.values() if field.widget)
# Fields with pages of their own.
ORDER = {field.name for field in SURVEY.values() if not field.widget}


def texts_of(draft: Draft) -> Part:
    """Return all fields except questions, sections, forms and languages, including unknown ones."""
    return {name: value for name, value in draft.items() if name not in ORDER}


def put_texts(draft: Draft, part: Part) -> None:
    rewrite(draft, {name: value for name, value in draft.items() if name in ORDER} | dict(part))


def heading_of(section: Part) -> Part:
    return {name: value for name, value in section.items() if name != "questions"}


def unknown(part: Part, fields: Iterable[Field]) -> list[str]:
    """Return the names of unknown fields, which may come from a file."""
    return sorted(part.keys() - {field.name for field in fields} - {"key", "kind", FIELD})


def known(part: Part, fields: Iterable[Field]) -> Part:
    return {name: value for name, value in part.items() if name not in unknown(part, fields)}
