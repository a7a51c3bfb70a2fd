"""The pooled counterpart of a Randomizer, for a question that several forms ask through different channels (M45).

It has no table, because no answer goes through it. Its pooled scores count how often each option was listed, each
report by its form's whole number. Before there are reports, numbers expected by the forms' weights are used. Each item
of a list or grid has separate moments, because different reports drew it (question.about_item).
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
from ldp.scores import PooledMoments, PooledPairs, ScoreMoments, Totals

# The assumed number of reports of all forms, before there are any.
EXPECTED = 10_000


@dataclass(frozen=True)
class PooledRandomizer:
    """Members are Randomizer's, except those for single reports. `forms` has the number of reports and the channel of
    each form that asks; at least one has reports. `answers` is the number of answers to the question, or about an item.
    `whole`: a list or grid with all of its items, which has no moments."""

    forms: tuple[tuple[int, Randomizer], ...]
    answers: int
    whole: bool = False
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
        """Each form's fraction of the reports, and its alpha."""
        whole = sum(n for n, _ in self.forms)
        return tuple((n / whole, float(own.alpha)) for n, own in self.forms)

    def certified(self) -> bool:
        return all(own.certified() for _, own in self.forms)

    def realized(self) -> Realized:
        """Return the largest alpha that a form keeps."""
        return Realized(max(own.realized().alpha for _, own in self.forms), None)

    @property
    def _channels(self) -> list[ScoreMoments]:
        return [own.default()[1] for _, own in self.forms]

    @cached_property
    def scores(self) -> tuple[int, ...]:
        """The weight of a 1 in each form."""
        return pooled_scores.whole_scores(tuple(self._channels), self.answers)

    @property
    def method(self) -> str:
        return self.forms[0][1].method

    @cached_property
    def _moments(self) -> PooledMoments:
        if self.whole:
            raise ValueError("a list or grid is pooled item by item")
        counts = [n for n, _ in self.forms]
        return pooled_scores.every(list(zip(counts, self._channels, strict=True)), self.answers)[0]

    def moments(self) -> dict[str, PooledMoments]:
        return {self.method: self._moments}

    def default(self) -> tuple[str, PooledMoments]:
        return self.method, self._moments

    def pairs(self) -> dict[str, PooledPairs]:
        name = self.method
        every = {own.default()[1]: own.pairs().get(name) for _, own in self.forms}
        parts = tuple(pair for part in self._moments.parts if (pair := every[part.moments]) is not None)
        return {name: PooledPairs(parts)} if parts else {}

    @property
    def mirrored(self) -> bool:
        return all(own.mirrored for _, own in self.forms)

    @property
    def columns(self) -> Columns:
        """The columns of published reports: one for each option if some form lists several, otherwise one. A list or
        grid has as many for each item, and the largest number of drawn items."""
        every = [own.columns for _, own in self.forms]
        largest = max(every, key=lambda columns: columns.size)
        return largest._replace(drawn=max(columns.drawn for columns in every))

    def totals(self, each: Sequence[Totals | None]) -> Totals:
        """Return the pooled totals from each form's totals, None for a form without reports. Numbers of reports that
        drew an item are added unweighted."""
        scored = [(score, own) for score, own in zip(self.scores, each, strict=True) if own is not None]
        return {
            name: [
                sum((score if name == self.method else 1) * own[name][j] for score, own in scored)
                for j in range(len(first))
            ]
            for name, first in scored[0][1].items()
        }


def of(question: Mapping[str, Any], of_channel: Callable[[Mapping[str, Any]], Randomizer]) -> PooledRandomizer:
    """Return the pooled randomizer. `of_channel` makes one form's. Numbers of reports are the counted ones, or expected
    by weight and the number of items in a report."""
    channels = question["asked"]
    counts = [each.get("n", 0) for each in channels]
    if not any(counts):
        expected = [each["weight"] * each["table"].get("sample", 1) for each in channels]
        counts = [round(EXPECTED * own / sum(expected)) for own in expected]
    forms = [(n, of_channel(of_asked(question, [each]))) for n, each in zip(counts, channels, strict=True)]
    in_items = "sample" in channels[0]["table"]
    answers = 2 if in_items and "items" not in question else max(forms[0][1].d, 2)
    return PooledRandomizer(tuple(forms), answers, in_items and "item" not in question)
