"""A number, averaged (M8)."""

import math
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from ldp import bounds, numeric
from ldp.document import Category, Precision, QuestionResult
from ldp.kinds.options import OptionKind, is_index
from ldp.kinds.protocol import Kind, Numbers, Size, Spread
from ldp.mechanisms import of
from ldp.question import Drawn, Question
from ldp.scores import ChannelMoments, ScoreMoments, Totals
from ldp.words import Uniform

if TYPE_CHECKING:
    from ldp.scores import Target


class Mean(OptionKind):
    """An answer is a decimal string, or the index of a step if there are steps, which divide the range evenly. There
    are no categories; the estimate is a number in the range."""

    def answer(self, question: Question, answer: Any, uniform: Uniform) -> int:
        """Return the grid point that the number is rounded to, by one uniform integer."""
        low, high = question["low"], question["high"]
        if "steps" in question:
            d = len(question["steps"])
            if not is_index(answer, d):
                raise ValueError(f"a step from 0 to {d - 1} is needed")
            low, high, answer = "0", str(d - 1), str(answer)
        return numeric.rounded(answer, low, high, numeric.steps(cast(Drawn, question)["table"]), uniform)

    def filler(self, question: Question) -> Any:
        return 0 if "steps" in question else question["low"]

    def random_answer(self, question: Question, chance: random.Random) -> Any:
        if "steps" in question:
            return chance.randrange(len(question["steps"]))
        return f"{chance.uniform(float(question['low']), float(question['high'])):.3f}"

    def parameters(self, question: Question) -> int:
        return 1

    def invented_shares(self, question: Question, chance: random.Random) -> list[float]:
        """Return a mean that is not at an end of the range."""
        return [chance.uniform(0.2, 0.8)]

    def invented_answer(self, question: Question, shares: list[float], chance: random.Random) -> Any:
        """Return a number spread evenly around the mean, as far as the nearer end of the range; with steps, one of the
        two nearest steps."""
        [mean] = shares
        share = mean + min(mean, 1 - mean) * chance.uniform(-1, 1)
        if "steps" in question:
            place = share * (len(question["steps"]) - 1)
            return int(place) + (chance.random() < place - int(place))
        low, high = float(question["low"]), float(question["high"])
        return f"{low + (high - low) * share:.6f}"

    def filler_shares(self, question: Question, item: int) -> list[float]:
        return [0.0]

    def numbers(self, question: Question) -> Numbers:
        """Return the ends to which one bit rounds. The mean follows from their shares (M8)."""
        ends = float(question["low"]), float(question["high"])
        return Numbers("mean", question["unit"], ends, ends)

    def results(
        self, question: Drawn, totals: Totals, n: int, confidences: Sequence[float], every_look: bool = False
    ) -> list[QuestionResult]:
        """Return one result with the category "mean", on the question's scale."""
        from ldp.inference import estimates, published, summaries

        levels, (name, moments) = summaries.levels_of(confidences, 1), of(question).default()
        low, high = float(question["low"]), float(question["high"])
        counts, spans = totals[name], published.of(moments, n, every_look)
        total = moments.scores(counts)[0]
        share = float(estimates.shares([total], n, moments)[0])

        def precision(name: "Target") -> Precision:
            # Fixed respondents' bits have different chances, so their sum is less variable (Hoeffding 1956), and the
            # population's numbers are safe for the respondents.
            target: Target = name if isinstance(moments, ChannelMoments) else "population"
            shares = [spans.interval(counts, 0, level.alone, target) for level in levels]
            ends = [[[low + (high - low) * end for end in span]] * 2 for span in shares]
            error = (high - low) * math.sqrt(_variance(moments, share, counts, n, target) / n)
            return summaries.precision(error, levels, ends, spans.method(target), moving=name != target)

        category: Category = {
            "option": "mean",
            "score": total,
            "estimate": low + (high - low) * share,
            "effective_n": None,
            "population": precision("population"),
            "respondents": precision("respondents"),
        }
        methods = [summaries.unbounded(name, [category])]
        return [summaries.result(question, (1, n, 1), None, methods, options=["mean"])]

    def error(self, moments: ScoreMoments, d: int) -> float:
        """Return the planned half-width of the published interval, a measure for intervals of different kinds."""
        return numeric.half_width(moments)

    def least_error(self, alpha: float, d: int) -> float:
        return 0.0

    def together(self, size: Size, mirrored: bool) -> int:
        return 1

    def answers(self, size: Size) -> int:
        return 1

    def symbols(self, size: Size) -> int | None:
        """Return 2: a joint draw rounds the number to one of two ends."""
        return 2

    def spread(self, moments: ScoreMoments, d: int) -> Spread:
        if isinstance(moments, ChannelMoments):
            return Spread(numeric.planned_variance(moments), float(max(numeric.noise(moments))) + 1 / 4)
        return Spread(numeric.planned_variance(moments), bounds.widest(moments))

    def noise(self, moments: ScoreMoments, d: int) -> float:
        """Return the noise at the noisiest grid point. One bit has one interval for both targets."""
        if isinstance(moments, ChannelMoments):
            return _widest_noise(moments)
        return self.spread(moments, d).expected

    def efficiency(self, moments: ScoreMoments, spread: Spread, alpha: float, d: int) -> float | None:
        """Return the efficiency for the worst numbers, those at the two ends. The bound is that of a question with two
        categories."""
        return bounds.sharp_constant(alpha, 2) / 2 / spread.at_most

    def without_privacy(self, size: Size) -> Spread:
        return Spread(1 / 12, 1 / 4)

    def sensitivity(self, size: Size) -> int:
        return 1


def _variance(moments: ScoreMoments, mean: float, counts: list[int], n: int, target: "Target") -> float:
    """Return n times the variance of the estimated mean, for the range 0..1.

    With Laplace noise it is the variance of the scores, at least the noise's variance, and at most this plus the
    variance of the widest law of answers with this mean. For the respondents it is the noise's variance plus that of
    rounding to the grid, at most 1/(4 G^2).
    """
    share = min(max(mean, 0.0), 1.0)
    if not isinstance(moments, ChannelMoments):
        noise = (share * float(moments.v_a) + (1 - share) * float(moments.v_b)) / float(moments.gap) ** 2
        return noise + moments.sampling(target) * share * (1 - share)
    variances = numeric.noise(moments)
    if target == "respondents":
        return _widest_noise(moments)
    widest = float(max(variances)) + share * (1 - share)
    return min(max(moments.squares(counts)[0] / n - mean**2, float(min(variances))), widest)


def _widest_noise(moments: ChannelMoments) -> float:
    variances = numeric.noise(moments)
    return float(max(variances)) + 1 / (4 * (len(variances) - 1) ** 2)


KIND: Kind = Mean()
