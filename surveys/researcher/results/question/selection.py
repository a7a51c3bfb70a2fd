"""Read a reader's choice on a question's page from the URL and check it."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.confidences import PERCENTS
from ldp.scores import Target
from surveys.figures.numerals import percentage
from surveys.figures.typed import Number, Percent, WholeNumber, unmistakable, written
from surveys.rules.texts import decimal

QUANTILE = Decimal(50)


class QuestionSelection(NamedTuple):
    """The whole input of a page except its release. `option` is an index from 0. `value` is in percent, or in a mean's
    unit; it is None without a comparison. `level` is in percent."""

    confidence: float = 0.95
    target: Target = "population"
    option: int = 0
    value: Decimal | None = None
    than: str = "more"
    level: Decimal = QUANTILE
    forged: int = 0


class QuestionInput(forms.Form):
    """The form. A field that the URL lacks has its default. So has an invalid one, with an error beside it."""

    confidence = forms.TypedChoiceField(
        label=gettext_lazy("Confidence"), choices=lambda: [(str(p), percentage(p)) for p in PERCENTS], coerce=int
    )
    target = forms.ChoiceField(label=gettext_lazy("About"))
    option = forms.TypedChoiceField(label=gettext_lazy("Answer"), coerce=int)
    value = Number(label=gettext_lazy("Value"), required=False, max_digits=24, decimal_places=6)
    than = forms.ChoiceField(label=gettext_lazy("Is it"))
    level = Percent(
        label=gettext_lazy("Another quantile, in percent"), min_value=Decimal("0.1"), max_value=Decimal("99.9"),
        decimal_places=2, max_digits=5,
    )  # fmt: skip
    forged = WholeNumber(label=gettext_lazy("Forged reports"), min_value=0)
    exactly = WholeNumber(label=gettext_lazy("or exactly"), min_value=0, required=False)

    def __init__(
        self,
        query: Mapping[str, str],
        options: list[str],
        bounds: tuple[Decimal, Decimal],
        n: int,
        in_form: bool = False,
    ) -> None:
        typed = {name: str(query[name]).strip() for name in self.base_fields if name in query}
        super().__init__(DEFAULTS | typed)
        self.bounds, self.n, self.typed = bounds, n, typed
        cast(Any, self.fields["value"]).max_value = bounds[1]
        those = _("Only those who were asked") if in_form else _("Only those who took part")
        self._offer("target", [("population", _("The population")), ("respondents", those)])
        self._offer("option", [(str(place), option) for place, option in enumerate(options, 1)])
        self._offer("than", [("more", _("more than")), ("less", _("less than"))])

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        cast(forms.ChoiceField, self.fields[name]).choices = choices

    def clean_value(self) -> Decimal | None:
        value, (low, high) = self.cleaned_data["value"], self.bounds
        if value is not None and not low <= value <= high:
            ends = {"low": written(decimal(low)), "high": written(decimal(high))}
            raise forms.ValidationError(_("A number from %(low)s to %(high)s.") % ends)
        return cast(Decimal | None, value)

    def clean_forged(self) -> int:
        return self._at_most_all("forged") or 0

    def clean_exactly(self) -> int | None:
        return self._at_most_all("exactly")

    def _at_most_all(self, name: str) -> int | None:
        value = self.cleaned_data[name]
        if value is not None and value > self.n:
            raise forms.ValidationError(_("At most %(n)d, the number of reports.") % {"n": self.n})
        return cast(int | None, value)

    def choices(self) -> QuestionSelection:
        """Return the reader's choices, with the default for each invalid field."""
        self.is_valid()
        good: Mapping[str, object] = self.cleaned_data
        start = QuestionSelection()
        exactly = good.get("exactly")
        return QuestionSelection(
            confidence=cast(int, good.get("confidence", 95)) / 100,
            target=cast(Target, good.get("target", start.target)),
            option=cast(int, good.get("option", 1)) - 1,
            value=cast(Decimal | None, good.get("value")),
            than=cast(str, good.get("than", start.than)),
            level=cast(Decimal, good.get("level", start.level)),
            forged=cast(int, good.get("forged", 0) if exactly is None else exactly),
        )


DEFAULTS = {
    "confidence": "95", "target": "population", "option": "1", "than": "more", "level": "50", "forged": "0",
}  # fmt: skip


def query(chosen: QuestionSelection) -> dict[str, str]:
    """Return the fields that differ from their defaults, as in a URL, and always the target: pages and files of a
    survey can have different default targets."""
    start, fields = QuestionSelection(), {}
    if chosen.confidence != start.confidence:
        fields["confidence"] = f"{round(100 * chosen.confidence)}"
    if chosen.option:
        fields["option"] = str(chosen.option + 1)
    fields["target"] = chosen.target
    if chosen.than != start.than:
        fields["than"] = chosen.than
    for name in ("value", "level"):
        if getattr(chosen, name) != getattr(start, name):
            fields[name] = unmistakable(decimal(getattr(chosen, name)))
    if chosen.forged:
        fields["forged"] = str(chosen.forged)
    return fields
