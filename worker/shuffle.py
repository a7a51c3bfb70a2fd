"""All reports of a release in one random order, with the memory of a few blocks.

The order inside a block reveals nothing, but reports of the same block came at about the same time. So every report
goes to a random bucket, and each bucket is shuffled: all orders of the whole are equally likely. Meanwhile the reports
are in a file without a name, which disappears with the process.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from worker.blocks import Random, Rows, shuffled


class Buckets:
    """`count` buckets for packed reports of `width` bytes, kept in a file without a name."""

    def __init__(self, count: int, width: int, directory: Path, random: Random = os.urandom) -> None:
        self._count, self._width, self._random = count, width, random
        self._file = tempfile.TemporaryFile(dir=directory)  # noqa: SIM115 (closed by __exit__)
        self._starts: list[list[int]] = []  # in reports: a bucket's room in each block's stretch of the file
        self._n = 0

    def __enter__(self) -> "Buckets":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def throw(self, rows: Rows) -> None:
        """Put each row of an array, (n, width), into a random bucket."""
        drawn = np.frombuffer(self._random(4 * len(rows)), dtype=np.uint32).astype(np.uint64)
        places = drawn * np.uint64(self._count) >> np.uint64(32)
        sizes = np.bincount(places.astype(np.intp), minlength=self._count)
        self._file.write(np.ascontiguousarray(rows[np.argsort(places, kind="stable")]).data)
        self._starts.append([self._n, *(self._n + np.cumsum(sizes)).tolist()])
        self._n += len(rows)

    def shuffled(self) -> Iterator[Rows]:
        """Yield the shuffled rows of each bucket, (n, width). A bucket may be empty."""
        for k in range(self._count):
            pieces = [self._read(starts[k], starts[k + 1]) for starts in self._starts]
            rows = np.frombuffer(b"".join(pieces), dtype=np.uint8).reshape(-1, self._width)
            yield shuffled(rows, self._random)

    def _read(self, start: int, stop: int) -> bytes:
        self._file.seek(start * self._width)
        return self._file.read((stop - start) * self._width)
