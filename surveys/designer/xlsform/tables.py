"""Convert groups that are tables, and KoBo rankings, to grids."""

from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from surveys.designer.xlsform import kobo, rows
from surveys.designer.xlsform.deniable_column import OWN
from surveys.designer.xlsform.options import ListOptions, Lists
from surveys.designer.xlsform.questions import SAMPLED, Questions
from surveys.designer.xlsform.remarks import RemarkGroup, Remarks
from surveys.designer.xlsform.rows import XlsformRow
from surveys.designer.xlsform.texts import XlsformTexts
from surveys.designer.xlsform.translations import Text, joined
from surveys.rules.draft import Question
from surveys.rules.limits import ITEMS_MAX, OPTION_MAX, TEXT_MAX

_HEADER = _("Texts above a table for which it has no place: its question, and a note below it.")
_TABLE = _("Tables whose rows do not all have the same options. Each row is a separate question.")
_LEVELS = _("How many places a ranking has. Here all entries are ranked.")
_COLUMNS = _(
    "Columns of a matrix in which no single option is chosen. A matrix is a grid for each of its other columns."
)
_ITEMS = _("Tables of fewer than two rows, of more than 64, or with the same row twice.")


class QuestionTable(NamedTuple):
    """A converted group: its remaining rows, its rows that are items, its header rows, the questions from other rows,
    and whether its label belongs to no question."""

    rest: list[XlsformRow]
    items: list[XlsformRow] = []
    headers: list[XlsformRow] = []
    made: list[Question] = []
    titled: bool = False


