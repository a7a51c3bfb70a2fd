"""Lists of names in a sentence, each in the active language's quotation marks."""

from collections.abc import Sequence

from django.utils.translation import gettext as _


def quoted(name: str) -> str:
    return _("“%(answer)s”") % {"answer": name}


def with_commas(names: Sequence[str]) -> str:
    return _(", ").join(map(quoted, names))


def all_of(names: Sequence[str]) -> str:
    """Return the names, at least one, as “a”, “b” and “c”."""
    return conjunction([quoted(name) for name in names])


def conjunction(names: Sequence[str]) -> str:
    """Return the names without quotation marks, with “and” before the last one."""
    *others, last = names
    return _("%(others)s and %(last)s") % {"others": _(", ").join(others), "last": last} if others else last


def disjunction(names: Sequence[str]) -> str:
    """Return the names without quotation marks, with “or” before the last one."""
    *first, last = names
    return _("%(first)s or %(last)s") % {"first": _(", ").join(first), "last": last} if first else last
