"""Surveys in forms by the real draw, samplers, packing, tally and estimators, for benchmarks.forms."""

import random
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ldp import kinds, packing
from ldp.forms import lot
from ldp.forms.marginals import JointTally
from ldp.inference import estimates
from ldp.mechanisms import MECHANISMS, randomized_response
from ldp.planning import trial
from ldp.planning.design import Brief, Design, DesignDraw
from ldp.planning.design_columns import draw_costs
from ldp.tally import Batch
from ldp.words import Uniform

Values = npt.NDArray[np.float64]


def simulated(brief: Brief, design: Design, surveys: int, people: int, seed: int) -> Values:
    """Return the form's n times the mean squared error of a share, over its price, for each question of each form's
    draws. Answers are equally common. A survey leaves out a form that has no report."""
    chance, asked = random.Random(seed), {each.key: each for each in brief.questions}
    forms = [
        [_Draw(draw, [asked[key].asked.size.d for key in draw.keys]) for draw in draws] for _, draws in design.parts
    ]
    prices = [[draw_costs(draw, [asked[key] for key in draw.keys]) for draw in draws] for _, draws in design.parts]
    weights = [form.weight for form in design.forms] or [1]

    def uniform() -> int:
        return chance.getrandbits(53)

    squares = [[np.zeros(len(draw.sizes)) for draw in draws] for draws in forms]
    counted = [0] * len(forms)
    for _ in range(surveys):
        drawn = [lot.draw(weights, uniform) for _ in range(people)]
        for number, draws in enumerate(forms):
            if n := drawn.count(number):
                counted[number] += 1
                for place, draw in enumerate(draws):
                    squares[number][place] += n * np.array(draw.errors(n, chance, uniform))
    return np.concatenate(
        [
            each / count / [price.variance for price in costs]
            for own, costs_of, count in zip(squares, prices, counted, strict=True)
            for each, costs in zip(own, costs_of, strict=True)
        ]
    )


class _Draw:
    def __init__(self, draw: DesignDraw, sizes: Sequence[int]) -> None:
        self.sizes, self._joint = list(sizes), len(draw.keys) > 1
        if self._joint:
            self._table = randomized_response.table(draw.alpha, self.sizes, draw.sizes)
            each = zip(self.sizes, self._table["sizes"], strict=True)
            self._packing = packing.of_draw([packing.subset(d, listed) for d, listed in each])
        else:
            self._alone = [_question(draw.alpha, self.sizes[0])]

    def errors(self, n: int, chance: random.Random, uniform: Uniform) -> list[float]:
        """Return the mean squared error over each question's categories."""
        answers = [[chance.randrange(d) for d in self.sizes] for _ in range(n)]
        shares = self._of_tuples(answers, uniform) if self._joint else self._of_questions(answers, uniform)
        return [float(((share - 1 / len(share)) ** 2).mean()) for share in shares]

    def _of_tuples(self, answers: list[list[int]], uniform: Uniform) -> list[Values]:
        width = self._packing.width
        size = (width + 7) // 8
        codes = (
            self._packing.encode(randomized_response.draw(one, self._table, self.sizes, uniform)) for one in answers
        )
        packed = b"".join((code << 8 * size - width).to_bytes(size, "big") for code in codes)
        rows = np.frombuffer(packed, dtype=np.uint8).reshape(len(answers), size)
        counts = randomized_response.tally(Batch(rows).field(0, width), self._table, self.sizes)["support"]
        tally = JointTally(self._table, tuple(self.sizes), tuple(counts))
        return [tally.tallied(place).shares for place in range(len(self.sizes))]

    def _of_questions(self, answers: list[list[int]], uniform: Uniform) -> list[Values]:
        found = []
        for question, given in zip(self._alone, zip(*answers, strict=True), strict=True):
            totals = trial.tally(question, list(given), uniform)
            d = len(question["options"])
            method, moments = next(iter(MECHANISMS[question["mechanism"]].moments(question["table"], d).items()))
            found.append(estimates.shares(totals[method], len(given), moments))
        return found


def _question(alpha: Fraction, d: int) -> dict[str, object]:
    kind = "yes_no" if d == 2 else "single_choice"
    name = kinds.best(kind, alpha, d)
    table = MECHANISMS[name].table(alpha, d)
    return {"kind": kind, "options": [""] * d, "alpha": str(alpha), "mechanism": name, "table": table}
