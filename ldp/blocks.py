"""The bytes of a block: packed reports as columns.

Each column of bytes is Huffman-coded by itself, so one question can be read without the others. zlib does not search
for repetitions, because independent reports have none. A column of few likely values costs about its entropy.

Format: the number of columns, the coded length of each (unsigned 32-bit, big-endian), then the coded columns.
"""

import struct
import zlib
from itertools import accumulate

import numpy as np

from ldp.kernels import Rows


def encode(rows: Rows) -> bytes:
    """Return the block of packed reports, shape (n, bytes), in the order of the rows."""
    columns = [_code(np.ascontiguousarray(column).tobytes()) for column in rows.T]
    return struct.pack(f">{1 + len(columns)}I", len(columns), *map(len, columns)) + b"".join(columns)


def decode(block: bytes, first: int = 0, end: int | None = None) -> Rows:
    """Return a block's packed reports, shape (n, bytes); optionally only the bytes first..end-1 of each report."""
    (count,) = struct.unpack_from(">I", block)
    lengths = struct.unpack_from(f">{count}I", block, 4)
    starts = list(accumulate(lengths, initial=4 + 4 * count))
    places = range(count)[first:end]
    columns = [zlib.decompress(block[starts[place] : starts[place + 1]]) for place in places]
    return np.stack([np.frombuffer(column, dtype=np.uint8) for column in columns], axis=1)


def _code(column: bytes) -> bytes:
    coder = zlib.compressobj(level=9, strategy=zlib.Z_HUFFMAN_ONLY)
    return coder.compress(column) + coder.flush()
