"""Which report is about what, and under which alpha (M35, M39).

A question is asked of everybody, or stands in exactly one form. A report's alpha is that of the questions for everybody
and its own form's, added up (M11): everything that is said of beliefs goes by it, since answers may depend on each
other. The survey's alpha is the largest of its reports'.
"""

from dataclasses import dataclass
from fractions import Fraction

from ldp import strength
from ldp.forms import lot


@dataclass(frozen=True)
class QuestionnaireForm:
    """`alphas`: of a joint form one for all its questions, else one for each."""

    weight: int
    questions: tuple[str, ...]
    alphas: tuple[Fraction, ...]
    joint: bool = False

    def __post_init__(self) -> None:
        if not self.questions or len(self.alphas) != (1 if self.joint else len(self.questions)):
            raise ValueError("must have questions, and an alpha for each or one for all of them")

    @property
    def alpha(self) -> Fraction:
        return sum(self.alphas, Fraction(0))


@dataclass(frozen=True)
class Questionnaire:
    """`everybody` are the questions without a form, by key with their alphas. Where there are no forms a survey is one
    form for everybody: there is always a form to draw."""

    everybody: dict[str, Fraction]
    forms: tuple[QuestionnaireForm, ...]
    groups: int = 1  # of people, for each of which the only form is counted apart

    def __post_init__(self) -> None:
        lot.check([form.weight for form in self.forms])
        keys = [*self.everybody, *(key for form in self.forms for key in form.questions)]
        if len(set(keys)) < len(keys):
            raise ValueError("must have each question once")

    def alphas(self, form: int) -> list[Fraction]:
        """What a report of the form is composed of: one for each draw."""
        return [*self.everybody.values(), *self.forms[form].alphas]

    def total(self, form: int) -> Fraction:
        """The alpha of a report of the form."""
        return sum(self.alphas(form), Fraction(0))

    @property
    def alpha(self) -> Fraction:
        """The survey's."""
        return max(self.total(form) for form in range(len(self.forms)))

    @property
    def strength(self) -> str:
        """As weak as the weakest of its reports."""
        return max((strength.of_survey(self.alphas(form)) for form in range(len(self.forms))), key=strength.STEPS.index)

    def reports_about(self, *keys: str) -> frozenset[int]:
        """The forms, as they are counted, whose reports are about all of these questions: none where they stand in two
        forms, so that nobody was asked both. KeyError for a key that is none of the survey's."""
        forms = frozenset.intersection(frozenset(range(len(self.forms))), *map(self._forms_of, keys))
        return forms if self.groups == 1 else frozenset(range(self.groups))

    def _forms_of(self, key: str) -> frozenset[int]:
        if key in self.everybody:
            return frozenset(range(len(self.forms)))
        for number, form in enumerate(self.forms):
            if key in form.questions:
                return frozenset([number])
        raise KeyError(key)
