"""The JSON bodies of requests. A TypedDict states the fields and types, and the API's description uses it."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar, get_type_hints

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from surveys.api.problems import Refusal
from surveys.figures.typed import unmistakable
from surveys.rules.refusals import DraftDecoder, as_text
from surveys.rules.typed import fits

WHOLE_DIGITS = 15  # digits up to which every integer is exact as a float
MOST = 2 << 20  # bytes; a draft of 200 questions has a tenth
Body = TypeVar("Body")


def _number(text: str) -> object:
    """Return 7.0 as an integer, as JSON Schema does; other numbers as written."""
    value = Decimal(text)
    return int(value) if value.adjusted() < WHOLE_DIGITS and value == value.to_integral_value() else as_text(value)


class JsonParser(BaseParser):
    """Parse JSON. Fractions keep their text, so that 0.1 stays exactly a tenth."""

    media_type = "application/json"
    fraction: Callable[[str], object] | None = staticmethod(_number)

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> object:
        text = bytes_of(stream)
        try:
            data = json.loads(text.decode(), cls=DraftDecoder, parse_float=self.fraction)
            json.dumps(data, ensure_ascii=False).encode()  # half a surrogate pair cannot be stored as text
        except UnicodeEncodeError:
            raise ParseError("The body holds half a surrogate pair.") from None
        except (ValueError, RecursionError) as wrong:  # also an error of the encoding
            raise ParseError(f"The body is not JSON: {wrong}.") from None
        return data


class ReportParser(JsonParser):
    """Parse a report by the intake's rules, which refuse 1.0 as an integer."""

    fraction = None


def bytes_of(stream: Any) -> bytes:
    """Return the whole body. Raise 413 if it is too large."""
    data: bytes = stream.read(MOST + 1)
    if len(data) > MOST:
        raise Refusal(413, "too_large", f"The body has more than {MOST} bytes.")
    return data


def read(request: Request, kind: type[Body]) -> Body:
    """Return the body as a TypedDict. Raise 400 for other fields or types."""
    data, fields = request.data, get_type_hints(kind)
    if not isinstance(data, dict) or not data.keys() <= fields.keys():
        raise ParseError(f"The body is a JSON object with no other fields than {', '.join(fields)}.")
    if missing := sorted(kind.__required_keys__ - data.keys()):  # type: ignore[attr-defined]
        raise ParseError(f"“{missing[0]}” is missing.")
    for name, value in data.items():
        if not fits(value, fields[name]):
            raise ParseError(f"“{name}” is of another type than the description says.")
    return data  # type: ignore[return-value]


def text_of(value: object) -> str:
    """Return a value as typed into a form's field: nothing for null."""
    return "" if value is None else unmistakable(str(as_text(value)))
