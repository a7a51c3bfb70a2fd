"""The outlook on an analysis for a planned number of people, before a survey opens."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol, TypeVar

from django.http import QueryDict
from django.utils.translation import gettext as _

from ldp.inference import variables
from ldp.inference.variables import Variable, are_together
from ldp.mechanisms import MARGINAL, TOGETHER
from ldp.planning.expectation import Way
from ldp.planning.regressions import JointPair, Randomized, SeparatePair
from ldp.question import Drawn


class FormPlan(Protocol):
    """A form with the share of people who get it."""

    @property
    def place(self) -> int: ...
    @property
    def share(self) -> Fraction: ...


class QuestionPlan(Protocol):
    """A question in a draft. `built` is its definition if nothing is missing."""

    @property
    def place(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def built(self) -> Drawn | None: ...
    @property
    def forms(self) -> Sequence[FormPlan]: ...
    @property
    def share(self) -> Fraction: ...
    @property
    def in_each_form(self) -> "Sequence[QuestionPlan]": ...


class QuestionOption(NamedTuple):
    """An entry in a list of questions."""

    question: QuestionPlan
    chosen: bool


class PairOutlook(NamedTuple):
    """The form with two questions, and the sentences about them: none before a choice. `points` is a typed number."""

    first: list[QuestionOption]
    second: list[QuestionOption]
    sentences: list[str]
    points: str = ""


Q = TypeVar("Q", bound=QuestionPlan)


def outlook_of_two(
    able: Sequence[QuestionPlan],
    data: QueryDict,
    fields: tuple[str, str],
    sentences: Callable[[QuestionPlan, QuestionPlan], list[str]],
    usual: tuple[QuestionPlan, QuestionPlan] | None = None,
) -> PairOutlook | None:
    """Return the outlook; None with fewer than two questions. The pair `usual` is selected if the URL lacks the first
    field."""
    if len(able) < 2:
        return None
    names = {question.name: question for question in able}
    first, second = (names.get(data.get(field, "")) for field in fields)
    if usual and fields[0] not in data:
        first, second = usual
    texts = sentences(first, second) if first and second else []
    return PairOutlook(choices(able, first or able[0]), choices(able, second or able[1]), texts)


def hindrance(first: QuestionPlan, second: QuestionPlan, most: int, apart: str, many: str) -> str:
    """Return why two questions have no outlook together; empty if they have one. `apart` is the text for questions in
    two forms, `many` for more than `most` combinations of answers."""
    if first.name == second.name:
        return _("Choose two different questions.")
    if in_two_forms((first, second)):
        return apart
    if len(variable(first).options) * len(variable(second).options) > most:
        return many
    return ""


def choices(able: Sequence[QuestionPlan], chosen: QuestionPlan | None) -> list[QuestionOption]:
    return [QuestionOption(question, question is chosen) for question in able]


def with_one_answer(questions: Sequence[Q]) -> list[Q]:
    """Return the completed questions that have one answer."""
    return [question for question in questions if question.built and _has_one_answer(question.built)]


def for_everyone(questions: Sequence[Q]) -> list[Q]:
    """Return the questions with one answer that everyone with their form is asked."""
    return [question for question in with_one_answer(questions) if question.built and "asked_if" not in question.built]


def _has_one_answer(question: Drawn) -> bool:
    return "options" in question and MARGINAL.get(question["kind"]) == TOGETHER


def variable(question: QuestionPlan) -> Variable:
    assert question.built
    return variables.variable([question.built], question.built["key"])


def in_two_forms(questions: Iterable[QuestionPlan]) -> bool:
    """Return whether no one is asked all the questions."""
    return _common(questions) == set()


def _common(questions: Iterable[QuestionPlan]) -> set[int] | None:
    """Return the places of the forms that ask all the questions; None if everyone is asked all."""
    places = [{form.place for form in question.forms} for question in questions if question.forms]
    return set.intersection(*places) if places else None


def ways(questions: Sequence[QuestionPlan]) -> list[tuple[float, list[Variable]]]:
    """Group the forms that ask all the questions by how they randomize them. Return each group's share of people, and
    the questions as that group asks them."""
    shares = {form.place: form.share for question in questions for form in question.forms}
    made: list[tuple[list[object], float, list[QuestionPlan]]] = []
    for place in sorted(_common(questions) or ()):
        own = [_within(question, place) for question in questions]
        channels, people = _channels(own), float(shares[place])
        known = next((k for k, (way, *_) in enumerate(made) if way == channels), None)
        if known is None:
            made.append((channels, people, own))
        else:
            made[known] = (channels, made[known][1] + people, made[known][2])
    every = [(people, own) for _, people, own in made] or [(1.0, list(questions))]
    return [(people, [variable(question) for question in own]) for people, own in every]


def ways_of_two(questions: Sequence[QuestionPlan]) -> list[Way]:
    return [Way(people, first, second) for people, (first, second) in ways(questions)]


def _within(question: QuestionPlan, place: int) -> QuestionPlan:
    return next((each for each in question.in_each_form if [form.place for form in each.forms] == [place]), question)


def _channels(questions: Sequence[QuestionPlan]) -> list[object]:
    """Return how a form randomizes the questions, and which of them together."""
    keys = {question.key for question in questions}
    built = [question.built for question in questions if question.built]
    return [(each["mechanism"], each["table"], keys & {*each.get("together", ())} - {each["key"]}) for each in built]


def share(questions: Iterable[QuestionPlan]) -> float:
    """Return the fraction of people who are asked all the questions."""
    questions = list(questions)
    shares = {form.place: form.share for question in questions for form in question.forms}
    common = _common(questions)
    return 1.0 if common is None else float(sum(shares[place] for place in common))


def randomized(one: Variable, other: Variable) -> Randomized:
    return JointPair(one, other) if are_together(one, other) else SeparatePair(one, other)


def rounded(chance: float) -> float:
    """Return a chance in whole hundredths, between 0.01 and 0.99: nothing is certain or impossible."""
    return min(max(round(chance, 2), 0.01), 0.99)


def about_both(share: float) -> str:
    if share == 1:
        return _("All %(people)s people are asked both.")
    return _("About %(n)s of %(people)s people are asked both.")


def needed_text(share: float) -> str:
    if share == 1:
        return _("About %(needed)s people would show it with a chance of %(wanted)s.")
    return _(
        "About %(needed)s people would show it with a chance of %(wanted)s; about %(both)s of them are asked both."
    )
