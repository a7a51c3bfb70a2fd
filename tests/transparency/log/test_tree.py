"""The log's tree without all of its leaves: every proof and root equals that of the leaves, and needs few hashes."""

import pytest

from surveys.models import LogEntry
from surveys.transparency.log import entries, merkle, tree
from tests.support.merkle import every_root, parts

pytestmark = pytest.mark.django_db

SIZE = 2000
SIZES = [1, 2, 255, 256, 257, 511, 512, 513, 768, 1000, 1024, 1025, 1536, 1791, SIZE]


@pytest.fixture
def leaves():
    """Return the leaves of a log with SIZE entries."""
    own = [bytes.fromhex(leaf) for leaf in LogEntry.objects.values_list("leaf", flat=True)]
    whole = own + [merkle.leaf_hash(i.to_bytes(8)) for i in range(len(own), SIZE)]
    roots = list(every_root(whole))
    LogEntry.objects.bulk_create(
        LogEntry(number=i, kind="other", content="", leaf=whole[i].hex(), root=roots[i].hex())
        for i in range(len(own), SIZE)
    )
    return whole


@pytest.mark.parametrize("size", SIZES)
def test_proofs_and_roots_are_those_of_the_leaves(leaves, size):
    part = parts(leaves)
    assert tree.Tree(size).root == merkle.root(leaves[:size])
    for place in {0, 1, 254, 255, 256, 512, 700, 1023, 1024, 1999, size // 3, size - 2, size - 1} & set(range(size)):
        assert tree.Tree(size).inclusion(place) == merkle.inclusion(place, size, part), place
        assert tree.Tree(size).consistency(place + 1) == merkle.consistency(place + 1, size, part), place
    assert tree.Tree(size - 1, leaves[size - 1]).root == merkle.root(leaves[:size]), "also before the last is stored"


def test_an_entry_has_the_root_of_all_before_it_and_itself(leaves):
    entry = entries.append({"kind": "other", "day": "2026-01-01"})
    assert (entry.number, entry.root) == (SIZE, merkle.root([*leaves, bytes.fromhex(entry.leaf)]).hex())


def test_a_proof_hashes_a_few_hundred_leaves_whatever_the_size_of_the_tree(leaves, monkeypatch):
    tree.Tree(SIZE).inclusion(300)
    hashed = []
    own = merkle.node_hash
    monkeypatch.setattr(merkle, "node_hash", lambda *sides: hashed.append(sides) or own(*sides))
    tree.Tree(SIZE).inclusion(300)
    assert 0 < len(hashed) <= 2 * tree.WIDTH


def test_what_was_kept_of_another_log_is_forgotten(leaves, monkeypatch):
    other = [merkle.leaf_hash(b"other" + i.to_bytes(8)) for i in range(3 * tree.WIDTH)]
    tiles = [merkle.root(other[i : i + tree.WIDTH]) for i in range(0, len(other), tree.WIDTH)]
    for kept in (tree.Tiles(tiles, merkle.root(other).hex()), tree.Tiles(tiles * 5, merkle.root(other * 5).hex())):
        monkeypatch.setattr(tree, "_known", kept)
        assert tree.Tree(SIZE).root == merkle.root(leaves)
