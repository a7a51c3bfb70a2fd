"""A form's list of choices as the options of a question."""

from typing import NamedTuple

from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _

from surveys.designer.xlsform import steps
from surveys.designer.xlsform.remarks import RemarkGroup, Remarks
from surveys.designer.xlsform.rows import XlsformRow
from surveys.designer.xlsform.texts import XlsformTexts
from surveys.designer.xlsform.translations import Text
from surveys.rules.languages import implied_words
from surveys.rules.limits import CATEGORIES_MAX, OPTION_MAX
from surveys.rules.lookalikes import likeness
from surveys.rules.texts import PREFER_NOT_TO_SAY
from surveys.rules.unchecked import Built

_CODES = _("The codes of options (their column name). Options are known here by their texts.")
_TWICE = _("Options that say or look the same as another. Their code is added.")
_FEW = _("Questions with fewer than two options. There is nothing to choose.")
_MANY = _("Questions with more than 256 options.")
_REFUSING = _("An option “Prefer not to say” has become the setting of that name.")
_UNUSED = _("Lists of options that no question here uses.")
_MEDIA = _("Pictures, sound and films beside options.")
_OTHER = _(
    "Questions that ask for another answer in words (or_other). “Other” is an option; its words are not asked for."
)
_NO_STEPS = _(
    "Options that are no steps of a scale, such as “Don't know” or the code 99. They count as answers like the others. "
    "Where the options are steps, take these out, and turn on “Prefer not to say” in their place."
)
_COLUMNS = _("Columns of the sheet choices other than list_name, name and label.")


class ListOptions(NamedTuple):
    """The options of a list without "Prefer not to say". `refusing`: the list has it. `codes` are each option's codes,
    at last the codes of "Prefer not to say"."""

    name: str
    texts: list[Text]
    refusing: bool
    codes: list[list[str]]

    def fields(self) -> Built:
        return {"options": self.texts} | self.refusing_field()

    def refusing_field(self) -> Built:
        return {"prefer_not_to_say": True} if self.refusing else {}


class Lists:
    """The lists of a form by name."""

    def __init__(self, form: XlsformRow, texts: XlsformTexts, remarks: Remarks) -> None:
        self._lists: dict[str, list[XlsformRow]] = form.get("choices", {})
        self._texts, self._remarks = texts, remarks
        self._used: set[str] = set()

    def __contains__(self, name: object) -> bool:
        return name in self._lists

    def read(self, name: str, question: str, other: bool = False, ranked: bool = False) -> ListOptions | None:
        """Return the options of a list, with "Other" if the question adds it; None, with a remark, if the list makes no
        question. In a ranking "Prefer not to say" is an ordinary entry."""
        choices = self._lists[name]
        self._used.add(name)
        if len(choices) > CATEGORIES_MAX:
            self._remarks.add(RemarkGroup.LEFT_OUT, _MANY, question)
            return None
        labels = [(self._label(choice, name), str(choice.get("name", ""))) for choice in choices]
        if other:
            self._remarks.add(RemarkGroup.CHANGED, _OTHER, question)
            labels += [] if any(code == "other" for _text, code in labels) else [(self._other(), "other")]
        refusing = [code for text, code in labels if self._is_refusing(text) and not ranked]
        kept = [(text, code) for text, code in labels if ranked or not self._is_refusing(text)]
        if len(kept) < 2:
            self._remarks.add(RemarkGroup.LEFT_OUT, _FEW, question)
            return None
        if refusing:
            self._remarks.add(RemarkGroup.CHANGED, _REFUSING, question)
        codes = [[code] for _text, code in kept] + ([refusing] if refusing else [])
        return ListOptions(name, self._different(kept, question), bool(refusing), codes)

    def steps(self, options: ListOptions, question: str) -> list[Text]:
        """Return the options that can be steps of a scale in every language. The others get a remark."""
        codes = [each[0] for each in options.codes[: len(options.texts)]]
        others = self._texts.languages.others.values()
        translated = [[text.others.get(tag) or str(text) for text in options.texts] for tag in others]
        left = sorted({i for texts in [[*map(str, options.texts)], *translated] for i in steps.no_steps(texts, codes)})
        self._remarks.add(
            RemarkGroup.CHOOSE, _NO_STEPS, *(f"{question}: {options.texts[i]}" for i in left)
        ) if left else None
        return [text for i, text in enumerate(options.texts) if i not in left]

    def _other(self) -> Text:
        """Return the word "Other" in the survey's languages."""
        own, *others = (self._texts.languages.survey_tag, *self._texts.languages.others.values())
        words = {}
        for tag in (own, *others):
            with override(tag):
                words[tag] = gettext("Other")
        known = {tag: word for tag, word in words.items() if tag in others and (word != "Other" or tag == "en")}
        return Text(words[own], known)

    def yes_no(self, options: ListOptions) -> ListOptions | None:
        """Return the options with yes before no, if they are the page's words in every language; else None."""
        if len(options.texts) != 2:
            return None
        for yes, no in ((0, 1), (1, 0)):
            if self._says(options.texts[yes], "yes") and self._says(options.texts[no], "no"):
                first = [options.codes[yes], options.codes[no], *options.codes[2:]]
                return options._replace(texts=[options.texts[yes], options.texts[no]], codes=first)
        return None

    def note_untranslated(self, options: ListOptions) -> None:
        """Remark on missing translations. Call this if the options' texts become a question's."""
        self._texts.note_untranslated(options.texts, options.name)

    def _says(self, text: Text, word: str) -> bool:
        """Return whether the text is this word in each of its languages."""
        labels = {self._texts.languages.survey_tag: str(text)} | text.others
        return all(each.casefold() == getattr(implied_words(tag), word).casefold() for tag, each in labels.items())

    def _is_refusing(self, text: Text) -> bool:
        own = implied_words(self._texts.languages.survey_tag).prefer_not_to_say
        return text.casefold() in (own.casefold(), PREFER_NOT_TO_SAY.casefold())

    def note_unused(self) -> None:
        """Remark on unused lists. Call this after all rows are read."""
        for name in self._lists.keys() - self._used:
            self._remarks.add(RemarkGroup.LEFT_OUT, _UNUSED, name)

    def _label(self, choice: XlsformRow, name: str) -> Text:
        code = str(choice.get("name", ""))
        text = self._texts.read_option(choice.get("label"), OPTION_MAX, name) or Text(code[:OPTION_MAX])
        if text != code:
            self._remarks.add(RemarkGroup.CHANGED, _CODES)
        if choice.get("media"):
            self._remarks.add(RemarkGroup.LEFT_OUT, _MEDIA, name)
        if choice.keys() - {"name", "label", "media", "__row"}:
            self._remarks.add(
                RemarkGroup.LEFT_OUT, _COLUMNS, *sorted(choice.keys() - {"name", "label", "media", "__row"})
            )
        return text

    def _different(self, labels: list[tuple[Text, str]], question: str) -> list[Text]:
        made: list[Text] = []
        texts: set[str] = set()
        for text, code in labels:
            if likeness(text) in texts:
                self._remarks.add(RemarkGroup.CHANGED, _TWICE, question)
                text = _numbered(text, code, texts)
            texts.add(likeness(text))
            made.append(text)
        return made


def _numbered(text: Text, code: str, texts: set[str]) -> Text:
    coded = text.mapped(lambda said: f"{said} ({code})"[: OPTION_MAX - 6])
    made, number = coded, 1
    while likeness(made) in texts:
        number += 1
        made = coded.mapped(f"{{}} {number}".format)
    return made
