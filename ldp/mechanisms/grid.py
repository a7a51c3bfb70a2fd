"""A grid of items with the same d options (M9): s of the items, drawn without looking at the answers, each by M2.

Table: {"sample": s, "other": t}; where a report is drawn, checked or counted, `mechanisms.of` adds "items", how many
there are. Report: s pairs [item, option], items increasing.
"""

from collections.abc import Callable
from fractions import Fraction

from ldp import exact
from ldp.mechanisms import randomized_response
from ldp.sampling import drawn_items, shuffled
from ldp.scores import ScoreLaw, indicator
from ldp.words import Uniform

Table = dict[str, int]


def table(alpha: Fraction, d: int, sample: int = 1) -> Table:
    return {"sample": sample, "other": exact.threshold(alpha / sample, d)}


def certified(table: Table, alpha: Fraction, d: int) -> bool:
    sample = table["sample"]
    return 1 <= sample <= table.get("items", sample) and exact.certified(table["other"], alpha / sample, d)


def realised_alpha(table: Table, d: int) -> float:
    return table["sample"] * exact.realised_alpha(table["other"], d)


def randomize(answer: list[int], d: int, table: Table, uniform: Uniform) -> list[list[int]]:
    """The items first, by s choices, then one uniform integer for each of them in increasing order."""
    items = sorted(shuffled(len(answer), table["sample"], uniform))
    return [[item, randomized_response.randomize(answer[item], d, table, uniform)] for item in items]


def laws(table: Table, d: int) -> dict[str, ScoreLaw]:
    """For each option of an item, over the reports that drew the item."""
    q = Fraction(table["other"], exact.RESOLUTION)
    return {"support": indicator(1 - (d - 1) * q, q)}


def width(d: int, table: Table) -> int:
    """Bits of a packed report: for each pair an item and an option."""
    return table["sample"] * ((table["items"] - 1).bit_length() + (d - 1).bit_length())


def encoder(d: int, table: Table) -> Callable[[object], int]:
    """A function from a report's value to its bits as an integer. ValueError names the rule, never the value."""
    item_bits, option_bits = (table["items"] - 1).bit_length(), (d - 1).bit_length()

    def encode(value: object) -> int:
        code = 0
        for item, option in drawn_items(value, table["items"], table["sample"], d):
            code = (code << item_bits | item) << option_bits | option
        return code

    return encode
