"""A step of a scale."""

from ldp.kinds.options import OptionKind
from ldp.kinds.protocol import Kind, Numbers
from ldp.question import Question


class Ordered(OptionKind):
    def numbers(self, question: Question) -> Numbers:
        """Return the ranks of the steps, 1 for the first."""
        steps = len(question["options"]) - question["prefer_not_to_say"]
        ranks = tuple(float(rank) for rank in range(1, steps + 1))
        return Numbers("mean_rank", "rank", ranks, ranks)


KIND: Kind = Ordered()
