"""Attention questions. `right` is the position of the answer that everyone should give, such as “please choose often”
(M42). People who are not asked have made-up answers, so a form asks everyone its attention questions. The page has the
same rules (shape.js)."""

from django.utils.translation import gettext_noop as _

from surveys.rules.refusals import Refusals, broken
from surveys.rules.shapes import must
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.kinds import KINDS

FIELD = "right"


def fields(question: Unchecked) -> set[str]:
    """Return the field's name if the question has it and its kind allows it."""
    return {FIELD} & question.keys() & KINDS[question["kind"]].optional


def answers(question: Unchecked) -> int:
    """Return how many answers can be the right one: all except “Prefer not to say”."""
    return len(question["options"]) - (question["prefer_not_to_say"] is True)


def build(draft: Unchecked, own: Built | None, where: str, refusals: Refusals) -> Built:
    """Return the field of the definition. `own` has the question's options, None if they are refused."""
    if FIELD not in draft:
        return {}
    right = draft[FIELD]
    if "asked_if" in draft:
        rule = _("must not be given where only some people are asked, since the others' answers are made up")
        refusals.refused.append(broken(f"{where}.{FIELD}", "right_for_some", rule))
    elif own is not None and "options" in own:
        most = answers(own | {"prefer_not_to_say": draft.get("prefer_not_to_say", False)}) - 1
        if type(right) is not int or not 0 <= right <= most:
            rule = _("must be the position of one of the options, from 0 to %(last)s")
            refusals.refused.append(broken(f"{where}.{FIELD}", "right_answer", rule, last=most))
    return {FIELD: right}


def check(question: Unchecked) -> None:
    """Raise Misshapen if a page must not ask with this field."""
    if FIELD in question:
        must(type(question[FIELD]) is int and 0 <= question[FIELD] < answers(question) and "asked_if" not in question)
