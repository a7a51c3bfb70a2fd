"""The Merkle tree of RFC 6962, section 2.1, with SHA-256: roots, and proofs of inclusion and consistency.

All functions take leaf hashes, in order. Proofs consist of hashes of subtrees, which surveys/transparency/log/tree.py
computes. `verify.py` checks proofs.
"""

import hashlib
from collections.abc import Callable, Sequence

Hashes = Sequence[bytes]
Subtree = Callable[[int, int], bytes]


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def root(leaves: Hashes) -> bytes:
    """Return the hash of the tree. Without leaves it is the hash of the empty text."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return node_hash(root(leaves[:k]), root(leaves[k:]))


def split(n: int) -> int:
    """Return the largest power of two below n > 1: the number of leaves in the left tree."""
    return int(1 << (n - 1).bit_length() - 1)


def inclusion(index: int, size: int, part: Subtree) -> list[bytes]:
    """Return the hashes beside the path from a leaf to the root (2.1.1)."""
    return _inclusion(index, 0, size, part)


def _inclusion(index: int, first: int, end: int, part: Subtree) -> list[bytes]:
    if end - first == 1:
        return []
    middle = first + split(end - first)
    if index < middle:
        return [*_inclusion(index, first, middle, part), part(middle, end)]
    return [*_inclusion(index, middle, end, part), part(first, middle)]


def consistency(before: int, size: int, part: Subtree) -> list[bytes]:
    """Return the proof that the tree of the first 0 < `before` <= `size` leaves begins this one (2.1.2)."""
    return _subproof(before, 0, size, True, part)


def _subproof(before: int, first: int, end: int, whole: bool, part: Subtree) -> list[bytes]:
    """Return a part of the proof. If `whole`, exactly these leaves give the earlier root, so their hash is known."""
    if before == end:
        return [] if whole else [part(first, end)]
    middle = first + split(end - first)
    if before <= middle:
        return [*_subproof(before, first, middle, whole, part), part(middle, end)]
    return [*_subproof(before, middle, end, False, part), part(first, middle)]
