"""A number, counted in bins."""

from bisect import bisect_right
from decimal import Decimal
from fractions import Fraction

from ldp import numeric
from ldp.inference import bins
from ldp.kinds.choices import Choice
from ldp.kinds.protocol import Kind, Numbers
from ldp.mechanisms import bitwise
from ldp.question import Question


class Histogram(Choice):
    """An answer is the index of a bin, or of "prefer not to say" behind them."""

    def filler(self, question: Question) -> int:
        filler = numeric.within(question["filler"], *(question["edges"][end] for end in (0, -1)))
        return category(question, Decimal(filler))

    def numbers(self, question: Question) -> Numbers:
        """The edges of each bin."""
        edges = tuple(float(edge) for edge in question["edges"])
        return Numbers("mean", question["unit"], edges[:-1], edges[1:])

    def bins(self, n: int, alpha: Fraction) -> dict[str, int]:
        """By bits, whose noise does not depend on how many bins there are."""
        moments = bitwise.moments(bitwise.table(alpha, 2), 2)["support"]
        return {"advised": bins.best(n, bins.noise(moments)), "without_privacy": bins.best(n, 0.0)}


def category(question: Question, number: Decimal) -> int:
    """The bin of a number: [edge_i, edge_{i+1}), numbers beyond the outer edges in the outer bins."""
    inner = [Decimal(edge) for edge in question["edges"][1:-1]]
    return bisect_right(inner, number)


KIND: Kind = Histogram()
