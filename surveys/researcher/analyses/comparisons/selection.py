"""Read a reader's selection of comparisons from the URL and check it."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.confidences import PERCENTS
from surveys.figures.numerals import percentage
from surveys.figures.typed import Percent, unmistakable
from surveys.rules.texts import decimal

ALL = "all"
ALL_MOST = 12  # with more options, one is compared with every other, instead of all pairs
DIFFERENCE = Decimal(5)


class Other(NamedTuple):
    """A question of another survey's release."""

    slug: str
    number: int
    key: str


class UnfitSurvey(ValueError):
    """The reason why a survey cannot be compared."""


class ComparisonSelection(NamedTuple):
    """The whole input of a page except its releases.

    Options are indices from 0. `against` is None if all pairs are compared. `value` is in percent, `difference` in
    percentage points. `version` is a slug and `address` the typed URL; `other` is the question that either names.
    """

    question: str
    confidence: float = 0.95
    against: int | None = None
    option: int = 0
    value: Decimal | None = None
    version: str = ""
    address: str = ""
    about: str = "pair"
    first: int = 0
    second: int = 1
    difference: Decimal = DIFFERENCE
    other: Other | None = None


class ComparisonInput(forms.Form):
    """The form. A field that the URL lacks has its default. So has an invalid one, with an error beside it."""

    confidence = forms.TypedChoiceField(
        label=gettext_lazy("Confidence"), choices=lambda: [(str(p), percentage(p)) for p in PERCENTS], coerce=int
    )
    pairs = forms.ChoiceField(label=gettext_lazy("Pairs"))
    option = forms.TypedChoiceField(label=gettext_lazy("Answer"), coerce=int)
    value = Percent(
        label=gettext_lazy("Value, in percent"), required=False, min_value=0, max_value=100, max_digits=9,
        decimal_places=6,
    )  # fmt: skip
    version = forms.ChoiceField(label=gettext_lazy("Version"), required=False)
    address = forms.CharField(label=gettext_lazy("URL of another survey's results"), required=False, max_length=500)
    about = forms.ChoiceField(label=gettext_lazy("What is compared"))
    first = forms.TypedChoiceField(label=gettext_lazy("First answer"), coerce=int)
    second = forms.TypedChoiceField(label=gettext_lazy("Second answer"), coerce=int)
    difference = Percent(
        label=gettext_lazy("Difference, in percentage points"), min_value=Decimal("0.1"), max_value=100, max_digits=7,
        decimal_places=4,
    )  # fmt: skip

    def __init__(
        self,
        query: Mapping[str, str],
        key: str,
        options: Sequence[str],
        versions: tuple[tuple[str, str], ...],
        find: Callable[[str, str], Other | None],
    ) -> None:
        """`versions` are slugs and titles of linked surveys; `find` returns the question of a version or URL."""
        typed = {name: str(query[name]).strip() for name in self.base_fields if name in query}
        # A URL for a value or another survey has no second answer.
        second = "1" if typed.get("first") == "2" else str(min(2, len(options)))
        start = DEFAULTS | {"pairs": ALL if len(options) <= ALL_MOST else "1", "second": second}
        super().__init__(start | typed)
        self._key, self._find, self.versions = key, find, versions
        numbered = [(str(place), option) for place, option in enumerate(options, 1)]
        against = _("“%(option)s” against every other answer")
        with_others = [(place, against % {"option": option}) for place, option in numbered]
        self._offer("pairs", ([(ALL, _("all"))] if len(options) <= ALL_MOST else []) + with_others)
        for name in ("option", "first", "second"):
            self._offer(name, numbered)
        self._offer("version", [("", _("none")), *versions])
        abouts = [("pair", _("two answers")), ("value", _("an answer and the value"))]
        self._offer("about", [*abouts, ("other", _("an answer in both surveys"))])

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        cast(forms.ChoiceField, self.fields[name]).choices = choices

    def clean(self) -> None:
        good = self.cleaned_data
        name = "address" if good.get("address") else "version"
        try:
            good["other"] = self._find(good.get("version", ""), good.get("address", ""))
        except UnfitSurvey as unfit:
            self.add_error(name, str(unfit))
        about = good.get("about")
        if about == "pair" and good.get("first") == good.get("second") and len(self.fields["first"].choices) > 1:  # type: ignore[attr-defined]
            self.add_error("second", _("Choose two different answers."))
        if about == "value" and good.get("value") is None and "value" not in self.errors:
            self.add_error("about", _("Name the value first, above."))
        if about == "other" and good.get("other") is None:
            self.add_error("about", _("Name the other survey first, above."))

    def choices(self) -> ComparisonSelection:
        """Return the reader's choices, with the default for each invalid field."""
        self.is_valid()
        good: Mapping[str, object] = self.cleaned_data
        start, many = ComparisonSelection(self._key), len(self.fields["first"].choices)  # type: ignore[attr-defined]
        pairs = good.get("pairs", ALL if many <= ALL_MOST else "1")
        wrong = "about" in self.errors or "second" in self.errors or "first" in self.errors
        return ComparisonSelection(
            question=self._key,
            confidence=cast(int, good.get("confidence", 95)) / 100,
            against=None if pairs == ALL else int(cast(str, pairs)) - 1,
            option=cast(int, good.get("option", 1)) - 1,
            value=cast(Decimal | None, good.get("value")),
            version=cast(str, good.get("version", "")),
            address=cast(str, good.get("address", "")),
            about="pair" if wrong else cast(str, good.get("about", start.about)),
            first=0 if wrong else cast(int, good.get("first", 1)) - 1,
            second=min(1, many - 1) if wrong else cast(int, good.get("second", 2)) - 1,
            difference=cast(Decimal, good.get("difference", start.difference)),
            other=cast(Other | None, good.get("other")),
        )


DEFAULTS = {"confidence": "95", "option": "1", "about": "pair", "first": "1", "difference": "5"}


def query(chosen: ComparisonSelection, many: int) -> dict[str, str]:
    """Return the question and the fields that differ from their defaults, as in a URL."""
    start, fields = ComparisonSelection(chosen.question), {"question": chosen.question}
    if chosen.confidence != start.confidence:
        fields["confidence"] = f"{round(100 * chosen.confidence)}"
    if chosen.against is not None and not (chosen.against == 0 and many > ALL_MOST):
        fields["pairs"] = str(chosen.against + 1)
    for name in ("option", "first", "second"):
        if getattr(chosen, name) != getattr(start, name):
            fields[name] = str(getattr(chosen, name) + 1)
    for name in ("version", "address", "about"):
        if getattr(chosen, name) != getattr(start, name):
            fields[name] = getattr(chosen, name)
    for name in ("value", "difference"):
        if getattr(chosen, name) != getattr(start, name):
            fields[name] = unmistakable(decimal(getattr(chosen, name)))
    return fields
