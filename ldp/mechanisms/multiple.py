"""Multiple selection by sampling (M9): s of the d items, drawn without looking at the answers, each as one bit of M2.

Each bit keeps alpha/s, so the report keeps alpha. One item at full alpha beats all items at alpha/d by far.
Table: {"sample": s, "other": t}. Report: s pairs [item, bit], items increasing.
"""

from collections.abc import Callable
from fractions import Fraction

from ldp import exact
from ldp.sampling import drawn_items, shuffled
from ldp.scores import ScoreLaw, indicator
from ldp.words import Uniform

Table = dict[str, int]


def table(alpha: Fraction, d: int, sample: int = 1) -> Table:
    return {"sample": sample, "other": exact.threshold(alpha / sample, 2)}


def certified(table: Table, alpha: Fraction, d: int) -> bool:
    sample = table["sample"]
    return 1 <= sample <= d and exact.certified(table["other"], alpha / sample, 2)


def realised_alpha(table: Table, d: int) -> float:
    return table["sample"] * exact.realised_alpha(table["other"], 2)


def randomize(answer: list[bool], d: int, table: Table, uniform: Uniform) -> list[list[int]]:
    """The items first, by s choices, then one uniform integer for each of them in increasing order."""
    items = sorted(shuffled(d, table["sample"], uniform))
    flips = [uniform() < table["other"] for _ in items]
    return [[item, int(answer[item] != flip)] for item, flip in zip(items, flips, strict=True)]


def laws(table: Table, d: int) -> dict[str, ScoreLaw]:
    """For each item, over the reports that drew it."""
    q = Fraction(table["other"], exact.RESOLUTION)
    return {"support": indicator(1 - q, q)}


def width(d: int, table: Table) -> int:
    """Bits of a packed report: for each pair an item and a bit."""
    return table["sample"] * ((d - 1).bit_length() + 1)


def encoder(d: int, table: Table) -> Callable[[object], int]:
    """A function from a report's value to its bits as an integer. ValueError names the rule, never the value."""
    item_bits = (d - 1).bit_length()

    def encode(value: object) -> int:
        code = 0
        for item, bit in drawn_items(value, d, table["sample"], 2):
            code = (code << item_bits | item) << 1 | bit
        return code

    return encode
