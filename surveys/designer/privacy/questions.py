"""The questions of a survey for planning, with their draws.

An open survey's questions come from its definition, each as if it were the only one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ldp.forms import report
from ldp.forms.report import Part
from ldp.scores import Target
from surveys.designer.privacy.studio_question import PlacedDraw, PlannedDraw, PlannedForm, StudioQuestion
from surveys.drafts.normalize import normalized
from surveys.figures.targets import usual_target
from surveys.models import Survey
from surveys.rules.refusals import DraftRefused, RuleBreach
from surveys.rules.unchecked import Unchecked
from surveys.survey.definition import cost
from surveys.survey.definition.document import Definition


def questions_of(survey: Survey) -> list[StudioQuestion]:
    """Return a survey's questions in order, with their draws. Malformed questions are left out."""
    if survey.is_draft:
        return planned_questions(normalized(survey.draft))
    return _of_definition(survey.definition)


def planned_questions(draft: Unchecked, target: Target | None = None) -> list[StudioQuestion]:
    """Return the questions of a normalized draft, with their draws. Results are about `target`, by default the usual
    one."""
    questions = with_places(draft["questions"], target=target or usual_target(draft))
    by_key = {question.key: question for question in questions}

    def draw(each: Unchecked) -> PlannedDraw:
        return PlannedDraw(each, tuple(by_key[key] for key in each["questions"]))

    shared = [PlacedDraw(None, draw(each)) for each in draft.get("draws", [])]
    given = draft.get("forms", [])
    drawn = [tuple(draw(each) for each in form["draws"]) for form in given]
    return _in_draws(questions, shared, _forms([_weight(form) for form in given], drawn))


def _weight(form: Unchecked) -> int:
    return form["weight"] if type(form["weight"]) is int and form["weight"] > 0 else 1


def _of_definition(definition: Definition) -> list[StudioQuestion]:
    questions = with_places(report.alone(definition), True, usual_target(definition))
    by_key = {question.key: question for question in questions}
    own = range(len(definition.get("forms", [])))
    parts = [[part for part in report.parts(definition, form) if part.form is not None] for form in own]
    drawn = [tuple(PlannedDraw(_stated(part), _members(part, by_key), part) for part in each) for each in parts]
    everyone = [part for part in report.parts(definition, 0) if part.form is None and part.joint]
    shared = [PlacedDraw(None, PlannedDraw(_stated(part), _members(part, by_key), part)) for part in everyone]
    weights = [form["weight"] for form in definition.get("forms", [])]
    return _in_draws(questions, shared, _forms(weights, drawn))


def _stated(part: Part) -> Unchecked:
    return {"questions": list(part.keys), "alpha": part.alpha} | ({"sizes": part.sizes} if part.joint else {})


def _members(part: Part, by_key: Mapping[str, StudioQuestion]) -> tuple[StudioQuestion, ...]:
    return tuple(by_key[key] for key in part.keys)


def _forms(weights: Sequence[int], drawn: Sequence[tuple[PlannedDraw, ...]]) -> list[PlannedForm]:
    pairs = enumerate(zip(weights, drawn, strict=True), 1)
    return [PlannedForm(place, weight, Fraction(weight, sum(weights)), own) for place, (weight, own) in pairs]


def _in_draws(
    questions: Sequence[StudioQuestion], shared: Sequence[PlacedDraw], planned: Sequence[PlannedForm]
) -> list[StudioQuestion]:
    """Return the questions with the draws that name them."""
    every = [*shared, *(PlacedDraw(form, draw) for form in planned for draw in form.draws)]
    survey: dict[str, StudioQuestion] = {}
    named = [
        replace(each, asked=tuple(one for one in every if each.key in one.draw.keys), survey=survey)
        for each in questions
    ]
    made = [each.within(each.asked[0]) if len(each.asked) == 1 and not each.frozen else each for each in named]
    survey.update((each.key, each) for each in made)
    return made


def with_places(
    stored: Sequence[Mapping[str, Any]], frozen: bool = False, target: Target = "population"
) -> list[StudioQuestion]:
    return [
        StudioQuestion(place, each["key"], dict(each), frozen, target=target) for place, each in enumerate(stored, 1)
    ]


def forms_of(questions: Sequence[StudioQuestion]) -> list[PlannedForm]:
    """Return the forms of these questions, in their order."""
    by_place = {form.place: form for question in questions for form in question.forms}
    return [by_place[place] for place in sorted(by_place)]


def shared_draws(questions: Sequence[StudioQuestion]) -> list[PlannedDraw]:
    """Return the joint draws of these questions for everyone."""
    placed = [each for question in questions for each in question.asked if each.form is None]
    return list({each.draw.name: each.draw for each in placed}.values())


def within_budget(questions: list[StudioQuestion]) -> list[StudioQuestion]:
    """Return the questions. All after the one that exceeds a survey's limit of cost get its refusal and are not built,
    as at opening: each of 200 tables may take a second."""
    budget, made = cost.Budget(), list[StudioQuestion]()
    beyond: tuple[RuleBreach, ...] = ()
    for question in questions:
        question = replace(question, beyond=beyond) if beyond else question
        try:
            if question.variant.built:
                budget.spend(question.variant.built, "")
        except DraftRefused as refused:
            beyond = tuple(refused.refusals)
        made.append(question)
    return made


def question_in_form(questions: Sequence[StudioQuestion], name: str, place: str) -> StudioQuestion | None:
    """Return the question of this name as form `place` (from 1) asks it, by default as its first form does."""
    question = find_question(questions, name)
    if question is None or not question.several:
        return question
    return next((each for each in question.in_each_form if str(each.places[0]) == place), question.in_each_form[0])


def find_question(questions: Sequence[StudioQuestion], name: str) -> StudioQuestion | None:
    return next((question for question in questions if question.name == name), None)


def reports(questions: Sequence[StudioQuestion]) -> list[list[Fraction]]:
    """Return the alphas of each form's report, one for each draw (M35). Missing alphas are left out."""
    everyone = [question.alpha for question in questions if not question.asked]
    everyone += [draw.alpha for draw in shared_draws(questions)]
    own = [[draw.alpha for draw in form.draws] for form in forms_of(questions)]
    return [[Fraction(alpha) for alpha in (*everyone, *alphas) if alpha] for alphas in own or [[]]]
