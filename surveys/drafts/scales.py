"""Scales that ask for the shares of their steps, or for their mean alone (M43), with the options as steps."""

from typing import Literal, cast

from ldp.forms.definition import arms_of
from ldp.mechanisms import FITTING
from surveys.drafts.kinds import fields_of, is_scale
from surveys.drafts.options import depending
from surveys.rules.draft import Draft, Question
from surveys.rules.unchecked import Unchecked
from surveys.survey.definition import arms
from surveys.survey.kinds import lines

Wanted = Literal["shares", "mean"]
# Reasons against asking a scale for its mean alone: its answers decide whether another question is asked, it has a
# known right answer, or its versions are compared.
Hindrance = Literal["decides", "right", "versions"]


def wanted(question: Unchecked) -> Wanted:
    return "mean" if "steps" in question else "shares"


def convert(question: Unchecked, what: Wanted) -> Question:
    """Return the scale in the wanted form. A mean allows no "prefer not to say", because every answer is a number."""
    steps = lines(question)
    own: Unchecked = {"kind": "mean", "steps": steps} if what == "mean" else {"kind": "ordered", "options": steps}
    known = {field.name for field in fields_of(own)} | {"key", "asked_if", arms.FIELD}
    kept = {name: value for name, value in question.items() if name in known}
    if kept.get("mechanism") not in FITTING[str(own["kind"])]:
        kept.pop("mechanism", None)
    return cast(Question, {**kept, **own})


def hindrance(draft: Draft, question: Question) -> Hindrance | None:
    if not is_scale(question) or wanted(question) == "mean":
        return None
    if depending(draft, question["key"]):
        return "decides"
    if "right" in question:
        return "right"
    return "versions" if len(arms_of(draft["questions"], question["key"])) > 1 else None
