"""The random words with which an answer gives a wanted report. They show that two answers can give the same report.

The module works backwards through the draws of ldp.mechanisms. It checks its words with the real mechanisms before it
returns them.
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
    """Return random words with which these answers give `report`. The report's id comes from the seed."""
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
    """Return draws that round each number down and then give the wanted lists."""
    answers = [kinds.of(one).answer(one, given[one["key"]], lambda: NEVER) for one in part.drawn]
    numbers = sum(one["kind"] == "mean" for one in part.drawn)
    return [*[NEVER] * numbers, *listing(answers, part.counts, [report[key] for key in part.keys])]


def draws(question: dict[str, Any], answer: Any, reported: Any) -> list[int]:
    """Return the uniform integers with which the answer gives this reported value."""
    if question["kind"] != "mean":
        return mechanisms.of(question["mechanism"]).forced(question, answer, reported)
    point = kinds.of(question).answer(question, answer, lambda: NEVER)  # the grid point below the number
    return [NEVER, *mechanisms.of(question["mechanism"]).forced(question, point, reported)]
