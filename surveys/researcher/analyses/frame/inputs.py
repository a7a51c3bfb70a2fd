"""Parts of the analyses' forms: lists of questions, and options as shown."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from django.utils.translation import gettext as _

from ldp.inference.variables import APPLIES, DOES_NOT, Variable, variables
from ldp.question import Drawn
from surveys.survey.kinds.date import in_words

S = TypeVar("S", covariant=True)
Choices = list[tuple[str, list[tuple[str, str]]]]


class AnalysisRefused(Exception):
    """The specification is refused. `reason` is a key of the refusals, `words` fill the placeholders of its text."""

    def __init__(self, reason: str, **words: str) -> None:
        super().__init__(reason)
        self.reason, self.words = reason, words


class AnalysisInput(Generic[S]):
    """A form for a specification, field by field. Templates find the fields by name."""

    error: str = ""
    heading: str = ""
    choice: str = ""
    """The query with which the same is chosen of another release."""
    routed: Sequence[str] = ()
    """The texts of the questions that are not offered because only some people were asked them."""

    def is_valid(self) -> bool:
        return True

    def specification(self) -> S:
        """Return the specification of a valid form. Raise AnalysisRefused if something is missing."""
        raise NotImplementedError


def routed_of(questions: Sequence[Drawn]) -> list[str]:
    """Return the texts of the questions that only some people were asked."""
    return [question["text"] for question in questions if "asked_if" in question]


def of_and_beside(variables: Sequence[Variable], key: str) -> tuple[list[Variable], list[Variable]]:
    """Return the variables of the question with this key, and the variables of all other questions."""
    of = [each for each in variables if each.question["key"] == key]
    return of, [each for each in variables if each.question["key"] != key]


def grouped(questions: list[Drawn]) -> Choices:
    """Return the text of each question with the keys and texts of its variables."""
    groups: dict[str, list[tuple[str, str]]] = {}
    texts: dict[str, str] = {}
    for variable in variables(questions):
        key = variable.question["key"]
        texts[key] = variable.question["text"]
        part = variable.text.removeprefix(f"{texts[key]} — ")
        groups.setdefault(key, []).append((variable.key, part))
    return [(texts[key], members) for key, members in groups.items()]


def option_texts(names: Sequence[str]) -> list[str]:
    """Return the options as shown: the answers to a multiple choice's option are texts of the site."""
    ours = {APPLIES: _("applies"), DOES_NOT: _("does not apply")}
    return [ours.get(name, name) for name in names] if set(names) <= {APPLIES, DOES_NOT} else in_words(names)
