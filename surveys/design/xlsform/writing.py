"""A definition as an XLSForm: the sheets survey, choices and settings, and one that lists what no XLSForm can say."""

import io
from typing import Any

from django.utils.translation import gettext, gettext_lazy
from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.worksheet.worksheet import Worksheet

from surveys.design.xlsform.remarks import Group, Remark, Remarks

Row = dict[str, str]

SURVEY = ("type", "name", "label", "hint", "required", "relevant", "appearance", "constraint")
CHOICES = ("list_name", "name", "label")
SETTINGS = ("form_title", "form_id")
CELL_MAX = 32_767  # characters

_ALPHA = gettext_lazy(
    "Privacy. Whoever collects answers with this form sees them: alphas and mechanisms are not in it, nor are answers "
    "randomized."
)
_BINS = gettext_lazy("Bins. The form asks for any number.")
_SCALE = gettext_lazy("Numbers beyond the ends of a scale. Here they count as the end; the form refuses them.")
_UNIT = gettext_lazy("Units. They stand in the hint.")
_SAMPLE = gettext_lazy("On how many answers or rows a browser reports. The form collects all of them.")
_ORDER = gettext_lazy("That options are steps of a scale. The form shows them as one (likert).")
_CONSENT = gettext_lazy("That nobody can go on without agreeing. The form asks to acknowledge the consent text.")
_FILLER = gettext_lazy("As what those count who are not asked. The form leaves their answer blank.")
_NO_NUMBER = gettext_lazy("“Prefer not to say” for numbers. They may be left blank.")
_REFUSING = gettext_lazy("“Prefer not to say”. It is an option like the others.")


def write(definition: dict[str, Any], name: str) -> bytes:
    """The workbook's bytes. `name` is the form's id."""
    book = Workbook()
    book.remove(book.active)
    rows, choices = _rows(definition)
    _fill(book.create_sheet("survey"), SURVEY, rows)
    _fill(book.create_sheet("choices"), CHOICES, choices)
    _fill(book.create_sheet("settings"), SETTINGS, [{"form_title": definition["title"], "form_id": name}])
    lost = [{"lost": remark.text, "where": ", ".join(remark.names)} for remark in remarks(definition)]
    _fill(book.create_sheet(gettext("not in this form")), ("lost", "where"), lost)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def remarks(definition: dict[str, Any]) -> list[Remark]:
    """What the form does not say, or says otherwise."""
    made = Remarks()
    for question in definition["questions"]:
        key, kind = question["key"], question["kind"]
        made.add(Group.LEFT_OUT, _ALPHA)
        for applies, rule in (
            (kind == "histogram", _BINS),
            (kind == "mean", _SCALE),
            (kind == "ordered", _ORDER),
            (bool(question.get("unit")), _UNIT),
            (kind in ("multiple_choice", "grid"), _SAMPLE),
            ("asked_if" in question, _FILLER),
            (question["prefer_not_to_say"], _NO_NUMBER if kind == "histogram" else _REFUSING),
        ):
            if applies:
                made.add(Group.LEFT_OUT, rule, key)
    if "consent" in definition:
        made.add(Group.LEFT_OUT, _CONSENT)
    return list(made)


# Rows -----------------------------------------------------------------------------------------------------------------


def _rows(definition: dict[str, Any]) -> tuple[list[Row], list[Row]]:
    names, choices = _Names(definition), _Choices()
    rows: list[Row] = []
    if definition["introduction"]:
        rows.append(_row("note", names.free("introduction"), definition["introduction"]))
    if "consent" in definition:
        rows.append(_row("acknowledge", names.free("consent"), definition["consent"], required="yes"))
    by_key = {question["key"]: question for question in definition["questions"]}
    for section in definition.get("sections", [{"questions": list(by_key)}]):
        asked = [
            row
            for key in section["questions"]
            for row in _asked_if(by_key[key], by_key, _question(by_key[key], names, choices))
        ]
        rows += _grouped(section, asked, names) if "title" in section else asked
    if "thanks" in definition:
        rows.append(_row("note", names.free("thanks"), definition["thanks"]))
    return rows, choices.rows


