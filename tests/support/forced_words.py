"""The chance with which another answer gives the same report: what each mechanism must draw for what it is to report.

It works backwards through the draws of ldp.mechanisms, so what it gives is tried with them before it is used.
"""

import json
import random
from collections.abc import Iterable
from typing import Any, cast

from ldp import kinds
from ldp.exact import RESOLUTION
from ldp.forms import definition as rules
from ldp.forms import report as reports
from ldp.mechanisms import joint
from ldp.privatize import make_report
from ldp.routing import filled

ALWAYS, NEVER = 0, RESOLUTION - 1  # draws below, and not below, every threshold


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
    return [*[NEVER] * numbers, *_moved(joint.tuples(part.sizes), part.table["other"], 0, shift)]


def draws(question: dict[str, Any], answer: Any, reported: Any) -> list[int]:
    """The uniform integers with which the question's answer is reported as wished."""
    if question["kind"] != "mean":
        return DRAWS[question["mechanism"]](question, answer, reported)
    point = kinds.of(question).answer(question, answer, lambda: NEVER)  # the grid point below the number
    return [NEVER, *DRAWS[question["mechanism"]](question, point, reported)]


def _moved(d: int, other: int, answer: int, reported: int) -> list[int]:
    shift = (reported - answer) % d
    return [(d - 1 - shift) * other if shift else NEVER]


def _randomized_response(question: Any, answer: Any, reported: Any) -> list[int]:
    return _moved(len(question.get("options", (0, 1))), question["table"]["other"], answer, reported)


def _bitwise(question: Any, answer: Any, reported: Any) -> list[int]:
    return [ALWAYS if (bit == "1") != (j == answer) else NEVER for j, bit in enumerate(reported)]


def _laplace(question: Any, answer: Any, reported: Any) -> list[int]:
    wished = []
    for j, value in enumerate(reported):
        one = value >= 1
        wished.append(ALWAYS if one != (j == answer) else NEVER)
        distance = value - 1 if one else -value
        wished += [ALWAYS if distance >> k & 1 else NEVER for k in range(len(question["table"]["magnitude"]))]
    return wished


def _reaching(thresholds: list[int], count: int) -> int:
    """A draw that reaches so many cumulative thresholds and no more."""
    assert 0 <= count <= len(thresholds)
    return thresholds[count - 1] if count else ALWAYS


def _bin_noise(question: Any, answer: Any, reported: Any) -> list[int]:
    noise = question["table"]["noise"]
    return [_reaching(noise, len(noise) // 2 + value - (j == answer)) for j, value in enumerate(reported)]


def _exponential(question: Any, answer: Any, reported: Any) -> list[int]:
    return [_reaching(question["table"]["rows"][answer], reported)]


def _laplace_mean(question: Any, answer: Any, reported: Any) -> list[int]:
    rows = question["table"]["rows"]
    return [_reaching(rows[answer], reported + (len(rows[0]) + 1 - len(rows)) // 2)]


def _shuffle(n: int, wished: Iterable[int]) -> list[int]:
    """The draws after which a partial shuffle of 0..n-1 begins as wished."""
    deck, drawn = list(range(n)), []
    for i, value in enumerate(wished):
        j = deck.index(value)
        drawn.append(j - i)
        deck[i], deck[j] = deck[j], deck[i]
    return drawn


def _subset(question: Any, answer: Any, reported: Any) -> list[int]:
    d, m = len(question["options"]), question["table"]["m"]
    steps = [(each - answer) % d - 1 for each in reported if each != answer]
    spare = [step for step in range(d - 1) if step not in steps]  # drawn, and replaced by the answer
    return [ALWAYS if answer in reported else NEVER, *_shuffle(d - 1, (steps + spare)[:m])]


def _sampled(d: int) -> Any:
    def wished(question: Any, answer: Any, reported: Any) -> list[int]:
        options = d or len(question["options"])
        other = question["table"]["other"]
        chosen = _shuffle(len(answer), [item for item, _ in reported])
        return chosen + [_moved(options, other, int(answer[item]), value)[0] for item, value in reported]

    return wished


DRAWS: dict[str, Any] = {
    "randomized_response": _randomized_response,
    "one_bit": _randomized_response,
    "bitwise": _bitwise,
    "laplace": _laplace,
    "osgt": _bin_noise,
    "gaussian": _bin_noise,
    "exponential": _exponential,
    "laplace_mean": _laplace_mean,
    "subset": _subset,
    "multiple": _sampled(2),
    "grid": _sampled(0),
}
