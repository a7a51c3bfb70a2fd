"""A row of a form becomes a question of a draft, if it can be asked privately."""

from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from surveys.design.xlsform import bounds, dates, rows
from surveys.design.xlsform.options import Lists, Options
from surveys.design.xlsform.remarks import Group, Remarks
from surveys.design.xlsform.routes import Deciding, Routes
from surveys.design.xlsform.rows import Row
from surveys.design.xlsform.texts import Keys, Texts
from surveys.design.xlsform.translations import Text
from surveys.rules.limits import ITEMS_MAX, OPTION_MAX, RANKED_MAX, RANKED_MIN, TEXT_MAX
from surveys.rules.texts import decimal
from surveys.rules.unchecked import Question

_STEPS = _("Questions that looked like a scale (likert). They are steps of a scale here.")
_SAMPLED = _(
    "Questions with several answers each. A browser reports on one of them, drawn by chance, unless the question says "
    "how many."
)
_PAIRS = _("Rankings. A browser reports which of two entries stands first, of two that are drawn by chance.")
_RANKS = _("Rankings of fewer than 3 or more than 8 entries. Ask for the first choice instead, or rate each in a grid.")
_NO_BOUNDS = _(
    "Numbers without a smallest and a largest value that could be read. Give their bins, or the ends of a scale."
)
_CONSTRAINT = _(
    "Limits on answers that are more than a smallest and a largest value (constraint). They are not checked."
)
_BEYOND = _("Numbers beyond the ends. Here they are taken and count at the end.")
_BEYOND_DATES = _("Dates beyond the first and the last. Here they are taken and count in the outer spans.")
_NO_DATES = _("Dates without a first and a last one that could be read. Give the dates between their spans.")
_UNLABELLED = _("Questions without a label. Their name stands in its place.")
_HEADER = _("Texts above a table for which it has no place: its question, and a note below it.")
_TABLE = _("Tables whose rows do not all have the same options. Each row is a separate question.")


class Decision(NamedTuple):
    """A question that could be of another kind, as only its designer knows. `now` is how it stands in the draft."""

    now: Question
    other: Question


class Table(NamedTuple):
    """A group: the rows still to be asked or shown, those that are items of a grid, its header rows, the grid, and
    whether the group has a label that is not the grid's question."""

    rest: list[Row]
    items: list[Row] = []
    headers: list[Row] = []
    grid: Question | None = None
    titled: bool = False


