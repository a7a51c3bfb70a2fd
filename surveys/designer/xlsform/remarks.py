"""Remarks for users on a form that became a draft, or the reverse. They are grouped by sentence and name the
questions."""

from typing import Any, NamedTuple

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

NAME_MAX, TEXT_MAX, SAID_MAX = 80, 600, 100


class RemarkGroup(TextChoices):
    """The kind of a remark; the values are stored in sessions, the labels are headings."""

    CHOOSE = "choose", _("For you to decide")
    LEFT_OUT = "left out", _("Left out")
    CHANGED = "changed", _("Changed")
    SAID = "said", _("Remarks of the program that read the form")


class Remark(NamedTuple):
    """A sentence with names from the form, none if it is about the whole form. `questions` maps names that became
    questions to their key and their mark at import. `done`: a user has ticked it off."""

    group: str
    text: str
    names: list[str]
    done: bool = False
    questions: dict[str, list[str]] = {}

    @property
    def topic(self) -> str:
        """Return the first of several sentences, which is the topic."""
        first, point, _rest = self.text.partition(". ")
        return f"{first}." if point and self.group != RemarkGroup.SAID.value else ""

    @property
    def rest(self) -> str:
        return self.text.removeprefix(self.topic).strip()


class Remarks:
    """Remarks in order of appearance."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], list[str]] = {}

    def add(self, group: RemarkGroup, text: Any, *names: str) -> None:
        known = self._names.setdefault((group.value, _cut(str(text), TEXT_MAX)), [])
        known += [name for name in (_cut(name, NAME_MAX) for name in names) if name not in known]

    def __iter__(self) -> Any:
        order = [group.value for group in RemarkGroup]
        listed = [Remark(group, text, names) for (group, text), names in self._names.items()]
        return iter(sorted(listed, key=lambda remark: order.index(remark.group)))


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
