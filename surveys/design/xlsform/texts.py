"""Texts of a form as a draft may have them: of one language, without what is not shown, and not too long."""

import re
from typing import Any

from django.utils.translation import gettext_lazy as _

from surveys.design.xlsform.remarks import Group, Remarks
from surveys.rules.texts import has_control_characters, is_text

KEY_MAX = 40
_REFERENCE = re.compile(r"\$\{[^}]*\}")
_MARKUP = re.compile(r"</?[a-z][^>]*>|\*\*|\]\(|^#{1,6} ", re.IGNORECASE | re.MULTILINE)


class Texts:
    """Reads texts of the form in its default language and notes what they hold beside words."""

    def __init__(self, form: dict[str, Any], remarks: Remarks) -> None:
        self._default, self._remarks = form.get("default_language", "default"), remarks
        self.others: dict[str, None] = {}

    def read(self, value: Any, limit: int, name: str) -> str:
        """A text of a cell or of its translations; empty where there is none."""
        text = _clean(self._in_one_language(value))
        if _REFERENCE.search(text):
            rule = _(
                "Texts that quote an earlier answer or a calculation. The quoted name is shown as it is: reword them."
            )
            self._remarks.add(Group.CHANGED, rule, name)
        if _MARKUP.search(text):
            self._remarks.add(Group.CHANGED, _("Formatting. Its marks are shown as they are: remove them."), name)
        if len(text) > limit:
            self._remarks.add(Group.CHANGED, _("Texts that are too long here. Their end is cut off."), name)
        return text[:limit].strip()

    def _in_one_language(self, value: Any) -> str:
        if not isinstance(value, dict):
            return "" if value is None else str(value)
        language = next((each for each in (self._default, "default", *value) if value.get(each)), "")
        self.others |= {each: None for each in value if each != language}
        return str(value.get(language, ""))


def _clean(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    text = "".join(c for c in text if not has_control_characters(c)).strip()
    return text if is_text(text, len(text)) else ""


class Keys:
    """Keys for questions from the form's names, no two the same."""

    def __init__(self, remarks: Remarks) -> None:
        self._given: set[str] = set()
        self._remarks = remarks

    def of(self, name: str) -> str:
        wished = re.sub(r"[^a-z0-9_]+", "_", name.lower())[:KEY_MAX]
        stem = wished if re.match("[a-z]", wished) else f"q_{wished}"[:KEY_MAX]
        key, number = stem, 2
        while key in self._given:
            key, number = f"{stem[: KEY_MAX - 4]}_{number}", number + 1
        self._given.add(key)
        if key != name:
            rule = _("Names that are written otherwise here: small letters, digits and _ only, each once.")
            self._remarks.add(Group.CHANGED, rule, f"{name} → {key}")
        return key
