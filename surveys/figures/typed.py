"""Read numbers as people type them: digits of any script, with the separators of all languages. A number with two
readings is refused with a question. The respondents' page has the same table (static/respond/typed.js)."""

import re
import unicodedata
import zoneinfo
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.formats import date_format, get_format
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from surveys.rules.context import Context
from surveys.rules.texts import is_number

# The separator of thousands in languages whose readers all know it. In others, such as Arabic and Spanish, countries
# differ: a separator before three digits leads to a question.
THOUSANDS = {"de": ".", "en": ",", "pt": ".", "tr": ".", "zh": ","}

# A sign, and its other forms.
_WRITTEN = (
    ("-", "\u2010-\u2013\u2212\ufe63\uff0d"),
    ("+", "\ufe62\uff0b"),
    (".", "\u3002\ufe52\uff0e\uff61"),
    (",", "\u060c\ufe50\uff0c"),
    ("'", "\u02bc\u2018\u2019\uff07"),
    (" ", "\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"),
)
_MARKS = [(mark, re.compile(f"[{written}]+" if mark == " " else f"[{written}]")) for mark, written in _WRITTEN]
# The second alternative is the Indian grouping.
_GROUPED = re.compile(r"[1-9]\d{0,2}([.,·'_ ٬])(\d{3}\1)*\d{3}|[1-9]\d?([, ])(\d\d\3)+\d{3}", re.ASCII)
# Thousands with one digit too many or too few: 1000,000 may be a million, and 1,0000 ten thousand.
_NEARLY_GROUPED = re.compile(r"[1-9]\d*([.,·])(\d{3}|000+)", re.ASCII)
_PARTED = re.compile(r"(.*)([.,·٫])(\d*)", re.ASCII)
_SIGNED = re.compile("^([-+]?) ?(.*)$")
_EXPONENT = re.compile(r"\d ?(e ?[-+]?\d|[×x*·] ?10|\^)", re.ASCII | re.IGNORECASE)
_POWER = re.compile(r"\d(\.\d+)?e-\d{1,2}", re.ASCII | re.IGNORECASE)
_THREE_DECIMALS = re.compile(r"-?[1-9]\d*\.\d{3}", re.ASCII)
_DAY = re.compile(r"(?!0001|9999)\d{4}-\d\d?-\d\d?(?:\D.*)?", re.ASCII)  # in a year that exists in every time zone
_ZONED = re.compile(r"(.*)\[([\w/+-]+)\]")
_PERCENT = re.compile("^[%٪\ufe6a\uff05]|[%٪\ufe6a\uff05]$")


class Unread(ValueError):
    """The text is not a number, or has two readings. The message says what to type; it is empty without a number."""


def european(text: str) -> str:
    """Return the text with European digits and signs, without invisible characters."""
    seen = (each for each in text if unicodedata.category(each) != "Cf")
    plain = "".join(str(unicodedata.decimal(each, each)) for each in seen)
    for mark, written in _MARKS:
        plain = written.sub(mark, plain)
    return plain.strip(" ")


def readings(text: str, language: str, whole: bool = False) -> list[str]:
    """Return the possible readings as decimal strings: none, one or two. The first of two has separated thousands."""
    [(sign, body)] = _SIGNED.findall(european(text))
    numbers, parted, is_grouped = [], _PARTED.fullmatch(body), _GROUPED.fullmatch(body)
    thousands = THOUSANDS.get(language.partition("-")[0])
    nearly = None if whole else _NEARLY_GROUPED.fullmatch(body)
    if _are_digits(body) or is_grouped or (nearly and thousands in (nearly[1], None)):
        numbers.append(_number(sign, body))
    if parted and not whole:
        before, mark, decimals = parted.groups()
        grouped = _GROUPED.fullmatch(before) and mark not in before
        if _are_digits(before) or grouped or (not before and decimals):
            numbers.append(_number(sign, before, decimals))
    is_told = is_grouped and parted and parted[2] == thousands
    return numbers[:1] if is_told else numbers


