"""Known shares as typed: URL fields with a share in percent for each answer, or a pasted table."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.weighting.margin import ROUNDING
from surveys.figures import numerals
from surveys.figures.typed import unmistakable
from surveys.researcher.analyses.weighting import pasted
from surveys.rules.texts import decimal


class ShareField(forms.CharField):
    """A share in percent; empty without an input."""

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        try:
            return pasted.percent(text) if text else None
        except pasted.UnfitTable as unfit:
            raise forms.ValidationError(str(unfit)) from None


class KnownSharesInput(forms.Form):
    """The form, bound if the URL has a share or a table, or if `sent`."""

    table = forms.CharField(
        label=gettext_lazy("Or paste a table"), required=False, max_length=pasted.TABLE_MOST, strip=False
    )

    def __init__(
        self, query: Mapping[str, object], options: Sequence[str], prefix: str | None = None, sent: bool = False
    ) -> None:
        names = [f"share_{place}" for place in range(1, len(options) + 1)]
        fields = [name if prefix is None else f"{prefix}-{name}" for name in ("table", *names)]
        typed = {field: str(query[field]) for field in fields if str(query.get(field, "")).strip()}
        super().__init__(typed or ({} if sent else None), prefix=prefix)
        self._options, self._names = options, names
        self.fields |= {
            name: ShareField(label=option, required=False) for name, option in zip(names, options, strict=True)
        }

    @property
    def is_pasted(self) -> bool:
        return self.add_prefix("table") in self.data

    def boxes(self) -> list[forms.BoundField]:
        """Return the answers' fields, in order."""
        return [self[name] for name in self._names]

    def clean(self) -> None:
        if self.is_pasted:
            self._read_table()
            return
        for name in self._names:
            if name not in self.errors and self.cleaned_data[name] is None:
                self.add_error(name, _("Type its share, 0 if no one in the population gives this answer."))
        if not self.errors:
            self._require_sum(None, [self.cleaned_data[name] for name in self._names])

    def _read_table(self) -> None:
        if "table" in self.errors:
            return
        try:
            shares = pasted.read(self.cleaned_data["table"], self._options)
        except pasted.UnfitTable as unfit:
            self.add_error("table", str(unfit))
            return
        self.cleaned_data |= dict(zip(self._names, shares, strict=True))
        self._require_sum("table", shares)

    def _require_sum(self, field: str | None, shares: list[Decimal]) -> None:
        total = sum(shares, Decimal(0))
        if abs(total - 100) > Decimal(str(100 * ROUNDING)):
            rule = _("The known shares add up to %(total)s%%: they must add up to 100%%.")
            self.add_error(field, rule % {"total": numerals.decimal(decimal(total))})

    def shares(self) -> list[float]:
        """Return a valid form's shares as fractions."""
        return [float(self.cleaned_data[name]) / 100 for name in self._names]

    def rules(self) -> str:
        """Return the errors, one line each."""
        if not self.is_bound:
            return "share_1, share_2, ...: name a share in percent for each answer.\n"
        named = ((name.replace("__all__", "shares"), texts) for name, texts in self.errors.items())
        return "".join(f"{name}: {text}\n" for name, texts in named for text in texts)

    def query(self) -> dict[str, str]:
        """Return a valid form's answer fields, in the notation of URLs."""
        return {name: unmistakable(decimal(self.cleaned_data[name])) for name in self._names}
