"""Convert a draft's question to a definition's: the fields of every kind, the fields of its kind, its randomization,
and its condition."""

from typing import cast

from django.utils.translation import gettext_noop as _

from ldp.question import Drawn, Question
from surveys.rules.limits import CATEGORIES_MAX, TEXT_MAX
from surveys.rules.refusals import DraftRefused, Refusals, broken, flag, known_fields, refuse, text
from surveys.rules.texts import PREFER_NOT_TO_SAY
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.definition import anchors, arms, randomization, routing
from surveys.survey.definition.question_fields import OF_ANY_KIND
from surveys.survey.definition.shape import KEY
from surveys.survey.kinds import KINDS

REQUIRED = {"key", "kind", "text", "alpha"}


def build(draft: object, where: str) -> Drawn:
    """Return a question with the draw that randomizes it alone. Raise DraftRefused; fields begin with `where`."""
    return cast(Drawn, _build(draft, where, drawn=False))


def build_content(draft: object, where: str) -> Question:
    """Return a question that draws name, without randomization. Raise DraftRefused as `build` does."""
    return cast(Question, _build(draft, where, drawn=True))


def _build(draft: object, where: str, drawn: bool) -> Built:
    if not isinstance(draft, dict):
        raise refuse(where, "not_an_object", _("must be an object"))
    refusals, name = Refusals(), draft.get("kind")
    required = REQUIRED - {"alpha"} if drawn else REQUIRED
    if "kind" in draft and (not isinstance(name, str) or name not in KINDS):
        raise refuse(f"{where}.kind", "unknown_kind", _("must be one of %(known)s"), known=", ".join(KINDS))
    if name is None:  # the kind decides which fields there are
        refusals.attempt(known_fields, draft, where, required, set(map(str, draft)))
        _shared(draft, where, refusals)
        raise DraftRefused(*refusals.refused)
    kind = KINDS[name]
    refusals.attempt(
        known_fields, draft, where, required | kind.required, {*OF_ANY_KIND} | kind.required | kind.optional
    )
    shared = _shared(draft, where, refusals)
    own = refusals.attempt(kind.build, draft, where) if kind.required <= draft.keys() else None
    if own and "options" in own and draft.get("prefer_not_to_say") is True:
        own["options"] = [*own["options"], PREFER_NOT_TO_SAY]
    if own and len(own.get("options", ())) > CATEGORIES_MAX:
        rule = _("must have at most %(most)s options or bins")
        refusals.refused.append(broken(where, "category_count", rule, most=CATEGORIES_MAX))
    if drawn:
        refusals.attempt(_check_drawn, draft, where)
    randomized = {} if drawn else randomization.build(draft, own, where, refusals)
    routed = routing.build(draft, where, refusals)
    version = refusals.attempt(arms.build, draft, where) or {}
    anchor = anchors.build(draft, own, where, refusals)
    refusals.check()
    return shared | (own or {}) | randomized | routed | version | anchor


def _check_drawn(draft: Unchecked, where: str) -> None:
    rule = _("must be left out: the draws that name the question say how it is randomized")
    refusals = [broken(f"{where}.{field}", "drawn_own", rule) for field in randomization.OWN if field in draft]
    if refusals:
        raise DraftRefused(*refusals)


def _shared(draft: Unchecked, where: str, refusals: Refusals) -> Built:
    """Return the fields of every kind of question."""
    if "key" in draft:
        refusals.attempt(_is_key, draft["key"], f"{where}.key")
    its_text = refusals.attempt(text, draft["text"], f"{where}.text", TEXT_MAX) if "text" in draft else None
    return {
        "key": draft.get("key"),
        "kind": draft.get("kind"),
        "text": its_text,
        "note": refusals.attempt(text, draft.get("note", ""), f"{where}.note", TEXT_MAX, empty=True),
        "prefer_not_to_say": refusals.attempt(_refusing, draft, where),
    }


def _is_key(key: object, where: str) -> None:
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise refuse(where, "key_format", _("must be 1 to 40 of a-z, 0-9 and _, beginning with a letter"))


def _refusing(draft: Unchecked, where: str) -> bool:
    refusing = flag(draft.get("prefer_not_to_say", False), f"{where}.prefer_not_to_say")
    rule = KINDS[draft["kind"]].no_refusing if draft.get("kind") else ""
    if refusing and rule:
        raise refuse(f"{where}.prefer_not_to_say", "no_refusing", rule)
    return refusing
