"""Read the lab's numbers from the URL, within limits that keep each page cheap (P12)."""

import re
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import get_format
from django.utils.translation import gettext_lazy as _

from surveys.figures.typed import Number, Percent, WholeNumber, written
from surveys.public.lab.curves.numbers import D_MAX, N_MAX, QUESTIONS_MAX, TIMES_MAX, Numbers
from surveys.rules.texts import decimal

DEFAULTS = {
    "n": "1000", "alpha": "1", "d": "2", "shares": "30", "delta": "0.000001", "confidence": "95",
    "null": "25", "atom": "60", "times": "100", "questions": "20",
}  # fmt: skip
_SHARES_LONGEST = 4000
NONE: Mapping[str, str] = MappingProxyType({})


class NumbersInput(forms.Form):
    """The form with all fields, whichever a page shows. A field that the URL lacks has its default."""

    n = WholeNumber(
        label=_("People, n"), min_value=1, max_value=N_MAX, help_text=_("How many take part: 1 to 100,000.")
    )
    alpha = Number(
        label=_("Privacy, alpha"), min_value=Decimal("0.01"), max_value=16, decimal_places=6, max_digits=8,
        help_text=_("0.01 to 16. Less is more private."),
    )  # fmt: skip
    d = WholeNumber(
        label=_("Options, d"), min_value=2, max_value=D_MAX, help_text=_("How many answers there are: 2 to 256.")
    )
    shares = forms.CharField(
        label=_("True shares in percent"), max_length=_SHARES_LONGEST,
        help_text=_(
            "The share of the first option; the others divide the rest evenly. Or a share for each option: 20, 50, 30."
        ),
    )  # fmt: skip
    delta = Number(
        label=_("Slack, delta"), min_value=Decimal("1e-12"), max_value=Decimal("0.1"), with_power=True,
        help_text=_("The chance with which alpha may be exceeded: 0.000000000001 to 0.1. You can write 1e-6."),
    )  # fmt: skip
    confidence = Percent(
        label=_("Confidence in percent"), min_value=50, max_value=Decimal("99.9"), decimal_places=4, max_digits=6,
        help_text=_("50 to 99.9: how often an interval should hold the truth."),
    )  # fmt: skip
    null = Percent(
        label=_("Share to be tested, in percent"), min_value=Decimal("0.1"), max_value=Decimal("99.9"),
        decimal_places=4, max_digits=6, help_text=_("0.1 to 99.9: the claim is “at most so many”."),
    )  # fmt: skip
    atom = Percent(
        label=_("Equal answers in percent"), min_value=0, max_value=100, decimal_places=2, max_digits=5,
        help_text=_("0 to 100: how many give exactly the same number."),
    )  # fmt: skip
    times = WholeNumber(
        label=_("Releases, k"), min_value=1, max_value=TIMES_MAX, help_text=_("How many are published: 1 to 1,000.")
    )

    questions = WholeNumber(
        label=_("Questions, Q"), min_value=2, max_value=QUESTIONS_MAX, help_text=_("How many the survey has: 2 to 50.")
    )

    def clean_shares(self) -> list[Decimal]:
        """Return one or several shares in percent. The field d has been read before."""
        shares = [_percent(part) for part in _parts(self.cleaned_data["shares"])]
        options = self.cleaned_data.get("d")
        if options is not None and len(shares) not in (1, options):
            text = _("Give one share, or one for each of the %(d)d options. These are %(count)d.")
            raise ValidationError(text, params={"d": options, "count": len(shares)})
        if len(shares) > 1 and sum(shares) != 100:
            text = _("The shares must add up to 100. These add up to %(total)s.")
            raise ValidationError(text, params={"total": written(decimal(sum(shares, Decimal(0))))})
        return shares


def _parts(text: str) -> list[str]:
    """Split at semicolons and commas. If decimals can follow a comma, as they can the Arabic one in every language, one
    without a space after it is a decimal comma, unless there are several in one part."""
    sure, decimal_marks = ("", ",\u060c") if get_format("DECIMAL_SEPARATOR") == "," else (",", "\u060c")
    parts = re.split(rf"[;\u061b{sure}]|[{decimal_marks}](?=\s)", text)
    shares = ((part, re.split(f"[{decimal_marks}]", part)) for part in parts)
    return [each for part, several in shares for each in (several if len(several) > 2 else [part])]


def _percent(text: str) -> Decimal:
    """Return a percentage of at least 0.01 and less than 100, so that no share of the first option is certain."""
    refused = ValidationError(_("Each share is a number from 0.01 to 99.99 with at most four digits after the point."))
    try:
        value = Percent(max_value=100, max_digits=6, decimal_places=4).clean(text.strip())
    except ValidationError:
        raise refused from None
    if value is None or not Decimal("0.01") <= value <= Decimal("99.99"):
        raise refused
    return Decimal(value)


def _all(shares: list[Decimal], d: int) -> tuple[float, ...]:
    if len(shares) > 1:
        return tuple(float(share / 100) for share in shares)
    first = float(shares[0] / 100)
    return (first, *([(1 - first) / (d - 1)] * (d - 1)))


def read(query: Mapping[str, str], fields: tuple[str, ...] = tuple(DEFAULTS)) -> NumbersInput:
    """Return the form of a URL. Only `fields` are read; the others have their defaults."""
    return NumbersInput(
        {name: query.get(name, DEFAULTS[name]) if name in fields else DEFAULTS[name] for name in DEFAULTS}
    )


def address(form: NumbersInput, fields: tuple[str, ...] = tuple(DEFAULTS), changed: Mapping[str, str] = NONE) -> str:
    """Return the query of these fields, without defaults. A link with it keeps the numbers."""
    given = {name: str(form.data[name]).strip() for name in DEFAULTS} | dict(changed)
    return urlencode({name: text for name, text in given.items() if name in fields and text != DEFAULTS[name]})


def chosen_numbers(form: NumbersInput) -> Numbers:
    """Return the numbers of a valid form."""
    given = form.cleaned_data
    return Numbers(
        n=given["n"],
        alpha=float(given["alpha"]),
        d=given["d"],
        shares=_all(given["shares"], given["d"]),
        delta=float(given["delta"]),
        confidence=float(given["confidence"] / 100),
        null=float(given["null"] / 100),
        atom=float(given["atom"] / 100),
        times=given["times"],
        questions=given["questions"],
    )
