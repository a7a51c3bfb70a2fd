"""A grid of items with the same d options (M9). s items are drawn without looking at the answers, and their answers are
randomized together as one draw of s questions with d options (M44).

Table: {"sample": s, "keep": t, "size": a}. `mechanisms.of` adds "items", the number of items, to draw, check or count a
report. Report: s pairs [item, options], items increasing, each with a options, increasing.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from ldp import exact
from ldp.exact import ListTable, Table
from ldp.mechanisms import randomized_response
from ldp.packing import Packing, sampled_subsets
from ldp.scores import PairMoments, ScoreMoments, Totals, indicator
from ldp.words import Uniform, shuffled

if TYPE_CHECKING:
    from ldp.tally import Field

EXTRAS: tuple[str, ...] = ("sample",)


def table(alpha: Fraction, d: int, sample: int = 1, size: int | None = None) -> Table:
    """Return the table with this size, the same for each item; by default the size of least error."""
    a = _best_size(alpha, d, sample) if size is None else size
    return {"sample": sample, "keep": randomized_response.table(alpha, (d,) * sample, (a,) * sample)["keep"], "size": a}


def _best_size(alpha: Fraction, d: int, sample: int) -> int:
    bound = exact.exp_short(alpha)
    return min(range(1, d), key=lambda a: (randomized_response.variance(bound, Fraction(d, a) ** sample, d, a), a))


def _together(table: Table, d: int) -> tuple[ListTable, tuple[int, ...]]:
    """Return the table of the draw about the items, and the numbers of their options."""
    sample = table["sample"]
    return {"keep": table["keep"], "sizes": [table["size"]] * sample}, (d,) * sample


def certified(table: Table, d: int, alpha: Fraction) -> bool:
    sample = table["sample"]
    return 1 <= sample <= table.get("items", sample) and randomized_response.certified(*_together(table, d), alpha)


def realized_alpha(table: Table, d: int) -> float:
    return randomized_response.realized_alpha(*_together(table, d))


def randomize(answer: list[int], table: Table, d: int, uniform: Uniform) -> list[list[int | list[int]]]:
    """Return the report. First s choices draw the items, then the options of all are drawn, items increasing."""
    items = sorted(shuffled(len(answer), table["sample"], uniform))
    listed = randomized_response.draw([answer[item] for item in items], *_together(table, d), uniform)
    return [[item, options] for item, options in zip(items, listed, strict=True)]


def moments(table: Table, d: int) -> dict[str, ScoreMoments]:
    """Return the moments of each option of an item, over the reports that drew the item."""
    own, _ = _together(table, d)
    return {"support": indicator(*randomized_response.chances(own, d))}


def pairs(table: Table, d: int) -> dict[str, PairMoments]:
    """Return the mean products of two options of one item."""
    own, _ = _together(table, d)
    return {"support": randomized_response.pair_moments(randomized_response.keep(own), table["size"], d)}


def packing(table: Table, d: int) -> Packing:
    """Return the packing: an item and its options for each pair."""
    return sampled_subsets(table["sample"], table["items"], d, table["size"])


def tally(field: "Field", table: Table, d: int) -> Totals:
    """Return the totals of item 0, item 1, ... in one list."""
    return {"support": field.listed_of_items(table["sample"], table["items"], d, table["size"]).ravel().tolist()}
