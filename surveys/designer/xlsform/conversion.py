"""Convert a form, as pyxform's JSON, into a draft, with remarks on all differences."""

from typing import NamedTuple

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from surveys.designer.xlsform import columns, deniable_column, notes, rows, translations
from surveys.designer.xlsform.frames import Frame
from surveys.designer.xlsform.options import Lists
from surveys.designer.xlsform.questions import Decision, Questions
from surveys.designer.xlsform.remarks import SAID_MAX, Remark, RemarkGroup, Remarks
from surveys.designer.xlsform.routes import Routes
from surveys.designer.xlsform.rows import XlsformRow
from surveys.designer.xlsform.tables import QuestionTable, TableReader
from surveys.designer.xlsform.texts import XlsformTexts
from surveys.drafts import proposals
from surveys.figures.sentences import comma_separated
from surveys.rules.draft import Draft
from surveys.rules.limits import QUESTIONS_MAX

_SETTINGS = {
    deniable_column.OWN,
    "type",
    "name",
    "title",
    "id_string",
    "sms_keyword",
    "default_language",
    "children",
    "choices",
}
_REPEATED = _(
    "Options with the same name as another in their list, in the sheet choices. Only the first of them is here."
)
_REPEAT = _("Groups that are asked several times. Their questions are asked once.")
_TOO_MANY = _("Questions after the first 200.")


class Read(NamedTuple):
    """The result of reading a form. `keys` maps rows' names to questions' keys."""

    draft: Draft
    remarks: list[Remark]
    decisions: list[Decision]
    keys: dict[str, str]


def draft_of(read: XlsformRow, file_name: str) -> Read:
    """Return the draft of a form from sandbox.read, with the form's draws, else with proposed ones."""
    form, remarks = read["form"], Remarks()
    texts = XlsformTexts(form, remarks)
    frame = Frame(texts, remarks)
    lists = Lists(form, texts, remarks)
    routes = Routes(remarks)
    questions = Questions(lists, texts, routes, remarks)
    walk = _Walk(frame, questions, TableReader(questions, lists, texts, remarks), routes, remarks)
    walk.walk(form["children"])
    lists.note_unused()
    _note_the_rest(read, remarks)
    draft = frame.draft(texts.titled(form.get("title") or file_name, deniable_column.titles(form)))
    if texts.languages.tag:
        draft["language"] = texts.languages.tag
    translations.put(draft, texts.languages.others.values())
    if deniable_column.put_draws(form, draft):
        remarks.add(
            RemarkGroup.CHOOSE,
            gettext("Who is asked what, and each alpha, are as they were when the form was exported."),
        )
    else:
        _note_alphas(draft, remarks)
        proposals.propose(draft)
    return Read(draft, list(remarks), questions.decisions, questions.keys)


class _Walk:
    """Read the rows in order."""

    def __init__(
        self, frame: Frame, questions: Questions, tables: TableReader, routes: Routes, remarks: Remarks
    ) -> None:
        self._frame, self._questions, self._tables = frame, questions, tables
        self._routes, self._remarks = routes, remarks

    def walk(self, given: list[XlsformRow]) -> None:
        for row in given:
            kind = rows.canonical(row["type"])
            if kind in rows.GROUPS:
                self._group(row, kind)
            elif kind == "note":
                self._note(row)
            elif kind in rows.ACKNOWLEDGE:
                self._frame.consent(row)
                self._unasked(row)
            else:
                self._question(row, kind)

    def _note(self, row: XlsformRow) -> None:
        self._frame.note(row)
        # pyxform makes a note from a table's heading.
        if not row["name"].startswith("generated_table_list_label_"):
            self._unasked(row)

    def _unasked(self, row: XlsformRow) -> None:
        columns.note(row, self._remarks, is_question=False)
        self._routes.leave_out(row)

    def _question(self, row: XlsformRow, kind: str) -> None:
        if self._has_room(row["name"]) and (question := self._questions.of(row, kind)):
            self._frame.add(question)
            columns.note(row, self._remarks, is_question=True)

    def _has_room(self, name: str) -> bool:
        if self._frame.count >= QUESTIONS_MAX:
            self._remarks.add(RemarkGroup.LEFT_OUT, _TOO_MANY, name)
        return self._frame.count < QUESTIONS_MAX

    def _group(self, row: XlsformRow, kind: str) -> None:
        if row["name"] == "meta" and row.get("control", {}).get("bodyless"):
            self._meta(row)
            return
        if number := rows.form_number(row):
            with self._frame.form(row, number), self._routes.group(row):
                self.walk(row.get("children", []))
            return
        if kind == "loop":
            self._remarks.add(RemarkGroup.LEFT_OUT, rows.LOOP, row["name"], *_names(row))
            return
        if kind == "repeat":
            self._remarks.add(RemarkGroup.CHANGED, _REPEAT, row["name"])
        columns.note(row, self._remarks, is_question=False)
        with self._routes.group(row):
            table = self._tables.of(row)
            if not table.rest and not table.titled:
                self._table(table)
                return
            with self._frame.group(row, is_table=bool(table.made)):
                self._table(table)
                self.walk(table.rest)

    def _table(self, table: QuestionTable) -> None:
        for question in table.made:
            if self._has_room(question["key"]):
                self._frame.add(question)
        for item in (*table.items, *table.headers) if table.made else ():
            columns.note(item, self._remarks, is_question=True)
            self._routes.leave_out(item)

    def _meta(self, row: XlsformRow) -> None:
        """Leave out rows that pyxform adds to every form, without a remark. An `audit` row gets one."""
        for child in row["children"]:
            if child["type"] == "audit":
                self._remarks.add(RemarkGroup.LEFT_OUT, rows.why_left_out("audit"), child["name"])


def _names(row: XlsformRow) -> list[str]:
    return [name for child in row.get("children", ()) for name in (child["name"], *_names(child))]


def _note_the_rest(read: XlsformRow, remarks: Remarks) -> None:
    """Remark on other sheets, settings, cells, and pyxform's warnings."""
    for sheet in read["sheets"]:
        remarks.add(RemarkGroup.LEFT_OUT, _("Sheets other than survey, choices and settings."), sheet)
    for setting in read["form"].keys() - _SETTINGS:
        remarks.add(RemarkGroup.LEFT_OUT, _("Settings of the form, beside its title."), setting)
    for row, *names in read["repeated"]:
        named = gettext("row %(row)d: %(name)s") % {"row": row, "name": comma_separated(names)}
        remarks.add(RemarkGroup.LEFT_OUT, _REPEATED, named)
    notes.note(read, remarks)
    for warning in read["warnings"][:SAID_MAX]:
        remarks.add(RemarkGroup.SAID, warning)
    if len(read["warnings"]) > SAID_MAX:
        more = len(read["warnings"]) - SAID_MAX
        remarks.add(RemarkGroup.SAID, ngettext("%(n)d more remark.", "%(n)d more remarks.", more) % {"n": more})


def _note_alphas(draft: Draft, remarks: Remarks) -> None:
    if draft["questions"]:
        rule = gettext("A report starts with alpha 2 in all. The page “People and protection” shows who is asked what.")
        remarks.add(RemarkGroup.CHOOSE, rule)
    else:
        remarks.add(RemarkGroup.CHOOSE, gettext("No row of the form became a question. The draft has only its texts."))
