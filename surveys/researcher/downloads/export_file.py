"""Read the files of an export. They are stored in parts, and some are compressed."""

import zlib
from collections.abc import Iterator

from django.db.models.functions import Length

from surveys.models import ExportFile

_GZIP = 31  # zlib's window bits for gzip


def parts(file: ExportFile, first: int = 0) -> Iterator[bytes]:
    """Yield the stored parts from this one on, one part in memory at a time."""
    number = first
    while content := file.parts.filter(number=number).values_list("content", flat=True).first():
        yield bytes(content)
        number += 1


def plain(file: ExportFile) -> Iterator[bytes]:
    """Yield the uncompressed file."""
    if not file.packed:
        yield from parts(file)
        return
    unpacker = zlib.decompressobj(_GZIP)
    for part in parts(file):
        yield unpacker.decompress(part)
    yield unpacker.flush()


def some(file: ExportFile, start: int, stop: int) -> Iterator[bytes]:
    """Yield the bytes from `start` to before `stop`. A compressed file is unpacked from its start."""
    first, at = (0, 0) if file.packed else _holding(file, start)
    for piece in plain(file) if file.packed else parts(file, first):
        if at + len(piece) > start:
            yield piece[max(start - at, 0) : stop - at]
        at += len(piece)
        if at >= stop:
            return


def _holding(file: ExportFile, start: int) -> tuple[int, int]:
    """Return the part with the byte `start`, and the position of the part's first byte."""
    at = 0
    for number, size in file.parts.order_by("number").values_list("number", Length("content")):
        if at + size > start:
            return number, at
        at += size
    raise ValueError(f"{file} has no byte {start}")
