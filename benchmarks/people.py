"""The number of people that a survey needs: `python -m benchmarks.people`.

A sample size is for a margin of error: the half-width of a question's simultaneous 95% intervals about a population, at
equal shares. Several questions are in the forms that the studio proposes. Without forms everyone answers every
question, with an equal part of alpha.
"""

from collections.abc import Iterator
from fractions import Fraction

import benchmarks.site  # noqa: F401
from benchmarks import tables
from benchmarks.forms import brief, ways
from ldp.planning import thirds
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.design_needs import people, people_with
from ldp.search import least_people
from surveys.designer.files.starting import templates

MARGIN, TOTALS = 5, (4, 2, 1)
SURVEYS = (
    ("1 yes/no question", (2,)),
    ("1 question with 5 options", (5,)),
    ("5 yes/no questions", (2,) * 5),
    ("5 questions with 5 options", (5,) * 5),
    ("20 yes/no questions", (2,) * 20),
)
HEADER = ["survey", "no privacy", *(f"alpha {total}" for total in TOTALS), "alpha 2, without forms"]
TEMPLATES = ["template, alpha 2", "questions", "main question", "all questions"]


def main() -> None:
    margin = tables.number("margin", MARGIN)
    lines = [f"## For ±{margin} points in every question, in forms", "", *by_alpha(margin)]
    tables.write("people", "Sample sizes", [*lines, "", "## Templates, for ±10 points", "", *by_template()])


def by_alpha(margin: int) -> list[str]:
    """Return a table with a row for each of SURVEYS; the margin is in points."""
    return tables.table(HEADER, [[name, *map(_shown, _needed(options, margin / 100))] for name, options in SURVEYS])


def by_template() -> list[str]:
    """Return a table with the people that each template needs for ±10 points."""
    rows = [
        [each.name, len(each.draft["questions"]), _shown(each.people_for_main), _shown(each.people_for_all)]
        for each in templates()
    ]
    return tables.table(TEMPLATES, rows)


def _needed(options: tuple[int, ...], margin: float) -> Iterator[int | None]:
    moderate = brief(options, 2)
    yield _without_privacy(moderate.questions[0].asked, margin)
    yield from (people(brief(options, total), margin) for total in TOTALS)
    yield people_with(moderate, dict(ways(moderate))["everything"], margin)


def _without_privacy(question: PlannedQuestion, margin: float) -> int | None:
    def half_width(n: int) -> float:
        width = thirds.point(question, Fraction(1), n).without_privacy
        assert width is not None, "it is about a population"
        return width

    return least_people(half_width, margin)


def _shown(needed: int | None) -> str:
    return "too many" if needed is None else f"{needed:,}"


if __name__ == "__main__":
    main()
