"""The document of a crossing as a table of cells, with numbers as text."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from ldp import crossing
from ldp.crossing import CrossingDocument, QuantityName, Side
from surveys.figures import numerals
from surveys.researcher.analyses.frame.inputs import option_texts
from surveys.researcher.analyses.frame.selection import AnalysisSelection

SHARES: dict[QuantityName, Promise] = {
    "joint": gettext_lazy("Of all who were asked both"),
    "within_first": gettext_lazy("Within rows"),
    "within_second": gettext_lazy("Within columns"),
}


@dataclass(frozen=True)
class CrossingCell:
    """A cell of the table.

    `estimate` and `interval` are texts in percent, empty if a subgroup is too small. `value` is the estimate as a
    fraction. `above` is 1 if more people have both answers than under independence, -1 if fewer, 0 if unknown.
    """

    row: str
    column: str
    value: float
    estimate: str
    interval: str
    above: int


@dataclass(frozen=True)
class CrossingGrid:
    rows: list[str]
    columns: list[str]
    cells: list[list[CrossingCell]]
    largest: float  # of all estimates, as a fraction


def options(side: Side) -> list[str]:
    """Return the options as shown."""
    return option_texts([category["option"] for category in side["categories"]])


def level_of(document: CrossingDocument, chosen: AnalysisSelection) -> int:
    """Return the index of the selected confidence in the document's lists."""
    return int(document["confidences"].index(chosen.fraction))


def grid(document: CrossingDocument, chosen: AnalysisSelection) -> CrossingGrid:
    rows, columns, place = options(document["first"]), options(document["second"]), level_of(document, chosen)
    above, decimals = standing_out(document, chosen), _decimals(document)
    texts = [_cell_texts(cell, shares_of(chosen), place, decimals) for cell in document["cells"]]
    width = len(columns)
    cells = [
        [CrossingCell(rows[j], columns[k], *texts[j * width + k], above[j * width + k]) for k in range(width)]
        for j in range(len(rows))
    ]
    return CrossingGrid(rows, columns, cells, max(0.0, *(value for value, _, _ in texts)))


def _decimals(document: CrossingDocument) -> int:
    """Return the decimals of percentages: at most one, so that cells are readable."""
    return min(1, numerals.decimals_for(max(cell["standard_errors"]["population"] for cell in document["cells"])))


def _cell_texts(cell: crossing.Cell, shares: QuantityName, place: int, decimals: int) -> tuple[float, str, str]:
    quantity = cell[shares]
    if quantity is None:
        return 0.0, "", ""
    least, most = quantity["levels"][place]["simultaneous"]
    interval = numerals.to(*numerals.outward(100 * least, 100 * most, decimals))
    return quantity["estimate"], numerals.share(quantity["estimate"], decimals), interval


def shares_of(chosen: AnalysisSelection) -> QuantityName:
    return next((name for name in SHARES if name == chosen.shares), "joint")


# Highlights -----------------------------------------------------------------------------------------------------------


def standing_out(document: CrossingDocument, chosen: AnalysisSelection) -> list[int]:
    """Return 1 for a cell that more people have than under independence, -1 for fewer, 0 if unknown. The chance that
    any sign is wrong is at most what the confidence leaves, or half of that if the whole table is tested too."""
    level = levels(document, chosen)
    return [
        cell["direction"] if cell["corrected"] is not None and cell["corrected"] <= level else 0
        for cell in document["cells"]
    ]


def depends(document: CrossingDocument, chosen: AnalysisSelection) -> bool:
    """Return whether the whole table, or any cell, shows that the two questions are not independent."""
    test = document["independence"]
    whole = test is not None and test["p_value"] <= levels(document, chosen)
    return whole or any(standing_out(document, chosen))


def tested(document: CrossingDocument) -> bool:
    """Return whether the document has a test of independence."""
    return document["independence"] is not None or pairs_tested(document)


def pairs_tested(document: CrossingDocument) -> bool:
    """Return whether single cells have a test. They have none if the scores of a variable are those of an inverted
    channel."""
    return document["cells"][0]["p_value"] is not None


def levels(document: CrossingDocument, chosen: AnalysisSelection) -> float:
    """Return the level of each of the two tests. Together they keep the confidence."""
    left = 1 - chosen.fraction
    both = document["independence"] is not None and pairs_tested(document)
    return left / 2 if both else left
