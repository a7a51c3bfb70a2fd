"""Multiple selection by sampling (M9): s of the d items, drawn without looking at the answers, each as one bit of M2.

Each bit keeps alpha/s, so the report keeps alpha. One item at full alpha beats all items at alpha/d by far.
Table: {"sample": s, "other": t}. Report: s pairs [item, bit], items increasing.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from ldp import exact
from ldp.exact import Table
from ldp.packing import Packing, sampled_items
from ldp.scores import PairMoments, ScoreMoments, Totals, indicator
from ldp.words import Uniform, shuffled

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ("sample",)


def table(alpha: Fraction, d: int, sample: int = 1) -> Table:
    return {"sample": sample, "other": exact.threshold(alpha / sample, 2)}


def certified(table: Table, d: int, alpha: Fraction) -> bool:
    sample = table["sample"]
    return 1 <= sample <= d and exact.certified(table["other"], alpha / sample, 2)


def realized_alpha(table: Table, d: int) -> float:
    return table["sample"] * exact.realized_alpha(table["other"], 2)


def randomize(answer: list[bool], table: Table, d: int, uniform: Uniform) -> list[list[int]]:
    """The items first, by s choices, then one uniform integer for each of them in increasing order."""
    items = sorted(shuffled(d, table["sample"], uniform))
    flips = [uniform() < table["other"] for _ in items]
    return [[item, int(answer[item] != flip)] for item, flip in zip(items, flips, strict=True)]


def moments(table: Table, d: int) -> dict[str, ScoreMoments]:
    """For each item, over the reports that drew it."""
    q = Fraction(table["other"], exact.RESOLUTION)
    return {"support": indicator(1 - q, q)}


def pairs(table: Table, d: int) -> dict[str, PairMoments]:
    """None: each item is counted over the reports that drew it, and seldom do the same draw two."""
    return {}


def packing(table: Table, d: int) -> Packing:
    """For each pair an item and a bit."""
    return sampled_items(table["sample"], d, 2)


def tally(field: "Field", table: Table, d: int) -> Totals:
    """Also, under "drawn", the reports of each item."""
    counts = field.part_counts(table["sample"]).reshape(-1, 2)[:d]
    return {"support": counts[:, 1].tolist(), "drawn": counts.sum(axis=1).tolist()}
