"""The kinds of question as a designer meets them: the fields of the form of each, and how one begins."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from ldp.mechanisms import FITTING, WITH_DELTA
from surveys.drafts.fields import Field
from surveys.rules.unchecked import Question
from surveys.survey.definition import arms
from surveys.survey.definition.pictures import PICTURED
from surveys.survey.kinds import KINDS as DEFINED
from surveys.survey.kinds import Kind as KindOfQuestion
from surveys.survey.kinds import date, entered, fields, lines, mean
from surveys.survey.kinds.fields import Own


class Kind(NamedTuple):
    name: Promise
    purpose: Promise
    own: tuple[Field, ...] = ()
    begins: Mapping[str, Any] = {}
    may_refuse: bool = True


TEXT = Field("text", _("Question"), widget="area", needed=True)
NOTE = Field(
    "note", _("Note"), _("Stands below the question, smaller. May stay empty."), widget="area", rows=1, marked=True
)
REFUSING = Field(
    "prefer_not_to_say", _("People may prefer not to say"), _("One more answer, randomized like any other."), "flag"
)
ALPHA = Field(
    "alpha",
    _("Alpha"),
    _(
        "How much a report may tell about this answer: a smaller number protects people more, a larger one makes the "
        "result more precise. The page “Privacy” shows both, and proposes one."
    ),
    entered="alpha",
)
MECHANISM = Field("mechanism", _("Mechanism"), widget="choice", expert=True)
DELTA = Field(
    "delta", _("Delta"), _("For the mechanisms that need one, such as 0.000001."), expert=True, entered="alpha"
)


def _field(own: Own) -> Field:
    return Field(**{name: value for name, value in own._asdict().items() if name in Field._fields})


OPTIONS, SCALE, STEPS, DATES = map(_field, (fields.OPTIONS, fields.SCALE, mean.STEPS, date.DATES))
RIGHT = Field(
    "right",
    _("Everybody should answer"),
    _(
        "For a question whose right answer everybody knows, such as “Please choose often”. Results can then be "
        "corrected for those who do not pay attention."
    ),
    "right",
    needed=True,
)

PICTURE = Field(
    "picture",
    _("Picture"),
    _(
        "Stands below the question. It is made smaller, and nothing of its file is kept but what is seen. It must not "
        "suggest an answer."
    ),
    "picture",
)
PICTURES = Field(
    "pictures", _("Pictures of the options"), _("An option’s words say what its picture shows."), "pictures"
)

ASKED_IF = Field("asked_if", _("Asked only if"), widget="condition", needed=True)
FILLER = Field("filler", _("Whoever is not asked counts as"), widget="filler", needed=True)
FILLERS = {"": FILLER} | {each: Field("filler", FILLER.label, entered=each) for each in ("number", "date")}
ROUTING = (ASKED_IF.name, FILLER.name)
# Of all kinds, those that several have once.
OWN = {own.name: own for kind in DEFINED.values() for own in (*kind.form, *kind.more_form)}
FIELDS = (
    *(TEXT, NOTE, REFUSING, ALPHA, MECHANISM, DELTA, *map(_field, OWN.values())),
    *(ASKED_IF, FILLER, RIGHT, PICTURE, PICTURES),
)


def _kind(defined: KindOfQuestion) -> Kind:
    own = tuple(map(_field, defined.form))
    return Kind(defined.name, defined.purpose, own, defined.begins, may_refuse=not defined.no_refusing)


# Those that ask for a number come last.
KINDS: dict[str, Kind] = {
    name: _kind(defined) for name, defined in sorted(DEFINED.items(), key=lambda each: "unit" in each[1].fields)
}


# A mean that is asked for by the steps of a scale (scales.py).
MEAN_OF_SCALE = Kind(_("Step of a scale, as a mean"), KINDS["mean"].purpose, (STEPS,), {"steps": []}, may_refuse=False)


def kind_of(question: Mapping[str, Any]) -> Kind | None:
    name = question.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        return None
    return MEAN_OF_SCALE if DEFINED[name].more & question.keys() else KINDS[name]


def name_of(question: Mapping[str, Any]) -> Promise | str:
    """A kind's name; what stands there where it is none."""
    kind = kind_of(question)
    return kind.name if kind else _("No kind")


def is_scale(question: Mapping[str, Any]) -> bool:
    kind = kind_of(question)
    return kind is not None and bool({SCALE, STEPS} & set(kind.own))


def fields_of(question: Question) -> list[Field]:
    """The fields of a question's form, in their order. Those for experts come last."""
    name, kind = question.get("kind"), kind_of(question)
    own = kind.own if kind else ()
    refusing = [REFUSING] if kind is None or kind.may_refuse or "prefer_not_to_say" in question else []
    mechanism = [MECHANISM] if kind and (len(FITTING[str(name)]) > 1 or "mechanism" in question) else []
    delta = [DELTA] if kind and ("delta" in question or set(WITH_DELTA) & set(FITTING[str(name)])) else []
    everyday = [field for field in own if not field.expert]
    experts = [field for field in own if field.expert]
    filler = FILLERS[entered(question)]
    routing = [ASKED_IF, filler] if set(ROUTING) & question.keys() else []
    right = [RIGHT] if kind and RIGHT.name in DEFINED[str(name)].optional | question.keys() else []
    shown = [PICTURE, *([PICTURES] if name in PICTURED else [])]
    return [TEXT, *everyday, *refusing, NOTE, *shown, *routing, *right, ALPHA, *mechanism, *delta, *experts]


def blank(kind: str) -> Question:
    """A new question, without a key and an alpha yet."""
    return {"kind": kind, "text": ""} | deepcopy(dict(KINDS[kind].begins))


def changed(question: Question, kind: str) -> Question:
    """The question as one of another kind: what that one knows stays, what it does not know goes."""
    known = {field.name for field in fields_of({"kind": kind})} | {"key", "asked_if", arms.FIELD}
    known_lines = {each.listed: lines(question) for each in DEFINED.values()} if lines(question) else {}
    kept = {name: value for name, value in (question | known_lines).items() if name in known}
    if kept.get("mechanism") not in FITTING[kind]:
        kept.pop("mechanism", None)
        kept.pop("delta", None)
    return blank(kind) | kept | {"kind": kind}


def title(question: Question) -> str:
    """What a question is called where it is spoken of."""
    text = question.get("text")
    words = text.strip() if isinstance(text, str) else ""
    return Truncator(words).chars(60) or str(name_of(question))
