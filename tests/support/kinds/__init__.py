"""What the tests know of a kind of question: one module each, under its name in ldp.kinds.

Whatever tests every kind finds here what it needs of one.
"""

import random
from importlib import import_module
from typing import Any, Protocol, cast

from ldp.mechanisms import FITTING


class Home(Protocol):
    # The questions of a draft for which the site chooses the mechanism, for the vectors; and the digest of these
    # (tests.support.vectors).
    QUESTIONS: list[dict[str, Any]]
    DIGEST: str

    # An answer to the question with four categories that fields(4) makes.
    ANSWER: Any

    # What a designer types into the fields of its form; and the numbers of categories that plans are tried with.
    TYPED: dict[str, str]
    SIZES: list[int]

    def fields(self, d: int) -> dict[str, Any]:
        """The fields that a definition has beside those of every kind, with d options, bins or, for a mean, none."""

    def answer(self, question: dict[str, Any], chance: random.Random) -> Any:
        """Some answer that a respondent could give."""

    def wrong(self, question: dict[str, Any]) -> list[Any]:
        """What is no answer to it."""

    def give(self, engine: Any, question: dict[str, Any]) -> None:
        """Answer it by the roles and names of the page's controls (tests.support.engines)."""


def of(name: str) -> Home:
    return cast(Home, import_module(f"{__name__}.{name}"))


def homes() -> dict[str, Home]:
    return {name: of(name) for name in FITTING}
