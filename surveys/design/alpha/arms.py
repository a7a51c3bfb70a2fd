"""What versions of a question will show before a survey opens: who is asked which, and the differences that so many
people find (M42b)."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.forms.definition import arms_of
from ldp.planning import arms
from ldp.planning.arms import Arm
from surveys.design.alpha.questions import Question
from surveys.figures import numerals

LEVEL, WANTED = 0.05, 0.8
POINTS = (10, 5)


class Version(NamedTuple):
    question: Question
    people: str


class Line(NamedTuple):
    """A difference in points, the people who show it, and the chance of those who are expected."""

    points: int
    people: str
    chance: str


class Family(NamedTuple):
    """`lines` are empty where nothing can be said yet; `compared` is how many differences there are at once."""

    key: str
    title: str
    versions: list[Version]
    lines: list[Line]
    compared: int
    is_mean: bool
    people: str


def outlook(questions: Sequence[Question], n: int) -> list[Family]:
    """Of every question that has versions in forms, where n people take part."""
    drafts = [question.draft for question in questions]
    known = dict.fromkeys(tuple(arms_of(drafts, question.key)) for question in questions)
    families = ([each for each in questions if each.key in keys] for keys in known if keys)
    return [_family(own, n) for own in families if all(question.form for question in own)]


def _family(questions: list[Question], n: int) -> Family:
    first = questions[0]
    planned = [Arm(each.built, each.form.share) for each in questions if each.built and each.form]
    whole = len(planned) == len(questions)
    return Family(
        first.key,
        first.text,
        [Version(question, numerals.whole(question.people(n))) for question in questions],
        [line for points in POINTS if (line := _line(planned, points, n))] if whole else [],
        arms.comparisons(planned) if whole else 0,
        first.draft.get("kind") == "mean",
        numerals.whole(n),
    )


def _line(planned: list[Arm], points: int, n: int) -> Line | None:
    found = arms.power(planned, points / 100, LEVEL, WANTED, n)
    if found is None:
        return None
    people = _("more than there are") if found.people is None else numerals.whole(found.people)
    return Line(points, people, numerals.percent(round(found.chance, 2)))
