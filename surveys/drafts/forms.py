"""The forms of a draft: which part of the people is asked which questions.

`forms` is a list of {"weight": 2, "questions": [keys], "alpha": "2"}. With an alpha the form's questions are randomized
together, and have no alpha and no mechanism of their own; beside it `sizes` may say how many options a report lists of
each, as long as they stay the same. Without an alpha each has its own. What no form names is asked of
everybody. A draft whose forms are settled has two or more, or none: whatever is done to its questions, they follow.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ldp.exact import parse_alpha
from ldp.kinds import KINDS
from ldp.mechanisms import MARGINAL
from ldp.planning import budget
from surveys.rules.draft import Draft, Form, Question, rewrite, without
from surveys.rules.refusals import as_text
from surveys.rules.texts import decimal
from surveys.rules.unchecked import as_list, as_object
from surveys.survey.definition.forms import OWN, is_joint

FEWEST = 2


def forms_of(draft: Draft) -> list[Form]:
    """The forms of a draft that is settled."""
    return draft.get("forms", [])


def form_of(draft: Draft, key: str) -> Form | None:
    """The form in which a question stands; None where everybody is asked."""
    return next((form for form in forms_of(draft) if key in form["questions"]), None)


def members(draft: Draft, form: Form) -> list[Question]:
    """The form's questions, in the order of the survey."""
    return [question for question in draft["questions"] if question["key"] in form["questions"]]


def everybody(draft: Draft) -> list[Question]:
    """The questions without a form."""
    return [question for question in draft["questions"] if form_of(draft, question["key"]) is None]


def may_join(question: Question) -> bool:
    """Whether questions of its kind can be randomized together with others."""
    kind = question.get("kind")
    return not isinstance(kind, str) or kind not in KINDS or kind in MARGINAL


def parsed(alpha: object) -> Fraction | None:
    """None where it is no alpha."""
    try:
        return parse_alpha(str(as_text(alpha)))
    except ValueError:
        return None


def alpha_of(draft: Draft, form: Form) -> Fraction | None:
    """The alpha of the form's questions together; None where one of them has none yet."""
    if is_joint(form):
        return parsed(form["alpha"])
    alphas = [parsed(question.get("alpha")) for question in members(draft, form)]
    return None if None in alphas else sum(filter(None, alphas), Fraction(0))


def usual_weight(draft: Draft) -> int:
    """The mean of the weights, for a form that comes to others."""
    weights = [form["weight"] for form in forms_of(draft) if type(form["weight"]) is int]
    return max(1, round(sum(weights) / max(len(weights), 1)))


# What follows when questions change -----------------------------------------------------------------------------------


def settle(draft: Draft) -> None:
    """Give the draft's forms their shape, in place: questions that are there, each in one form; a joint form of
    questions that can be joint, two or more; and no forms where fewer than two are left."""
    if "forms" not in draft:
        return
    forms = _named(draft)
    for form in forms:
        if is_joint(form):
            _settle_joint(draft, form)
    if len(forms) < FEWEST:
        dissolve(draft, forms)
    else:
        draft["forms"] = forms


def _named(draft: Draft) -> list[Form]:
    """The forms with those of their questions that are there, in order; empty ones go."""
    left, forms = [question["key"] for question in draft["questions"]], list[Form]()
    for form in as_list(draft["forms"]):
        named = as_list(as_object(form).get("questions"))
        keys = [key for key in left if key in named]
        left = [key for key in left if key not in keys]
        forms += [_with(form, named, keys)] if keys else []
    return forms


def _with(form: Form, named: Sequence[object], keys: list[str]) -> Form:
    """The form with these keys, in order; sizes follow theirs, and go where a question came or went."""
    made: Form = {"weight": 1} | form | {"questions": keys}
    sizes = as_list(form.get("sizes"))
    if len(sizes) == len(named) == len(keys):
        made["sizes"] = [sizes[named.index(key)] for key in keys]
    elif len(named) != len(keys):
        made.pop("sizes", None)
    return made


def _settle_joint(draft: Draft, form: Form) -> None:
    own = members(draft, form)
    if len(own) < FEWEST or not all(map(may_join, own)):
        separate(draft, form)
    for question in own if is_joint(form) else []:
        leave_to_form(question)


def leave_to_form(question: Question) -> None:
    rewrite(question, without(question, OWN))


def dissolve(draft: Draft, forms: Sequence[Form]) -> None:
    """Ask everybody everything."""
    for form in filter(is_joint, forms):
        separate(draft, form)
    draft.pop("forms", None)


def separate(draft: Draft, form: Form) -> None:
    """Give each question of a joint form a draw of its own, under an equal part of the form's alpha."""
    own, alpha = members(draft, form), form.pop("alpha")
    form.pop("sizes", None)
    for question, part in zip(own, _parts(alpha, len(own)), strict=True):
        leave_to_form(question)
        question |= {"alpha": part} if part is not None else {}


def _parts(alpha: Any, count: int) -> Sequence[Any]:
    """Equal parts; a single one is what stands there, right or wrong."""
    if count == 1:
        return [alpha]
    try:
        return [decimal(part) for part in budget.equal(parsed(alpha) or Fraction(0), count)]
    except ValueError:
        return [None] * count


def follow(draft: Draft, key: str, other: str) -> None:
    """Keep a question in its form under another key."""
    for form in forms_of(draft):
        form["questions"] = [other if name == key else name for name in form["questions"]]


def accompany(draft: Draft, key: str, other: str) -> None:
    """Put a question into the form of another one, if that has one."""
    form = form_of(draft, other)
    if form is not None:
        take(form, [*form["questions"], key])


def take(form: Form, keys: Sequence[str]) -> None:
    """Give a form other questions, of which nobody has named the sizes."""
    form["questions"] = list(keys)
    form.pop("sizes", None)
