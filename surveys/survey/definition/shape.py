"""The shape of a definition: all fields that the page and the server read, and no others.

The page has the same rules (shape.js). They ensure that every possible answer can be reported. A test compares both
verdicts on thousands of altered definitions. Rules are functions that raise Misshapen, or another Python error for data
of a wrong type.
"""

import re
from typing import Any

from surveys.rules.limits import QUESTIONS_MAX, TABLES_MAX, TEXT_MAX
from surveys.rules.shapes import exactly, must
from surveys.rules.texts import is_text
from surveys.survey.definition import anchors, arms, draws, frame, pictures, routing, tables, translations
from surveys.survey.definition.document import FORMAT
from surveys.survey.kinds import KINDS, own_fields

KEY = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)
SHARED = {"key", "kind", "text", "note", "prefer_not_to_say"}


def definition(data: Any) -> None:
    must(isinstance(data, dict) and type(data["format"]) is int)
    must(data["format"] == FORMAT)
    questions = data["questions"]
    must(isinstance(questions, list) and 1 <= len(questions) <= QUESTIONS_MAX)
    for each in questions:
        question(each)
    frame.check(data)
    translations.check(data)
    must(len({each["key"] for each in questions}) == len(questions))
    routing.check_together(questions)
    draws.check(data)
    must(sum(tables.integers(draw["table"]) for draw in draws.every(data)) <= TABLES_MAX)
    arms.check(data)
    pictures.check(data)


def question(data: Any) -> None:
    """Raise an error unless a question of a definition is well-formed. Draws are checked separately."""
    kind = KINDS[data["kind"]]
    exactly(data, SHARED | own_fields(data) | routing.fields(data) | arms.fields(data) | anchors.fields(data))
    must(isinstance(data["key"], str) and KEY.fullmatch(data["key"]))
    must(is_text(data["text"], TEXT_MAX) and is_text(data["note"], TEXT_MAX, empty=True))
    must(type(data["prefer_not_to_say"]) is bool)
    must(isinstance(data.get(arms.FIELD, ""), str))
    kind.check(data)
    anchors.check(data)
