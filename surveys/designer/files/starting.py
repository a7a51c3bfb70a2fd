"""Templates: complete drafts for new surveys, one file each in the folder templates. Forms and alphas are proposed,
with the main question as the most important. Each template explains its protection."""

import copy
import functools
import json
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from ldp.forms import lot, report
from ldp.forms.definition import questionnaire, weights
from ldp.planning import design_needs, routed, thirds
from ldp.planning.design_proposals import propose
from ldp.search import N_MOST
from surveys.drafts import proposals, protection
from surveys.figures import numerals
from surveys.figures.targets import usual_target
from surveys.rules.draft import Draft
from surveys.rules.unchecked import Built
from surveys.survey import definition as definitions

FOLDER = Path(__file__).with_name("templates")
MARGIN = 0.1


class Template(NamedTuple):
    """A template. `slug` names it in forms; `name`, `purpose` and `reason` are for people. `main` is a question's key.

    `people_for_main` keep the main question's intervals within MARGIN to each side, `people_for_all` all intervals.
    Both numbers assume the draft's forms.
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
        """Return a copy of the template's draft, which may be changed."""
        return copy.deepcopy(self.content)

    @property
    def total(self) -> str:
        """Return the total alpha of a report."""
        return proposals.BEGINNING

    @property
    def main_people(self) -> str:
        return numerals.count_up(self.people_for_main)

    @property
    def people(self) -> str:
        return numerals.count_up(self.people_for_all)

    @property
    def margin(self) -> str:
        """Return MARGIN in points, as text."""
        return numerals.local(f"{100 * MARGIN:g}")

    @property
    def sections(self) -> list[Built]:
        """Return the sections with their questions instead of keys."""
        by_key = {question["key"]: question for question in self.content["questions"]}
        return [
            {**section, "questions": [by_key[key] for key in section["questions"]]}
            for section in self.content["sections"]
        ]


class TemplateFit(NamedTuple):
    """A template for an expected number of people. `needed` is the number that keeps its main question within MARGIN.
    The widths are half-widths of its main and weakest question with the expected people, as shares."""

    template: Template
    needed: int
    fits: bool
    main_width: float
    weakest_width: float

    @property
    def people(self) -> str:
        return numerals.count_up(self.needed)

    @property
    def main(self) -> str:
        return _points(self.main_width)

    @property
    def weakest(self) -> str:
        return _points(self.weakest_width)


def _points(half_width: float) -> str:
    return numerals.rounded_up(100 * min(half_width, 0.5))


@functools.lru_cache(maxsize=64)
def templates_for(people: int, total: Fraction, invited: bool) -> tuple[TemplateFit, ...]:
    """Return all templates for this number of people, total alpha and way to reach people: first the fitting ones,
    fewest needed people first, then the others in the same order."""
    every = [_fit(each, people, total, invited) for each in templates()]
    return tuple(sorted(every, key=lambda each: (not each.fits, each.needed, each.template.slug)))


def _fit(template: Template, people: int, total: Fraction, invited: bool) -> TemplateFit:
    draft = template.draft
    protection.leave(draft, total, [template.main])
    draft["invitations"] = invited
    wished = proposals.brief_of(protection.without(draft), total, people)
    assert wished
    widths, needed = propose(wished).outcome.half_widths, design_needs.people(wished, MARGIN, template.main)
    main = widths[template.main]
    return TemplateFit(template, needed or N_MOST, main <= MARGIN, main, max(widths.values()))


@functools.cache
def templates() -> tuple[Template, ...]:
    """Return all templates, fewest needed people first."""
    every = (_read(path) for path in FOLDER.glob("*.json"))
    return tuple(sorted(every, key=lambda each: (each.people_for_main, each.people_for_all, each.slug)))


def template(slug: str) -> Template | None:
    return next((each for each in templates() if each.slug == slug), None)


def _read(path: Path) -> Template:
    """Return the template of a file. Raise ValueError if it would need too many people."""
    data = json.loads(path.read_text(encoding="utf-8"))
    proposals.propose(data["draft"], important=[data["main"]])
    needed = _people_needed(data["draft"])
    texts = data["name"], data["purpose"], data["reason"], data["main"]
    return Template(path.stem, *texts, data["draft"], needed[data["main"]], max(needed.values()))


def _people_needed(draft: Draft) -> dict[str, int]:
    """Return, by key, the number of people who keep a question's intervals within MARGIN."""
    definition, needed = definitions.build(draft), dict[str, int]()
    whole, chances = questionnaire(definition), lot.chances(weights(definition))
    questions, target = report.alone(definition), usual_target(draft)
    parts = {each["key"]: float(sum(chances[form] for form in whole.reports_about(each["key"]))) for each in questions}
    for question in questions:
        whom = routed.reach_of(questions, parts, question["key"], target)
        people = thirds.built_people(question, MARGIN, parts[question["key"]], target, whom)
        if people is None:
            raise ValueError(f"no one could ask enough people for {question['key']}")
        needed[question["key"]] = people
    return needed
