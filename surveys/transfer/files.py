"""Check the files of releases' randomized reports. They are served unchanged, so they need this site's names."""

import hashlib
import zlib
from collections.abc import Iterator

from surveys.models import Export, ExportFile, Survey
from surveys.researcher.downloads import bundle, catalog
from surveys.transfer.rules import must

GZIP = 16 + zlib.MAX_WBITS


def check(survey: Survey) -> None:
    for export in Export.objects.filter(release__survey=survey).select_related("release__survey"):
        must(export.state == Export.State.READY, "export.state", "must be “ready”")
        for file in export.files.order_by("pk"):
            known = file.name in catalog.MICRODATA or file.name == bundle.name(export.release)
            must(known, "exportfile.name", "must be that of a file of randomized reports")
            _check_bytes(file)


def _check_bytes(file: ExportFile) -> None:
    numbers = list(file.parts.order_by("number").values_list("number", flat=True))
    must(numbers == list(range(len(numbers))), "exportpart.number", "must count from 0 on")
    size, digest = 0, hashlib.sha256()
    for piece in _plain(file):
        size += len(piece)
        digest.update(piece)
        must(size <= file.size, "exportfile.size", "must be that of the file")
    must(size == file.size, "exportfile.size", "must be that of the file")
    must(digest.hexdigest() == file.sha256, "exportfile.sha256", "must be that of the file")
    stored = sum(len(content) for content in _contents(file))
    must(stored == file.stored, "exportfile.stored", "must be the bytes of its parts")


def _contents(file: ExportFile) -> Iterator[bytes]:
    contents = file.parts.order_by("number").values_list("content", flat=True)
    return (bytes(content) for content in contents.iterator(chunk_size=1))


def _plain(file: ExportFile) -> Iterator[bytes]:
    """Yield the uncompressed file, in pieces."""
    unpacked = zlib.decompressobj(GZIP)
    for content in _contents(file):
        yield unpacked.decompress(content) if file.packed else content
