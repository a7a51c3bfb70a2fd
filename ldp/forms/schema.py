"""The type of a definition as far as mathematics read it: its questions and its forms. The texts are the site's.

Beside a field stands what the API's schema says of it; a field that only some definitions or forms have is NotRequired.
"""

from typing import Annotated, NotRequired, TypedDict

from ldp.question import Question


class JointTable(TypedDict):
    """Randomized response over the combinations of answers."""

    other: Annotated[int, "The chance of each other combination, times 2^53."]


class Form(TypedDict):
    """A part of the questionnaire that some people get, drawn by their browsers."""

    weight: Annotated[int, "A form is drawn with its weight over the sum of all.", {"minimum": 1}]
    questions: Annotated[list[str], "The keys of its questions, in the survey's order.", {"minItems": 1}]
    alpha: NotRequired[Annotated[str, "Where they are randomized together: the privacy parameter of all of them."]]
    table: NotRequired[Annotated[JointTable, "Where there is an alpha."]]


class Definition(TypedDict):
    """Who is asked what, and how it is randomized."""

    questions: list[Question]
    forms: NotRequired[list[Form]]
