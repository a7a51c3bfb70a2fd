"""The kinds of question for designers: the fields of their forms, and new questions."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, cast

from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from ldp.mechanisms import FITTING, WITH_DELTA
from surveys.rules.draft import Question
from surveys.rules.unchecked import Unchecked, words_of
from surveys.survey.definition import arms
from surveys.survey.definition.fields import QUESTION
from surveys.survey.definition.pictures import PICTURED
from surveys.survey.kinds import KINDS as DEFINED
from surveys.survey.kinds import Kind, lines
from surveys.survey.kinds.fields import OPTIONS, SCALE, Field
from surveys.survey.kinds.mean import STEPS, Mean

# Kinds about numbers come last.
KINDS: dict[str, Kind] = dict(sorted(DEFINED.items(), key=lambda each: "unit" in each[1].fields))


class _MeanOfScale(Mean):
    """A mean on the steps of a scale (scales.py)."""

    name: Promise = _("Rating scale, mean only")
    typed_fields = Mean.special_fields
    begins: Mapping[str, Any] = {"steps": []}


MEAN_OF_SCALE: Kind = _MeanOfScale()


def kind_of(question: Unchecked) -> Kind | None:
    name = question.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        return None
    return MEAN_OF_SCALE if DEFINED[name].more & question.keys() else KINDS[name]


def name_of(question: Unchecked) -> Promise | str:
    """Return a kind's name, or "No kind" for an unknown kind."""
    kind = kind_of(question)
    return kind.name if kind else _("No kind")


def is_scale(question: Unchecked) -> bool:
    kind = kind_of(question)
    return kind is not None and bool({SCALE, STEPS} & set(kind.typed_fields))


def takes_scale(question: Mapping[str, Any]) -> bool:
    """Return whether a usual scale fits: the question has lines in an order."""
    kind = kind_of(dict(question))
    listed = {field.name for field in kind.typed_fields} if kind else set()
    return kind is not None and kind.has_order and bool({OPTIONS.name, STEPS.name} & listed)


def fields_of(question: Unchecked) -> list[Field]:
    """Return the fields of a question's form, those for experts last."""
    name, kind = question.get("kind"), kind_of(question)
    own = kind.typed_fields if kind else ()
    refusing = ["prefer_not_to_say"] if not (kind and kind.no_refusing) or "prefer_not_to_say" in question else []
    mechanism = ["mechanism"] if kind and (len(FITTING[str(name)]) > 1 or "mechanism" in question) else []
    listed = {field.name for field in own}
    size = ["size"] if kind and "size" in {*DEFINED[str(name)].optional, *question} - listed else []
    delta = ["delta"] if kind and ("delta" in question or set(WITH_DELTA) & set(FITTING[str(name)])) else []
    routing = [QUESTION["asked_if"]] if "asked_if" in question else []
    right = ["right"] if kind and "right" in DEFINED[str(name)].optional | question.keys() else []
    pictures = ["picture", *(["pictures"] if name in PICTURED else [])]
    return [
        *(QUESTION["text"], *(field for field in own if not field.expert)),
        *(QUESTION[each] for each in (*refusing, "note", *pictures)),
        *routing,
        *(QUESTION[each] for each in (*right, "alpha", *mechanism, *size, *delta)),
        *(field for field in own if field.expert),
    ]


def blank(kind: str) -> Question:
    """Return a new question without key and alpha."""
    return cast(Question, {"kind": kind, "text": ""} | deepcopy(dict(KINDS[kind].begins)))


def changed(question: Unchecked, kind: str) -> Question:
    """Return the question with another kind. Fields that the new kind has stay, others go."""
    known = {field.name for field in fields_of({"kind": kind})} | {"key", "asked_if", arms.FIELD}
    known_lines = {each.listed: lines(question) for each in DEFINED.values()} if lines(question) else {}
    kept = {name: value for name, value in {**question, **known_lines}.items() if name in known}
    if kept.get("mechanism") not in FITTING[kind]:
        for field in ("mechanism", "size", "delta"):
            kept.pop(field, None)
    return cast(Question, {**blank(kind), **kept, "kind": kind})


def title(question: Unchecked) -> str:
    """Return a question's name in sentences."""
    return Truncator(words_of(question.get("text"))).chars(60) or str(name_of(question))
