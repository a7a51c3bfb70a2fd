"""Files of an export as they are stored: in parts, some of them compressed."""

import zlib
from collections.abc import Iterator

from surveys.models import ExportFile

_GZIP = 31  # zlib's number for the format of gzip


def parts(file: ExportFile) -> Iterator[bytes]:
    """As stored, one part in memory at a time."""
    number = 0
    while content := file.parts.filter(number=number).values_list("content", flat=True).first():
        yield bytes(content)
        number += 1


def plain(file: ExportFile) -> Iterator[bytes]:
    """The file itself."""
    if not file.packed:
        yield from parts(file)
        return
    unpacker = zlib.decompressobj(_GZIP)
    for part in parts(file):
        yield unpacker.decompress(part)
    yield unpacker.flush()
