"""The forms of a survey, parts of the questionnaire of which each browser draws one (M35), and the draws of a
definition: which questions are randomized together, under which alpha (M44).

A draft names the keys of a form's questions and its weight; with an alpha its questions are randomized together, and
have none of their own. In a definition questions say what is asked, and draws how it is randomized: those that
everybody is asked, one by one, and those of each form. ldp.forms has the rules of what is frozen; the page has the same
(lot.js).
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import prod
from typing import Any, cast

from django.utils.translation import gettext_noop as _

from ldp.exact import parse_alpha
from ldp.forms import definition as definitions
from ldp.forms import schema
from ldp.forms.lot import WEIGHT_MAX
from ldp.mechanisms import FITTING, MARGINAL, TOGETHER, randomized_response
from ldp.mechanisms.randomized_response import CELLS_MAX
from ldp.question import Question
from surveys.rules.limits import QUESTIONS_MAX
from surveys.rules.refusals import DraftRefused, Refusals, RuleBreach, as_text, broken, known_fields, refuse
from surveys.rules.shapes import exactly, must
from surveys.rules.texts import decimal
from surveys.rules.unchecked import Built, Unchecked, as_list, as_object
from surveys.survey.definition import randomization, tables
from surveys.survey.definition.routing import placed

# How a question is randomized: fields that one of a joint form has not.
OWN = ("alpha", "mechanism", "delta", "size")
# What of a question with its draw says how it is randomized, and is the draw's in a definition.
RANDOMIZED = ("alpha", "delta", "mechanism", "table")
# A tally counts every combination of answers of every draw of several questions.
COUNTS_MAX = 4 * CELLS_MAX


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
    """The form with its alpha, if it has one, and the sizes that it names; as yet without a table."""
    if not isinstance(draft, dict):
        raise refuse(where, "not_an_object", _("must be an object"))
    refusals = Refusals()
    refusals.attempt(known_fields, draft, where, {"questions"}, {"questions", "weight", "alpha", "sizes"})
    weight = refusals.attempt(_weight, draft.get("weight", 1), f"{where}.weight")
    own = refusals.attempt(_keys, draft, keys, f"{where}.questions") if "questions" in draft else None
    form: Built = {"weight": weight, "questions": own}
    if is_joint(draft):
        given = as_text(draft["alpha"])
        if refusals.attempt(randomization.parsed_alpha, given, f"{where}.alpha") is not None:
            form["alpha"] = decimal(Decimal(str(given)))
    if "sizes" in draft:
        refusals.attempt(_check_sizes, draft, f"{where}.sizes")
        if own and (sizes := sizes_of(draft, own)):
            form["sizes"] = sizes
    refusals.check()
    return form


def _check_sizes(draft: Unchecked, where: str) -> None:
    if not is_joint(draft):
        raise refuse(where, "sizes_surplus", _("must be left out where the form has no alpha for all of its questions"))
    if sizes_of(draft, as_list(draft.get("questions"))) is None:
        raise refuse(where, "sizes_form", _("must be a list with a whole number for each of the form's questions"))


def sizes_of(draft: Unchecked, keys: Sequence[str]) -> tuple[int, ...] | None:
    """How many options a report lists of the form's questions with these keys; None where the draft does not say, or
    not for each of its questions."""
    sizes, named = draft.get("sizes"), as_list(draft.get("questions"))
    if not isinstance(sizes, list) or len(sizes) != len(named) or not all(type(size) is int for size in sizes):
        return None
    return tuple(sizes[named.index(key)] for key in keys if key in named)


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
            counts += refusals.attempt(_give_table, form, questions, f"forms[{k}]") or 0
    if counts > COUNTS_MAX:
        rule = _("must have at most %(most)s combinations of answers in all")
        refusals.refused.append(broken("forms", "joint_cost", rule, most=COUNTS_MAX))
    refusals.check()
    return forms


def _give_table(form: Built, questions: list[Question], where: str) -> int:
    """How many combinations of answers its table is about."""
    counts = definitions.counts(question for question in questions if question["key"] in form["questions"])
    if "sizes" in form and not all(1 <= size < d for size, d in zip(form["sizes"], counts, strict=True)):
        rule = _("must have for each question a whole number from 1 on that is less than the number of its options")
        raise refuse(f"{where}.sizes", "sizes_range", rule)
    if prod(counts) > CELLS_MAX:
        rule = _("must have at most %(most)s combinations of answers where they are randomized together")
        raise refuse(f"{where}.questions", "joint_size", rule, most=CELLS_MAX)
    form["table"] = randomized_response.table(Fraction(form["alpha"]), counts, form.pop("sizes", None))
    return prod(counts)


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


# The parts of a definition --------------------------------------------------------------------------------------------


def parts(questions: Sequence[Question], forms: Sequence[Unchecked]) -> Built:
    """What is asked, and the draws. `questions` are built, each with how it is randomized but those of joint forms,
    `forms` what `build` made."""
    named = {key for form in forms for key in form["questions"]}
    everybody = [_draw(question) for question in questions if question["key"] not in named]
    made: Built = {"questions": [_content(question) for question in questions], "draws": everybody}
    drawn = [{"weight": form["weight"], "draws": _draws(form, questions)} for form in forms]
    return made | ({"forms": drawn} if drawn else {})


def _content(question: Question) -> Built:
    return {name: value for name, value in question.items() if name not in RANDOMIZED}


def _draw(question: Question) -> Built:
    """The draw of a question that is randomized by itself."""
    return {name: value for name, value in question.items() if name in RANDOMIZED} | {"questions": [question["key"]]}


def _draws(form: Unchecked, questions: Sequence[Question]) -> list[Built]:
    if not is_joint(form):
        return [_draw(question) for question in questions if question["key"] in form["questions"]]
    return [{name: form[name] for name in ("alpha", "table", "questions")} | {"mechanism": TOGETHER}]


# Of a definition ------------------------------------------------------------------------------------------------------


def draws(data: Unchecked) -> list[Any]:
    """All of them: everybody's, then those of each form."""
    return [*data["draws"], *(draw for form in data.get("forms", ()) for draw in form["draws"])]


def check(data: Unchecked) -> None:
    """Misshapen, or a Python error, where the draws and forms are none that a page may draw from. Questions must be
    well-formed; whether tables keep their alphas is asked elsewhere."""
    must(isinstance(data["draws"], list))
    for form in data.get("forms", ()):
        exactly(form, {"weight", "draws"})
        must(isinstance(form["draws"], list))
    by_key = {question["key"]: question for question in data["questions"]}
    for draw in draws(data):
        _check_draw(draw, by_key)
    definitions.check(cast(schema.Definition, data))


def _check_draw(draw: Any, by_key: Mapping[str, Unchecked]) -> None:
    exactly(draw, {"alpha", "mechanism", "questions", "table"} | tables.fields(draw["mechanism"]))
    must(isinstance(draw["questions"], list) and draw["questions"])
    own = [by_key[key] for key in draw["questions"]]
    must(parse_alpha(draw["alpha"]) and draw["alpha"] == decimal(Decimal(draw["alpha"])))
    if len(own) == 1:
        must(draw["mechanism"] in FITTING[own[0]["kind"]])
    else:
        must(draw["mechanism"] == TOGETHER and all(question["kind"] in MARGINAL for question in own))
    tables.check(draw, own)
