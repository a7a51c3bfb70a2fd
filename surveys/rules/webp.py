"""WebP for a definition's pictures: one still frame, and nothing else in the file.

A file is a sequence of chunks, each with a name of four letters and its length. Metadata (EXIF, XMP, a colour profile)
and animations are in chunks that are refused. Only the sizes are read, so a small file with many pixels costs nothing.
"""

from collections.abc import Iterator
from typing import NamedTuple

_ALLOWED = (("VP8 ",), ("VP8L",), ("VP8X", "VP8L"), ("VP8X", "ALPH", "VP8 "))
_TRANSPARENT = 0x10  # the only flag of VP8X that may be set


class Size(NamedTuple):
    width: int
    height: int


def size(data: bytes) -> Size | None:
    """Return the size in pixels; None for any other file."""
    try:
        chunks = list(_chunks(data))
    except ValueError:
        return None
    names = tuple(name for name, _payload in chunks)
    if names not in _ALLOWED:
        return None
    frame = _of_frame(*chunks[-1])
    if frame is None or (names[0] == "VP8X" and _of_canvas(chunks[0][1]) != frame):
        return None
    return frame


def _chunks(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of the chunks. Raise ValueError if they are not the whole file."""
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP" or int.from_bytes(data[4:8], "little") != len(data) - 8:
        raise ValueError
    at = 12
    while at < len(data):
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        content, end = data[at + 8 : at + 8 + length], at + 8 + length
        if len(content) != length or data[end : end + length % 2] != b"\0" * (length % 2):
            raise ValueError
        yield data[at : at + 4].decode("latin-1"), content
        at = end + length % 2


def _of_frame(name: str, content: bytes) -> Size | None:
    if name == "VP8L":
        if len(content) < 5 or content[0] != 0x2F or content[4] >> 5:
            return None
        bits = int.from_bytes(content[1:5], "little")
        return Size((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if len(content) < 10 or content[0] & 1 or content[3:6] != b"\x9d\x01\x2a":
        return None
    return Size(*(int.from_bytes(content[i : i + 2], "little") & 0x3FFF for i in (6, 8)))


def _of_canvas(content: bytes) -> Size | None:
    if len(content) != 10 or content[0] & ~_TRANSPARENT or any(content[1:4]):
        return None
    return Size(*(int.from_bytes(content[i : i + 3], "little") + 1 for i in (4, 7)))
