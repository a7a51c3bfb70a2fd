"""The languages of a form, and their tags in a survey. A form names them freely in its columns, mostly `label::German
(de)`."""

import re
from collections import Counter
from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from surveys.designer.xlsform.remarks import RemarkGroup, Remarks
from surveys.designer.xlsform.rows import XlsformRow
from surveys.rules.languages import DEFAULT, is_tag, page_language
from surveys.rules.limits import LANGUAGES_MAX
from surveys.rules.names import english, known, name_of, written

NAMELESS = "default"  # pyxform's name for texts without a language
_IN_BRACKETS = re.compile(r"\(\s*([a-z]{2,3}(?:[-_][a-z0-9]{2,4}){0,2})\s*\)\s*$", re.ASCII | re.IGNORECASE)

_WHICH = _(
    "The form’s own language has no tag, so it counts as English. Choose it on the page “Texts and languages”, or set "
    "default_language in the form, such as German (de), and import the form again."
)
_UNKNOWN = _("Languages without a tag. Write it into the columns' names, such as label::German (de).")
_TWICE = _("Languages that the survey already has from another column.")
_MANY = _("Languages after the first 16.")
_FOREIGN = _("Languages that the page itself does not speak. Its own words, such as “Send”, are English there.")


class Languages:
    """The languages. `own` is the form's name of the survey's own language, and `tag` its tag, "" if unknown.
    `others` are the tags of other languages, by the form's names."""

    def __init__(self, form: XlsformRow, remarks: Remarks) -> None:
        columns = Counter(_columns(form))
        self.own = _default_language(form.get("default_language") or NAMELESS, columns)
        self.tag = tag_of(self.own)
        self.others: dict[str, str] = {}
        for column in columns:
            if column != self.own:
                self._take(column, remarks)
        if columns and not self.tag:
            remarks.add(RemarkGroup.CHOOSE, _WHICH)
        for column, tag in ({self.own: self.survey_tag} | self.others).items():
            if page_language(tag) != tag.split("-")[0]:
                remarks.add(RemarkGroup.CHANGED, _FOREIGN, column)

    @property
    def survey_tag(self) -> str:
        """Return the tag of the survey's own language, or the default if it is unknown."""
        return self.tag or DEFAULT

    def _take(self, column: str, remarks: Remarks) -> None:
        tag = tag_of(column)
        if not tag:
            remarks.add(RemarkGroup.LEFT_OUT, _UNKNOWN, column)
        elif tag in (self.survey_tag, *self.others.values()):
            remarks.add(RemarkGroup.LEFT_OUT, _TWICE, column)
        elif len(self.others) >= LANGUAGES_MAX - 1:
            remarks.add(RemarkGroup.LEFT_OUT, _MANY, column)
        else:
            self.others[column] = tag


def _columns(form: XlsformRow) -> Iterator[str]:
    """Yield the form's names of its languages, once for each text."""
    yield from _named(form.get("title"))
    for row in _rows(form):
        yield from _named(row.get("label"))
        yield from _named(row.get("hint"))
    for choices in form.get("choices", {}).values():
        for choice in choices:
            yield from _named(choice.get("label"))


def _named(text: object) -> Iterator[str]:
    return iter(text if isinstance(text, dict) else ())


def _rows(row: XlsformRow) -> Iterator[XlsformRow]:
    waiting = list(row.get("children", ()))
    while waiting:
        each = waiting.pop(0)
        yield each
        waiting[:0] = each.get("children", ())


def _default_language(given: str, columns: "Counter[str]") -> str:
    """Return the form's default language. If that has no texts, return the nameless language, else the one with most
    texts."""
    tag = tag_of(given)
    same = [column for column in columns if column == given or (tag and tag_of(column) == tag)]
    if same or tag or not columns:
        return given if given in same or not same else same[0]
    return NAMELESS if NAMELESS in columns else max(columns, key=columns.__getitem__)


# Tags -----------------------------------------------------------------------------------------------------------------


def tag_of(name: str) -> str:
    """Return the tag of a language by its name in forms: `German (de)`, `de`, `German` or `Deutsch`; "" if unknown."""
    if in_brackets := _IN_BRACKETS.search(name):
        tag = written(in_brackets[1])
        return tag if is_tag(tag) else ""
    return _BY_NAME.get(name.strip().casefold(), "")


def name_with_tag(tag: str) -> str:
    """Return a language's name as in XLSForms: Deutsch (de)."""
    name = name_of(tag)
    return name if name.endswith(f"({tag})") else f"{name} ({tag})"


def _by_name() -> dict[str, str]:
    names = english() | {name: tag for tag, name in known().items()} | {tag: tag for tag in known()}
    return {name.casefold(): tag for name, tag in names.items()}


_BY_NAME = _by_name()
