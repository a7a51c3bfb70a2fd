"""Templates: whole drafts to begin with, each a file of the folder templates. Their forms and alphas are proposed, so
that the main question matters most, and their reason says why they protect as they do."""

import copy
import functools
import json
from pathlib import Path
from typing import NamedTuple

from surveys.designer.privacy.questions import planned_questions
from surveys.drafts import proposals
from surveys.figures import numerals
from surveys.rules.draft import Draft
from surveys.rules.unchecked import Built

FOLDER = Path(__file__).with_name("templates")
MARGIN = 0.1


class Template(NamedTuple):
    """`slug` names it in forms; `name`, `purpose` and `reason` are for people. `main` is the key of its main question.

    `people_for_main` is how many people are needed for no interval of the main question to be wider than MARGIN to
    each side, and `people_for_all` for none of any question, with the forms that the draft has.
    """

    slug: str
    name: str
    purpose: str
    reason: str
    main: str
    content: Draft

    people_for_main: int
    people_for_all: int

    @property
    def draft(self) -> Draft:
        """A copy of the template's draft, to be changed."""
        return copy.deepcopy(self.content)

    @property
    def total(self) -> str:
        """The alpha of a report in all."""
        return proposals.BEGINNING

    @property
    def main_people(self) -> str:
        return numerals.count_up(self.people_for_main)

    @property
    def people(self) -> str:
        return numerals.count_up(self.people_for_all)

    @property
    def margin(self) -> str:
        """MARGIN in points."""
        return numerals.local(f"{100 * MARGIN:g}")

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
    """Return all of them, in the order in which they are offered: those that need the fewest people first."""
    every = (_read(path) for path in FOLDER.glob("*.json"))
    return tuple(sorted(every, key=lambda each: (each.people_for_main, each.people_for_all, each.slug)))


def template(slug: str) -> Template | None:
    return next((each for each in templates() if each.slug == slug), None)


def _read(path: Path) -> Template:
    """Return the template of a file. ValueError where nothing is proposed for it, or nobody could ask so many."""
    data = json.loads(path.read_text(encoding="utf-8"))
    draft, main = data["draft"], data["main"]
    proposals.propose(draft, important=[main])
    needed = {each.key: each.people_needed(MARGIN) for each in planned_questions(draft) if each.built}
    people = [number for number in needed.values() if number is not None]
    if len(people) < len(draft["questions"]):
        raise ValueError(f"nobody knows how many people the template {path.stem} needs")
    return Template(
        path.stem, data["name"], data["purpose"], data["reason"], main, draft, needed[main] or 0, max(people)
    )
