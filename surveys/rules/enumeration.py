"""Names one after the other in a sentence, each in the quotation marks of the language that is active."""

from collections.abc import Sequence

from django.utils.translation import gettext as _


def quoted(name: str) -> str:
    return _("“%(answer)s”") % {"answer": name}


def with_commas(names: Sequence[str]) -> str:
    return _(", ").join(map(quoted, names))


def all_of(names: Sequence[str]) -> str:
    """“a”, “b” and “c”, of one name or more."""
    *others, last = names
    if not others:
        return quoted(last)
    return _("%(others)s and %(last)s") % {"others": with_commas(others), "last": quoted(last)}


def any_of(names: Sequence[str]) -> str:
    """“a”, “b” or “c”, of one name or more."""
    *first, last = names
    if not first:
        return quoted(last)
    return _("%(first)s or %(last)s") % {"first": with_commas(first), "last": quoted(last)}
