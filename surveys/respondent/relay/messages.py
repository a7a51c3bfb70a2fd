"""Binary HTTP (RFC 9292) of known length, for reports and signatures only: reading requests and writing responses. Both
are padded with zeros, so that their length reveals little to the relay.

Only one notation is accepted: no informational responses, no trailers, nothing after the zeros.
"""

from typing import NamedTuple

_REQUEST, _RESPONSE = 0, 1  # both of known length
REQUEST_FILL = RESPONSE_FILL = 1024  # lengths are multiples of these


class Malformed(ValueError):
    """The bytes are no request of this form."""


class RelayedRequest(NamedTuple):
    """A request. `headers` are by name in lower case, each once."""

    method: str
    scheme: str
    authority: str
    path: str
    headers: dict[str, str]
    body: bytes


class Reader:
    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def number(self) -> int:
        """Read a number of variable length (RFC 9000, 16)."""
        first = self.take(1)[0]
        more = self.take((1 << (first >> 6)) - 1)
        return int.from_bytes(bytes([first & 0x3F]) + more)

    def take(self, count: int) -> bytes:
        end = self._at + count
        if end > len(self._data):
            raise Malformed("it ends too early")
        data, self._at = self._data[self._at : end], end
        return data

    def field(self) -> bytes:
        return self.take(self.number())

    def rest(self) -> bytes:
        return self._data[self._at :]


def request_of(data: bytes) -> RelayedRequest:
    """Return the request, or raise Malformed. Parts left out at the end count as empty (RFC 9292, 3.8)."""
    reader = Reader(data)
    if reader.number() != _REQUEST:
        raise Malformed("no request of known length")
    method, scheme, authority, path = (_text(reader.field()) for _ in range(4))
    headers = _headers(Reader(reader.field() if reader.rest() else b""))
    body = reader.field() if reader.rest() else b""
    trailers = reader.field() if reader.rest() else b""
    if trailers or reader.rest().strip(b"\0"):
        raise Malformed("something follows the body")
    return RelayedRequest(method, scheme, authority, path, headers, body)


def request(given: RelayedRequest) -> bytes:
    """Return the bytes of a request, for clients and tests. The page has relay.js for that."""
    parts = (given.method, given.scheme, given.authority, given.path)
    line = b"".join(_counted(each.encode("ascii")) for each in parts)
    data = number(_REQUEST) + line + _counted(_lines(given.headers)) + _counted(given.body)
    return filled(data, REQUEST_FILL)


def response(status: int, headers: dict[str, str], body: bytes) -> bytes:
    data = number(_RESPONSE) + number(status) + _counted(_lines(headers)) + _counted(body)
    return filled(data, RESPONSE_FILL)


def number(value: int) -> bytes:
    """Return the number in the fewest of 1, 2, 4 or 8 bytes."""
    power = next(power for power in range(4) if value < 1 << (8 * (1 << power) - 2))
    count = 1 << power
    return (value | power << (8 * count - 2)).to_bytes(count)


def filled(data: bytes, step: int) -> bytes:
    return data + bytes(-len(data) % step)


def _lines(headers: dict[str, str]) -> bytes:
    return b"".join(_counted(part.encode("latin-1")) for header in headers.items() for part in header)


def _counted(data: bytes) -> bytes:
    return number(len(data)) + data


def _headers(reader: Reader) -> dict[str, str]:
    headers: dict[str, str] = {}
    while reader.rest():
        name, value = _text(reader.field()), _text(reader.field())
        if name in headers or name != name.lower():
            raise Malformed("a header is repeated, or its name is not in lower case")
        headers[name] = value
    return headers


def _text(data: bytes) -> str:
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        raise Malformed("it has other characters than ASCII") from None
    if not text.isprintable():
        raise Malformed("it has a character that does not print")
    return text