def _are_digits(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _number(sign: str, grouped: str, decimals: str = "") -> str:
    whole = re.sub("[^0-9]", "", grouped).lstrip("0") or "0"
    short = f"{whole}.{decimals}".rstrip("0").rstrip(".")
    return "-" + short if sign == "-" and short != "0" else short


def read(text: str, whole: bool = False, most: Any = None) -> str:
    """Return the number as a decimal string, read in the page's language. Raise Unread. If a reading with thousands
    exceeds `most`, the language's decimal separator counts as that."""
    numbers = readings(text, get_language() or "en", whole)
    if len(numbers) == 2 and most is not None and abs(Decimal(numbers[0])) > most:
        numbers = numbers[1:] if get_format("DECIMAL_SEPARATOR") in european(text) else numbers
    if len(numbers) == 1:
        return numbers[0]
    if numbers:
        both = {"first": written(numbers[0]), "second": written(numbers[1])}
        raise Unread(_("Do you mean %(first)s or %(second)s? Type that.") % both)
    raise Unread(_("Write the number in full, without an exponent.") if _EXPONENT.search(european(text)) else "")


def percent(text: str, most: Any = 100) -> str:
    """Return the number, which may have one percent sign before or after it."""
    return read(_PERCENT.sub("", european(text), count=1), most=most)


def doubt(text: object) -> str:
    """Return what to type instead of an ambiguous number; empty if it is clear or the text is not a number."""
    try:
        read(text if isinstance(text, str) else "0")
    except Unread as unread:
        return str(unread)
    return ""


def draft_number(text: str, most: Any = None) -> str:
    """Return a typed number in the notation of drafts. A text without a clear number stays as typed. A space after
    possible thousands prevents reading them as decimals."""
    try:
        return read(text, most=most)
    except Unread:
        return f"{text.strip()} " if is_number(text.strip()) else text


def unmistakable(number: str) -> str:
    """Return a decimal string with one reading in every language: 1.125 becomes 1.1250."""
    return f"{number}0" if _THREE_DECIMALS.fullmatch(number) else number


def written(number: str) -> str:
    """Return a decimal string in the notation of the page's language. `read` reads it again."""
    return unmistakable(number).replace(".", get_format("DECIMAL_SEPARATOR"))


class WholeNumber(forms.IntegerField):
    widget = forms.TextInput

    def to_python(self, value: Any) -> Any:
        return super().to_python(_read(self, value, lambda text: read(text, whole=True)))


class Number(forms.DecimalField):
    """`with_power` allows 1e-6, too."""

    widget = forms.TextInput
    reader: Callable[..., str] = staticmethod(read)

    def __init__(self, *, with_power: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.with_power = with_power

    def to_python(self, value: Any) -> Any:
        if self.with_power and isinstance(value, str) and _POWER.fullmatch(european(value)):
            return super().to_python(european(value))
        return super().to_python(_read(self, value, lambda text: self.reader(text, most=self.max_value)))


class Percent(Number):
    """A number that may have a percent sign."""

    reader = staticmethod(percent)


class Alpha(forms.CharField):
    """An alpha or a delta, as a decimal string."""

    widget = forms.TextInput

    def __init__(self, *, most: Any = None, **options: Any) -> None:
        super().__init__(**options)
        self.most = most

    def to_python(self, value: Any) -> Any:
        return super().to_python(_read(self, value, lambda text: read(text, most=self.most), strict=False))


# The time zone of typed and shown times on the current page. Django's own zone, which queries by day use, stays UTC.
ZONE: ContextVar[tzinfo] = ContextVar("zone", default=UTC)


class MomentInput(forms.DateTimeInput):
    """A day and a time, with the name of the zone that the page showed. The input is read in that zone, even if the
    account's zone has changed. The text is such as 2026-10-25T01:30[Europe/Berlin]."""

    input_type = "datetime-local"
    template_name = "designer/moment.html"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        value, zone = super().value_from_datadict(data, files, name), data.get(f"{name}_zone")
        return f"{value}[{zone}]" if value and zone else value

    def format_value(self, value: Any) -> str | None:
        return super().format_value(_in_zone(value)[0])

    def get_context(self, name: str, value: Any, attrs: Any) -> Context:
        return super().get_context(name, value, attrs) | {"zone": _in_zone(value)[1] or str(ZONE.get())}


class Moment(forms.DateTimeField):
    """A day and a time in the page's zone. It is refused if no clock shows it there, or if clocks show it twice."""

    widget = MomentInput
    default_error_messages = {"invalid": gettext_lazy("Enter a day and a time, such as 2030-01-31 18:30.")}

    def to_python(self, value: Any) -> Any:
        text, zone = _in_zone(value)
        try:
            with timezone.override(zone or ZONE.get()):
                plain = european(text) if isinstance(text, str) else text
                if isinstance(plain, str) and plain and not _DAY.fullmatch(plain):
                    raise ValueError("no day, or a week: it would be read as its Monday")
                return self.read(plain)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError):  # a path that is not a zone's name raises ValueError
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from None
        except forms.ValidationError as error:
            if error.code != "ambiguous_timezone":
                raise
            raise _clocks_change(**(error.params or {})) from None

    def read(self, value: Any) -> datetime | None:
        return super().to_python(value)

    def prepare_value(self, value: Any) -> Any:
        return value.astimezone(ZONE.get()).replace(tzinfo=None) if isinstance(value, datetime) else value


def _in_zone(value: Any) -> tuple[Any, str]:
    """Return the typed text and the name of its zone, empty without one."""
    zoned = _ZONED.fullmatch(value) if isinstance(value, str) else None
    return (zoned[1], zoned[2]) if zoned else (value, "")


def _clocks_change(datetime: datetime, current_timezone: tzinfo) -> forms.ValidationError:
    """Return the refusal of a time at which clocks go forward or back."""
    before, after = (datetime.replace(tzinfo=current_timezone, fold=fold).utcoffset() for fold in (0, 1))
    assert before is not None and after is not None
    missing = _(
        "No clock shows %(time)s in %(zone)s: clocks go forward in that night. Choose an earlier or a later time."
    )
    twice = _("Clocks show %(time)s twice in %(zone)s: they go back in that night. Choose an earlier or a later time.")
    words = {"time": date_format(datetime, "DATETIME_FORMAT"), "zone": current_timezone}
    return forms.ValidationError((missing if before < after else twice) % words, code="clocks_change")


def _read(field: forms.Field, value: Any, reader: Any, strict: bool = True) -> Any:
    """Return a field's value, read by `reader`. A text that is not a number is refused, or left to the form's rule."""
    if not isinstance(value, str) or not value.strip():
        return value
    try:
        return reader(value)
    except Unread as unread:
        if str(unread) or strict:
            raise forms.ValidationError(str(unread) or field.error_messages["invalid"], code="invalid") from None
        return value
