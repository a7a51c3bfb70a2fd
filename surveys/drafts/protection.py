"""A draft's protection that its designer leaves to the planner: {"alpha": "2", "important": [keys]}, the alpha of a
whole report and the questions that matter most.

While a draft has it, its alphas and forms follow its questions and the expected number of people at every change
(proposals.follow). A designer who sets one of them by hand takes it away. What follows belongs to no change, so an undo
plans anew.
"""

from collections.abc import Collection
from fractions import Fraction
from typing import Any

from ldp.planning.design import Design
from surveys.drafts import assignment, forms
from surveys.rules.draft import Draft, Question, rewrite
from surveys.rules.draft import without as settings_without
from surveys.rules.texts import decimal
from surveys.rules.unchecked import as_list, as_object
from surveys.survey.definition.protection import ALPHA, FIELD, IMPORTANT


def total(draft: Draft) -> Fraction | None:
    """Return the alpha that is left to the planner; None where a designer sets it, or it is none."""
    return forms.parsed(as_object(draft.get(FIELD)).get(ALPHA)) if FIELD in draft else None


def important(draft: Draft) -> list[str]:
    """Return the keys of the questions that matter most, as far as they are there."""
    named = as_list(as_object(draft.get(FIELD)).get(IMPORTANT))
    return [question["key"] for question in draft["questions"] if question["key"] in named]


def leave(draft: Draft, alpha: Fraction, keys: Collection[str] = ()) -> None:
    """Leave the protection to the planner, in place."""
    matter = [question["key"] for question in draft["questions"] if question["key"] in keys]
    draft[FIELD] = {ALPHA: decimal(alpha)} | ({IMPORTANT: matter} if matter else {})


def take_over(draft: Draft) -> None:
    """Take the protection from the planner, in place: the present design stays until a designer changes it."""
    draft.pop(FIELD, None)


def rename(draft: Draft, key: str, other: str) -> None:
    """Let a question matter as much under another key."""
    held: Any = as_object(draft.get(FIELD))
    if key in as_list(held.get(IMPORTANT)):
        held[IMPORTANT] = [other if each == key else each for each in held[IMPORTANT]]


def without(draft: Draft) -> Draft:
    """Return the draft, in place, without what follows; unchanged where a designer sets it."""
    if total(draft) is not None:
        assignment.assign(draft, Design(everybody=()))
        for question in draft["questions"]:
            rewrite(question, left_to_designer(question))
    return draft


def left_to_designer(part: Question) -> Question:
    """Return a question without the settings that the planner sets: the alpha, and without a named mechanism its
    sizes."""
    return settings_without(part, ("alpha",) if part.get("mechanism") else ("alpha", "size", "sample"))
