"""The JSON bodies of requests. Their fields and types are those of a TypedDict, from which they are described."""

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

WHOLE_DIGITS = 15  # of a number, up to which every whole one is a float
MOST = 2 << 20  # bytes; a draft of 200 questions takes a tenth
Body = TypeVar("Body")


def _number(text: str) -> object:
    """7.0 is an integer too, as JSON Schema has it; else as it is written."""
    value = Decimal(text)
    return int(value) if value.adjusted() < WHOLE_DIGITS and value == value.to_integral_value() else as_text(value)


class JsonParser(BaseParser):
    """Numbers stay as they are written: 0.1 is a tenth, and comes as the text of it."""

    media_type = "application/json"
    fraction: Callable[[str], object] | None = staticmethod(_number)

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> object:
        text = bytes_of(stream)
        try:
            data = json.loads(text.decode(), cls=DraftDecoder, parse_float=self.fraction)
            json.dumps(data, ensure_ascii=False).encode()  # half a surrogate pair is no text that could be stored
        except UnicodeEncodeError:
            raise ParseError("The body holds half a surrogate pair.") from None
        except (ValueError, RecursionError) as wrong:  # of the encoding, too
            raise ParseError(f"The body is not JSON: {wrong}.") from None
        return data


class ReportParser(JsonParser):
    """A report is refused here for what the intake refuses: there 1.0 is no whole number."""

    fraction = None


def bytes_of(stream: Any) -> bytes:
    """Return the whole body; 413 if it is too large."""
    data: bytes = stream.read(MOST + 1)
    if len(data) > MOST:
        raise Refusal(413, "too_large", f"The body has more than {MOST} bytes.")
    return data


def read(request: Request, kind: type[Body]) -> Body:
    """Return the body as a TypedDict; 400 where it has other fields, or other types."""
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
    """Return a value as it would be typed into a form's field: nothing for null."""
    return "" if value is None else unmistakable(str(as_text(value)))
