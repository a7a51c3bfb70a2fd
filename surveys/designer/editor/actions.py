"""Actions on a draft's order, by their names in the outline's form."""

from collections.abc import Callable
from copy import deepcopy
from typing import NamedTuple

from django.http import QueryDict
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from surveys.drafts import arms, forms, outline
from surveys.drafts.errors import Changed
from surveys.drafts.kinds import KINDS, blank, title
from surveys.drafts.ready import READY, insert
from surveys.rules.draft import Draft, DraftSection, without
from surveys.rules.enumeration import with_commas
from surveys.rules.limits import QUESTIONS_MAX
from surveys.rules.unchecked import words_of
from surveys.survey.definition.arms import FIELD


class Full(Exception):
    """The draft has as many questions as a survey may have."""


class ActionOutcome(NamedTuple):
    """The message of an action and the target to show: the question `key`, the `section`, or the list by default.
    `stays`: announce the message on the present page. `heading`: focus the target's heading."""

    message: str = ""
    key: str = ""
    section: int | None = None
    stays: bool = False
    heading: bool = False


Action = Callable[[Draft, str, QueryDict], ActionOutcome]


def _room(draft: Draft) -> None:
    if len(draft["questions"]) >= QUESTIONS_MAX:
        raise Full


def add(draft: Draft, kind: str, form: QueryDict) -> ActionOutcome:
    _room(draft)
    if kind in READY:
        at = outline.row_after(draft, form.get("after", ""))
        return ActionOutcome(_("Added a question: %(kind)s.") % {"kind": READY[kind].name}, insert(draft, kind, at))
    if kind not in KINDS:
        raise Changed
    key = outline.insert(draft, blank(kind), outline.row_after(draft, form.get("after", "")))
    return ActionOutcome(_("Added a question: %(kind)s.") % {"kind": KINDS[kind].name}, key)


def duplicate(draft: Draft, key: str, form: QueryDict) -> ActionOutcome:
    _room(draft)
    twin = without(deepcopy(outline.question_of(draft, key)), {FIELD})
    twin["key"] = ""
    text = _("Duplicated “%(title)s”.") % {"title": title(twin)}
    made = outline.insert(draft, twin, outline.row_after(draft, key))
    forms.accompany(draft, made, key)
    return ActionOutcome(text, made, heading=True)


def arm(draft: Draft, key: str, form: QueryDict) -> ActionOutcome:
    _room(draft)
    text = _("Added another version of “%(title)s”.") % {"title": title(outline.question_of(draft, key))}
    return ActionOutcome(text, arms.add(draft, key), heading=True)


def part(draft: Draft, key: str, form: QueryDict) -> ActionOutcome:
    arms.part(draft, key)
    text = _("“%(title)s” is now a separate question. Its form stays.")
    return ActionOutcome(text % {"title": title(outline.question_of(draft, key))}, key, heading=True)


def remove(draft: Draft, key: str, form: QueryDict) -> ActionOutcome:
    question, at = outline.remove(draft, key)
    following = [row.question["key"] for row in outline.rows(draft)[at:] if row.question]
    left = [each["key"] for each in draft["questions"]]
    text = _("Removed “%(title)s”.") % {"title": title(question)} + _depended(draft, key)
    return ActionOutcome(text, [*following, *left[-1:], ""][0], heading=True)


def _depended(draft: Draft, key: str) -> str:
    """Return the sentence that names the questions whose conditions used this removed question."""
    left = [title(each) for each in draft["questions"] if key in outline.deciding(each)]
    if not left:
        return ""
    return " " + _("Whether these are asked depended on it: %(titles)s.") % {"titles": with_commas(left)}


def _stepped(by: int) -> Action:
    def action(draft: Draft, key: str, form: QueryDict) -> ActionOutcome:
        outline.step(draft, key, by)
        return _now(draft, key)

    return action


def move(draft: Draft, key: str, form: QueryDict) -> ActionOutcome:
    outline.move(draft, key, form.get("before", ""))
    return _now(draft, key)


def _now(draft: Draft, key: str) -> ActionOutcome:
    order = [question["key"] for question in draft["questions"]]
    section = next((each for each in draft.get("sections", []) if key in each["questions"]), None)
    words = {"title": title(outline.question_of(draft, key)), "place": order.index(key) + 1, "all": len(order)}
    text = _("“%(title)s” is now question %(place)d of %(all)d.") % words
    if section and (named := words_of(section.get("title"))):
        text += " " + _("It is in “%(section)s”.") % {"section": Truncator(named).chars(60)}
    return ActionOutcome(text, key, stays=True)


# Sections -------------------------------------------------------------------------------------------------------------


def add_section(draft: Draft, before: str, form: QueryDict) -> ActionOutcome:
    if len(draft.get("sections", [])) >= QUESTIONS_MAX:
        raise Full
    return ActionOutcome(_("Added a section."), section=outline.begin_section(draft, before), heading=True)


def _stepped_section(by: int) -> Action:
    def action(draft: Draft, index: str, form: QueryDict) -> ActionOutcome:
        now = outline.step_section(draft, _index(index), by)
        section = draft["sections"][now]
        words = {"title": _called(section), "place": now + 1, "all": len(draft["sections"])}
        text = _("“%(title)s” is now section %(place)d of %(all)d.") % words
        return ActionOutcome(text, section=now, heading=True)

    return action


def remove_section(draft: Draft, index: str, form: QueryDict) -> ActionOutcome:
    section = outline.remove_section(draft, _index(index))
    text = _("Removed the section “%(title)s”; its questions stay.") % {"title": _called(section)}
    return ActionOutcome(text, heading=True)


def _called(section: DraftSection) -> str:
    return Truncator(words_of(section.get("title"))).chars(60) or _("Untitled section")


def _index(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Changed
    return int(text)


ACTIONS: dict[str, Action] = {
    "add": add,
    "duplicate": duplicate,
    "arm": arm,
    "part": part,
    "remove": remove,
    "up": _stepped(-1),
    "down": _stepped(1),
    "move": move,
    "add_section": add_section,
    "section_up": _stepped_section(-1),
    "section_down": _stepped_section(1),
    "remove_section": remove_section,
}
