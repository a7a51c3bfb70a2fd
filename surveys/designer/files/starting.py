"""Templates: whole drafts to begin with, each a file of the folder templates. Their forms and alphas are proposed, and
their reason says why they protect as they do."""

import copy
import functools
import json
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ldp.planning.design_needs import people_with
from surveys.drafts import proposals
from surveys.figures import numerals
from surveys.figures.targets import usual_target
from surveys.rules.draft import Draft
from surveys.rules.unchecked import Built

FOLDER = Path(__file__).with_name("templates")
PRECISE = 0.05
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


class Template(NamedTuple):
    """`slug` names it in forms; `name`, `purpose` and `reason` are for people."""

    slug: str
    name: str
    purpose: str
    reason: str
    content: Draft

    precise: int | None

    @property
    def draft(self) -> Draft:
        """A copy of the template's draft, to be changed."""
        return copy.deepcopy(self.content)

    @property
    def total(self) -> str:
        """The alpha of a report in all."""
        return proposals.BEGINNING

    @property
    def people(self) -> str:
        """How many people make every answer precise to five points."""
        return numerals.count_up(self.precise) if self.precise else ""

    @property
    def sections(self) -> list[Built]:
        """Its sections, with their questions in place of the keys."""
        by_key = {question["key"]: question for question in self.content["questions"]}
        return [
            {**section, "questions": [by_key[key] for key in section["questions"]]}
            for section in self.content["sections"]
        ]


@functools.cache
def templates() -> tuple[Template, ...]:
    """All of them, in the order of their files' names, in which they are offered."""
    return tuple(_read(name) for name in NAMES)


def template(slug: str) -> Template | None:
    return next((each for each in templates() if each.slug == slug), None)


def _read(slug: str) -> Template:
    data = json.loads((FOLDER / f"{slug}.json").read_text(encoding="utf-8"))
    proposed = proposals.propose(data["draft"])
    precise = None
    if proposed:
        brief = replace(proposed.brief, target=usual_target(data["draft"]))
        precise = people_with(brief, proposed.proposal.design, PRECISE)
    return Template(slug, data["name"], data["purpose"], data["reason"], data["draft"], precise)
