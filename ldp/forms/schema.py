"""The type of a definition as far as mathematics read it: its questions and its forms. The texts are the site's.

Beside a field stands what the API's schema says of it; a field that only some definitions or forms have is NotRequired.
"""

from typing import Annotated, NotRequired, TypedDict

from ldp.question import Question

KEY = "[A-Za-z0-9_-]{342}"  # or any other number of 2048 bits in base64url
_IS_KEY = {"pattern": f"^{KEY}$", "examples": ["A" * 342]}


class JointTable(TypedDict):
    """Randomized response over the combinations of answers."""

    other: Annotated[int, "The chance of each other combination, times 2^53."]


class Form(TypedDict):
    """A part of the questionnaire that some people get, drawn by their browsers."""

    weight: Annotated[int, "A form is drawn with its weight over the sum of all.", {"minimum": 1}]
    questions: Annotated[list[str], "The keys of its questions, in the survey's order.", {"minItems": 1}]
    alpha: NotRequired[Annotated[str, "Where they are randomized together: the privacy parameter of all of them."]]
    table: NotRequired[Annotated[JointTable, "Where there is an alpha."]]


class Group(TypedDict):
    """People who were invited as one of the groups whose results are published apart."""

    name: str
    modulus: Annotated[str, "Of the key whose signature every report of the group carries.", _IS_KEY]


class Invitations(TypedDict):
    """The key whose signature every report of a survey by invitation carries, or one for each group."""

    modulus: NotRequired[
        Annotated[
            str,
            "Of a key of 2048 bits whose exponent is 65537 (RSABSSA-SHA384-PSS-Deterministic of RFC 9474): 256 bytes "
            "in base64url without padding. Where there are groups each has its own.",
            _IS_KEY,
        ]
    ]
    groups: NotRequired[Annotated[list[Group], "Each report says which of them it is of.", {"minItems": 2}]]


class Definition(TypedDict):
    """Who is asked what, and how it is randomized."""

    questions: list[Question]
    forms: NotRequired[list[Form]]
    invitations: NotRequired[Invitations]
