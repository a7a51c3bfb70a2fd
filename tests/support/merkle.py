"""The log's trees as they grow."""

from collections.abc import Iterable, Iterator

from surveys.transparency.log.merkle import Hashes, Subtree, node_hash, root


def every_root(leaves: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the hash of the tree after each leaf."""
    peaks: list[tuple[int, bytes]] = []  # the full trees in the tree, the largest first
    for leaf in leaves:
        peaks.append((1, leaf))
        while len(peaks) > 1 and peaks[-2][0] == peaks[-1][0]:
            (n, left), (_, right) = peaks[-2:]
            peaks[-2:] = [(2 * n, node_hash(left, right))]
        whole = peaks[-1][1]
        for _, peak in reversed(peaks[:-1]):
            whole = node_hash(peak, whole)
        yield whole


def parts(leaves: Hashes) -> Subtree:
    """Return a function that gives the root of any range of these leaves."""
    return lambda first, end: root(leaves[first:end])
