"""The forms of a survey: parts of the questionnaire of which each browser draws one (M35), each with its questions
randomized one by one, or together under one alpha (M34b).

A draft names the keys of a form's questions and its weight; with an alpha its questions are randomized together, and
have none of their own. A definition without forms has none of this, and the bytes that it always had. ldp.forms has the
rules of what is frozen; the page has the same (lot.js).
"""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, cast

from django.utils.translation import gettext_noop as _

from ldp.forms import definition as definitions
from ldp.forms import schema
from ldp.forms.lot import WEIGHT_MAX
from ldp.mechanisms import MARGINAL, joint
from ldp.question import Question
from surveys.rules.limits import QUESTIONS_MAX
from surveys.rules.refusals import DraftRefused, Refusals, RuleBreach, as_text, broken, known_fields, refuse
from surveys.rules.shapes import exactly, must
from surveys.rules.texts import decimal
from surveys.rules.unchecked import Built, Unchecked, as_list, as_object
from surveys.survey.definition import randomization
from surveys.survey.definition.routing import placed

# How a question is randomized: fields that one of a joint form has not.
OWN = ("alpha", "mechanism", "delta")
# A tally counts every combination of answers of every joint form.
COUNTS_MAX = 4 * joint.TUPLES_MAX


# Of a draft -----------------------------------------------------------------------------------------------------------


def joint_keys(drafts: object) -> set[str]:
    """The keys of questions that a draft's forms randomize together, whatever else is wrong with these."""
    joint = [each for each in map(as_object, as_list(drafts)) if is_joint(each) and _are_keys(each)]
    return {key for form in joint for key in form["questions"]}


def is_joint(form: Mapping[str, Any]) -> bool:
    return "alpha" in form


def _are_keys(form: Unchecked) -> bool:
    keys = form.get("questions")
    return isinstance(keys, list) and all(isinstance(key, str) for key in keys)


def build(drafts: object, questions: list[Any], built: Mapping[int, Question]) -> list[Built]:
    """The definition's forms. `built` are the questions of the drafts that are not refused, by their places."""
    if not isinstance(drafts, list) or len(drafts) == 1 or len(drafts) > QUESTIONS_MAX:
        raise refuse("forms", "form_count", _("must be a list of 2 to %(most)s forms, or empty"), most=QUESTIONS_MAX)
    keys = [draft["key"] for draft in questions if isinstance(draft, dict) and isinstance(draft.get("key"), str)]
    refusals = Refusals()
    named = [refusals.attempt(_named, each, f"forms[{k}]", keys) for k, each in enumerate(drafts)]
    refusals.check()
    forms = [each for each in named if each is not None]
    refusals.attempt(_no_overlap, forms)
    refusals.attempt(_conditions, forms, questions)
    refusals.check()
    return _randomized(forms, list(built.values())) if len(built) == len(questions) else forms


def _named(draft: object, where: str, keys: list[str]) -> Built:
    """The form with its alpha, if it has one, and as yet without its table."""
    if not isinstance(draft, dict):
        raise refuse(where, "not_an_object", _("must be an object"))
    refusals = Refusals()
    refusals.attempt(known_fields, draft, where, {"questions"}, {"questions", "weight", "alpha"})
    weight = refusals.attempt(_weight, draft.get("weight", 1), f"{where}.weight")
    own = refusals.attempt(_keys, draft, keys, f"{where}.questions") if "questions" in draft else None
    form: Built = {"weight": weight, "questions": own}
    if is_joint(draft):
        given = as_text(draft["alpha"])
        if refusals.attempt(randomization.parsed_alpha, given, f"{where}.alpha") is not None:
            form["alpha"] = decimal(Decimal(str(given)))
    refusals.check()
    return form


def _weight(weight: object, where: str) -> int:
    if type(weight) is not int or not 1 <= weight <= WEIGHT_MAX:
        raise refuse(where, "form_weight", _("must be a whole number from 1 to %(most)s"), most=WEIGHT_MAX)
    return weight


