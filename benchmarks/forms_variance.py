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
from ldp.planning.proposals import PlannedForm, Proposal
from ldp.tally import Batch
from ldp.words import Uniform

Values = npt.NDArray[np.float64]


def simulated(proposal: Proposal, surveys: int, people: int, seed: int) -> Values:
    """By question, the number of all reports times the mean squared error of a share, over that without privacy, shape
    (Q,); people whose answers are equally common. A survey in which a form has no report leaves its questions out."""
    chance, sizes = random.Random(seed), [asked.size.d for asked in proposal.questions]
    forms = [_Form(form, sizes) for form in proposal.forms]
    weights = [form.weight for form in proposal.forms]

    def uniform() -> int:
        return chance.getrandbits(53)

    squares, counted = np.zeros(len(sizes)), np.zeros(len(sizes))
    for _ in range(surveys):
        drawn = [lot.draw(weights, uniform) for _ in range(people)]
        for number, form in enumerate(forms):
            if n := drawn.count(number):
                answers = [[chance.randrange(d) for d in form.sizes] for _ in range(n)]
                for question, error in zip(form.questions, form.errors(answers, uniform), strict=True):
                    squares[question] += n * error
                    counted[question] += 1
    parts = {question: proposal.part(form) for form in proposal.forms for question in form.questions}
    plain = np.array([d / (1 - 1 / d) for d in sizes])
    return squares / counted * plain / np.array([parts[question] for question in range(len(sizes))])


class _Form:
    def __init__(self, form: PlannedForm, sizes: Sequence[int]) -> None:
        self.questions, self.sizes = form.questions, [sizes[question] for question in form.questions]
        self._joint, self._alphas = form.way.joint, form.way.alphas
        if form.way.joint:
            self._table = randomized_response.table(form.way.alphas[0], self.sizes)
            each = zip(self.sizes, self._table["sizes"], strict=True)
            self._packing = packing.of_draw([packing.subset(d, listed) for d, listed in each])
        else:
            asked = zip(form.way.alphas, self.sizes, strict=True)
            self._alone = [_question(alpha, d) for alpha, d in asked]

    def errors(self, answers: list[list[int]], uniform: Uniform) -> list[float]:
        """The mean squared error over each question's categories."""
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
