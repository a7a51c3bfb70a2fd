"""Templates: whole drafts to begin with, each a file of the folder templates, with the reason for its alphas."""

import copy
import functools
import json
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from surveys.rules.texts import decimal

FOLDER = Path(__file__).with_name("templates")
NAMES = ("health", "workplace", "tax", "campus", "voting")


class Template(NamedTuple):
    """`slug` names it in forms; `name`, `purpose` and `reason` are for people."""

    slug: str
    name: str
    purpose: str
    reason: str
    content: dict[str, Any]

    @property
    def draft(self) -> dict[str, Any]:
        """A copy, to be changed."""
        return copy.deepcopy(self.content)

    @property
    def total(self) -> str:
        """Its alpha in all, as a decimal string."""
        return decimal(sum(Decimal(question["alpha"]) for question in self.content["questions"]))

    @property
    def sections(self) -> list[dict[str, Any]]:
        """Its sections, with their questions in place of the keys."""
        by_key = {question["key"]: question for question in self.content["questions"]}
        return [
            section | {"questions": [by_key[key] for key in section["questions"]]}
            for section in self.content["sections"]
        ]


@functools.cache
def templates() -> tuple[Template, ...]:
    """All of them, in the order in which they are offered."""
    return tuple(_read(name) for name in NAMES)


def template(slug: str) -> Template | None:
    return next((each for each in templates() if each.slug == slug), None)


def _read(slug: str) -> Template:
    data = json.loads((FOLDER / f"{slug}.json").read_text(encoding="utf-8"))
    return Template(slug, data["name"], data["purpose"], data["reason"], data["draft"])
