"""The questions of a survey as planning sees them: as they would be built, or with what they still lack; and the form
in which each stands.

Of an opened survey they are those of its definition, where each question of a joint form is as if asked alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, cast

from ldp.exact import parse_alpha
from ldp.forms import definition as definitions
from ldp.forms.report import Part
from ldp.forms.schema import Draw
from ldp.mechanisms import TOGETHER, randomized_response
from ldp.planning import thirds
from ldp.planning.candidates import PlannedQuestion, planned_question
from ldp.question import Drawn
from ldp.question import Question as BuiltQuestion
from ldp.scores import Target
from surveys.drafts import mark
from surveys.drafts.normalize import normalized
from surveys.drafts.proposals import FIRST_ALPHA
from surveys.figures.targets import usual_target
from surveys.models import Survey
from surveys.rules.refusals import DraftRefused, RuleBreach, as_text
from surveys.rules.unchecked import Unchecked, words_of
from surveys.survey.definition import build_cache, cost, forms
from surveys.survey.definition.document import Definition
from surveys.survey.definition.forms import is_joint

# The fields of a draft's question that this page sets.
FIELDS = ("alpha", "mechanism", "delta", "size")


@dataclass(frozen=True)
class PlannedForm:
    """A form, which gets this share of the people. `alpha` is that of a joint form, empty where each question has its
    own, and `sizes` are those that it names, if it does; `members` are its questions, each as if it stood in none."""

    place: int
    weight: int
    share: Fraction
    joint: bool
    alpha: str
    members: tuple["StudioQuestion", ...]
    sizes: tuple[int, ...] | None = None

    @cached_property
    def together(self) -> Part | None:
        """The draw of a joint form; None where that is not complete, or too much."""
        built = [each.built_joint for each in self.members]
        questions = tuple(each for each in built if each is not None)
        if not (self.joint and self.alpha) or len(questions) < len(built):
            return None
        try:
            table = randomized_response.table(Fraction(self.alpha), definitions.counts(questions), self.sizes)
        except ValueError:
            return None
        draw: Draw = {"alpha": self.alpha, "mechanism": TOGETHER, "table": dict(table), "questions": self.keys}
        return Part(questions, draw)

    @property
    def keys(self) -> list[str]:
        return [each.key for each in self.members]

    def alone(self, key: str) -> Drawn | None:
        """A joint form's question as if it had been asked alone."""
        return self.together.alone(self.keys.index(key)) if self.together else None


@dataclass(frozen=True)
class StudioQuestion:
    """`draft` is what stands there, `name` what addresses call it: its key; `form` the one in which it stands, None
    where everybody is asked; `target` whom its results are about first."""

    place: int
    name: str
    draft: Unchecked
    frozen: bool = False
    beyond: tuple[RuleBreach, ...] = ()  # why it is not even built: those before it cost all that a survey may
    form: PlannedForm | None = None
    target: Target = "population"

    @property
    def text(self) -> str:
        return words_of(self.draft.get("text"))

    @property
    def key(self) -> str:
        key = self.draft.get("key")
        return key if isinstance(key, str) else ""

    @property
    def mark(self) -> str:
        return mark(self.draft)

    @property
    def without_form(self) -> "StudioQuestion":
        """The question as if everybody was asked it; where its form was joint it has no alpha then, which was the
        form's."""
        return replace(self, form=None)

    @property
    def joint(self) -> PlannedForm | None:
        """The question's form, where that is joint."""
        return self.form if self.form and self.form.joint else None

    def people(self, n: int) -> int:
        """How many are asked the question where n people take part, at least one."""
        return max(1, round(n * self.form.share)) if self.form else n

    def half_width(self, n: int) -> float:
        """The half-width of a question that is built, where n people take part, as a proposal has it."""
        assert self.built
        return thirds.built_half_width(self.built, n * self.part, target=self.target)

    def about(self, target: Target) -> "StudioQuestion":
        """The question with results about this target."""
        return replace(self, target=target)

    def people_needed(self, half_width: float) -> int | None:
        """How many must take part for an interval of a question that is built to be no wider; None where nobody could
        ask so many."""
        assert self.built
        return thirds.built_people(self.built, half_width, self.part, self.target)

    @property
    def part(self) -> float:
        """The part of the people who are asked the question."""
        return float(self.form.share) if self.form else 1.0

    @cached_property
    def alpha(self) -> str:
        """The alpha of the question or of its joint form, as it stands there; empty where there is none, or none that
        is right."""
        if self.joint:
            return self.joint.alpha
        alpha = as_text(self.draft.get("alpha"))
        return alpha if isinstance(alpha, str) and is_alpha(alpha) else ""

    @cached_property
    def built(self) -> Drawn | None:
        """The question with its draw; None where it cannot be built."""
        return self._read[0]

    @cached_property
    def plan(self) -> PlannedQuestion | None:
        """What is asked, with the mechanism that the designer named."""
        return planned_question(self.built, self.draft.get("mechanism")) if self.built else None

    @property
    def lacks(self) -> tuple[RuleBreach, ...]:
        """The rules that keep the question from being built."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[Drawn | None, tuple[RuleBreach, ...]]:
        if self.beyond:
            return None, self.beyond
        try:
            if self.joint and not self.frozen:
                build_cache.build_joint(self.draft, "")
                return self.joint.alone(self.key), ()
            return cast(Drawn, self.draft) if self.frozen else build_cache.build(self.draft, ""), ()
        except DraftRefused as refused:
            return None, tuple(refused.refusals)

    @cached_property
    def built_joint(self) -> BuiltQuestion | None:
        """The question as it is asked in a joint form, which has the draw; None where it cannot be in one."""
        if self.frozen:
            return cast(BuiltQuestion, self.draft)
        try:
            return build_cache.build_joint(self.draft, "")
        except DraftRefused:
            return None

    def changed(self, **fields: str | int) -> "StudioQuestion":
        """The question with other values of FIELDS; an empty one is left out."""
        kept = {name: value for name, value in self.draft.items() if name not in fields}
        draft = kept | {name: value for name, value in fields.items() if value}
        return replace(self, draft=draft)

    def settings(self) -> dict[str, str | int]:
        """The values of FIELDS that the question has."""
        return {name: self.draft[name] for name in FIELDS if name in self.draft}

    @cached_property
    def variant(self) -> "StudioQuestion":
        """The question, with an alpha to begin with where it has none yet."""
        return self if self.alpha else self.changed(alpha=FIRST_ALPHA)


@lru_cache(maxsize=4096)
def is_alpha(text: str) -> bool:
    try:
        return bool(parse_alpha(text))
    except ValueError:
        return False


def questions_of(survey: Survey) -> list[StudioQuestion]:
    """The questions of a survey in order, each in its form. What is no question at all is left out."""
    if survey.is_draft:
        draft = normalized(survey.draft)
        return in_forms(with_places(draft["questions"], target=usual_target(draft)), draft.get("forms", []))
    planned = with_places(survey.questions, True, usual_target(survey.definition))
    return in_forms(
        planned, [_form(survey.definition, place) for place in range(len(survey.definition.get("forms", [])))]
    )


def _form(definition: Definition, place: int) -> Unchecked:
    """A definition's form as a draft has it."""
    form = definition["forms"][place]
    own = {"weight": form["weight"], "questions": [each["key"] for each in definitions.members(definition, place)]}
    if len(form["draws"]) > 1 or not definitions.is_joint(form):
        return own
    [draw] = form["draws"]
    return own | {"alpha": draw["alpha"], "sizes": draw["table"]["sizes"]}


