"""Merging of neighbouring options, so that a question needs fewer people."""

from collections.abc import Sequence

from ldp.forms.definition import arms_of
from surveys.drafts.options import depending, follow
from surveys.rules.draft import Draft, Question, rewrite
from surveys.rules.unchecked import Unchecked

BETWEEN = " / "
# Fields whose values end one bin or span and begin the next.
_BOUNDS = ("edges", "dates")


def may_merge(draft: Draft, question: Question) -> bool:
    """Return whether nothing refers to the options: no condition, right or exclusive answer, picture, version, or
    “prefer not to say”."""
    held = {"right", "exclusive", "pictures"} & question.keys() or question.get("prefer_not_to_say") is True
    return not (held or depending(draft, question["key"]) or len(arms_of(draft["questions"], question["key"])) > 1)


def merge(draft: Draft, question: Question) -> None:
    """Merge the first option with the second, the third with the fourth and so on, in place."""
    before: Unchecked = dict(question)
    rewrite(question, {**question, **_merged(question)})
    question.pop("size", None)
    if "options" in question:
        follow(draft, before, question)


def _merged(question: Unchecked) -> dict[str, list[object]]:
    for name in _BOUNDS:
        if isinstance(bounds := question.get(name), list):
            return {name: [*bounds[:-1:2], bounds[-1]]}
    options = question.get("options")
    return {"options": [*_pairs(options)]} if isinstance(options, list) else {}


def _pairs(options: Sequence[object]) -> list[object]:
    return [BETWEEN.join(map(str, options[place : place + 2])) for place in range(0, len(options), 2)]
