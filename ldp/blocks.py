"""The bytes of a block: packed reports as columns.

The rows of packed bytes are turned into columns of bytes, and each column is Huffman-coded (zlib without its search for
repetitions: independent reports have none). A column of a few likely values costs about its entropy, so a block is
close to the information in its reports, and one question can be read without the others.

A block's bytes: the number of columns and the coded length of each (unsigned 32-bit, big-endian), then the columns.
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
    """Return the packed reports of a block, shape (n, bytes), or their bytes from `first` to before `end`."""
    (count,) = struct.unpack_from(">I", block)
    lengths = struct.unpack_from(f">{count}I", block, 4)
    starts = list(accumulate(lengths, initial=4 + 4 * count))
    places = range(count)[first:end]
    columns = [zlib.decompress(block[starts[place] : starts[place + 1]]) for place in places]
    return np.stack([np.frombuffer(column, dtype=np.uint8) for column in columns], axis=1)


def _code(column: bytes) -> bytes:
    coder = zlib.compressobj(level=9, strategy=zlib.Z_HUFFMAN_ONLY)
    return coder.compress(column) + coder.flush()
