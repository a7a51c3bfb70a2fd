"""Remarks on cells of a form whose displayed text is not used (cells.py), and on cells that pyxform would not read
(mending.py)."""

from collections import Counter

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from surveys.designer.xlsform.remarks import RemarkGroup, Remarks
from surveys.designer.xlsform.rows import XlsformRow

NAMED_MAX = 200  # cells of one sort

_NOTES: dict[str, tuple[RemarkGroup, Promise]] = {
    "not as shown": (
        RemarkGroup.CHANGED,
        _(
            "Cells whose number format is not read here, or that show nothing or less than they hold. What they hold "
            "is here: check it."
        ),
    ),
    "in English": (
        RemarkGroup.CHANGED,
        _(
            "Cells that look different in spreadsheets of other languages: numbers with separators, names of months, "
            "true and false. They are written as in English."
        ),
    ),
    "error": (RemarkGroup.LEFT_OUT, _("Cells that show an error of the spreadsheet. They are read as empty.")),
    "formula": (
        RemarkGroup.CHANGED,
        _("Cells with formulas. Their values from when the spreadsheet was last saved are here."),
    ),
    "no value": (
        RemarkGroup.LEFT_OUT,
        _("Cells with formulas whose value was not saved. They are read as empty: open the file, and save it again."),
    ),
    "merged": (RemarkGroup.CHANGED, _("Merged cells. Their text counts in each row that they span.")),
    "list": (RemarkGroup.CHANGED, _("Options without a list_name. They belong to the list above them.")),
    "no list": (RemarkGroup.LEFT_OUT, _("Rows of the sheet choices that are in no list.")),
    "no heading": (RemarkGroup.LEFT_OUT, _("Cells in columns without a heading.")),
    "above": (RemarkGroup.LEFT_OUT, _("Cells above the row of the headings.")),
    "column": (RemarkGroup.LEFT_OUT, _("Columns that are there twice. The first one is used.")),
    "twin": (RemarkGroup.LEFT_OUT, _("Sheets with the name of another one. The first is here.")),
    "hidden": (RemarkGroup.CHANGED, _("Hidden rows and columns. They are read like the others.")),
    "settings": (RemarkGroup.LEFT_OUT, _("Rows of the sheet settings after the first one.")),
    "cell": (
        RemarkGroup.LEFT_OUT,
        _("Cells that cannot be read. They are left out; the form was read without them."),
    ),
    "disabled": (RemarkGroup.LEFT_OUT, _("Rows that the column disabled switches off.")),
}
_MENDED = {
    "cell": _NOTES["cell"][1],
    "row": _("Rows that cannot be read. They are left out; the form was read without them."),
    "column": _NOTES["column"][1],
}
_RENAMED = _("Names of rows that no form may have. They have other names here; no respondent sees them.")


def note(read: XlsformRow, remarks: Remarks) -> None:
    """Remark on all of these cells, by name."""
    counts: Counter[str] = Counter()
    for what, sheet, place, text in read["notes"]:
        counts[what] += 1
        if counts[what] <= NAMED_MAX:
            remarks.add(*_NOTES[what], _named(", ".join(filter(None, (sheet, place))), text))
    for what, count in counts.items():
        if more := max(0, count - NAMED_MAX):
            remarks.add(*_NOTES[what], ngettext("%(n)d more", "%(n)d more", more) % {"n": more})
    for mended in read["mended"]:
        _note_mended(remarks, *mended)


def _note_mended(remarks: Remarks, what: str, sheet: str, row: int, column: str, value: str, reason: str) -> None:
    """Remark on a removed or changed part that made the form unreadable, with pyxform's reason."""
    place = gettext("%(sheet)s, row %(row)d") % {"sheet": sheet, "row": row} if sheet else ""
    rule = (RemarkGroup.CHANGED, _RENAMED) if what == "name" else (RemarkGroup.LEFT_OUT, _MENDED[what])
    remarks.add(*rule, _named(place, " ".join(filter(None, (column, value)))))
    remarks.add(RemarkGroup.SAID, reason)


def _named(place: str, text: str) -> str:
    return ": ".join(filter(None, (place, " ".join(text.split()))))
