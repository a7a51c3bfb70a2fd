"""The outlook on a question with a publicly known answer, before a survey opens (M42)."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _

from ldp import search
from ldp.planning import known as planning
from ldp.planning.arms import Arm
from surveys.figures import numerals
from surveys.researcher.analyses.frame.planning import QuestionPlan, rounded
from surveys.researcher.analyses.weighting.pasted import percent_of
from surveys.rules.texts import decimal

POINTS = Decimal(5)


class Answer(NamedTuple):
    value: str
    text: str
    chosen: bool


class KnownShareOutlook(NamedTuple):
    """The form: answers by question, the typed numbers, and the sentences, which are empty before an input."""

    answers: list[tuple[QuestionPlan, list[Answer]]]
    share: str
    points: str
    sentences: list[str]


def outlook(questions: Sequence[QuestionPlan], data: QueryDict, n: int) -> KnownShareOutlook | None:
    """Return the form with its sentences; None if no question has options and goes to everyone with its form."""
    able = [each for each in questions if each.built and "options" in each.built and "asked_if" not in each.built]
    if not able:
        return None
    chosen, share = data.get("answer", ""), data.get("share", "").strip()
    answers = [(each, [Answer(*own, own[0] == chosen) for own in _answers(each)]) for each in able]
    picked = next(((each, own.text) for each, every in answers for own in every if own.chosen), None)
    points = data.get("departure", "").strip() or numerals.decimal(str(POINTS))
    texts = _sentences(picked[0], picked[1], share, points, n) if picked and share else []
    return KnownShareOutlook(answers, share, points, texts)


def _answers(question: QuestionPlan) -> list[tuple[str, str]]:
    """Return each answer's value and text. In a grid, all items have the same answers."""
    assert question.built
    return [(f"{question.name}:{place}", option) for place, option in enumerate(question.built["options"], 1)]


def arm(question: QuestionPlan) -> Arm:
    """Return a completed question with the fraction of people who are asked it."""
    assert question.built
    return Arm(question.built, question.share)


def _sentences(question: QuestionPlan, answer: str, share: str, points: str, n: int) -> list[str]:
    true, size = percent_of(share), percent_of(points)
    if true is None or not size:
        return [_("Type both as numbers from 0 to 100, such as 12.5; the departure above 0.")]
    one, value, departure = arm(question), float(true) / 100, float(size) / 100
    if not planning.departures(value, departure):
        return [_("No share departs so much from the known one.")]
    words = {"answer": answer, "known": numerals.decimal(decimal(true)), "points": numerals.decimal(decimal(size))}
    words["n"] = numerals.integer(n)
    words["chance"] = numerals.percent(rounded(planning.power(one, value, departure, n)))
    texts = [
        _(
            "If “%(answer)s” is answered %(points)s points more or less often than the known %(known)s%%, %(n)s people "
            "show it with a chance of at least %(chance)s."
        )
    ]
    needed, least = planning.needed(one, value, departure), planning.smallest(one, value, n)
    if needed is None:
        texts.append(_("No number of people would show this."))
    else:
        words |= {"needed": numerals.count_up(needed), "wanted": numerals.percent(search.POWER)}
        texts.append(_("About %(needed)s people would show it with a chance of %(wanted)s."))
    if least is not None:
        words["least"] = numerals.rounded_up(100 * least)
        texts.append(_("The smallest departure that %(n)s people show with a chance of 80%% is %(least)s points."))
    return [sentence % words for sentence in texts]
