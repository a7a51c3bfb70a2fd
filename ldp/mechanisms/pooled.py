"""The pooled counterpart of a Randomizer, for a question that several forms ask through different channels (M45).

It has no table, as no answer goes through it. It has the moments of pooled scores: how often each option was listed,
each report counting the whole number of its form. Before there are reports each form has a number by its weight.
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

# The number of all forms' reports that is assumed where there are none yet.
EXPECTED = 10_000


@dataclass(frozen=True)
class PooledRandomizer:
    """`forms` has the number of reports and the channel of each form that asks; at least one form has reports. The
    members are Randomizer's, without those for single reports."""

    forms: tuple[tuple[int, Randomizer], ...]
    delta: None = None

    @property
    def d(self) -> int:
        return self.forms[0][1].d

    @property
    def alpha(self) -> Fraction:
        """The largest alpha of a form."""
        return max(own.alpha for _, own in self.forms)

    @property
    def alphas(self) -> tuple[tuple[float, float], ...]:
        """Each form's part of the reports, and its alpha."""
        whole = sum(n for n, _ in self.forms)
        return tuple((n / whole, float(own.alpha)) for n, own in self.forms)

    def certified(self) -> bool:
        return all(own.certified() for _, own in self.forms)

    def realized(self) -> Realized:
        """Return the largest alpha that a form keeps."""
        return Realized(max(own.realized().alpha for _, own in self.forms), None)

    @cached_property
    def _scoring(self) -> tuple[str, PooledMoments, tuple[int, ...]]:
        """The method, the moments, and the number that a 1 counts in each form."""
        name = self.forms[0][1].default()[0]
        return name, *pooled_scores.every([(n, own.default()[1]) for n, own in self.forms], max(self.d, 2))

    @property
    def scores(self) -> tuple[int, ...]:
        """The number that a 1 counts in each form."""
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
        """Return the pooled totals, from each form's totals; None for a form without reports."""
        name, scores = self.default()[0], self.scores
        scored = [(score, own[name]) for score, own in zip(scores, each, strict=True) if own is not None]
        return {name: [sum(score * own[j] for score, own in scored) for j in range(len(scored[0][1]))]}


def of(question: Mapping[str, Any], of_channel: Callable[[Mapping[str, Any]], Randomizer]) -> PooledRandomizer:
    """Return the pooled randomizer. `of_channel` makes one form's; numbers of reports are counted, or by weight."""
    channels = question["asked"]
    whole = sum(each["weight"] for each in channels)
    counts = [each.get("n", round(EXPECTED * each["weight"] / whole)) for each in channels]
    forms = [(n, of_channel(of_asked(question, [each]))) for n, each in zip(counts, channels, strict=True)]
    return PooledRandomizer(tuple(forms))
