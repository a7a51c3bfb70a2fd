"""Texts of a survey that may have markup (surveys/rules/markup.py), and the field that tells whether some have it.

These are the longer texts: introduction, consent, thanks, a section's text, a question's note. A definition without
markup lacks the field and keeps the bytes of older versions. Without the field, texts are shown with every star and
hyphen as written.

A followed link shows another host that someone followed it. So texts that are shown only after some answers have no
links; the host would learn these answers. A translation has links to the same hosts as the original.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_noop as _

from surveys.rules import markup
from surveys.rules.refusals import Refusals, refuse
from surveys.rules.shapes import must
from surveys.rules.unchecked import Unchecked, as_list, as_object
from surveys.survey.definition.fields import QUESTION, SECTION, SURVEY
from surveys.survey.definition.translation_texts import Slot, slots, text_at

FIELD = "markup"


# Drafts ---------------------------------------------------------------------------------------------------------------


def build(draft: Unchecked, refusals: Refusals) -> dict[str, int]:
    """Return the field; {} if no text has markup. Forbidden links are added to the refusals."""
    translations = as_object(draft.get("translations"))
    is_marked = False
    for slot in _longer(draft):
        texts = {"": slot.original} | {tag: text_at(texts, slot.path) for tag, texts in translations.items()}
        is_marked = any(map(markup.has_markup, texts.values())) or is_marked
        for tag, text in texts.items():
            refusals.attempt(_check_links, draft, slot, str(tag), text)
    return {FIELD: markup.NUMBER} if is_marked else {}


def _longer(draft: Unchecked) -> Iterator[Slot]:
    for slot in slots(draft):
        head, last = slot.path[0], slot.path[-1]
        field = {"sections": SECTION, "questions": QUESTION}.get(str(head), SURVEY).get(str(last))
        if field and field.marked:
            yield slot


def _check_links(draft: Unchecked, slot: Slot, tag: str, text: str) -> None:
    where = ".".join(filter(None, ("translations." + tag if tag else "", _path(slot))))
    if markup.has_broken_link(text):
        rule = _(
            "must have links as [words](address): with an address of at most 400 characters that begins with https:// "
            "and a host in small letters, or with mailto:, and in which signs other than letters from a to z, digits "
            "and -._~/?#=&+,:;@! are percent-encoded"
        )
        raise refuse(where, "link_address", rule)
    links = markup.links(text)
    if links and _depends(draft, slot):
        rule = _(
            "must have no link: only some people are asked this, and by following it they would show that to another "
            "site"
        )
        raise refuse(where, "link_for_some", rule)
    if tag and text and sorted(_places(text)) != sorted(_places(slot.original)):
        rule = _("must have links to the same sites as the survey's own text, and as many")
        raise refuse(where, "link_translation", rule)


def _path(slot: Slot) -> str:
    return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in slot.path).lstrip(".")


def _places(text: str) -> list[str]:
    return [link.place for link in markup.links(text)]


def _depends(draft: Unchecked, slot: Slot) -> bool:
    """Return whether the text is shown only after some answers."""
    head, *rest = slot.path
    if not rest:
        return False
    part = draft[str(head)][rest[0]]
    if head == "questions":
        return bool(part.get("asked_if"))
    given, keys = draft.get("questions"), part.get("questions")
    if not isinstance(given, list) or not isinstance(keys, list):
        return False
    inside = [each for each in given if isinstance(each, dict) and each.get("key") in keys]
    forms = _forms(draft)
    shared = [each for each in inside if not any(each.get("key") in form for form in forms)]
    by_form = [shared + [each for each in inside if each.get("key") in form] for form in forms or [[]]]
    return any(whole and all(each.get("asked_if") for each in whole) for whole in by_form)


def _forms(draft: Unchecked) -> list[list[Any]]:
    """Return the keys of each form's questions. A respondent sees these questions of a section, and everyone's."""
    draws = [map(as_object, as_list(as_object(form).get("draws"))) for form in as_list(draft.get("forms"))]
    return [[key for draw in own for key in as_list(draw.get("questions"))] for own in draws]


# Definitions ----------------------------------------------------------------------------------------------------------


def check(data: Unchecked) -> None:
    """Raise Misshapen unless the field is the number of the present markup rules. It may be missing."""
    must(type(data.get(FIELD, 1)) is int and data.get(FIELD, 1) == markup.NUMBER)


def html(definition: Mapping[str, Any], text: str) -> SafeString | None:
    """Return a longer text as HTML; None for a text without markup."""
    return mark_safe(markup.html(text)) if FIELD in definition and markup.has_markup(text) else None


def plain(definition: Mapping[str, Any], text: str) -> str:
    """Return a longer text without its markup."""
    return markup.plain(text) if FIELD in definition else text
