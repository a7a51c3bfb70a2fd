"""Arms: versions of a question with other words, other texts of options or another alpha.

`arm_of` names the question that this is a version of. Each version is in a form of its own, so the lot decides which
one a person is asked. The versions' samples of the same people are independent (M42b). A page checks no more than this
(lot.js, shape.js). Drafts also check whether the versions' numbers can be compared.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import comb
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_noop as _

from ldp.forms.definition import arms_of
from surveys.rules.codes import Code
from surveys.rules.refusals import DraftRefused, refuse
from surveys.rules.refusals import broken as refusal
from surveys.rules.shapes import must
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey import kinds
from surveys.survey.definition.routing import placed

FIELD: Final = "arm_of"
# Lists that need equal lengths, and fields that must be equal, because numbers are compared by position.
COUNTED = tuple(kinds.LISTS)
EQUAL = ("kind", "prefer_not_to_say", "limits", *(kinds.FIELDS - kinds.LISTS.keys()))
# A results page computes a comparison in about ten milliseconds.
COMPARED_MAX = 100
# The rules that a page checks, too.
OF_PAGE: tuple[Code, ...] = ("arm_key", "arm_chain", "arm_form")

Questions = Sequence[Mapping[str, Any]]
Forms = Sequence[Collection[str]]  # the keys of each form's questions


class BrokenArm(NamedTuple):
    """A rule that a question breaks, with the question's index and the field's path in it."""

    place: int
    field: str
    code: Code
    rule: str
    values: Mapping[str, object] = MappingProxyType({})


def fields(question: Unchecked) -> set[str]:
    return {FIELD} & question.keys()


def build(draft: Unchecked, where: str) -> Built:
    """Return the field of the definition; {} if the draft has none."""
    if FIELD not in draft:
        return {}
    if not isinstance(draft[FIELD], str):
        raise refuse(f"{where}.{FIELD}", "arm_key", _("must be the key of another question"))
    return {FIELD: draft[FIELD]}


def check_draft(questions: Questions, forms: Forms) -> None:
    """Raise DraftRefused with every rule that the built questions break together."""
    broken = _broken(questions, forms)
    refused = [refusal(f"questions[{one.place}].{one.field}", one.code, one.rule, **one.values) for one in broken]
    if refused:
        raise DraftRefused(*refused)


def check(data: Unchecked) -> None:
    """Raise Misshapen if versions of a definition with well-formed questions and forms may meet in one report."""
    forms = [[key for draw in form["draws"] for key in draw["questions"]] for form in data.get("forms", ())]
    must(not any(one.code in OF_PAGE for one in _broken(data["questions"], forms)))


def _broken(questions: Questions, forms: Forms) -> Iterator[BrokenArm]:
    by_key = {question["key"]: question for question in questions}
    for place, question in enumerate(questions):
        if FIELD in question:
            for code, rule in _of_arm(question, by_key, forms):
                yield BrokenArm(place, FIELD, code, rule)
        for name, deciding in placed(question):
            if deciding["question"] in by_key and arms_of(questions, deciding["question"]):
                rule = _("must be a question that is asked in one version only")
                yield BrokenArm(place, f"{name}.question", "arm_decides", rule)
    if _compared(questions) > COMPARED_MAX:
        last = max(place for place, question in enumerate(questions) if FIELD in question)
        rule = _("must be left out: all versions together have more than %(most)s numbers to compare")
        yield BrokenArm(last, FIELD, "arm_cost", rule, {"most": COMPARED_MAX})


def _compared(questions: Questions) -> int:
    """Return how many numbers results compare: each answer of each item, for every two versions of a question."""
    counts = {question["key"]: len(arms_of(questions, question["key"])) for question in questions}
    return sum(
        comb(counts[first["key"]], 2) * len(first.get("options", ("",))) * len(first.get("items", ("",)))
        for first in questions
        if FIELD not in first and counts[first["key"]]
    )


def _of_arm(
    arm: Mapping[str, Any], by_key: Mapping[str, Mapping[str, Any]], forms: Forms
) -> Iterator[tuple[Code, str]]:
    first = by_key.get(arm[FIELD])
    if first is None or first is arm:
        yield "arm_key", _("must be the key of another question")
        return
    if FIELD in first:
        yield "arm_chain", _("must be the key of a question that is not itself a version of another")
        return
    if _shape(arm) != _shape(first):
        yield (
            "arm_parts",
            _("must be the key of a question of the same kind, with as many answers and the same numbers"),
        )
    if arm.get("asked_if") != first.get("asked_if"):
        yield "arm_condition", _("must be the key of a question that is asked of the same people")
    if not _apart(arms_of(list(by_key.values()), first["key"]), arm["key"], forms):
        yield "arm_form", _("must be the key of a question in another form than this one and its other versions")


def _shape(question: Mapping[str, Any]) -> tuple[Any, ...]:
    return *(question.get(name) for name in EQUAL), *(len(question.get(name, ())) for name in COUNTED)


def _apart(arms: Sequence[str], key: str, forms: Forms) -> bool:
    """Return whether every arm is in a form, and no form with the arm `key` has another arm."""
    versions = [{arm for arm in keys if arm in arms} for keys in forms]
    return set().union(*versions) == set(arms) and all(each == {key} for each in versions if key in each)