def with_places(
    stored: Sequence[Mapping[str, Any]], frozen: bool = False, target: Target = "population"
) -> list[StudioQuestion]:
    return [
        StudioQuestion(place, each["key"], dict(each), frozen, target=target) for place, each in enumerate(stored, 1)
    ]


def in_forms(questions: Sequence[StudioQuestion], given: Sequence[Unchecked]) -> list[StudioQuestion]:
    """These questions, each with the form that names it."""
    weights = [form["weight"] if type(form["weight"]) is int and form["weight"] > 0 else 1 for form in given]
    by_key: dict[str, PlannedForm] = {}
    for place, (form, weight) in enumerate(zip(given, weights, strict=True), 1):
        members = tuple(question for question in questions if question.key in form["questions"])
        alpha = as_text(form.get("alpha"))
        kept = alpha if isinstance(alpha, str) and is_alpha(alpha) else ""
        share, sizes = Fraction(weight, sum(weights)), forms.sizes_of(form, [member.key for member in members])
        planned = PlannedForm(place, weight, share, is_joint(form), kept, members, sizes)
        by_key |= dict.fromkeys(form["questions"], planned)
    return [replace(question, form=by_key.get(question.key)) for question in questions]


def forms_of(questions: Sequence[StudioQuestion]) -> list[PlannedForm]:
    """The forms in which these questions stand, in their order."""
    by_place = {question.form.place: question.form for question in questions if question.form}
    return [by_place[place] for place in sorted(by_place)]


def within_budget(questions: list[StudioQuestion]) -> list[StudioQuestion]:
    """These questions, of which none is built after the one with which a survey costs more than it may, as when it is
    opened: each of two hundred tables may take a second."""
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


def find_question(questions: list[StudioQuestion], name: str) -> StudioQuestion | None:
    return next((question for question in questions if question.name == name), None)


def reports(questions: Sequence[StudioQuestion]) -> list[list[Fraction]]:
    """The alphas that a report of each form is composed of, as far as there are any: one for each draw (M35)."""
    everybody = _alphas([question for question in questions if question.form is None])
    own = [
        _alphas(question for question in questions if question.form and question.form.place == form.place)
        if not form.joint
        else [Fraction(form.alpha)] * bool(form.alpha)
        for form in forms_of(questions)
    ]
    return [everybody + alphas for alphas in own or [[]]]


def _alphas(questions: Iterable[StudioQuestion]) -> list[Fraction]:
    return [Fraction(question.alpha) for question in questions if question.alpha]
