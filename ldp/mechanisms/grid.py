"""A grid of items with the same d options (M9): s of the items, drawn without looking at the answers, each by M2.

Table: {"sample": s, "other": t}; where a report is drawn, checked or counted, `mechanisms.of` adds "items", how many
there are. Report: s pairs [item, option], items increasing.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from ldp import exact
from ldp.exact import Table
from ldp.mechanisms import randomized_response
from ldp.packing import Packing, sampled_items
from ldp.scores import EXCLUSIVE, PairMoments, ScoreMoments, Totals, indicator
from ldp.words import Uniform, shuffled

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ("sample",)


def table(alpha: Fraction, d: int, sample: int = 1) -> Table:
    return {"sample": sample, "other": exact.threshold(alpha / sample, d)}


def certified(table: Table, d: int, alpha: Fraction) -> bool:
    sample = table["sample"]
    return 1 <= sample <= table.get("items", sample) and exact.certified(table["other"], alpha / sample, d)


def realized_alpha(table: Table, d: int) -> float:
    return table["sample"] * exact.realized_alpha(table["other"], d)


def randomize(answer: list[int], table: Table, d: int, uniform: Uniform) -> list[list[int]]:
    """The items first, by s choices, then one uniform integer for each of them in increasing order."""
    items = sorted(shuffled(len(answer), table["sample"], uniform))
    return [[item, randomized_response.randomize(answer[item], table, d, uniform)] for item in items]


def moments(table: Table, d: int) -> dict[str, ScoreMoments]:
    """For each option of an item, over the reports that drew the item."""
    q = Fraction(table["other"], exact.RESOLUTION)
    return {"support": indicator(1 - (d - 1) * q, q)}


def pairs(table: Table, d: int) -> dict[str, PairMoments]:
    """For two options of one item."""
    return {"support": EXCLUSIVE}


def packing(table: Table, d: int) -> Packing:
    """For each pair an item and an option."""
    return sampled_items(table["sample"], table["items"], d)


def tally(field: "Field", table: Table, d: int) -> Totals:
    """The totals of item 0, item 1, ... in one list."""
    counts = field.part_counts(table["sample"]).reshape(-1, 1 << (d - 1).bit_length())
    return {"support": counts[: table["items"], :d].reshape(-1).tolist()}
