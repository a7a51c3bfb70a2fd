"""The draws and forms of a definition, and their rules (M35, M44).

A definition has `draws`, with the questions for everyone. It may have `forms`; each person gets one:

    "draws": [{"alpha": "1", "mechanism": "bitwise", "table": {...}, "questions": ["health"]}]
    "forms": [{"weight": 2, "draws": [{"alpha": "2", "mechanism": "randomized_response", "table": {"keep": t, "sizes":
      [1, 2]}, "questions": ["drugs", "debts"]}]}, ...]

The answers to all questions of a draw are randomized together, under one alpha. Questions are named by key, in the
definition's order. A question is in a draw for everyone, or in draws of some forms, which estimates pool (M45). No one
is asked it twice. A definition without forms is one form for everyone. A definition with groups of invited people has
no forms: each group counts as a form, and a report names its group in place of a form.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ldp.exact import parse_alpha
from ldp.forms import lot, schema
from ldp.forms.questionnaire import Questionnaire, QuestionnaireDraw, QuestionnaireForm
from ldp.forms.schema import Definition
from ldp.kinds import KINDS
from ldp.kinds.protocol import Size
from ldp.mechanisms import MARGINAL, POOLED, randomized_response
from ldp.question import Question
from ldp.routing import condition
from ldp.subsets import Options


def forms(definition: Definition) -> list[schema.Form]:
    everyone: list[schema.Form] = [{"weight": 1, "draws": []}]
    return definition.get("forms") or everyone * max(1, len(groups(definition)))


def draws(definition: Definition, form: int) -> list[schema.Draw]:
    """Return the draws of a form's reports, everyone's before the form's. Randomizing and packing use this order."""
    return [*definition["draws"], *forms(definition)[form]["draws"]]


def keys(draws: Iterable[schema.Draw]) -> set[str]:
    return {key for draw in draws for key in draw["questions"]}


def groups(definition: Definition) -> list[str]:
    """Return the names of the groups whose reports are counted separately; empty without groups."""
    return [group["name"] for group in definition.get("invitations", {}).get("groups", [])]


def weights(definition: Definition) -> list[int]:
    return [form["weight"] for form in forms(definition)]


def is_joint(form: schema.Form) -> bool:
    """Return whether a draw of the form randomizes several answers together."""
    return any(len(draw["questions"]) > 1 for draw in form["draws"])


def questions_of(definition: Definition, form: int) -> list[Question]:
    """Return the questions that people with this form are asked, in the definition's order."""
    named = keys(draws(definition, form))
    return [question for question in definition["questions"] if question["key"] in named]


def members(definition: Definition, form: int) -> list[Question]:
    """Return the questions that this form asks and not everyone, in the definition's order."""
    own = keys(forms(definition)[form]["draws"])
    return [question for question in definition["questions"] if question["key"] in own]


def counts(questions: Iterable[Question]) -> list[Options]:
    """Return the number of values of each answer in a joint draw; Items for a list or grid. ValueError if a question
    cannot be in a joint draw."""
    symbols = [KINDS[question["kind"]].symbols(_size(question)) for question in questions]
    if None in symbols:
        raise ValueError("must have no ranking: it has a draw of its own")
    return [each for each in symbols if each is not None]


def _size(question: Question) -> Size:
    return Size(len(question.get("options", ())), len(question.get("items", (None,))))


def is_pooled(draw: Mapping[str, Any], kind: str) -> bool:
    """Return whether estimates can pool this draw's reports about a question of this kind with those of other draws."""
    return (MARGINAL[kind] if len(draw["questions"]) > 1 else draw["mechanism"]) in POOLED


def arms_of(questions: Sequence[Mapping[str, Any]], key: str) -> list[str]:
    """Return the keys of all versions of this question (M42b), the first version first; empty if there is only one."""
    first = next((each.get("arm_of", key) for each in questions if each["key"] == key), key)
    others = [str(each["key"]) for each in questions if each.get("arm_of") == first]
    return [first, *others] if others else []


