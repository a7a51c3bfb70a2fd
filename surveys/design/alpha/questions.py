"""The questions of a survey as planning sees them: as they would be built, or with what they still lack.

Of an opened survey they are those of its definition.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, cast

from ldp.exact import parse_alpha
from ldp.planning.candidates import PlannedQuestion, planned_question
from ldp.question import Question as BuiltQuestion
from surveys.definition import build_cache, cost
from surveys.drafts import mark
from surveys.drafts.normalize import normalized
from surveys.models import Survey
from surveys.rules.refusals import DraftRefused, Refusal, as_text

Draft = dict[str, Any]

# The fields of a draft's question that this page sets.
FIELDS = ("alpha", "mechanism", "delta")

FIRST_ALPHA = "1"


@dataclass(frozen=True)
class Question:
    """`draft` is what stands there, `name` what addresses call it: its key."""

    place: int
    name: str
    draft: Draft
    frozen: bool = False
    beyond: tuple[Refusal, ...] = ()  # why it is not even built: those before it cost all that a survey may

    @property
    def text(self) -> str:
        text = self.draft.get("text")
        return text.strip() if isinstance(text, str) else ""

    @property
    def key(self) -> str:
        key = self.draft.get("key")
        return key if isinstance(key, str) else ""

    @property
    def mark(self) -> str:
        return mark(self.draft)

    @cached_property
    def alpha(self) -> str:
        """As it stands there, empty where it is none."""
        alpha = as_text(self.draft.get("alpha"))
        return alpha if isinstance(alpha, str) and is_alpha(alpha) else ""

    @cached_property
    def built(self) -> BuiltQuestion | None:
        """As a definition holds it; None where it cannot be built."""
        return self._read[0]

    @cached_property
    def plan(self) -> PlannedQuestion | None:
        """What is asked, with the mechanism that the designer named."""
        return planned_question(self.built, self.draft.get("mechanism")) if self.built else None

    @property
    def lacks(self) -> tuple[Refusal, ...]:
        """Why it cannot be built."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[BuiltQuestion | None, tuple[Refusal, ...]]:
        if self.beyond:
            return None, self.beyond
        try:
            return cast(BuiltQuestion, self.draft) if self.frozen else build_cache.build(self.draft, ""), ()
        except DraftRefused as refused:
            return None, tuple(refused.refusals)

    def changed(self, **fields: str) -> "Question":
        """With other values of FIELDS; an empty one is left out."""
        kept = {name: value for name, value in self.draft.items() if name not in fields}
        draft = kept | {name: value for name, value in fields.items() if value}
        return Question(self.place, self.name, draft, beyond=self.beyond)

    def settings(self) -> Draft:
        """What stands in FIELDS."""
        return {name: self.draft[name] for name in FIELDS if name in self.draft}

    @cached_property
    def variant(self) -> "Question":
        """With an alpha to begin with where there is none yet."""
        return self if self.alpha else self.changed(alpha=FIRST_ALPHA)


@lru_cache(maxsize=4096)
def is_alpha(text: str) -> bool:
    try:
        return bool(parse_alpha(text))
    except ValueError:
        return False


def questions_of(survey: Survey) -> list[Question]:
    """In order. What is no question at all is left out."""
    return with_places(
        normalized(survey.draft)["questions"] if survey.is_draft else survey.questions, not survey.is_draft
    )


def with_places(stored: Sequence[Mapping[str, Any]], frozen: bool = False) -> list[Question]:
    return [Question(place, each["key"], dict(each), frozen) for place, each in enumerate(stored, 1)]


def within_budget(questions: list[Question]) -> list[Question]:
    """The same, but that none is built after the one with which a survey costs more than it may, as when it is opened:
    each of two hundred tables may take a second."""
    budget, made = cost.Budget(), list[Question]()
    beyond: tuple[Refusal, ...] = ()
    for question in questions:
        question = replace(question, beyond=beyond) if beyond else question
        try:
            if question.variant.built:
                budget.spend(question.variant.built, "")
        except DraftRefused as refused:
            beyond = tuple(refused.refusals)
        made.append(question)
    return made


def find_question(questions: list[Question], name: str) -> Question | None:
    return next((question for question in questions if question.name == name), None)


def alphas(questions: list[Question]) -> list[Fraction]:
    """Alphas of the questions that have one."""
    return [Fraction(question.alpha) for question in questions if question.alpha]
