"""Expected results of a question's versions before a survey opens: who is asked which version, and the differences that
a number of people shows (M42b)."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.forms.definition import arms_of
from ldp.planning import arms
from ldp.planning.arms import Arm
from surveys.designer.privacy.figures import measure
from surveys.designer.privacy.studio_question import StudioQuestion
from surveys.figures import numerals

LEVEL, WANTED = 0.05, 0.8
POINTS = (10, 5)


class VersionPlan(NamedTuple):
    question: StudioQuestion
    people: str


class VersionsPlan(NamedTuple):
    """A question's versions. `lines` are empty while nothing is known; `compared` is the number of simultaneous
    comparisons; `mixed`: a form with a version has other questions too."""

    key: str
    title: str
    versions: list[VersionPlan]
    lines: list[str]
    compared: int
    mixed: bool


def outlook(questions: Sequence[StudioQuestion], n: int) -> list[VersionsPlan]:
    """Return the outlook of each question with versions in forms, if n people take part."""
    drafts = [question.draft for question in questions]
    known = dict.fromkeys(tuple(arms_of(drafts, question.key)) for question in questions)
    families = ([each for each in questions if each.key in keys] for keys in known if keys)
    return [_family(own, n) for own in families if all(question.forms for question in own)]


def _family(questions: list[StudioQuestion], n: int) -> VersionsPlan:
    first = questions[0]
    planned = [Arm(each.built, each.share) for each in questions if each.built and each.forms]
    lines, compared = _planned(questions, planned, n) if len(planned) == len(questions) else ([], 0)
    return VersionsPlan(
        first.key,
        first.text,
        [VersionPlan(question, numerals.integer(question.people(n))) for question in questions],
        lines,
        compared,
        any(len(form.keys) > 1 for question in questions for form in question.forms),
    )


def _planned(questions: list[StudioQuestion], planned: list[Arm], n: int) -> tuple[list[str], int]:
    """Return lines on the differences that n people show, and the number of comparisons. If only some people are asked,
    the differences are among these people."""
    among, reached = [], 1.0
    if questions[0].routed:
        reaches = [question.about("population").whom for question in questions]
        if reaches[0] is None or any(each is None or each.bounds for each in reaches):
            return [_("Only some people are asked. Reports will not show how many, so nothing is compared.")], 0
        reached = reaches[0].part
        text = _("Differences are among the people who are asked, about %(part)s of all.")
        among = [text % {"part": numerals.percent(reached)}]
    lines = [line for points in POINTS if (line := _line(planned, points, n, reached))]
    return among + lines if lines else [], arms.comparisons(planned)


def _line(planned: list[Arm], points: int, n: int, reached: float) -> str:
    """Return the difference that n people show; "" if it is unknown."""
    difference, shown = points / 100, measure(planned[0].question)
    outlook = arms.power(planned, difference, LEVEL, WANTED, n, reached)
    if outlook is None:
        return ""
    words = {
        "difference": numerals.with_unit(numerals.tick(difference * shown.times), shown.unit),
        "chance": numerals.percent(round(outlook.chance, 2)),
        "n": numerals.integer(n),
        "people": "" if outlook.people is None else numerals.integer(outlook.people),
    }
    sentence = _("With %(n)s people, a true difference of %(difference)s is found with a chance of %(chance)s.")
    needed = (
        _("It takes %(people)s people for a chance of 80%%.") if outlook.people else _("No number of people is enough.")
    )
    return f"{sentence % words} {needed % words}"
