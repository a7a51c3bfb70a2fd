"""A form's list of choices as the options of a question."""

from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from surveys.design.xlsform.remarks import Group, Remarks
from surveys.design.xlsform.texts import Texts
from surveys.rules.limits import CATEGORIES_MAX, OPTION_MAX
from surveys.rules.texts import PREFER_NOT_TO_SAY

_CODES = _("The codes of options (their column name). Options are known here by their texts.")
_TWICE = _("Options with the same text as another. Their code is added.")
_FEW = _("Questions with fewer than two options. There is nothing to choose.")
_MANY = _("Questions with more than 256 options.")
_REFUSING = _("An option “Prefer not to say” has become the setting of that name.")
_UNUSED = _("Lists of options that no question here has.")
_MEDIA = _("Pictures, sound and films beside options.")
_COLUMNS = _("Columns of the sheet choices other than list_name, name and label.")


class Options(NamedTuple):
    """The options without "Prefer not to say", and whether that was among them."""

    texts: list[str]
    refusing: bool

    @property
    def yes_no(self) -> bool:
        return sorted(text.casefold() for text in self.texts) == ["no", "yes"]

    def fields(self) -> dict[str, Any]:
        return {"options": self.texts} | ({"prefer_not_to_say": True} if self.refusing else {})


class Lists:
    """The lists of a form by name."""

    def __init__(self, form: dict[str, Any], texts: Texts, remarks: Remarks) -> None:
        self._lists: dict[str, list[dict[str, Any]]] = form.get("choices", {})
        self._texts, self._remarks = texts, remarks
        self._used: set[str] = set()

    def __contains__(self, name: object) -> bool:
        return name in self._lists

    def read(self, name: str, question: str) -> Options | None:
        """None, with a remark, where the list makes no question."""
        choices = self._lists[name]
        self._used.add(name)
        if len(choices) > CATEGORIES_MAX:
            self._remarks.add(Group.LEFT_OUT, _MANY, question)
            return None
        labels = [(self._label(choice, name), str(choice.get("name", ""))) for choice in choices]
        kept = [(text, code) for text, code in labels if text.casefold() != PREFER_NOT_TO_SAY.casefold()]
        if len(kept) < 2:
            self._remarks.add(Group.LEFT_OUT, _FEW, question)
            return None
        if len(kept) < len(labels):
            self._remarks.add(Group.CHANGED, _REFUSING, question)
        return Options(self._different(kept, question), len(kept) < len(labels))

    def note_unused(self) -> None:
        """Once all is read."""
        for name in self._lists.keys() - self._used:
            self._remarks.add(Group.LEFT_OUT, _UNUSED, name)

    def _label(self, choice: dict[str, Any], name: str) -> str:
        code = str(choice.get("name", ""))
        text = self._texts.read(choice.get("label"), OPTION_MAX, name) or code[:OPTION_MAX]
        if text != code:
            self._remarks.add(Group.CHANGED, _CODES)
        if choice.get("media"):
            self._remarks.add(Group.LEFT_OUT, _MEDIA, name)
        if choice.keys() - {"name", "label", "media", "__row"}:
            self._remarks.add(Group.LEFT_OUT, _COLUMNS, *sorted(choice.keys() - {"name", "label", "media", "__row"}))
        return text

    def _different(self, labels: list[tuple[str, str]], question: str) -> list[str]:
        made: list[str] = []
        for text, code in labels:
            if text in made:
                self._remarks.add(Group.CHANGED, _TWICE, question)
                text = _numbered(f"{text} ({code})", made)
            made.append(text)
        return made


def _numbered(text: str, taken: list[str]) -> str:
    text, number = text[: OPTION_MAX - 6], 2
    made = text
    while made in taken:
        made, number = f"{text} {number}", number + 1
    return made
