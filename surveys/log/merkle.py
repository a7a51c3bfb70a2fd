"""The Merkle tree of RFC 6962, section 2.1, over SHA-256: roots, and proofs of inclusion and of consistency.

Everything is of leaf hashes, in order. `verify.py` has what checks the proofs.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

Hashes = Sequence[bytes]


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def root(leaves: Hashes) -> bytes:
    """The hash of the tree; that of nothing is the hash of the empty text."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return node_hash(root(leaves[:k]), root(leaves[k:]))


def roots(leaves: Iterable[bytes]) -> Iterator[bytes]:
    """The hash of the tree after each leaf."""
    peaks: list[tuple[int, bytes]] = []  # the full trees of which the tree is made, the largest first
    for leaf in leaves:
        peaks.append((1, leaf))
        while len(peaks) > 1 and peaks[-2][0] == peaks[-1][0]:
            (n, left), (_, right) = peaks[-2:]
            peaks[-2:] = [(2 * n, node_hash(left, right))]
        whole = peaks[-1][1]
        for _, peak in reversed(peaks[:-1]):
            whole = node_hash(peak, whole)
        yield whole


def split(n: int) -> int:
    """The largest power of two below n, of n > 1 leaves those of the left tree."""
    return int(1 << (n - 1).bit_length() - 1)


def inclusion(index: int, leaves: Hashes) -> list[bytes]:
    """The hashes beside the way from a leaf up to the root (2.1.1)."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if index < k:
        return [*inclusion(index, leaves[:k]), root(leaves[k:])]
    return [*inclusion(index - k, leaves[k:]), root(leaves[:k])]


def consistency(size: int, leaves: Hashes) -> list[bytes]:
    """What shows that the tree of the first 0 < `size` <= n leaves is this one's beginning (2.1.2)."""
    return _subproof(size, leaves, True)


def _subproof(size: int, leaves: Hashes, whole: bool) -> list[bytes]:
    """`whole`: the earlier tree's root is the hash of these very leaves, which its owner knows."""
    if size == len(leaves):
        return [] if whole else [root(leaves)]
    k = split(len(leaves))
    if size <= k:
        return [*_subproof(size, leaves[:k], whole), root(leaves[k:])]
    return [*_subproof(size - k, leaves[k:], False), root(leaves[:k])]
