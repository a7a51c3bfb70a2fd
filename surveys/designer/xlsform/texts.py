"""Texts of a form for a draft, without hidden parts, cut to their maximal length."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _

from surveys.designer.xlsform.languages import Languages
from surveys.designer.xlsform.remarks import RemarkGroup, Remarks
from surveys.designer.xlsform.rows import XlsformRow
from surveys.designer.xlsform.sheets import together
from surveys.designer.xlsform.translations import Text
from surveys.rules import markup
from surveys.rules.texts import has_control_characters, has_noncharacters, is_text

KEY_MAX = 40
_REFERENCE = re.compile(r"\$\{[^${}]*\}")
_MARKUP = re.compile(
    r"</?[a-z][^<>]*>|\*\*|\]\(|^#{1,6} |(?<![\w*])\*[^\s*](?:[^*\n]*[^\s*])?\*(?![\w*])"
    r"|(?<!\w)(_{1,2})[^\s_](?:[^_\n]*[^\s_])?\1(?!\w)",
    re.IGNORECASE | re.MULTILINE,
)

_QUOTING = _("Texts that quote an earlier answer or a calculation. The quoted name is shown as it is: reword them.")
_FORMATTED = _(
    "Formatting that is not known at its place. Its marks are shown as they are: remove them. Introductions, consent "
    "texts, hints, notes and thanks may have bold words, lists and links."
)
LONG = _("Texts that are too long here. Their end is cut off.")
_BORROWED = _("Texts that do not exist in the survey's own language. They are shown in another one: translate them.")
_UNTRANSLATED = _("Texts that are not translated into all languages. Translate them on the page “Texts and languages”.")


class XlsformTexts:
    """Read texts of the form in all its languages, and note content other than words."""

    def __init__(self, form: XlsformRow, remarks: Remarks) -> None:
        self.languages, self._remarks = Languages(form, remarks), remarks

    def read(self, value: Any, limit: int, name: str, marked: bool = False) -> Text:
        """Return a cell's text with its translations; "" if there is none. `marked`: its place allows markup."""
        text = self.read_option(value, limit, name, marked)
        self.note_untranslated([text], name)
        return text

    def read_option(self, value: Any, limit: int, name: str, marked: bool = False) -> Text:
        """Return an option's text. The page may have it itself, so it needs no translation."""
        text = self._in_each_language(value, name)
        for each in (str(text), *text.others.values()):
            self._note(each, limit, name, marked)
        return text.mapped(lambda each: each[:limit].strip())

    def titled(self, title: Any, others: dict[str, str]) -> Any:
        """Return a title as a cell with its texts in other languages."""
        columns = {column: others[tag] for column, tag in self.languages.others.items() if tag in others}
        return {self.languages.own: title} | columns if columns and not isinstance(title, dict) else title

    def note_untranslated(self, texts: Iterable[str], name: str) -> None:
        lacking = [
            tag
            for tag in self.languages.others.values()
            if any(text and (not isinstance(text, Text) or tag not in text.others) for text in texts)
        ]
        if lacking:
            self._remarks.add(RemarkGroup.CHOOSE, _UNTRANSLATED, f"{name} ({', '.join(lacking)})")

    def _in_each_language(self, value: Any, name: str) -> Text:
        if not isinstance(value, dict):
            return Text("" if value is None else _clean(str(value)))
        texts = {column: text for column, each in value.items() if (text := _clean(str(each)))}
        own = texts.get(self.languages.own, "")
        if texts and not own:
            self._remarks.add(RemarkGroup.CHOOSE, _BORROWED, name)
            own = next(iter(texts.values()))
        return Text(own, {tag: texts.get(column, "") for column, tag in self.languages.others.items()})

    def _note(self, text: str, limit: int, name: str, marked: bool) -> None:
        for applies, rule in (
            (_REFERENCE.search(text), _QUOTING),
            (_MARKUP.search(markup.plain(text) if marked else text), _FORMATTED),
            (len(text) > limit, LONG),
        ):
            if applies:
                self._remarks.add(RemarkGroup.CHANGED, rule, name)


def _clean(text: str) -> str:
    text = together(text)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    text = "".join(c for c in text if not has_control_characters(c) and not has_noncharacters(c)).strip()
    return text if is_text(text, len(text)) else ""


class Keys:
    """Unique keys for questions, from the form's names."""

    def __init__(self, remarks: Remarks) -> None:
        self._given: set[str] = set()
        self.by_name: dict[str, str] = {}
        self._remarks = remarks

    def of(self, name: str) -> str:
        plain = "".join(
            each for each in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(each)
        )
        wished = re.sub(r"[^a-z0-9_]+", "_", plain)[:KEY_MAX]
        stem = wished if re.match("[a-z]", wished) else f"q_{wished.lstrip('_')}"[:KEY_MAX].rstrip("_")
        key, number = stem, 2
        while key in self._given:
            key, number = f"{stem[: KEY_MAX - 4]}_{number}", number + 1
        self._given.add(key)
        self.by_name.setdefault(name, key)
        if key != name:
            rule = _("Names that are written differently here: only small letters, digits and _, each name once.")
            self._remarks.add(RemarkGroup.CHANGED, rule, f"{name} → {key}")
        return key
