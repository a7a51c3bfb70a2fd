"""A trial run of a question: invented people whose answers go through its own mechanism, into a tally like that of
reports. `survey_trial` has that of a whole survey.

The samplers, the packing and the tally are those of real reports; the words are not (`uniform` comes from a seeded
generator), so nothing of a trial may ever be released as a report.
"""

import random
from typing import Any

import numpy as np

from ldp import kinds, mechanisms
from ldp.kernels import Rows
from ldp.packing import Packing
from ldp.question import Question
from ldp.scores import Totals
from ldp.tally import Batch, Field
from ldp.words import Uniform

PEOPLE_MAX = 20_000
DRAWS_MAX = 1_000_000


def affordable(question: Question) -> int:
    """For how many people a trial is made at most, by how many uniform integers a report takes."""
    drawn = [0]
    chance = random.Random(0)

    def counted() -> int:
        drawn[0] += 1
        return chance.getrandbits(53)

    kind = kinds.of(question)
    mechanisms.of(question).randomize(kind.answer(question, kind.random_answer(question, chance), counted), counted)
    return min(PEOPLE_MAX, DRAWS_MAX // drawn[0])


def totals(question: Question, shares: list[float], n: int, seed: int) -> Totals:
    """The score totals of n invented people with these shares, so many as the kind's `parameters` says. The same seed
    gives the same people and the same reports."""
    kind, chance = kinds.of(question), random.Random(seed)

    def uniform() -> int:
        return chance.getrandbits(53)

    answers = [kind.answer(question, kind.invented_answer(question, shares, chance), uniform) for _ in range(n)]
    return tally(question, answers, uniform)


def tally(question: Question, answers: list[Any], uniform: Uniform) -> Totals:
    """The tally of answers as the mechanism takes them."""
    randomizer = mechanisms.of(question)
    return randomizer.tally(field(randomizer.packing(), [randomizer.randomize(answer, uniform) for answer in answers]))


def field(packing: Packing, values: list[Any]) -> Field:
    """Randomized values as they stand in packed reports."""
    return Batch(rows(packing, values)).field(0, packing.width)


def rows(packing: Packing, values: list[Any]) -> Rows:
    """The packed bits of randomized values, (n, bytes)."""
    size = (packing.width + 7) // 8
    packed = b"".join((packing.encode(value) << 8 * size - packing.width).to_bytes(size, "big") for value in values)
    return np.frombuffer(packed, dtype=np.uint8).reshape(len(values), size)
