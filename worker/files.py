"""Files of an export, written in pieces into the database."""

import gzip
import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

from surveys.models import Export, ExportFile, ExportPart

PART = 1 << 20  # bytes
# Low levels are fast. Higher levels do not shorten nearly random data.
LEVEL = 4


class Parts(io.RawIOBase):
    """A writable file whose bytes are stored as parts, all of PART bytes except the last."""

    def __init__(self, file: ExportFile) -> None:
        super().__init__()
        self._file, self._held, self._number, self._written = file, bytearray(), 0, 0

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self._held += content
        self._written += len(content)
        while len(self._held) >= PART:
            self._store(PART)
        return len(content)

    def tell(self) -> int:
        return self._written

    def finish(self) -> None:
        if self._held:
            self._store(len(self._held))

    def _store(self, size: int) -> None:
        ExportPart.objects.create(file=self._file, number=self._number, content=bytes(self._held[:size]))
        del self._held[:size]
        self._number += 1


class CountedStream(io.RawIOBase):
    """A writable file that passes its bytes on, and has their number and their SHA-256."""

    def __init__(self, target: IO[bytes]) -> None:
        super().__init__()
        self._target, self._hash, self._size = target, hashlib.sha256(), 0

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self._hash.update(content)
        self._size += len(content)
        self._target.write(content)
        return len(content)

    def tell(self) -> int:
        return self._size

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()


@contextmanager
def created(export: Export, name: str, packed: bool = False) -> Iterator[CountedStream]:
    """Yield a new file of an export to write to. If the block fails, the file stays without a hash."""
    file = ExportFile.objects.create(export=export, name=name, packed=packed)
    parts = cast(IO[bytes], target := Parts(file))
    packer = gzip.GzipFile(fileobj=parts, mode="wb", compresslevel=LEVEL, mtime=0) if packed else None
    counted = CountedStream(cast(IO[bytes], packer or parts))
    yield counted
    if packer:
        packer.close()
    target.finish()
    ExportFile.objects.filter(pk=file.pk).update(size=counted.tell(), stored=target.tell(), sha256=counted.sha256)
