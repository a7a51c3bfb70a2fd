"""How a part is stored: what its form says replaces what stands there, unless somebody else has changed it since the
form was shown."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.http import QueryDict
from django.utils.translation import gettext as _

from surveys import drafts
from surveys.drafts import Changed, arms, forms, mark, options, outline
from surveys.drafts.fields import Part, written
from surveys.drafts.kinds import fields_of, title
from surveys.drafts.normalize import is_key, keys
from surveys.drafts.parts import SECTION_FIELDS, TEXTS, heading_of, put_texts, texts_of
from surveys.models import Survey
from surveys.rules.unchecked import Draft
from surveys.survey.definition.forms import OWN
from surveys.survey.kinds.fields import Field

CHARACTERS_MAX = 100_000


class Clash(Changed):
    """`theirs` is what stands there now, None where it was removed."""

    def __init__(self, theirs: Part | None) -> None:
        super().__init__()
        self.theirs = theirs


class TooLong(ValueError):
    """More than anybody types."""


class Place(NamedTuple):
    """The place where a part stands: `find` raises Changed where it is no longer there. `changed` says in words that
    it was."""

    find: Callable[[Draft], Part]
    put: Callable[[Draft, Part], None]
    fields: Callable[[Part], Sequence[Field]]
    changed: Callable[[Part], str]


def texts() -> Place:
    return Place(texts_of, put_texts, lambda part: TEXTS, lambda part: _("Changed the texts of the survey."))


def section(index: int) -> Place:
    def put(draft: Draft, part: Part) -> None:
        held = outline.section_of(draft, index)
        draft["sections"][index] = part | {"questions": held["questions"]}

    return Place(
        lambda draft: heading_of(outline.section_of(draft, index)),
        put,
        lambda part: SECTION_FIELDS,
        lambda part: _("Changed the heading of section %(n)d.") % {"n": index + 1},
    )


def question(key: str, joint: bool = False) -> Place:
    """The place of a question; one that is randomized together with others has no alpha and mechanism of its own."""

    def put(draft: Draft, part: Part) -> None:
        stored = outline.question_of(draft, key)
        before = dict(stored)
        stored.clear()
        stored.update(part)
        options.follow(draft, before, stored)

    def changed(part: Part) -> str:
        return _("Changed “%(title)s”.") % {"title": title(part)}

    def fields(part: Part) -> list[Field]:
        return [field for field in fields_of(part) if not (joint and field.name in OWN)]

    return Place(lambda draft: outline.question_of(draft, key), put, fields, changed)


def store(survey: Survey, user: User | AnonymousUser, place: Place, form: QueryDict) -> Survey:
    """The survey with what the form says. Clash where somebody else has changed the part, TooLong where it is no text
    that somebody typed."""
    # Of earlier sendings nothing is stored.
    every = (texts[-1:] if name == "unanswered" else texts for name, texts in form.lists())
    if sum(len(text) for texts in every for text in texts) > CHARACTERS_MAX:
        raise TooLong

    def write(draft: Draft) -> str:
        try:
            stored = place.find(draft)
        except Changed:
            raise Clash(None) from None
        new = written(stored, place.fields(stored), form)
        if new != stored and not _seen(stored, place, form):
            raise Clash(dict(stored))
        place.put(draft, new)
        return place.changed(new)

    return drafts.change(survey, user, write, visit=str(form.get("visit", ""))[:32])


def _seen(stored: Part, place: Place, form: QueryDict) -> bool:
    """Whether what stands there is what the form was made from, what it was asked to replace, or what an earlier
    sending of the same form wrote, to which the browser got no answer."""
    if mark(stored) in form.getlist("mark"):
        return True
    earlier = (QueryDict(text) for text in form.getlist("unanswered"))
    return any(written(stored, place.fields(stored), each) == stored for each in earlier)


def rename(draft: Draft, key: str, wished: str) -> str:
    """Give a question another key, also in its section, in its form and where others depend on it or
    are versions of it. ValueError where
    it is none, KeyError where it is taken."""
    if not is_key(wished):
        raise ValueError(wished)
    if wished in keys(draft):
        raise KeyError(wished)
    held = outline.question_of(draft, key)
    for rule in options.rules_about(draft, key):
        rule["question"] = wished
    held["key"] = wished
    forms.follow(draft, key, wished)
    arms.follow(draft, key, wished)
    for each in draft.get("sections", []):
        each["questions"] = [wished if name == key else name for name in each["questions"]]
    return _("Changed the key “%(key)s” to “%(other)s”.") % {"key": key, "other": wished}