def questionnaire(definition: Definition) -> Questionnaire:
    """Return the questions and alphas of each form's reports."""
    parts = 1 if "forms" in definition else max(1, len(groups(definition)))
    own = definition["forms"] if "forms" in definition else forms(definition)[:1]
    each = tuple(QuestionnaireForm(form["weight"], _draws(form["draws"])) for form in own)
    return Questionnaire(_draws(definition["draws"]), each, groups=parts)


def _draws(draws: Iterable[schema.Draw]) -> tuple[QuestionnaireDraw, ...]:
    return tuple(QuestionnaireDraw(tuple(draw["questions"]), Fraction(draw["alpha"])) for draw in draws)


# The rules ------------------------------------------------------------------------------------------------------------


def check(definition: Definition) -> None:
    """Raise ValueError if the draws or forms break a rule; it names the draw or form by its number from 1. The data's
    shape and the rules of single questions, such as their tables, must have been checked before."""
    if "forms" in definition:
        if not isinstance(definition["forms"], list) or len(definition["forms"]) < 2:
            raise ValueError("forms: must be two or more")
        lot.check(weights(definition))
    _check_draws(definition, definition["draws"], "")
    for k, form in enumerate(definition.get("forms", [])):
        _check_draws(definition, form["draws"], f"forms[{k + 1}]: ")
        for rule in _broken(definition, k, form):
            raise ValueError(f"forms[{k + 1}]: {rule}")
    drawn = keys(draw for form in range(len(forms(definition))) for draw in draws(definition, form))
    for question in definition["questions"]:
        if question["key"] not in drawn:
            raise ValueError(f"draws: must ask {question['key']}")


def _check_draws(definition: Definition, every: Sequence[schema.Draw], where: str) -> None:
    places = {question["key"]: place for place, question in enumerate(definition["questions"])}
    for k, draw in enumerate(every):
        for rule in _broken_draw(definition, draw, places):
            raise ValueError(f"{where}draws[{k + 1}]: {rule}")
    if len(keys(every)) < sum(len(draw["questions"]) for draw in every):
        raise ValueError(f"{where}draws: must ask a question once")
    first = [places[draw["questions"][0]] for draw in every]
    if first != sorted(first):
        raise ValueError(f"{where}draws: must be in the order of their first questions")


def _broken_draw(definition: Definition, draw: schema.Draw, places: Mapping[str, int]) -> Iterator[str]:
    own = draw["questions"]
    if not own or any(key not in places for key in own) or own != sorted(set(own), key=places.__getitem__):
        yield "must name questions of the survey, in their order"
        return
    if len(own) < 2:
        return
    if draw["mechanism"] != "randomized_response":
        yield "must be randomized response, for it has several questions"
    try:
        options = counts(definition["questions"][places[key]] for key in own)
        randomized_response.cells(options)
        kept = randomized_response.certified(draw["table"], options, parse_alpha(draw["alpha"]))
    except ValueError as refusal:
        yield str(refusal)
    else:
        if not kept:
            yield "must have a table that keeps its alpha"


def _broken(definition: Definition, k: int, form: schema.Form) -> Iterator[str]:
    own = keys(form["draws"])
    if not own:
        yield "must have questions"
    if own & keys(definition["draws"]):
        yield "must have no question that all people are asked"
    if any(not _pooled(definition, k, key) for key in sorted(own)):
        yield "must randomize a question of another form by a mechanism that estimates pool, or as that form does"
    questions = questions_of(definition, k)
    if not {rule["question"] for each in questions for rule in condition(each).rules} <= {
        each["key"] for each in questions
    }:
        yield "must have each question that decides on another of its questions, unless all people are asked it"


def _pooled(definition: Definition, k: int, key: str) -> bool:
    """Return whether estimates can pool this form's draw of the question with those of earlier forms (M45): the draws
    are identical, or all scores are 0 or 1."""
    drawn = [draw for form in definition["forms"][: k + 1] for draw in form["draws"] if key in draw["questions"]]
    kind = next(question["kind"] for question in definition["questions"] if question["key"] == key)
    return all(draw == drawn[0] for draw in drawn) or all(is_pooled(draw, kind) for draw in drawn)
