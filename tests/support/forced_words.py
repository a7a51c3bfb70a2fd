"""The chance with which another answer gives the same report: what each mechanism must draw for what it is to report.

It works backwards through the draws of ldp.mechanisms, so what it gives is tried with them before it is used.
"""

import json
import random
from typing import Any, cast

from ldp import kinds
from ldp.forms import definition as rules
from ldp.forms import report as reports
from ldp.mechanisms import joint
from ldp.privatize import make_report
from ldp.routing import filled
from tests.support import mechanisms
from tests.support.draws import NEVER, moved


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
    if isinstance(part, reports.Single):
        [key] = part.keys
        return draws(cast(Any, part.question), given[key], report[key])
    return _together(part, given, report)


def _together(part: reports.Joint, given: dict[str, Any], report: Any) -> list[int]:
    """Each number is rounded down; then one shift makes the combination that is wished."""
    lone = [part.alone(place) for place in range(len(part.keys))]
    symbols = [kinds.of(one).answer(one, given[one["key"]], lambda: NEVER) for one in lone]
    steps = [(report[key] - x) % d for key, x, d in zip(part.keys, symbols, part.sizes, strict=True)]
    shift = 0
    for step, d in zip(steps, part.sizes, strict=True):
        shift = shift * d + step
    numbers = sum(one["kind"] == "mean" for one in lone)
    return [*[NEVER] * numbers, *moved(joint.tuples(part.sizes), part.table["other"], 0, shift)]


def draws(question: dict[str, Any], answer: Any, reported: Any) -> list[int]:
    """The uniform integers with which the question's answer is reported as wished."""
    if question["kind"] != "mean":
        return mechanisms.of(question["mechanism"]).forced(question, answer, reported)
    point = kinds.of(question).answer(question, answer, lambda: NEVER)  # the grid point below the number
    return [NEVER, *mechanisms.of(question["mechanism"]).forced(question, point, reported)]
