"""Read a publicly known share from the URL: an answer from a list, and its share in percent."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.document import Header
from ldp.honesty.known import KnownDocument, document
from ldp.question import Drawn
from surveys.figures.typed import unmistakable
from surveys.models import Release
from surveys.researcher.analyses.comparisons.options import groups
from surveys.researcher.analyses.weighting.inputs import ShareField
from surveys.researcher.results import response_cache
from surveys.researcher.results.released import ReleasedQuestion, of_release
from surveys.rules.texts import decimal
from surveys.survey import kinds

FIELDS = ("answer", "share")


class KnownAnswer(NamedTuple):
    """A question, the place of an answer in it, and the texts of both."""

    released: ReleasedQuestion
    place: int
    name: str


class KnownShareInput(forms.Form):
    """The form, bound if the URL has a share. An answer's value is its question's key and its place from 1."""

    answer = forms.ChoiceField(label=gettext_lazy("Answer"))
    share = ShareField(label=gettext_lazy("Its true share, in percent"), required=False)

    def __init__(self, query: Mapping[str, object], release: Release) -> None:
        typed = {name: str(query[name]).strip() for name in FIELDS if name in query}
        super().__init__(typed if "share" in typed else None, initial=typed)
        self._release = release
        self.fields["answer"].choices = _options(release)  # type: ignore[attr-defined]

    def clean_share(self) -> object:
        if self.cleaned_data["share"] is None:
            raise forms.ValidationError(_("Type a number from 0 to 100, such as 12.5."))
        return self.cleaned_data["share"]

    def selected(self) -> KnownAnswer:
        """Return the answer in a valid form."""
        key, _colon, place = self.cleaned_data["answer"].partition(":")
        released = of_release(self._release.survey.slug or "", self._release.number, key)
        return KnownAnswer(released, int(place) - 1, released.options[int(place) - 1])

    def document(self) -> KnownDocument:
        """Return the document of a valid form's share."""
        released, place, name = self.selected()
        whole: Any = response_cache.document(self._release)
        header = cast(Header, {field: whole[field] for field in Header.__required_keys__})
        share = float(self.cleaned_data["share"]) / 100
        return document(header, released.key, released.question["text"], name, released.rows[place], share)

    def rules(self) -> str:
        """Return the errors, one line each."""
        if not self.is_bound:
            return "answer, share: name an answer and its true share in percent.\n"
        return "".join(f"{name}: {text}\n" for name, texts in self.errors.items() for text in texts)

    @property
    def known(self) -> str:
        """Return the share in percent, in the notation of URLs."""
        return unmistakable(decimal(self.cleaned_data["share"]))


def _options(release: Release) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the answers of every question that everyone with its form was asked: others send a filler."""
    questions = [question for question in release.counted_questions if "asked_if" not in question]
    parts = [(question, *part) for question in questions for _, own in groups([question]) for part in own]
    named = [(question, key, f"{question['text']} — {part}" if "." in key else part) for question, key, part in parts]
    return [(name, answers) for question, key, name in named if (answers := _answers(release, question, key))]


def _answers(release: Release, question: Drawn, key: str) -> list[tuple[str, str]]:
    options = _known_options(release, key) if kinds.of(question).sampling else question["options"]
    return [(f"{key}:{place}", option) for place, option in enumerate(options, 1)]


def _known_options(release: Release, key: str) -> Sequence[str]:
    """Return the options with reports; none for an item without reports."""
    try:
        return of_release(release.survey.slug or "", release.number, key).options
    except Http404:
        return ()
