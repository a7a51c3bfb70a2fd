"""A question that several forms ask through different channels (M45), in the place of a mechanism's Randomizer.

It has no table: nobody's answer goes through it. It says what the reports of all forms together tell, by pooled scores:
how often each option was listed, each report counting the whole number of its form. Before there are reports each form
has so many as its weight says.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ldp import pooled_scores
from ldp.mechanisms.protocol import Randomizer, Realized
from ldp.packing import Columns
from ldp.question import of_asked
from ldp.scores import PooledMoments, PooledPairs, Totals, mirrored

# Reports that stand for those of all forms where there are none yet.
EXPECTED = 10_000


@dataclass(frozen=True)
class PooledRandomizer:
    """`forms` are the channels of those that ask, with the number of reports of each, at least one of them with some.
    The members are those of Randomizer, as far as there are such."""

    forms: tuple[tuple[int, Randomizer], ...]
    delta: None = None

    @property
    def d(self) -> int:
        return self.forms[0][1].d

    @property
    def alpha(self) -> Fraction:
        """The largest of the forms'."""
        return max(own.alpha for _, own in self.forms)

    @property
    def alphas(self) -> tuple[tuple[float, float], ...]:
        """The part of the reports that each form has, and its alpha."""
        whole = sum(n for n, _ in self.forms)
        return tuple((n / whole, float(own.alpha)) for n, own in self.forms)

    def certified(self) -> bool:
        return all(own.certified() for _, own in self.forms)

    def realized(self) -> Realized:
        """The largest of the forms'."""
        return Realized(max(own.realized().alpha for _, own in self.forms), None)

    @cached_property
    def _scoring(self) -> tuple[str, PooledMoments, tuple[int, ...]]:
        """The method, the moments, and what a 1 counts in each form."""
        name = self.forms[0][1].default()[0]
        return name, *pooled_scores.every([(n, own.default()[1]) for n, own in self.forms], max(self.d, 2))

    @property
    def scores(self) -> tuple[int, ...]:
        """What a 1 counts in each form."""
        return self._scoring[2]

    def moments(self) -> dict[str, PooledMoments]:
        name, moments, _ = self._scoring
        return {name: moments}

    def default(self) -> tuple[str, PooledMoments]:
        return next(iter(self.moments().items()))

    def pairs(self) -> dict[str, PooledPairs]:
        name, moments, _ = self._scoring
        every = {own.default()[1]: own.pairs().get(name) for _, own in self.forms}
        parts = tuple(pair for part in moments.parts if (pair := every[part.moments]) is not None)
        return {name: PooledPairs(parts)} if parts else {}

    @property
    def mirrored(self) -> bool:
        name, moments = self.default()
        return mirrored(moments, self.pairs().get(name), self.d)

    @property
    def columns(self) -> Columns:
        """The columns of published reports: one for each option where some form lists several, else one."""
        return max((own.columns for _, own in self.forms), key=lambda columns: columns.size)

    def totals(self, each: Sequence[Totals | None]) -> Totals:
        """The pooled totals, from those of each form; None of a form without reports."""
        name, scores = self.default()[0], self.scores
        scored = [(score, own[name]) for score, own in zip(scores, each, strict=True) if own is not None]
        return {name: [sum(score * own[j] for score, own in scored) for j in range(len(scored[0][1]))]}


def of(question: Mapping[str, Any], of_channel: Callable[[Mapping[str, Any]], Randomizer]) -> PooledRandomizer:
    """`of_channel` makes the randomizer of one of the forms. Reports are those counted, or as many as weights say."""
    channels = question["asked"]
    whole = sum(each["weight"] for each in channels)
    counts = [each.get("n", round(EXPECTED * each["weight"] / whole)) for each in channels]
    forms = [(n, of_channel(of_asked(question, [each]))) for n, each in zip(counts, channels, strict=True)]
    return PooledRandomizer(tuple(forms))
