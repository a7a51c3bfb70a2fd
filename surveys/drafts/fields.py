"""Conversion between the text of a form's field and the draft's value.

A value is stored as typed, right or wrong. A field with unchanged text keeps its value, even a value from a file that
no one would type.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from ldp.exact import ALPHA_MAX
from surveys.figures import typed
from surveys.rules.refusals import as_text
from surveys.rules.texts import is_number
from surveys.rules.unchecked import Unchecked, as_list
from surveys.survey.definition.routing import JOINS, placed
from surveys.survey.kinds.fields import Field

Part = Unchecked


def text_of(field: Field, value: object) -> str:
    """Return the text of a draft's value. None means that the value is absent."""
    if field.widget == "flag":
        return "on" if value is True else ""
    if field.widget == "lines" and isinstance(value, list):
        return "\n".join(_text(field, line) for line in value)
    if field.widget in ("picture", "pictures"):
        return "\n".join(_pictured(value if isinstance(value, list) else [value]))
    if field.widget == "condition" and (parts := _parts(value)):
        return " ".join(parts)
    return "" if value is None else _text(field, value)


def sent(field: Field, form: QueryDict) -> str:
    """Return the field's text in a form. A condition joins all its parts."""
    texts = form.getlist(field.name)
    return (" ".join(texts) if field.widget == "condition" else texts[-1] if texts else "").replace("\r\n", "\n")


def value_of(field: Field, text: str) -> object:
    """Return the value of a text."""
    if field.widget == "flag":
        return bool(text)
    if field.widget == "lines":
        return [_value(field, line.strip()) for line in text.split("\n") if line.strip()]
    if field.widget == "condition":
        return _condition(text)
    if field.widget == "right":
        return _position(text)
    return _integer(text) if field.whole else _value(field, text)


def _text(field: Field, value: object) -> str:
    text = as_text(value)
    text = text if isinstance(text, str) else json.dumps(value, ensure_ascii=False)
    return typed.written(text) if field.numeric and is_number(text) else text


def _value(field: Field, text: str) -> str:
    if field.entered == "date":
        return typed.european(text)
    most = ALPHA_MAX if field.entered == "alpha" else None
    return typed.draft_number(text, most) if field.numeric and text.strip() else text


def written(part: Part, fields: Iterable[Field], form: QueryDict) -> Part:
    """Return the part with the form's values."""
    new = dict(part)
    for field in fields:
        if field.name not in form and field.widget != "flag":
            continue
        text = sent(field, form)
        if text == text_of(field, part.get(field.name)):
            continue
        value = new[field.name] = value_of(field, text)
        if value is None or (not value and type(value) is not int and not field.needed):  # 0 is a position
            del new[field.name]
    return new


def _parts(value: object) -> list[str]:
    """Return the text of a condition as parts: how several rules are joined, and each rule's key and positions. Return
    [] for any other shape."""
    parts = [f"{name}:" for name in JOINS if isinstance(value, dict) and name in value]
    for _field, rule in placed({"asked_if": value}):
        parts += [rule["question"], *map(str, as_list(rule.get("options")))]
    return parts if _condition(" ".join(parts)) == value else []


def _pictured(pictures: list[Any]) -> Iterator[str]:
    """Return a description of each picture."""
    for picture in pictures:
        if isinstance(picture, dict):
            size = {name: picture.get(name) for name in ("width", "height")}
            alt = picture.get("alt", "")
            text = _("picture of %(width)s × %(height)s pixels") % size
            yield f"{alt} ({text})" if isinstance(alt, str) and alt.strip() else text


def _condition(text: str) -> Unchecked:
    """Return the condition in a text. Everything except positions is a key; no key ends with a colon."""
    first, *others = text.split(" ")
    name, rules = first.removesuffix(":"), list[Unchecked]()
    for each in others if name in JOINS and name != first else (first, *others):
        if rules and each.isascii() and each.isdecimal() and len(each) < 10:
            rules[-1]["options"].append(int(each))
        else:
            rules.append({"question": each, "options": []})
    return rules[0] if len(rules) == 1 else {name: rules}


def _position(text: str) -> object:
    """Return a position; None if no option was chosen. Other JSON, such as Infinity, stays text, because not all of it
    can be stored."""
    try:
        value = json.loads(text) if text else None
    except (ValueError, RecursionError):
        return text
    return value if value is None or type(value) is int else text


def _integer(text: str) -> int | str:
    try:
        number = typed.read(text, whole=True)
    except typed.Unread:
        return text
    return int(number) if len(number) < 10 else text
