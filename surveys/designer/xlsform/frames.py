"""The parts around a form's questions: title, texts, and groups as sections."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from surveys.designer.xlsform.remarks import RemarkGroup, Remarks
from surveys.designer.xlsform.rows import XlsformRow
from surveys.designer.xlsform.texts import LONG, XlsformTexts
from surveys.designer.xlsform.translations import Text, joined
from surveys.drafts.forms import FEWEST
from surveys.rules.draft import Draft, DraftSection, Question
from surveys.rules.limits import CONSENT_MAX, TEXT_MAX, TITLE_MAX

_NOTES = _(
    "Notes. Notes before the first question are the introduction, at the beginning of a group its text, after the "
    "last question the words of thanks. Any other note is below the question that follows it."
)
_CONSENT = _("Rows to acknowledge. They are the consent text, agreed to before the first question and not recorded.")
_NESTED = _("Groups within groups. Sections here hold no sections, so their titles are joined.")
_OUTSIDE = _("Questions outside every group. They have sections of their own: give these titles.")
_UNTITLED = _("Groups without a label. Their questions belong to the section around them.")
_FORMS = _(
    "Groups named form_1, form_2 and so on. Here they are forms: each person is asked one of them only, drawn by lot. "
    "Their weights and alphas, and whose answers are randomized together, are proposed anew unless the form was made "
    "here."
)
_ONE_FORM = _("A group named as a form, without a second one. Everyone is asked its questions.")
_EMPTY = _("Groups without any question left.")


class Frame:
    """Gather the questions of a form with the parts around them."""

    def __init__(self, texts: XlsformTexts, remarks: Remarks) -> None:
        self._texts, self._remarks = texts, remarks
        self._questions: list[Question] = []
        self._sections: list[DraftSection] = []
        self._path: list[Text] = []
        self._begun = False  # whether the current group has a question
        self._introduction: list[Text] = []
        self._consent: list[Text] = []
        self._pending: list[Text] = []  # notes for the next section or question
        self._forms: dict[str, list[str]] = {}  # keys by form number
        self._form: str | None = None
        self._form_names: list[str] = []

    @property
    def count(self) -> int:
        return len(self._questions)

    def add(self, question: Question) -> None:
        """Add a question to the section of its groups."""
        title = joined(" – ", self._path).mapped(lambda text: text[:TITLE_MAX])
        if not self._begun or not self._sections or self._sections[-1]["title"] != title:
            self._sections.append(
                {"title": title, "text": self._take("section") if not self._begun else "", "questions": []}
            )
            self._begun = True
        above = self._take(question["key"])
        if above:
            question["note"] = self._cut(joined("\n", (above, cast(str, question.get("note", "")))), question["key"])
        self._questions.append(question)
        if self._form is not None:
            self._forms.setdefault(self._form, []).append(question["key"])
        self._sections[-1]["questions"].append(question["key"])

    def note(self, row: XlsformRow) -> None:
        heading = row["name"].startswith("generated_table_list_label_")
        if heading:  # a grid's heading is its question's text
            return
        parts = (self._texts.read(row.get(part), TEXT_MAX, row["name"], True) for part in ("label", "hint"))
        text = joined("\n", parts)
        if text:
            self._remarks.add(RemarkGroup.CHANGED, _NOTES, row["name"])
        before_all = not self._questions and not self._path
        (self._introduction if before_all else self._pending).append(text)

    def consent(self, row: XlsformRow) -> None:
        self._remarks.add(RemarkGroup.CHANGED, _CONSENT, row["name"])
        parts = (self._texts.read(row.get(part), CONSENT_MAX, row["name"], True) for part in ("label", "hint"))
        self._consent += filter(None, parts)

    @contextmanager
    def group(self, row: XlsformRow, is_table: bool) -> Iterator[None]:
        """Put the questions that are added within into this group. A table's hint belongs to the grid."""
        before, hint = self.count, row.get("hint") or (None if is_table else _heading(row).get("hint"))
        self._pending.append(self._texts.read(hint, TEXT_MAX, row["name"], True))
        with self._titled_group(row):
            yield
        if self.count == before:
            self._remarks.add(RemarkGroup.LEFT_OUT, _EMPTY, row["name"])

    @contextmanager
    def form(self, row: XlsformRow, number: str) -> Iterator[None]:
        """In this context, added questions go into the form of this number."""
        self._form_names.append(row["name"])
        around, self._form = self._form, number
        yield
        self._form = around

    @contextmanager
    def _titled_group(self, row: XlsformRow) -> Iterator[None]:
        title = self._texts.read(row.get("label") or _heading(row).get("label"), TITLE_MAX, row["name"])
        if not title:
            self._remarks.add(RemarkGroup.CHANGED, _UNTITLED, row["name"])
            yield
            return
        if self._path:
            self._remarks.add(RemarkGroup.CHANGED, _NESTED, row["name"])
        self._path.append(title)
        self._begun = False
        yield
        self._path.pop()
        self._begun = False

    def draft(self, title: Any) -> Draft:
        """Return the draft. `title` is a cell, as for texts."""
        made: Draft = {
            "title": self._texts.read(title, TITLE_MAX, "form_title"),
            "introduction": self._cut(joined("\n\n", self._introduction), "introduction"),
            "questions": self._questions,
        }
        consent = joined("\n\n", self._consent).mapped(lambda text: text[:CONSENT_MAX])
        thanks = self._take("thanks")
        forms = [{"draws": [{"questions": [key]} for key in keys]} for keys in self._forms.values()]
        forms = forms if len(forms) >= FEWEST else []
        if self._form_names:
            self._remarks.add(RemarkGroup.CHANGED, _FORMS if forms else _ONE_FORM, *self._form_names)
        more = {"consent": consent, "thanks": thanks, "sections": self._titled(), "forms": forms}
        return cast(Draft, {**made, **{name: value for name, value in more.items() if value}})

    def _titled(self) -> list[DraftSection]:
        """Return the sections with titles; [] if no group of the form had a title."""
        if not any(section["title"] for section in self._sections):
            return []
        for place, section in enumerate(self._sections):
            if not section["title"]:
                section["title"] = gettext("Questions") if place == 0 else gettext("More questions")
                self._remarks.add(RemarkGroup.CHANGED, _OUTSIDE, *section["questions"])
        return self._sections

    def _take(self, name: str) -> Text:
        text, self._pending = joined("\n", self._pending), []
        return self._cut(text, name)

    def _cut(self, text: Text, name: str) -> Text:
        if any(len(each) > TEXT_MAX for each in (text, *text.others.values())):
            self._remarks.add(RemarkGroup.CHANGED, LONG, name)
        return text.mapped(lambda each: each[:TEXT_MAX].strip())


def _heading(row: XlsformRow) -> XlsformRow:
    """Return the row with the label and hint of a table, which pyxform moves into a note."""
    first: XlsformRow = next(iter(row.get("children", ())), {})
    return first if str(first.get("name", "")).startswith("generated_table_list_label_") else {}
