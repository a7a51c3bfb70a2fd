"""The forms of a definition: whom a question is asked, and which rules forms keep (M34b, M35).

A definition may have `forms`, a list of

    {"weight": 2, "questions": ["drugs", "debts"], "alpha": "2", "table": {"other": t}}     a joint form
    {"weight": 1, "questions": ["health"]}                                                  each with its own draw

Questions are named by key, in the order of the definition. Those of a joint form have no alpha, mechanism and table of
their own; all others have, as without forms. A question that no form names is asked of everybody. A definition without
forms is one form for everybody. One in groups, of people who were invited, is counted as that form once for each group:
a report says which group it is of, as it says its form where there are forms. It has no forms beside.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from ldp import exact
from ldp.exact import parse_alpha
from ldp.forms import lot, schema
from ldp.forms.questionnaire import Questionnaire, QuestionnaireForm
from ldp.forms.schema import Definition
from ldp.kinds import KINDS
from ldp.kinds.protocol import Size
from ldp.mechanisms import joint
from ldp.question import Question
from ldp.routing import condition


def forms(definition: Definition) -> list[schema.Form]:
    everybody: list[schema.Form] = [{"weight": 1, "questions": []}]
    return definition.get("forms") or everybody * max(1, len(groups(definition)))


def groups(definition: Definition) -> list[str]:
    """The names of the groups whose reports are counted apart; none where there are no groups."""
    return [group["name"] for group in definition.get("invitations", {}).get("groups", [])]


def weights(definition: Definition) -> list[int]:
    return [form["weight"] for form in forms(definition)]


def is_joint(form: schema.Form) -> bool:
    return "table" in form


def questions_of(definition: Definition, form: int) -> list[Question]:
    """The questions that people with this form are asked, in their order."""
    elsewhere = {key for k, each in enumerate(forms(definition)) if k != form for key in each["questions"]}
    return [question for question in definition["questions"] if question["key"] not in elsewhere]


def members(definition: Definition, form: int) -> list[Question]:
    """The form's own questions, in their order."""
    own = forms(definition)[form]["questions"]
    return [question for question in definition["questions"] if question["key"] in own]


def sizes(definition: Definition, form: int) -> list[int]:
    """For a joint form, how many values each of its answers has. ValueError where one cannot be joint."""
    counts = [_symbols(question) for question in members(definition, form)]
    if None in counts:
        raise ValueError("must have questions with one answer only: lists and grids have no joint form")
    return [size for size in counts if size is not None]


def _symbols(question: Question) -> int | None:
    return KINDS[question["kind"]].symbols(Size(len(question.get("options", ()))))


def arms_of(questions: Sequence[Mapping[str, Any]], key: str) -> list[str]:
    """The keys of all versions of the question with this key, the first one before the others, in their order (M42b);
    none where it is asked in one version."""
    first = next((each.get("arm_of", key) for each in questions if each["key"] == key), key)
    others = [str(each["key"]) for each in questions if each.get("arm_of") == first]
    return [first, *others] if others else []


def questionnaire(definition: Definition) -> Questionnaire:
    """Which report is about what, and under which alpha."""
    named = {key for form in forms(definition) for key in form["questions"]}
    everybody = {each["key"]: Fraction(each["alpha"]) for each in definition["questions"] if each["key"] not in named}
    if "forms" not in definition:
        whole = QuestionnaireForm(1, tuple(everybody), tuple(everybody.values()))
        return Questionnaire({}, (whole,), groups=max(1, len(groups(definition))))
    return Questionnaire(everybody, tuple(_form(definition, k) for k in range(len(definition["forms"]))))


def _form(definition: Definition, k: int) -> QuestionnaireForm:
    form = definition["forms"][k]
    if is_joint(form):
        return QuestionnaireForm(form["weight"], tuple(form["questions"]), (Fraction(form["alpha"]),), joint=True)
    alphas = tuple(Fraction(question["alpha"]) for question in members(definition, k))
    return QuestionnaireForm(form["weight"], tuple(form["questions"]), alphas)


# The rules ------------------------------------------------------------------------------------------------------------


def check(definition: Definition) -> None:
    """ValueError names a form, by its place from 1 on, and the rule that it breaks. The shape of the data is
    taken for granted, and what is no form's matter, such as the tables of single questions."""
    if "forms" not in definition:
        return
    if not isinstance(definition["forms"], list) or len(definition["forms"]) < 2:
        raise ValueError("forms: must be two or more")
    lot.check(weights(definition))
    for k, form in enumerate(definition["forms"]):
        for rule in _broken(definition, k, form):
            raise ValueError(f"forms[{k + 1}]: {rule}")


def _broken(definition: Definition, k: int, form: schema.Form) -> Iterator[str]:
    keys, own = [question["key"] for question in definition["questions"]], form["questions"]
    earlier = {key for each in definition["forms"][:k] for key in each["questions"]}
    if not own or own != [key for key in keys if key in own]:
        yield "must name questions of the survey, in their order"
    if earlier & set(own):
        yield "must have no question of another form"
    reached = {question["key"] for question in questions_of(definition, k)}
    if not {rule["question"] for each in questions_of(definition, k) for rule in condition(each).rules} <= reached:
        yield "must have each question that decides whether another of its questions is asked, or it is for everybody"
    yield from _joint(definition, k, form) if is_joint(form) else ()


def _joint(definition: Definition, k: int, form: schema.Form) -> Iterator[str]:
    if len(form["questions"]) < 2:
        yield "must be joint with two questions or more"
    if any({"alpha", "mechanism", "table"} & question.keys() for question in members(definition, k)):
        yield "must have one alpha for all its questions, none of which has its own"
    try:
        kept = joint.certified(cast(exact.Table, form["table"]), sizes(definition, k), parse_alpha(form["alpha"]))
    except ValueError as refusal:
        yield str(refusal)
    else:
        if not kept:
            yield "must have a table that keeps its alpha"
