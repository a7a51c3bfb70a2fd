"""One alpha for many questions: everyone answers all of them, or one of several forms (M34b to M36b).

All numbers are ratios: how many people it takes for one person without randomization. The ratio is n times the mean
variance of a share near one half, divided by the same without privacy.
"""

import math
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.forms import columns, efficiency
from ldp.kinds.protocol import Size
from ldp.planning import budget
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.design import Brief, BriefQuestion, Design
from ldp.planning.design_columns import Columns, draw_alone, question_prices
from ldp.planning.design_proposals import propose, propose_within
from surveys.figures import numerals
from surveys.public.lab.curves import grids
from surveys.public.lab.curves.charts import Axis, Lines, Role
from surveys.public.lab.curves.numbers import QUESTIONS_MAX, Numbers

ALPHAS = (0.25, 8.0)
MANY = 100_000


class Prices(NamedTuple):
    """The people needed for each one without privacy. `size` is the number of questions in the best forms. All forms
    have that size here, even if it does not divide the number of questions."""

    everything: float
    alone: float
    together: float
    bound: float
    size: int


def prices(alpha: float, questions: int) -> Prices:
    size = max(range(1, questions + 1), key=lambda size: _information(alpha, size))
    return Prices(
        everything=1 / _information(alpha / questions, 1),
        alone=questions / _information(alpha, 1),
        together=questions / _information(alpha, size),
        bound=efficiency.least_mean(alpha, ((2, 1.0),) * questions).at_least / _information(alpha, 1),
        size=size,
    )


def _information(alpha: float, size: int) -> float:
    """Return the information of one draw of `size` yes/no questions about all of them (M44). The unit is an answer
    without privacy."""
    return size * columns.keep_chance(alpha, 2**size) ** 2


# Surveys of questions with more options, by the number of options of each question.
SURVEYS = ((3, 5, 4, 6, 6), (5,) * 10)


class ExampleSurvey(NamedTuple):
    """The people needed for each one without privacy, as in Prices; None if alpha is too small to be divided. `forms`
    are the numbers of questions in the proposed forms."""

    options: tuple[int, ...]
    everything: float | None
    alone: float | None
    proposed: float
    forms: tuple[int, ...]


def surveys(alpha: float) -> list[ExampleSurvey]:
    """Return the proposals for this alpha (M46), as on the page “People and protection”, for very many people."""
    return [_survey(Fraction(str(alpha)), options) for options in SURVEYS]


@lru_cache(maxsize=256)
def _survey(alpha: Fraction, options: tuple[int, ...]) -> ExampleSurvey:
    questions = tuple(
        BriefQuestion(f"q{place}", PlannedQuestion("single_choice", Size(d))) for place, d in enumerate(options)
    )
    columns = Columns(Brief(questions, alpha, MANY, fewest=1))
    proposed = propose(columns.brief).design
    everything: float | None = None
    alone: float | None = None
    with suppress(ValueError):
        alone = _value(columns, propose_within(columns.brief, [(each.key,) for each in questions]).design)
        alphas = budget.equal(alpha, len(questions))
        draws = [draw_alone(each, part) for each, part in zip(questions, alphas, strict=True)]
        everything = _value(columns, Design(tuple(draws)))
    return ExampleSurvey(
        options,
        everything,
        alone,
        _value(columns, proposed),
        tuple(len(form.keys) for form in proposed.forms) or (len(questions),),
    )


def _value(columns: Columns, design: Design) -> float:
    """Return the people needed for each one without privacy, averaged over the questions."""
    costs = question_prices(columns.brief, design.parts)
    variances = [costs[each.key].variance / plain for each, plain in zip(columns.free, columns.plain, strict=True)]
    return math.fsum(variances) / len(variances)


def ways() -> tuple[tuple[str, Role, bool], ...]:
    """Return the ways in the order of Prices. Bounds are dashed."""
    return (
        (_("all asked of everyone"), "fourth", False),
        (_("one question for each"), "fifth", False),
        (_("forms, randomized together"), "local", False),
        (_("what no one can beat"), "none", True),
    )


def by_alpha(numbers: Numbers) -> Lines:
    rows = [(x, prices(x, numbers.questions)) for x in grids.powers(ALPHAS[0], ALPHAS[1], 25)]
    mark = numbers.alpha if ALPHAS[0] <= numbers.alpha <= ALPHAS[1] else None
    return _lines(Axis(_("Alpha of the whole report"), log=True), rows, numbers, mark)


def by_questions(numbers: Numbers) -> Lines:
    rows = [(float(q), prices(numbers.alpha, q)) for q in grids.integers(2, QUESTIONS_MAX, 18)]
    return _lines(Axis(_("Questions in the survey"), log=True), rows, numbers, numbers.questions)


def _lines(x: Axis, rows: list[tuple[float, Prices]], numbers: Numbers, mark: float | None) -> Lines:
    xs = [at for at, _own in rows]
    series = tuple(
        grids.column(label, role, xs, [own[place] for _at, own in rows], dashed)
        for place, (label, role, dashed) in enumerate(ways())
    )
    y = Axis(_("People for each without privacy"), log=True)
    return Lines(x, y, series, says(numbers), mark, _("the chosen number"))


def says(numbers: Numbers) -> str:
    own = prices(numbers.alpha, numbers.questions)
    text = _(
        "At the chosen numbers: all of everyone %(everything)s, one question for each %(alone)s, forms %(together)s."
    )
    return text % {
        "everything": numerals.number(own.everything, 1),
        "alone": numerals.number(own.alone, 1),
        "together": numerals.number(own.together, 1),
    }
