"""Tiles (C2SP tlog-tiles): the tree's hashes, and its entries, in parts that never change."""

import re

from surveys.models import LogEntry
from surveys.transparency.log import tree
from surveys.transparency.log.tree import WIDTH

# The number of a tile, in groups of three digits, all except the last after an x; and its width, if not full.
_PLACE = re.compile(r"((?!x000/)(?:x[0-9]{3}/){0,3}[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")


def tile(level: str, place: str) -> bytes | None:
    """Return the bytes of a tile such as 0/x001/234.p/17; None without such a tile."""
    match = _PLACE.fullmatch(place)
    width = int(match[2] or WIDTH) if match else 0
    if match is None or width > WIDTH or (match[2] and width == WIDTH):
        return None
    index = int(re.sub("[x/]", "", match[1]))
    if level == "entries":
        return bundle(index, width)
    return hashes(int(level), index, width) if level in ("0", "1", "2", "3") else None


def hashes(level: int, index: int, width: int) -> bytes | None:
    """Return the tile of this level with `width` hashes; None if the tree is smaller."""
    span: int = WIDTH**level
    first, end = index * WIDTH * span, (index * WIDTH + width) * span
    if end > tree.size():
        return None
    whole = tree.Tree(end)
    return b"".join(whole.part(place, place + span) for place in range(first, end, span))


def bundle(index: int, width: int) -> bytes | None:
    """Return `width` entries, each after its length in two bytes; None if there are fewer."""
    rows = LogEntry.objects.filter(number__gte=index * WIDTH, number__lt=index * WIDTH + width)
    each = [content.encode() for content in rows.values_list("content", flat=True)]
    return b"".join(len(entry).to_bytes(2) + entry for entry in each) if len(each) == width else None