class Questions:
    """Makes questions, and keeps what is for the designer to decide."""

    def __init__(self, lists: Lists, texts: Texts, routes: Routes, remarks: Remarks) -> None:
        self._lists, self._texts, self._routes, self._remarks = lists, texts, routes, remarks
        self._keys = Keys(remarks)
        self._open: list[tuple[Question, Question]] = []

    @property
    def decisions(self) -> list[Decision]:
        """Once the questions stand as they will be in the draft."""
        return [Decision(dict(question), _otherwise(question, fields)) for question, fields in self._open]

    @property
    def keys(self) -> dict[str, str]:
        return self._keys.by_name

    def of(self, row: Row, kind: str) -> Question | None:
        """None, with a remark, where the row becomes nothing."""
        if kind in rows.NUMBERS:
            return self._number(row, kind)
        if kind == rows.DATE:
            return self._date(row)
        if kind not in (rows.SELECT_ONE, rows.SELECT_MULTIPLE, rows.RANK):
            self._remarks.add(Group.LEFT_OUT, rows.why_left_out(kind), row["name"])
            return None
        if row.get("itemset") not in self._lists:
            self._remarks.add(Group.LEFT_OUT, rows.LISTED_ELSEWHERE, row["name"])
            return None
        if kind == rows.RANK:
            return self._ranking(row)
        return self._single(row) if kind == rows.SELECT_ONE else self._several(row)

    def _begin(self, row: Row, kind: str, fields: Question) -> Question:
        name = row["name"]
        hint = self._texts.read(row.get("hint"), TEXT_MAX, name)
        question = {"key": self._keys.of(name), "kind": kind, "text": self._label(row, TEXT_MAX)}
        rows = self._routes.of(row, question["key"])
        return question | ({"note": hint} if hint else {}) | fields | rows

    def _label(self, row: Row, limit: int) -> Text:
        text = self._texts.read(row.get("label"), limit, row["name"])
        if not text:
            self._remarks.add(Group.CHANGED, _UNLABELLED, row["name"])
        return text or Text(str(row["name"])[:limit])

    # Options ----------------------------------------------------------------------------------------------------------

    def _single(self, row: Row) -> Question | None:
        options = self._lists.read(row["itemset"], row["name"])
        if options is None:
            return None
        if yes_no := self._lists.yes_no(options):
            return self._deciding(row, "yes_no", yes_no, yes_no.refusing_field())
        self._lists.note_untranslated(options)
        if "likert" in row.get("control", {}).get("appearance", ""):
            self._remarks.add(Group.CHANGED, _STEPS, row["name"])
            return self._deciding(row, "ordered", options, options.fields())
        question = self._deciding(row, "single_choice", options, options.fields())
        if len(options.texts) > 2:
            self._open.append((question, {"kind": "ordered"}))
        return question

    def _several(self, row: Row) -> Question | None:
        options = self._lists.read(row["itemset"], row["name"])
        if options is None:
            return None
        self._lists.note_untranslated(options)
        self._remarks.add(Group.CHANGED, _SAMPLED, row["name"])
        return self._deciding(row, "multiple_choice", options, options.fields())

    def _ranking(self, row: Row) -> Question | None:
        options = self._lists.read(row["itemset"], row["name"])
        if options is None:
            return None
        items = options.fields()["options"]
        if not RANKED_MIN <= len(items) <= RANKED_MAX:
            self._remarks.add(Group.LEFT_OUT, _RANKS, row["name"])
            return None
        self._lists.note_untranslated(options)
        self._remarks.add(Group.CHANGED, _PAIRS, row["name"])
        return self._begin(row, "ranking", {"ranked": items})

    def _deciding(self, row: Row, kind: str, options: Options, fields: Question) -> Question:
        question = self._begin(row, kind, fields)
        self._routes.decide(row["name"], Deciding(question["key"], kind == "multiple_choice", options.codes))
        return question

    # Numbers ----------------------------------------------------------------------------------------------------------

    def _number(self, row: Row, kind: str) -> Question:
        ends, complete = bounds.of(row, kind)
        if not complete:
            self._remarks.add(Group.LEFT_OUT, _CONSTRAINT, row["name"])
        if not ends.known:
            self._remarks.add(Group.CHOOSE, _NO_BOUNDS, row["name"])
            question = self._begin(row, "histogram", {"edges": []})
            self._open.append((question, {"kind": "mean", "low": "", "high": ""}))
            return question
        self._remarks.add(Group.CHANGED, _BEYOND, row["name"])
        whole = kind != "decimal" and all(end == int(end) for end in ends if end is not None)
        question = self._begin(row, "histogram", {"edges": bounds.bins(ends, whole)})
        scale = {"low": decimal(ends.low or 0), "high": decimal(ends.high or 0)}
        self._open.append((question, {"kind": "mean"} | scale))
        return question

    def _date(self, row: Row) -> Question:
        between, complete = dates.of(row)
        if not complete:
            self._remarks.add(Group.LEFT_OUT, _CONSTRAINT, row["name"])
        if between:
            self._remarks.add(Group.CHANGED, _BEYOND_DATES, row["name"])
        else:
            self._remarks.add(Group.CHOOSE, _NO_DATES, row["name"])
        return self._begin(row, "date", {"dates": between})

    # Tables -----------------------------------------------------------------------------------------------------------

    def table(self, group: Row) -> Table:
        """What a group's rows become; one that is no table has them all still to be asked."""
        children: list[Row] = group.get("children", [])
        headers = [row for row in children if _is_header(row)]
        if not headers:
            return Table(children)
        rows = [row for row in children if not _is_header(row) and not _is_heading(row)]
        items = [row for row in rows if _looks(row).startswith("list-nolabel")]
        labels = [self._label(row, OPTION_MAX) for row in items]
        if not self._is_table(items, labels):
            self._remarks.add(Group.CHANGED, _TABLE, group["name"])
            return Table([*_as_notes(headers), *rows])
        options = self._lists.read(items[0]["itemset"], group["name"])
        rest = [row for row in rows if row not in items]
        if options is None:
            return Table([*_as_notes(headers), *rest], items)
        return self._grid(group, headers, labels, options)._replace(rest=rest, items=items)

    def _grid(self, group: Row, headers: list[Row], items: list[Text], options: Options) -> Table:
        """The label of the header row is the question; where it has none, that of the group is."""
        above = [row for row in group["children"] if _is_heading(row) or row in headers]
        by_header = [row["label"] for row in headers if _says(row.get("label"))]
        own = [group["label"]] if group.get("label") and not by_header else []
        labels = [*by_header, *own, *(row["label"] for row in above if _says(row.get("label")) and row not in headers)]
        different = [label for i, label in enumerate(labels) if label not in labels[:i]]
        below = [*different[1:], *(row["hint"] for row in above if row.get("hint"))]
        named = {"name": group["name"], "label": next(iter(different), None), "hint": next(iter(below), None)}
        for label in below[1:]:
            self._remarks.add(Group.LEFT_OUT, _HEADER, self._texts.read(label, TEXT_MAX, group["name"]))
        self._remarks.add(Group.CHANGED, _SAMPLED, group["name"])
        self._lists.note_untranslated(options)
        grid = self._begin(named, "grid", {"items": items} | options.fields())
        titled = bool(by_header and group.get("label") and group["label"] not in by_header)
        return Table([], [], headers, grid, titled)

    def _is_table(self, items: list[Row], labels: list[Text]) -> bool:
        single = all(rows.canonical(row["type"]) == rows.SELECT_ONE for row in items)
        same = len({row.get("itemset") for row in items}) == 1 and items[0].get("itemset") in self._lists
        return 2 <= len(items) <= ITEMS_MAX and len(set(labels)) == len(labels) and single and same


def _as_notes(headers: list[Row]) -> list[Row]:
    """What stands above rows that are no table, where it has any text."""
    return [row | {"type": "note"} for row in headers if row.get("label") or row.get("hint")]


def _is_header(row: Row) -> bool:
    return "label" in _looks(row).split()


def _looks(row: Row) -> str:
    looks: str = row.get("control", {}).get("appearance", "")
    return looks


def _says(label: object) -> bool:
    """Whether it is more than the blank that pyxform gives to the header of a table-list."""
    return any(str(text).strip() for text in (label.values() if isinstance(label, dict) else [label or ""]))


def _is_heading(row: Row) -> bool:
    return str(row["name"]).startswith("generated_table_list_label_")


def _otherwise(question: Question, fields: Question) -> Question:
    """The question as one of the other kind, which has no edges."""
    return {name: value for name, value in question.items() if name != "edges"} | fields
