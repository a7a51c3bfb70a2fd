"""The outlook on a cross-table for a planned number of people, before a survey opens (M31, M34b)."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from django.http import QueryDict
from django.utils.translation import gettext as _

from ldp import search
from ldp.inference.variables import CELLS_MAX
from ldp.planning import associations
from ldp.planning.expectation import Way
from surveys.figures import numerals
from surveys.researcher.analyses.frame import planning
from surveys.researcher.analyses.frame.planning import PairOutlook, QuestionPlan

DIFFERENCE = 0.1


def outlook(questions: Sequence[QuestionPlan], data: QueryDict, n: int) -> PairOutlook | None:
    """Return what a cross-table would show; None if no two questions can be crossed."""
    able = planning.for_everyone(questions)
    say = partial(_sentences, n)
    return planning.outlook_of_two(able, data, ("cross", "by"), say, _wished(able, data))


def _wished(able: Sequence[QuestionPlan], data: QueryDict) -> tuple[QuestionPlan, QuestionPlan] | None:
    """Return the first pair in the URL that can have a table."""
    keys = {question.key: question for question in able}
    wishes = zip(data.getlist("first"), data.getlist("second"), strict=False)
    pairs = ((keys.get(first), keys.get(second)) for first, second in wishes)
    return next(((one, other) for one, other in pairs if one and other), None)


def _sentences(n: int, *pair: QuestionPlan) -> list[str]:
    first, second = sorted(pair, key=lambda question: question.place)
    apart = _("They are in two different forms: no one is asked both, so they cannot be crossed.")
    many = _("Together they have too many answers for one table.")
    if hindering := planning.hindrance(first, second, CELLS_MAX, apart, many):
        return [hindering]
    return _power_sentences(planning.ways_of_two((first, second)), n, planning.share((first, second)))


def _power_sentences(ways: Sequence[Way], n: int, share: float) -> list[str]:
    """Return what people spread evenly over the answers would show, with the first answers as the example."""

    one, other = ways[0].first, ways[0].second
    rows, columns = (np.full(len(each.options), 1 / len(each.options)) for each in (one, other))
    effect = associations.Dependence(rows, columns, 0, 0)
    about = max(1, int(n * share))
    words: dict[str, Any] = {"n": numerals.integer(about), "chance": numerals.percent(search.POWER)}
    words |= {"row": one.options[0], "column": other.options[0], "first": one.text}
    words |= {"people": numerals.integer(n), "ten": numerals.number(100 * DIFFERENCE, 0)}
    prospect = associations.Prospect(associations.of_ways(ways), effect)
    least = prospect.smallest(about)
    if least is None:
        sentences = [
            _(
                "With them, no difference between answers is large enough for a cross-table to show it with a chance "
                "of %(chance)s."
            )
        ]
    else:
        words["points"] = numerals.rounded_up(100 * least)
        sentences = [
            _(
                "With them, a cross-table shows with a chance of %(chance)s that they depend on each other if "
                "“%(column)s” is %(points)s points more common among those who answer “%(row)s” to “%(first)s” than "
                "among the others."
            )
        ]
    needed = prospect.needed(DIFFERENCE) if effect.most >= DIFFERENCE else None
    if needed is not None:
        words |= {"needed": numerals.count_up(int(needed / share)), "both": numerals.count_up(needed)}
        sentences.append(_needed(share))
    return [sentence % words for sentence in [planning.about_both(share), *sentences]]


def _needed(share: float) -> str:
    if share == 1:
        return _("It takes about %(needed)s people to show %(ten)s points.")
    return _("It takes about %(needed)s people to show %(ten)s points; about %(both)s of them are asked both.")
