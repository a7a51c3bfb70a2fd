"""The chance with which another answer gives the same report: what each mechanism must draw for what it is to report.

It works backwards through the draws of ldp.mechanisms, so what it gives is tried with them before it is used.
"""

import json
import random
from typing import Any, cast

from ldp import kinds
from ldp.forms import definition as rules
from ldp.forms import report as reports
from ldp.privatize import make_report
from ldp.routing import filled
from tests.support import mechanisms
from tests.support.draws import NEVER, listing


def words(
    definition: dict[str, Any], digest: str, answers: dict[str, Any], report: Any, seed: object, form: int = 0
) -> list[int]:
    """The random words with which the answers given become `report`, the id of which comes from the seed."""
    chance, given = random.Random(str(seed)), filled(rules.questions_of(definition, form), answers)
    chosen = [chance.getrandbits(32) for _ in range(4)]
    for part in reports.parts(definition, form):
        chosen += [half for u in _of_part(part, given, report) for half in divmod(u, 2**32)]
    remaining = iter(chosen)
    body = json.loads(make_report(definition, digest, answers, lambda: next(remaining), form))
    assert body["answers"] == report and next(remaining, None) is None
    return chosen


def _of_part(part: reports.Part, given: dict[str, Any], report: Any) -> list[int]:
    if not part.joint:
        [key] = part.keys
        return draws(cast(Any, part.alone(0)), given[key], report[key])
    return _together(part, given, report)


def _together(part: reports.Part, given: dict[str, Any], report: Any) -> list[int]:
    """Each number is rounded down; then the lists that are wished are drawn."""
    answers = [kinds.of(one).answer(one, given[one["key"]], lambda: NEVER) for one in part.drawn]
    numbers = sum(one["kind"] == "mean" for one in part.drawn)
    return [*[NEVER] * numbers, *listing(answers, part.counts, [report[key] for key in part.keys])]


def draws(question: dict[str, Any], answer: Any, reported: Any) -> list[int]:
    """The uniform integers with which the question's answer is reported as wished."""
    if question["kind"] != "mean":
        return mechanisms.of(question["mechanism"]).forced(question, answer, reported)
    point = kinds.of(question).answer(question, answer, lambda: NEVER)  # the grid point below the number
    return [NEVER, *mechanisms.of(question["mechanism"]).forced(question, point, reported)]