class TableReader:
    """Convert tables to questions."""

    def __init__(self, questions: Questions, lists: Lists, texts: XlsformTexts, remarks: Remarks) -> None:
        self._questions, self._lists, self._texts, self._remarks = questions, lists, texts, remarks

    def of(self, group: XlsformRow) -> QuestionTable:
        """Convert a group's rows. In a group that is no table all rows remain."""
        children: list[XlsformRow] = group.get("children", [])
        if kobo.sort_of(group):
            return self._of_kobo(group, children)
        headers = [row for row in children if _is_header(row)]
        if not headers:
            return QuestionTable(children)
        rows = [row for row in children if not _is_header(row) and not _is_heading(row)]
        items = [row for row in rows if _looks(row).startswith("list-nolabel")]
        labels = [self._questions.label(row, OPTION_MAX) for row in items]
        if not self._is_table(items, labels):
            self._remarks.add(RemarkGroup.CHANGED, _TABLE, group["name"])
            return QuestionTable([*_as_notes(headers), *rows])
        options = self._lists.read(items[0]["itemset"], group["name"])
        rest = [row for row in rows if row not in items]
        if options is None:
            return QuestionTable([*_as_notes(headers), *rest], items)
        return self._grid(group, headers, labels, options)._replace(rest=rest, items=items)

    def _grid(
        self, group: XlsformRow, headers: list[XlsformRow], items: list[Text], options: ListOptions
    ) -> QuestionTable:
        """Return the grid. Its question is the label of the header row, else of the group."""
        above = [row for row in group["children"] if _is_heading(row) or row in headers]
        by_header = [row["label"] for row in headers if _says(row.get("label"))]
        own = [group["label"]] if group.get("label") and not by_header else []
        labels = [*by_header, *own, *(row["label"] for row in above if _says(row.get("label")) and row not in headers)]
        different = [label for i, label in enumerate(labels) if label not in labels[:i]]
        below = [*different[1:], *(row["hint"] for row in above if row.get("hint"))]
        named = {"name": group["name"], "label": next(iter(different), None), "hint": next(iter(below), None)}
        named |= {OWN: group[OWN]} if OWN in group else {}
        for label in below[1:]:
            self._remarks.add(RemarkGroup.LEFT_OUT, _HEADER, self._texts.read(label, TEXT_MAX, group["name"]))
        grid = self._grid_of(named, items, options)
        titled = bool(by_header and group.get("label") and group["label"] not in by_header)
        return QuestionTable([], [], headers, [grid], titled)

    def _grid_of(self, row: XlsformRow, items: list[Text], options: ListOptions) -> Question:
        self._questions.cell_fields(row, "grid")
        self._remarks.add(RemarkGroup.CHANGED, SAMPLED, row["name"])
        self._lists.note_untranslated(options)
        self._lists.steps(options, row["name"])
        return self._questions.begin(row, "grid", {"items": items} | options.fields())

    def _of_kobo(self, group: XlsformRow, children: list[XlsformRow]) -> QuestionTable:
        sort, name, row = kobo.sort_of(group), kobo.list_of(group), kobo.as_question(group)
        if name not in self._lists:
            self._remarks.add(RemarkGroup.LEFT_OUT, rows.LISTED_ELSEWHERE, group["name"])
            return QuestionTable([])
        if sort == kobo.RANK:
            self._remarks.add(RemarkGroup.CHANGED, _LEVELS, group["name"])
            ranking = self._questions.ranking(row | {"itemset": name})
            return QuestionTable([], [], [], [ranking] if ranking else [])
        options = self._lists.read(name, group["name"])
        if options is None:
            return QuestionTable([])
        if sort == kobo.MATRIX:
            return self._matrix(row, children, [*options.texts])
        items = [self._questions.label(child, OPTION_MAX) for child in children]
        if not self._are_items(items, group["name"]):
            return QuestionTable([])
        return QuestionTable([], children, [], [self._grid_of(row, items, options)])

    def _matrix(self, group: XlsformRow, children: list[XlsformRow], items: list[Text]) -> QuestionTable:
        """Return a grid for each single-choice column. The other columns cannot be asked."""
        if not self._are_items(items, group["name"]):
            return QuestionTable([])
        made: list[Question] = []
        for child in children:
            kind = rows.canonical(child["type"])
            if kind != rows.SELECT_ONE or child.get("itemset") not in self._lists:
                self._remarks.add(RemarkGroup.LEFT_OUT, _COLUMNS, child["name"])
            elif options := self._lists.read(child["itemset"], child["name"]):
                text = joined(
                    " – ", [self._texts.read(each.get("label"), TEXT_MAX, each["name"]) for each in (group, child)]
                )
                made.append(self._grid_of(child, items, options) | {"text": text or child["name"]})
        return QuestionTable([], children, [], made)

    def _are_items(self, items: list[Text], name: str) -> bool:
        are_items = 2 <= len(items) <= ITEMS_MAX and len(set(items)) == len(items)
        if not are_items:
            self._remarks.add(RemarkGroup.LEFT_OUT, _ITEMS, name)
        return are_items

    def _is_table(self, items: list[XlsformRow], labels: list[Text]) -> bool:
        single = all(rows.canonical(row["type"]) == rows.SELECT_ONE for row in items)
        same = len({row.get("itemset") for row in items}) == 1 and items[0].get("itemset") in self._lists
        return 2 <= len(items) <= ITEMS_MAX and len(set(labels)) == len(labels) and single and same


def _as_notes(headers: list[XlsformRow]) -> list[XlsformRow]:
    """Return the header rows with text as notes above rows that are no table."""
    return [row | {"type": "note"} for row in headers if row.get("label") or row.get("hint")]


def _is_header(row: XlsformRow) -> bool:
    return "label" in _looks(row).split()


def _looks(row: XlsformRow) -> str:
    looks: str = row.get("control", {}).get("appearance", "")
    return looks


def _says(label: object) -> bool:
    """Return whether the label has text. pyxform gives a blank to the header of a table-list."""
    return any(str(text).strip() for text in (label.values() if isinstance(label, dict) else [label or ""]))


def _is_heading(row: XlsformRow) -> bool:
    return str(row["name"]).startswith("generated_table_list_label_")
