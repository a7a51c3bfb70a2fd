"""The tests' knowledge of the kinds of question: one module each, named as in ldp.kinds.

A test of all kinds finds here what it needs of each one.
"""

import random
from importlib import import_module
from typing import Any, Protocol, cast

from ldp.mechanisms import FITTING


class Home(Protocol):
    # Questions of a draft, for the vectors: the site chooses their mechanism. Then the digest of their vectors
    # (tests.support.vectors).
    QUESTIONS: list[dict[str, Any]]
    DIGEST: str

    # An answer to the question with four categories that fields(4) makes.
    ANSWER: Any

    # What a designer types into the kind's fields. Then the numbers of categories for trial plans.
    TYPED: dict[str, str]
    SIZES: list[int]

    def fields(self, d: int) -> dict[str, Any]:
        """Return the kind's fields in a definition, with d options or bins; a mean has none."""

    def answer(self, question: dict[str, Any], chance: random.Random) -> Any:
        """Return a random answer that a respondent could give."""

    def wrong(self, question: dict[str, Any]) -> list[Any]:
        """Return values that do not answer the question."""

    def give(self, engine: Any, question: dict[str, Any]) -> None:
        """Answer the question by the roles and names of the page's controls (tests.support.engines)."""


def of(name: str) -> Home:
    return cast(Home, import_module(f"{__name__}.{name}"))


def homes() -> dict[str, Home]:
    return {name: of(name) for name in FITTING}
