"""Names one after the other in a sentence, each in the quotation marks of the language that is active."""

from collections.abc import Sequence

from django.utils.translation import gettext as _


def quoted(name: str) -> str:
    return _("“%(answer)s”") % {"answer": name}


def with_commas(names: Sequence[str]) -> str:
    return _(", ").join(map(quoted, names))


def all_of(names: Sequence[str]) -> str:
    """“a”, “b” and “c”, of one name or more."""
    return conjunction([quoted(name) for name in names])


def conjunction(names: Sequence[str]) -> str:
    """Return the names as they are, with “and” before the last one."""
    *others, last = names
    return _("%(others)s and %(last)s") % {"others": _(", ").join(others), "last": last} if others else last


def disjunction(names: Sequence[str]) -> str:
    """Return the names as they are, with “or” before the last one."""
    *first, last = names
    return _("%(first)s or %(last)s") % {"first": _(", ").join(first), "last": last} if first else last
