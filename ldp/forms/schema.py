"""The type of a definition as far as mathematics read it: its questions, draws and forms. The texts are the site's.

Each field has its text of the API's schema; a field that only some definitions or forms have is NotRequired.
"""

from typing import Annotated, Any, NotRequired, TypedDict

from ldp.question import ALPHA, DELTA, TABLE, Question

KEY = "[A-Za-z0-9_-]{342}"  # or any other number of 2048 bits in base64url
_IS_KEY = {"pattern": f"^{KEY}$", "examples": ["A" * 342]}


class Draw(TypedDict):
    """Questions whose answers are randomized by one draw, under one alpha."""

    alpha: Annotated[str, ALPHA]
    mechanism: Annotated[str, "Of several questions: randomized_response."]
    table: Annotated[dict[str, Any], TABLE]
    questions: Annotated[list[str], "Their keys, in the survey's order.", {"minItems": 1}]
    delta: NotRequired[Annotated[str, DELTA]]


class Form(TypedDict):
    """A part of the questionnaire that some people get, drawn by their browsers."""

    weight: Annotated[int, "A form is drawn with its weight over the sum of all.", {"minimum": 1}]
    draws: Annotated[list[Draw], "In the order of the first question of each.", {"minItems": 1}]


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
    draws: Annotated[list[Draw], "What everybody is asked, in the order of the first question of each."]
    forms: NotRequired[Annotated[list[Form], "Each with what it asks beside.", {"minItems": 2}]]
    invitations: NotRequired[Invitations]
