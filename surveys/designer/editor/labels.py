"""Names of a draft's cells, and their values in words."""

import json
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from surveys.designer.studio import sentences
from surveys.drafts import history
from surveys.drafts.cells import Path
from surveys.drafts.fields import text_of
from surveys.drafts.kinds import fields_of, title
from surveys.drafts.normalize import normalized
from surveys.drafts.parts import SECTION_FIELDS, TEXTS
from surveys.rules.draft import Draft, Question
from surveys.rules.enumeration import quoted
from surveys.rules.names import name_of
from surveys.survey.definition import invitations, protection, relay, waves
from surveys.survey.kinds.fields import Field

# Fields of a draft that the builder does not show.
APART = (waves.FIELD, invitations.FIELD, invitations.SAMPLE, invitations.GROUPS, relay.FIELD, protection.FIELD)


class Label(NamedTuple):
    """The name of a part, and of its field if there is one."""

    part: str
    field: Field | None = None
    name: str | Promise = ""

    def text_of(self, values: list[Any]) -> str:
        """Return the value in words; "" if there is none."""
        if not values:
            return ""
        if self.field:
            return text_of(self.field, values[0])
        return values[0] if isinstance(values[0], str) else _plain(values[0])


def label(draft: Draft, path: Path) -> Label:
    if path[0] == "question":
        question = _question(draft, str(path[1]))
        return _of(quoted(title(question)), fields_of(question), str(path[2]))
    if path in (("texts", "draws"), ("texts", "forms")):
        return Label(_("Who is asked what"))
    if path[0] == "texts" and path[1] in APART:
        return Label(sentences.label(str(path[1])))
    if path[0] == "texts":
        return _of(_("Texts of the survey"), TEXTS, str(path[1]))
    if path[0] == "section":
        return Label(_("Section %(number)d") % {"number": int(path[1]) + 1})
    if path == history.PEOPLE:
        return Label(_("People expected"))
    if path[0] == "translation":
        language = _("Translation into %(language)s") % {"language": name_of(str(path[1]))}
        about = question_of(path)
        return Label(quoted(title(_question(draft, about))), name=language) if about else Label(language)
    return Label(_("The order of the questions"))


def question_of(path: Path) -> str:
    """Return the key of the question that a cell belongs to; "" if it belongs to none."""
    if path[0] == "question":
        return str(path[1])
    return str(path[3]) if path[0] == "translation" and path[2:3] == ("questions",) else ""


def _question(draft: Draft, key: str) -> Question:
    return next((each for each in normalized(draft)["questions"] if each["key"] == key), Question(key=key))


def _of(part: str, fields: Any, name: str) -> Label:
    field = next((field for field in fields if field.name == name), None)
    return Label(part, field, field.label if field else sentences.label(name))


def _plain(value: Any) -> str:
    """Return the value as text. A heading becomes its texts."""
    if isinstance(value, dict):
        return "\n".join(str(value[field.name]) for field in SECTION_FIELDS if value.get(field.name))
    return json.dumps(value, ensure_ascii=False)
