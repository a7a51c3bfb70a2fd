"""A crossing as files, and as a picture."""

from django.utils.translation import gettext as _
from django.utils.translation import override

from ldp import crossing
from ldp.crossing import CrossingDocument
from surveys.figures.heat import Heat, HeatCell
from surveys.researcher.analyses.crossings import findings
from surveys.researcher.analyses.crossings.grid import grid, pairs_tested
from surveys.researcher.analyses.crossings.selection import Selection
from surveys.researcher.analyses.frame import files
from surveys.researcher.downloads import tables


def with_reasons(document: CrossingDocument) -> CrossingDocument:
    """The document with a sentence wherever there is no p-value, in the language that is active."""
    cells = None if pairs_tested(document) else findings.untested(document)
    independence = str(findings.TOO_FEW) if document["independence"] is None else None
    return {**document, "reasons": {"cells": cells, "independence": independence}}


@override("en")  # one file for everybody
def json_text(document: CrossingDocument) -> str:
    return files.json_text(with_reasons(document))


@override("en")
def csv_text(document: CrossingDocument) -> str:
    """One row for each cell, quantity and confidence (ldp/crossing.py)."""
    return tables.csv_text(crossing.COLUMNS, crossing.rows(with_reasons(document)))


MADE = {
    "csv": ("text/csv; charset=utf-8", csv_text),
    "json": ("application/json", json_text),
}


def heat(document: CrossingDocument, chosen: Selection) -> Heat:
    table = grid(document, chosen)
    largest = table.largest or 1.0
    cells = [
        [HeatCell(cell.estimate, cell.interval, cell.value / largest, cell.above) for cell in row]
        for row in table.cells
    ]
    title = _("%(first)s by %(second)s: shares in percent, with %(level)s%% intervals") % {
        "first": document["first"]["text"],
        "second": document["second"]["text"],
        "level": chosen.confidence,
    }
    names = document["first"]["text"], document["second"]["text"]
    return Heat(title, *names, table.rows, table.columns, cells)