def _keys(draft: Unchecked, keys: list[str], where: str) -> list[str]:
    """The form's keys in the order of the survey's questions."""
    own = draft["questions"]
    if not own or not _are_keys(draft):
        raise refuse(where, "empty_form", _("must be a list with the key of at least one question"))
    if not set(own) <= set(keys):
        raise refuse(where, "form_keys", _("must hold keys of the survey's questions only"))
    if is_joint(draft) and len(set(own)) < 2:
        rule = _("must hold two questions or more where the form has an alpha, which they share")
        raise refuse(where, "joint_count", rule)
    if len(set(own)) < len(own):
        raise refuse(where, "repeated", _("must differ from each other"))
    return [key for key in dict.fromkeys(keys) if key in own]


def _no_overlap(forms: list[Built]) -> None:
    before: set[str] = set()
    refusals: list[RuleBreach] = []
    for k, form in enumerate(forms):
        if before & set(form["questions"]):
            rule = _("must hold no question of another form")
            refusals.append(broken(f"forms[{k}].questions", "form_overlap", rule))
        before |= set(form["questions"])
    if refusals:
        raise DraftRefused(*refusals)


def _conditions(forms: list[Built], questions: list[Any]) -> None:
    """Whoever is asked a question was asked those that decide on it."""
    of = {key: k for k, form in enumerate(forms) for key in form["questions"]}
    rule = _("must be a question of the same form, or one that everybody is asked")
    refusals = [
        broken(f"questions[{i}].{field}.question", "form_condition", rule)
        for i, draft in enumerate(questions)
        for field, deciding in (placed(draft) if isinstance(draft, dict) else ())
        if (home := of.get(deciding["question"])) is not None and home != of.get(str(draft.get("key")))
    ]
    if refusals:
        raise DraftRefused(*refusals)


def _randomized(forms: list[Built], questions: list[Question]) -> list[Built]:
    """The forms with the tables of those that are joint."""
    refusals, counts = Refusals(), 0
    for k, form in enumerate(forms):
        if is_joint(form):
            counts += refusals.attempt(_give_table, form, questions, f"forms[{k}].questions") or 0
    if counts > COUNTS_MAX:
        rule = _("must have at most %(most)s combinations of answers in all")
        refusals.refused.append(broken("forms", "joint_cost", rule, most=COUNTS_MAX))
    refusals.check()
    return forms


def _give_table(form: Built, questions: list[Question], where: str) -> int:
    """How many combinations of answers its table is about."""
    sizes = definitions.sizes({"questions": questions, "forms": [cast(schema.Form, form)]}, 0)
    try:
        form["table"] = joint.table(Fraction(form["alpha"]), sizes)
    except ValueError:
        rule = _("must have at most %(most)s combinations of answers where they are randomized together")
        raise refuse(where, "joint_size", rule, most=joint.TUPLES_MAX) from None
    return joint.tuples(sizes)


def check_member(draft: Mapping[str, Any], where: str) -> None:
    """DraftRefused where a question cannot be randomized together with others, or has a randomization of its own."""
    rule = _("must be left out: the question's form has one alpha for all of its questions")
    refusals = [broken(f"{where}.{field}", "joint_own", rule) for field in OWN if field in draft]
    if draft["kind"] not in MARGINAL:
        known = ", ".join(MARGINAL)
        rule_of_kind = _("must be one of %(known)s where a form randomizes its questions together")
        refusals.append(broken(f"{where}.kind", "joint_kind", rule_of_kind, known=known))
    if refusals:
        raise DraftRefused(*refusals)


# Of a definition ------------------------------------------------------------------------------------------------------


def check(data: Unchecked) -> None:
    """Misshapen, or a Python error, where the forms are none that a page may draw from, or a joint form's table does
    not keep its alpha. Its questions must be well-formed."""
    if "forms" not in data:
        return
    for form in data["forms"]:
        exactly(form, {"weight", "questions"} | ({"alpha", "table"} if is_joint(form) else set()))
        must(isinstance(form["questions"], list))
        if is_joint(form):
            exactly(form["table"], {"other"})
            must(type(form["table"]["other"]) is int and form["alpha"] == decimal(Decimal(form["alpha"])))
    definitions.check(cast(schema.Definition, data))
