"""Positions of options in a draft. Conditions and right answers name options by position. If options move, these
positions follow."""

from typing import cast

from ldp.question import Rule
from surveys.drafts.outline import deciding
from surveys.rules.draft import Draft, Question, rewrite, without
from surveys.rules.texts import PREFER_NOT_TO_SAY
from surveys.rules.unchecked import Unchecked, as_list
from surveys.survey import kinds
from surveys.survey.definition.routing import placed

# Fields that are a position.
PLACED = ("right", "exclusive")


def options_of(question: Unchecked) -> list[str]:
    """Return the options as a definition would have them."""
    kind = kinds.in_draft(question)
    options = [str(option) for option in (kind and kind.fixed) or as_list(kinds.lines(question))]
    return options + [PREFER_NOT_TO_SAY] * (question.get("prefer_not_to_say") is True)


def depending(draft: Draft, key: str) -> list[Question]:
    """Return the questions whose conditions name this one."""
    return [each for each in draft["questions"] if key in deciding(each)]


def rules_about(draft: Draft, key: str) -> list[Rule]:
    """Return the rules that name answers to this question, to be changed in place."""
    return [rule for each in draft["questions"] for _field, rule in placed(each) if rule["question"] == key]


def positions(value: object) -> list[int]:
    """Return the whole numbers of a list."""
    return [each for each in as_list(value) if type(each) is int]


def follow(draft: Draft, before: Unchecked, after: Question) -> None:
    """Let positions name the same options after a question's options have changed."""
    old, new = options_of(before), options_of(after)
    if old == new:
        return
    for rule in rules_about(draft, after["key"]):
        rule["options"] = carried(old, new, positions(rule.get("options")))
    for name in PLACED:
        if type(place := after.get(name)) is int:
            moved = _moved(old, new, place)
            rewrite(after, without(after, {name}) if moved is None else cast(Question, {**after, name: moved}))
    _follow_pictures(old, new, after)


def _follow_pictures(old: list[str], new: list[str], after: Question) -> None:
    """Move pictures with their options. Remove the pictures of removed options."""
    given, lines = after.get("pictures"), after.get("options")
    if not isinstance(given, list) or not isinstance(lines, list):
        return
    moved: list[object] = [None] * len(lines)
    for position, picture in enumerate(given):
        place = _moved(old, new, position)
        if place is not None and place < len(moved):
            moved[place] = picture
    if any(moved):
        after["pictures"] = moved
    else:
        del after["pictures"]


def carried(old: list[str], new: list[str], places: list[int]) -> list[int]:
    """Return the present places of these options, without removed ones."""
    return sorted({place for each in places if (place := _moved(old, new, each)) is not None})


def _moved(old: list[str], new: list[str], position: object) -> int | None:
    """Return the option's present place, found by its text. Return the same place if only texts changed, None if the
    option was removed. Equal texts, as can occur during typing, keep their order."""
    if type(position) is not int or not 0 <= position < len(old):
        return None
    text = old[position]
    places = [place for place, each in enumerate(new) if each == text]
    before = old[:position].count(text)
    if before < len(places):
        return places[before]
    return position if len(old) == len(new) else None
