"""The strength of protection of an alpha, in words for designers and readers of results."""

from fractions import Fraction
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from ldp import strength
from ldp.forms.definition import questionnaire
from ldp.forms.schema import Definition


class ProtectionStep(NamedTuple):
    """A step of protection: its name in style sheets, its word and meaning, and the filled marks of four. `caution` is
    advice for designers."""

    name: str
    word: Promise
    meaning: Promise
    filled: int
    caution: str | Promise = ""

    @property
    def marks(self) -> list[bool]:
        return [place < self.filled for place in range(len(STEPS))]


STEPS = {
    "strong": ProtectionStep(
        "strong", gettext_lazy("strong"), gettext_lazy("A report says little about one person."), 4
    ),
    "moderate": ProtectionStep(
        "moderate", gettext_lazy("moderate"), gettext_lazy("A report is a hint, and leaves real doubt."), 3
    ),
    "weak": ProtectionStep(
        "weak",
        gettext_lazy("weak"),
        gettext_lazy("A report can be strong evidence."),
        2,
        gettext_lazy("The protection is weak: a report can be evidence about a person. The page says so in red."),
    ),
    "hardly_any": ProtectionStep(
        "hardly-any",
        gettext_lazy("hardly any"),
        gettext_lazy("A report can come close to revealing the answer."),
        1,
        gettext_lazy(
            "There is hardly any protection: a report can come close to revealing what a person answered. The page "
            "says so in red."
        ),
    ),
}

# The total alphas that pages offer. Each belongs clearly to one step.
TOTALS = ("1", "2", "4", "10")


def of_question(alpha: Fraction) -> ProtectionStep:
    return STEPS[strength.of_question(alpha)]


def of_survey(alphas: list[Fraction]) -> ProtectionStep:
    return STEPS[strength.of_survey(alphas)]


def of_definition(definition: Definition) -> ProtectionStep:
    """Return the strength of the weakest report of a survey."""
    return STEPS[questionnaire(definition).strength]


def may_ask_for_trust(definition: Definition) -> bool:
    """Return whether invitation texts may ask for trust and need no warning."""
    return questionnaire(definition).strength in strength.STEPS[:2]
