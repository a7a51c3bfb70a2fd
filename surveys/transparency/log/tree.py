"""The tree of the log's leaves. A proof, a tile or the next root needs only a few hundred hashes.

Hashes of full tiles never change, so each process caches them. A root determines all leaves before it. So the stored
root at the end of the last full tile shows whether the cache is valid: a log restored from a backup is a different log.
"""

import threading
from functools import cached_property
from typing import NamedTuple

from surveys.models import LogEntry
from surveys.transparency.log import merkle

WIDTH = 256  # leaves of a full tile


class Tiles(NamedTuple):
    """The hashes of the first full tiles, and the root of their tree."""

    hashes: list[bytes]
    root: str


_known, _turn = Tiles([], ""), threading.Lock()


class Tree:
    """The tree of the first `size` leaves; `new` is one more leaf after them."""

    def __init__(self, size: int, new: bytes | None = None) -> None:
        self._stored, self._new = size, [] if new is None else [new]
        self.size = size + len(self._new)
        self._leaves: dict[int, list[bytes]] = {}

    @property
    def root(self) -> bytes:
        return self.part(0, self.size)

    def part(self, first: int, end: int) -> bytes:
        """Return the hash of the leaves from `first` to before `end`. They are a tile or part of one, or several tiles
        that start where a subtree of their size can start."""
        if end - first < WIDTH:
            place = first // WIDTH
            return merkle.root(self._of_tile(place)[first - place * WIDTH : end - place * WIDTH])
        last, rest = divmod(end, WIDTH)
        nodes = [self._tile(place) for place in range(first // WIDTH, last)]
        return merkle.root([*nodes, self.part(last * WIDTH, end)] if rest else nodes)

    def inclusion(self, index: int) -> list[bytes]:
        return merkle.inclusion(index, self.size, self.part)

    def consistency(self, before: int) -> list[bytes]:
        return merkle.consistency(before, self.size, self.part)

    def _tile(self, place: int) -> bytes:
        return self._full[place] if place < len(self._full) else merkle.root(self._of_tile(place))

    @cached_property
    def _full(self) -> list[bytes]:
        return full_tiles(self._stored // WIDTH)

    def _of_tile(self, place: int) -> list[bytes]:
        if place not in self._leaves:
            end = min((place + 1) * WIDTH, self._stored)
            more = self._new if end < (place + 1) * WIDTH else []
            self._leaves[place] = [*leaves(place * WIDTH, end), *more]
        return self._leaves[place]


def full_tiles(count: int) -> list[bytes]:
    """Return the hashes of the first `count` tiles. The log must have so many."""
    global _known
    with _turn:
        known = _known if _known.root == _root(len(_known.hashes) * WIDTH) else Tiles([], "")
        if len(known.hashes) < count:
            more = leaves(len(known.hashes) * WIDTH, count * WIDTH)
            new = [merkle.root(more[i : i + WIDTH]) for i in range(0, len(more), WIDTH)]
            known = Tiles([*known.hashes, *new], _root(count * WIDTH))
        _known = known
        return known.hashes[:count]


def _root(size: int) -> str:
    """Return the root of the tree of `size` leaves; "" if there are fewer."""
    return LogEntry.objects.filter(number=size - 1).values_list("root", flat=True).first() or ""


def size() -> int:
    last = LogEntry.objects.last()
    return last.number + 1 if last else 0


def leaves(first: int, end: int) -> list[bytes]:
    """Return the hashes of the leaves from `first` to before `end`."""
    rows = LogEntry.objects.filter(number__gte=first, number__lt=end)
    return [bytes.fromhex(leaf) for leaf in rows.values_list("leaf", flat=True)]
