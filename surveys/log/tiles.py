"""Tiles (C2SP tlog-tiles): the hashes of the tree, and its entries, in parts that never change."""

import re

from surveys.log import merkle
from surveys.log.entries import leaves
from surveys.models import LogEntry

WIDTH = 256
LEVELS = 4  # 4 * 10^9 entries


def index_of(path: str) -> int:
    """The number of a tile from its path, as x001/x234/067."""
    return int(path.replace("x", "").replace("/", ""))


def hashes(level: int, index: int, width: int) -> bytes | None:
    """The tile of this level with so many hashes; None where the tree is not as large."""
    span: int = WIDTH**level
    first, end = index * WIDTH * span, (index * WIDTH + width) * span
    rows = leaves(first, end)
    if len(rows) < end - first:
        return None
    return b"".join(merkle.root(rows[i * span : (i + 1) * span]) for i in range(width))


def bundle(index: int, width: int) -> bytes | None:
    """So many entries, each after its length in two bytes; None where there are not as many."""
    rows = LogEntry.objects.filter(number__gte=index * WIDTH, number__lt=index * WIDTH + width)
    each = [content.encode() for content in rows.values_list("content", flat=True)]
    return b"".join(len(entry).to_bytes(2) + entry for entry in each) if len(each) == width else None


PATH = r"(?:x[0-9]{3}/)*[0-9]{3}"
_CANONICAL = re.compile(r"(?!x000/)(?:x[0-9]{3}/)*[0-9]{3}")


def is_path(path: str) -> bool:
    """Whether it is the one notation of its number."""
    return bool(_CANONICAL.fullmatch(path))
