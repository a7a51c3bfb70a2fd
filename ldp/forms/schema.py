"""The fields of a definition that the mathematics reads: questions, draws and forms.

Annotations are texts of the API's schema. NotRequired fields exist in some definitions or forms only.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from ldp.question import ALPHA, DELTA, TABLE, Question

KEY = "[A-Za-z0-9_-]{342}"  # base64url of a number of 2048 bits
_IS_KEY = {"pattern": f"^{KEY}$", "examples": ["A" * 342]}


class Draw(TypedDict):
    """Questions whose answers one draw randomizes, under one alpha."""

    alpha: Annotated[str, ALPHA]
    mechanism: Annotated[str, "For several questions: randomized_response."]
    table: Annotated[dict[str, Any], TABLE]
    questions: Annotated[list[str], "Their keys, in the survey's order.", {"minItems": 1}]
    delta: NotRequired[Annotated[str, DELTA]]


class Form(TypedDict):
    """A part of the questionnaire that some people get. Their browsers draw it."""

    weight: Annotated[int, "A form is drawn with its weight over the sum of all.", {"minimum": 1}]
    draws: Annotated[list[Draw], "In the order of the first question of each.", {"minItems": 1}]


class Group(TypedDict):
    """People invited as one group, with results for the group."""

    name: str
    modulus: Annotated[str, "Of the key whose signature every report of the group carries.", _IS_KEY]


class Invitations(TypedDict):
    """The key whose signature each report of a survey by invitation carries, or a key for each group."""

    modulus: NotRequired[
        Annotated[
            str,
            "Of a key of 2048 bits whose exponent is 65537 (RSABSSA-SHA384-PSS-Deterministic of RFC 9474): 256 bytes "
            "in base64url without padding. Groups have a key each instead.",
            _IS_KEY,
        ]
    ]
    groups: NotRequired[Annotated[list[Group], "Each report says which of them it is of.", {"minItems": 2}]]
    sample: NotRequired[
        Annotated[Literal[True], "Those who were invited are a sample of the people whom the results are about."]
    ]


class Definition(TypedDict):
    """The questions, whom they are asked, and how answers are randomized."""

    questions: list[Question]
    draws: Annotated[list[Draw], "The draws for everyone, in the order of the first question of each."]
    forms: NotRequired[Annotated[list[Form], "Each with its own draws.", {"minItems": 2}]]
    invitations: NotRequired[Invitations]
