"""Multiple choice by sampling (M9). s of the d items are drawn without looking at the answers, and their bits are
randomized together as one draw of s questions with two options (M44). One item at the whole alpha is far more precise
than all items at alpha/d each.

Table: {"sample": s, "keep": t}. Report: s pairs [item, bit], items increasing.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from ldp.exact import ListTable, Table
from ldp.mechanisms import randomized_response
from ldp.packing import Packing, sampled_items
from ldp.scores import PairMoments, ScoreMoments, Totals, indicator
from ldp.words import Uniform, shuffled

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ("sample",)


def table(alpha: Fraction, d: int, sample: int = 1) -> Table:
    return {"sample": sample, "keep": randomized_response.table(alpha, (2,) * sample)["keep"]}


def _together(table: Table) -> tuple[ListTable, tuple[int, ...]]:
    """Return the table of the draw about the items, and the numbers of their options."""
    return {"keep": table["keep"], "sizes": [1] * table["sample"]}, (2,) * table["sample"]


def certified(table: Table, d: int, alpha: Fraction) -> bool:
    return 1 <= table["sample"] <= d and randomized_response.certified(*_together(table), alpha)


def realized_alpha(table: Table, d: int) -> float:
    return randomized_response.realized_alpha(*_together(table))


def randomize(answer: list[bool], table: Table, d: int, uniform: Uniform) -> list[list[int]]:
    """Return the report. First s choices draw the items, then the bits of all are drawn, items increasing."""
    items = sorted(shuffled(d, table["sample"], uniform))
    bits = randomized_response.draw([int(answer[item]) for item in items], *_together(table), uniform)
    return [[item, bit] for item, [bit] in zip(items, bits, strict=True)]


def moments(table: Table, d: int) -> dict[str, ScoreMoments]:
    """Return the moments of each item, over the reports that drew it."""
    own, _ = _together(table)
    return {"support": indicator(*randomized_response.chances(own, 2))}


def pairs(table: Table, d: int) -> dict[str, PairMoments]:
    """Return nothing: each item is counted over the reports that drew it, and few of these drew another item too."""
    return {}


def packing(table: Table, d: int) -> Packing:
    """Return the packing: an item and a bit for each pair."""
    return sampled_items(table["sample"], d, 2)


def tally(field: "Field", table: Table, d: int) -> Totals:
    """Return the totals. "drawn" has the number of reports about each item."""
    counts = field.part_counts(table["sample"]).reshape(-1, 2)[:d]
    return {"support": counts[:, 1].tolist(), "drawn": counts.sum(axis=1).tolist()}
