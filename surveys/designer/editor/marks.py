"""Marks show from which version of each field a form was made. So only a field that both users changed is a
conflict."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.http import QueryDict

from surveys.drafts import mark
from surveys.drafts.fields import Part, sent, text_of, written
from surveys.survey.kinds.fields import Field

Marks = Mapping[str, set[str]]


class Merge(NamedTuple):
    """`part` with the form's changes; `both`, the fields that both users changed, with the form's text in `part`;
    `theirs`, the fields that only others changed."""

    part: Part
    both: Sequence[Field]
    theirs: Sequence[Field]


def marks(fields: Sequence[Field], part: Part) -> str:
    """Return the marks of these fields, as a form carries them."""
    return " ".join(f"{each.name}={mark(text_of(each, part.get(each.name)))}" for each in fields)


def merge(stored: Part, fields: Sequence[Field], form: QueryDict) -> Merge:
    """Merge a form into the present part. A value that an earlier submission of this form stored is the user's, even if
    the response was lost."""
    seen = _read(form)
    earlier = [QueryDict(text) for text in form.getlist("unanswered")]
    both, theirs = list[Field](), list[Field]()
    for field in fields:
        text, now = sent(field, form), text_of(field, stored.get(field.name))
        known = mark(now) in seen[field.name] or any(sent(field, each) == now for each in earlier)
        if text == now or known or not _is_in(field, form):
            continue
        (theirs if mark(text) in seen[field.name] else both).append(field)
    part = written(stored, [field for field in fields if field not in theirs], form)
    return Merge(part, both, theirs)


def carried(given: str, theirs: Sequence[Field], form: QueryDict) -> str:
    """Return the marks for the form shown again. Fields that others changed keep the form's marks, because the form
    still shows the user's version."""
    seen, names = _read(form), {field.name for field in theirs}
    own = [each for each in given.split() if each.partition("=")[0] not in names]
    return " ".join([*own, *(f"{name}={one}" for name in sorted(names) for one in sorted(seen[name]))])


def _is_in(field: Field, form: QueryDict) -> bool:
    return field.name in form or field.widget == "flag"


def _read(form: QueryDict) -> defaultdict[str, set[str]]:
    seen = defaultdict[str, set[str]](set)
    for each in " ".join(form.getlist("mark")).split():
        name, _equals, one = each.partition("=")
        seen[name].add(one)
    return seen
