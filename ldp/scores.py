"""What a report says about one category, as two laws of a score (M12)."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class ScoreLaw:
    """Mean and variance of a category's score, exactly: a and v_a where it is the truth, b and v_b where not."""

    a: Fraction
    v_a: Fraction
    b: Fraction
    v_b: Fraction

    @property
    def gap(self) -> Fraction:
        return self.a - self.b

    @property
    def binary(self) -> bool:
        """Whether the score is 0 or 1, so that the total of n reports is a sum of Bernoulli variables."""
        return self.v_a == self.a * (1 - self.a) and self.v_b == self.b * (1 - self.b)


def indicator(p: Fraction, q: Fraction) -> ScoreLaw:
    """The law of a 0/1 score: 1 with probability p where the category is the truth, q where it is not."""
    return ScoreLaw(p, p * (1 - p), q, q * (1 - q))