def _row(kind: str, name: str, label: str, **more: str) -> Row:
    return {"type": kind, "name": name, "label": label, **more}


def _grouped(section: dict[str, Any], asked: list[Row], names: "_Names") -> list[Row]:
    text = [_row("note", names.free("about"), section["text"])] if section["text"] else []
    return [_row("begin_group", names.free("section"), section["title"]), *text, *asked, {"type": "end_group"}]


def _asked_if(question: dict[str, Any], by_key: dict[str, dict[str, Any]], rows: list[Row]) -> list[Row]:
    """The rows of a question, the first with its condition; it holds for a whole group."""
    if "asked_if" not in question:
        return rows
    deciding = by_key[question["asked_if"]["question"]]
    codes = [_codes(deciding)[option] for option in question["asked_if"]["options"]]
    form = "selected(${%s}, '%s')" if deciding["kind"] == "multiple_choice" else "${%s} = '%s'"
    return [rows[0] | {"relevant": " or ".join(form % (deciding["key"], code) for code in codes)}, *rows[1:]]


def _question(question: dict[str, Any], names: "_Names", choices: "_Choices") -> list[Row]:
    key, label, hint = question["key"], question["text"], _hint(question)
    if question["kind"] in ("histogram", "mean"):
        within = f". >= {question['low']} and . <= {question['high']}" if question["kind"] == "mean" else ""
        required = "" if question["prefer_not_to_say"] else "yes"
        return [_row("decimal", key, label, hint=hint, required=required, constraint=within)]
    chosen = choices.add(key, question)
    if question["kind"] == "grid":
        items = [
            _row(f"select_one {chosen}", names.free(f"{key}_{i}"), item, required="yes")
            for i, item in enumerate(question["items"], 1)
        ]
        begin = _row("begin_group", key, label, hint=hint, appearance="table-list")
        return [begin, *items, {"type": "end_group"}]
    command = "select_multiple" if question["kind"] == "multiple_choice" else "select_one"
    # Of several options, none may apply.
    required = "" if command == "select_multiple" else "yes"
    scale = "likert" if question["kind"] == "ordered" else ""
    return [_row(f"{command} {chosen}", key, label, hint=hint, required=required, appearance=scale)]


def _hint(question: dict[str, Any]) -> str:
    unit = question.get("unit", "")
    return "\n".join(filter(None, (question["note"], f"({unit})" if unit else "")))


class _Names:
    """Names of rows that are no questions; keys of questions are never taken."""

    def __init__(self, definition: dict[str, Any]) -> None:
        self._taken = {question["key"] for question in definition["questions"]}

    def free(self, wished: str) -> str:
        name, number = wished, 2
        while name in self._taken:
            name, number = f"{wished}_{number}", number + 1
        self._taken.add(name)
        return name


class _Choices:
    """The sheet of choices: a list for each set of options, since many questions share one."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._lists: dict[tuple[str, ...], str] = {}

    def add(self, key: str, question: dict[str, Any]) -> str:
        """The name of the list."""
        options = tuple(question["options"])
        if options not in self._lists:
            self._lists[options] = f"{key}_options"
            for name, option in zip(_codes(question), options, strict=True):
                self.rows.append({"list_name": f"{key}_options", "name": name, "label": option})
        return self._lists[options]


def _codes(question: dict[str, Any]) -> list[str]:
    refusing = ["prefer_not_to_say"] if question["prefer_not_to_say"] else []
    count = len(question["options"]) - len(refusing)
    return (["yes", "no"] if question["kind"] == "yes_no" else [str(i) for i in range(1, count + 1)]) + refusing


# Cells ----------------------------------------------------------------------------------------------------------------


def _fill(sheet: Worksheet, columns: tuple[str, ...], rows: list[Row]) -> None:
    for number, row in enumerate([dict(zip(columns, columns, strict=True)), *rows], 1):
        for place, column in enumerate(columns, 1):
            if row.get(column):
                cell = sheet.cell(number, place, ILLEGAL_CHARACTERS_RE.sub("", row[column])[:CELL_MAX])
                # A text is a text, whatever it begins with: openpyxl would make a formula of "=1+1".
                cell.data_type = "s"
