"""A block: tens of thousands of tallied reports, packed, shuffled and columnar.

The rows of packed bytes are put in random order, turned into columns of bytes, and each column is Huffman-coded (zlib
without its search for repetitions: independent reports have none). A column of a few likely values costs about its
entropy, so a block is close to the information in its reports, and one question can be read without the others.

A block's bytes: the number of columns and the coded length of each (unsigned 32-bit, big-endian), then the columns.
"""

import struct
import zlib

import numpy as np
import numpy.typing as npt
from django.conf import settings

Rows = npt.NDArray[np.uint8]

SIZE = settings.BLOCK_SIZE


def encode(rows: Rows, generator: np.random.Generator) -> bytes:
    """The block of packed reports, shape (n, bytes), in an order that no longer tells which came first."""
    shuffled = generator.permutation(rows, axis=0)
    columns = [_code(np.ascontiguousarray(column).tobytes()) for column in shuffled.T]
    return struct.pack(f">{1 + len(columns)}I", len(columns), *map(len, columns)) + b"".join(columns)


def decode(block: bytes) -> Rows:
    """The packed reports of a block, shape (n, bytes)."""
    (count,) = struct.unpack_from(">I", block)
    lengths = struct.unpack_from(f">{count}I", block, 4)
    columns, start = [], 4 + 4 * count
    for length in lengths:
        columns.append(np.frombuffer(zlib.decompress(block[start : start + length]), dtype=np.uint8))
        start += length
    return np.stack(columns, axis=1)


def _code(column: bytes) -> bytes:
    coder = zlib.compressobj(level=9, strategy=zlib.Z_HUFFMAN_ONLY)
    return coder.compress(column) + coder.flush()
