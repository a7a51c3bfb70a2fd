"""The questions and the alpha of each form's reports (M35, M39).

A question is in a draw for everyone or in a form's draw. A report's alpha is the sum over the draws for everyone and of
its form (M11). Every statement about beliefs uses this alpha, because answers may depend on each other. The survey's
alpha is the largest alpha of a report.
"""

from dataclasses import dataclass
from fractions import Fraction

from ldp import strength
from ldp.forms import lot


@dataclass(frozen=True)
class QuestionnaireDraw:
    """Questions whose answers share one alpha."""

    questions: tuple[str, ...]
    alpha: Fraction

    def __post_init__(self) -> None:
        if not self.questions:
            raise ValueError("must have questions")


@dataclass(frozen=True)
class QuestionnaireForm:
    weight: int
    draws: tuple[QuestionnaireDraw, ...]

    @property
    def questions(self) -> tuple[str, ...]:
        return tuple(key for draw in self.draws for key in draw.questions)

    @property
    def alpha(self) -> Fraction:
        return sum((draw.alpha for draw in self.draws), Fraction(0))


@dataclass(frozen=True)
class Questionnaire:
    """The draws for everyone, and the forms. A survey without forms has one form without draws, so there is always a
    form."""

    everyone: tuple[QuestionnaireDraw, ...]
    forms: tuple[QuestionnaireForm, ...]
    groups: int = 1  # of invited people; the only form is counted for each group

    def __post_init__(self) -> None:
        lot.check([form.weight for form in self.forms])
        for form in range(len(self.forms)):
            keys = [key for draw in self.draws(form) for key in draw.questions]
            if len(set(keys)) < len(keys):
                raise ValueError("must ask no one a question twice")

    def draws(self, form: int) -> list[QuestionnaireDraw]:
        """Return the draws of the form's reports."""
        return [*self.everyone, *self.forms[form].draws]

    def alphas(self, form: int) -> list[Fraction]:
        """Return the alpha of each draw of the form's reports."""
        return [draw.alpha for draw in self.draws(form)]

    def total(self, form: int) -> Fraction:
        """Return the alpha of the form's reports."""
        return sum(self.alphas(form), Fraction(0))

    @property
    def alpha(self) -> Fraction:
        """The survey's alpha, the largest of a report."""
        return max(self.total(form) for form in range(len(self.forms)))

    @property
    def strength(self) -> str:
        """The strength of the weakest report's protection."""
        return max((strength.of_survey(self.alphas(form)) for form in range(len(self.forms))), key=strength.STEPS.index)

    def reports_about(self, *keys: str) -> frozenset[int]:
        """Return the forms or groups whose reports are about all of these questions; empty if no one was asked all.
        KeyError if the survey lacks a key."""
        forms = frozenset.intersection(frozenset(range(len(self.forms))), *map(self._forms_of, keys))
        return forms if self.groups == 1 else frozenset(range(self.groups))

    def _forms_of(self, key: str) -> frozenset[int]:
        keys = [{key for draw in self.draws(form) for key in draw.questions} for form in range(len(self.forms))]
        if not any(key in each for each in keys):
            raise KeyError(key)
        return frozenset(form for form, each in enumerate(keys) if key in each)
