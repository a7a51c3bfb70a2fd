"""The tree has the roots and proofs of the vectors published for RFC 6962, and the verifier accepts only those.

The vectors are from transparency-dev/merkle (proof/verify_test.go) and have long been in Certificate Transparency.
"""

import pytest

from surveys.transparency.check import verify
from surveys.transparency.log import merkle
from tests.support.merkle import every_root, parts

LEAVES = [bytes.fromhex(text) for text in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)]  # fmt: skip
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
# (index, size, hashes)
INCLUSION = [
    (0, 1, ""),
    (0, 8, "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7 "
           "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e "
           "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"),
    (5, 8, "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b "
           "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0 "
           "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"),
    (2, 3, "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"),
    (1, 5, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d "
           "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e "
           "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"),
]  # fmt: skip
# (size before, size, hashes)
CONSISTENCY = [
    (1, 1, ""),
    (1, 8, "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7 "
           "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e "
           "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"),
    (6, 8, "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a "
           "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0 "
           "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"),
    (2, 5, "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e "
           "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"),
    (6, 7, "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a "
           "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f "
           "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"),
]  # fmt: skip
HASHES = [merkle.leaf_hash(leaf) for leaf in LEAVES]
PART = parts(HASHES)
SOME = b"\xab" * 32


def root(size):
    return bytes.fromhex(ROOTS[size - 1])


def hashes(text):
    return [bytes.fromhex(each) for each in text.split()]


def spoiled(proof):
    """Yield proofs that are almost the right one."""
    yield [*proof, SOME]
    yield [SOME, *proof]
    yield [*proof, b""]
    for i, each in enumerate(proof):
        yield [*proof[:i], bytes([each[0] ^ 8]) + each[1:], *proof[i + 1 :]]
        yield [*proof[:i], *proof[i + 1 :]]


def test_roots_are_the_published_ones():
    assert merkle.root([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert [verify.leaf_hash(leaf) for leaf in LEAVES] == HASHES
    for size in range(1, 9):
        assert merkle.root(HASHES[:size]) == verify.tree_root(HASHES[:size]) == root(size)
    assert list(every_root(HASHES)) == [root(size) for size in range(1, 9)]


@pytest.mark.parametrize(("index", "size", "text"), INCLUSION)
def test_proofs_of_inclusion_are_the_published_ones_and_nothing_else_is_taken_for_one(index, size, text):
    proof, leaf = hashes(text), HASHES[index]
    assert merkle.inclusion(index, size, PART) == proof
    assert verify.is_included(index, size, leaf, proof, root(size))
    assert not any(verify.is_included(index, size, leaf, other, root(size)) for other in spoiled(proof))
    assert not verify.is_included(index, size, SOME, proof, root(size))
    assert not verify.is_included(index, size, leaf, proof, SOME)
    for other in {index - 1, index + 1, index ^ 2} - {index}:
        assert not verify.is_included(other, size, leaf, proof, root(size))


@pytest.mark.parametrize(("before", "size", "text"), CONSISTENCY)
def test_proofs_of_consistency_are_the_published_ones_and_nothing_else_is_taken_for_one(before, size, text):
    proof, roots = hashes(text), (root(before), root(size))
    assert merkle.consistency(before, size, PART) == proof
    assert verify.is_continued(before, size, *roots, proof)
    assert not any(verify.is_continued(before, size, *roots, other) for other in spoiled(proof))
    assert not verify.is_continued(before, size, SOME, roots[1], proof)
    assert not verify.is_continued(before, size, roots[0], SOME, proof)
    for other in {before - 1, before + 1, before ^ 2} - {0, before}:
        assert not verify.is_continued(other, size, *roots, proof)


def test_every_proof_of_every_tree_of_up_to_forty_leaves_is_right_for_its_own_place_alone():
    leaves = [merkle.leaf_hash(bytes([i])) for i in range(40)]
    roots = list(every_root(leaves))
    for size in range(1, 41):
        for index in range(size):
            proof = merkle.inclusion(index, size, parts(leaves))
            right = [i for i in range(size) if verify.is_included(i, size, leaves[index], proof, roots[size - 1])]
            assert right == [index]
            proof = merkle.consistency(index + 1, size, parts(leaves))
            right = [i for i in range(size) if verify.is_continued(i + 1, size, roots[i], roots[size - 1], proof)]
            assert index in right and all(not proof or i == index for i in right)


def test_the_tree_of_nothing_is_the_beginning_of_every_tree_and_needs_no_proof():
    empty = merkle.root([])
    assert verify.is_continued(0, 3, empty, root(3), [])
    assert not verify.is_continued(0, 3, SOME, root(3), [])
    assert not verify.is_continued(0, 3, empty, root(3), [SOME])
