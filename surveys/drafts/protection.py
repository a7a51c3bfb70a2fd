"""Protection that a designer leaves to the planner: {"alpha": "2", "important": [keys]}, the alpha of a report and the
important questions.

With this field, a draft's alphas and forms follow its questions and the expected number of people at every change
(proposals.follow). A designer who sets one by hand removes the field. Planned values belong to no change, so an undo
plans again.
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
    """Return the alpha that is left to the planner; None if a designer sets it or it is invalid."""
    return forms.parsed(as_object(draft.get(FIELD)).get(ALPHA)) if FIELD in draft else None


def important(draft: Draft) -> list[str]:
    """Return the keys of the important questions that exist."""
    named = as_list(as_object(draft.get(FIELD)).get(IMPORTANT))
    return [question["key"] for question in draft["questions"] if question["key"] in named]


def leave(draft: Draft, alpha: Fraction, keys: Collection[str] = ()) -> None:
    """Leave the protection to the planner, in place."""
    matter = [question["key"] for question in draft["questions"] if question["key"] in keys]
    draft[FIELD] = {ALPHA: decimal(alpha)} | ({IMPORTANT: matter} if matter else {})


def take_over(draft: Draft) -> None:
    """Take the protection from the planner, in place. The present design stays until a designer changes it."""
    draft.pop(FIELD, None)


def rename(draft: Draft, key: str, other: str) -> None:
    """Let an important question stay important under its new key."""
    held: Any = as_object(draft.get(FIELD))
    if key in as_list(held.get(IMPORTANT)):
        held[IMPORTANT] = [other if each == key else each for each in held[IMPORTANT]]


def without(draft: Draft) -> Draft:
    """Remove planned values from the draft, in place, and return it. A draft that a designer plans stays unchanged."""
    if total(draft) is not None:
        assignment.assign(draft, Design(everyone=()))
        for question in draft["questions"]:
            rewrite(question, left_to_designer(question))
    return draft


def left_to_designer(part: Question) -> Question:
    """Return a question without the planner's settings: the alpha, and without a named mechanism its size and
    sample."""
    return settings_without(part, ("alpha",) if part.get("mechanism") else ("alpha", "size", "sample"))
