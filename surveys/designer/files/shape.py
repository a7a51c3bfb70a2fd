"""Check whether data is a draft, complete or not: its fields and their types.

`surveys.survey.definition.build` has the rules for opening. The builder shows those beside each field.
"""

from collections.abc import Callable
from typing import Any, cast

from django.utils.translation import gettext as _

from surveys.designer.files import storable
from surveys.rules.draft import Draft
from surveys.rules.draft_schema import Schema
from surveys.rules.languages import is_tag
from surveys.rules.limits import CATEGORIES_MAX, LANGUAGES_MAX, QUESTIONS_MAX
from surveys.rules.refusals import (
    TOLD_MAX,
    DraftRefused,
    Refusals,
    RuleBreach,
    as_text,
    broken,
    fit,
    flag,
    place,
    printable_name,
    refuse,
)
from surveys.rules.unchecked import Built
from surveys.survey.definition import pictures
from surveys.survey.definition.fields import QUESTION, SURVEY
from surveys.survey.definition.schema import translation
from surveys.survey.kinds import KINDS

Reader = Callable[[Any, str], Any]

LONGEST = 20_000  # characters of any one text


def draft(data: object) -> Draft:
    """Return the data as a draft, with numbers as decimal strings. Raise DraftRefused with all parts that do not belong
    to a draft."""
    if not isinstance(data, dict):
        raise refuse(_("draft"), "not_an_object", _("must be an object, in braces"))
    refusals = Refusals()
    made = _object(data, "", _SURVEY, refusals)
    if refusals.refused:
        raise DraftRefused(*_first(refusals, data))
    read = cast(Draft, {"title": "", "questions": []} | made)
    if broken := storable.refusals(read):
        raise DraftRefused(*(each._replace(place=_place(each.field, data)) for each in broken))
    return read


def _first(refusals: Refusals, data: object) -> list[RuleBreach]:
    """Return the first refusals with their places, plus one if there are more."""
    first = [each._replace(place=_place(each.field, data)) for each in refusals.refused[:TOLD_MAX]]
    rule = _("may have more mistakes than these %(n)d: correct them first") % {"n": TOLD_MAX}
    return [*first, broken(_("draft"), "more_mistakes", rule)] if refusals.full else first


def _place(field: str, data: object) -> str:
    """Return the field's place in words, or its path if the questions are not a list of questions."""
    try:
        return place(field, data)
    except (KeyError, IndexError, TypeError):
        return field


def _object(data: object, where: str, readers: dict[str, Reader], refusals: Refusals) -> Built:
    if not isinstance(data, dict):
        raise refuse(where, "not_an_object", _("must be an object, in braces"))
    at, made = f"{where}." if where else "", {}
    for name, value in data.items():
        if name not in readers:
            known = _("is not known here; known are %(fields)s") % {"fields": ", ".join(sorted(readers))}
            refusals.refused.append(broken(f"{at}{printable_name(name)}", "unknown_field", known))
        else:
            made[name] = refusals.attempt(readers[name], value, f"{at}{name}")
        if refusals.full:
            break
    return made


# Readers --------------------------------------------------------------------------------------------------------------


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise refuse(where, "not_a_text", _("must be a text"))
    if len(value) > LONGEST:
        raise refuse(where, "text_length", _("must be a text of at most %(n)d characters") % {"n": LONGEST})
    fit(value, where)
    return value


def _number(value: object, where: str) -> str:
    return _text(as_text(value), where) if not isinstance(value, bool) else _text(value, where)


def _integer(value: object, where: str) -> int:
    if type(value) is not int:
        raise refuse(where, "not_a_whole_number", _("must be a whole number"))
    return value


def _kind(value: object, where: str) -> str:
    if not isinstance(value, str) or value not in KINDS:
        raise refuse(where, "unknown_kind", _("must be one of %(kinds)s") % {"kinds": ", ".join(KINDS)})
    return value


def _list_of(reader: Reader, most: int) -> Reader:
    def read(value: object, where: str) -> list[Any]:
        if not isinstance(value, list) or len(value) > most:
            raise refuse(where, "list_size", _("must be a list of at most %(n)d") % {"n": most})
        refusals = Refusals()
        made = [refusals.attempt(reader, one, f"{where}[{i}]") for i, one in enumerate(value) if not refusals.full]
        refusals.check()
        return made

    return read


def _one_or_list(one: Reader, several: Reader) -> Reader:
    return lambda value, where: several(value, where) if isinstance(value, list) else one(value, where)


def _reader(schema: Schema, longest: int = 0) -> Reader:
    """Return the reader of a field. Numbers may be texts. Contents of texts and lists are not checked. Lists of
    anything but objects may have up to `longest` entries."""
    if name := schema.get("$ref", "").rpartition("/")[2]:
        return _object_of({"question": _QUESTION, "translation": _TRANSLATION}[name])
    if "oneOf" in schema:
        return _object_of(
            {name: reader for each in schema["oneOf"] for name, reader in _readers(each, longest).items()}
        )
    if "anyOf" in schema:
        first, other = schema["anyOf"]
        if other["type"] == "array":
            return _one_or_list(_reader(first, longest), _reader(other, longest))
        return _or_none(_reader(first, longest)) if other["type"] == "null" else _number
    if "propertyNames" in schema:
        return _translations
    if "contentEncoding" in schema:
        return _data
    if schema["type"] == "array":
        most = schema.get("maxItems", QUESTIONS_MAX)
        items = schema["items"]
        return _list_of(_reader(items, longest), most if "properties" in items else longest or most)
    if schema["type"] == "object":
        return _object_of(_readers(schema, longest))
    return {"integer": _integer, "boolean": flag, "string": _text}[schema["type"]]


def _readers(schema: Schema, longest: int = 0) -> dict[str, Reader]:
    return {name: _reader(each, longest) for name, each in schema["properties"].items()}


def _object_of(readers: dict[str, Reader]) -> Reader:
    def read(value: object, where: str) -> Built:
        refusals = Refusals()
        made = _object(value, where, readers, refusals)
        refusals.check()
        return made

    return read


def _translations(value: object, where: str) -> Built:
    if not isinstance(value, dict) or len(value) >= LANGUAGES_MAX:
        rule = _("must be an object with at most %(most)s languages") % {"most": LANGUAGES_MAX - 1}
        raise refuse(where, "translation_count", rule)
    if not all(map(is_tag, value)):
        rule = _("must have language tags such as “de”, “pt-BR” or “zh-Hant” as its names")
        raise refuse(where, "translation_tags", rule)
    read: Built = _object_of(dict.fromkeys(value, _object_of(_TRANSLATION)))(value, where)
    return read


def _data(value: object, where: str) -> str:
    """Return the picture's data, in base64."""
    if not isinstance(value, str):
        raise refuse(where, "not_a_text", _("must be a text"))
    if pictures.decoded(value) is None:
        raise refuse(where, "picture_format", pictures.FORMAT)
    return value


def _or_none(reader: Reader) -> Reader:
    return lambda value, where: None if value is None else reader(value, where)


_OPTIONS_MAX = CATEGORIES_MAX + 1
_OF_QUESTION = {name: field.schema for name, field in QUESTION.items() if name != "kind"}
_QUESTION = _readers({"properties": _OF_QUESTION}, _OPTIONS_MAX) | {"kind": _kind}
_TRANSLATION = _readers(translation(), _OPTIONS_MAX)
_SURVEY = {name: _reader(field.schema) for name, field in SURVEY.items()}
