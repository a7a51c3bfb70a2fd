"""Several answers by one draw (M34b): the sampler is the stated channel, each part of it randomized response."""

import contextlib
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import prod

import numpy as np
import pytest

from ldp import exact, words
from ldp.mechanisms import joint, randomized_response
from ldp.tally import Batch
from tests.support.channels import enumerated, replay, worst_ratio
from tests.support.draws import boundary
from tests.support.mutation import Swap, mutant

SIZES = [(2, 2), (2, 3), (3, 2, 2), (2, 2, 2, 2), (4, 3), (2, 3, 4)]
ALPHAS = ["0.01", "0.5", "2", "8", "16"]
RESOLUTION, OTHER = 128, 2


@pytest.fixture
def small(monkeypatch):
    """All draws are uniform on so few integers that every one of them can be tried."""
    monkeypatch.setattr(exact, "RESOLUTION", RESOLUTION)
    return {"other": OTHER}


def channel(table, sizes):
    """Q[x][z] over all tuples, by every outcome of the draw."""
    every = [list(answers) for answers in product(*map(range, sizes))]
    return every, enumerated(joint.randomize, every, sizes, table, RESOLUTION, 1)


@pytest.mark.parametrize("sizes", SIZES)
def test_all_answers_stay_or_all_are_replaced_by_any_tuple_alike(small, sizes):
    every, rows = channel(small, sizes)
    q = Fraction(OTHER, RESOLUTION)
    for answers, row in zip(every, rows, strict=True):
        expected = {tuple(z): q for z in every}
        expected[tuple(answers)] = joint.keep(small, sizes) + q
        assert row == expected
    assert worst_ratio(rows) == Fraction(RESOLUTION - (prod(sizes) - 1) * OTHER, OTHER)


@pytest.mark.parametrize("sizes", SIZES)
def test_any_questions_of_a_form_have_the_channel_of_randomized_response(small, sizes):
    every, rows = channel(small, sizes)
    for count in range(1, len(sizes) + 1):
        for questions in combinations(range(len(sizes)), count):
            d = prod(sizes[k] for k in questions)
            own = randomized_response.moments(joint.marginal(small, sizes, questions), d)["support"]
            for answers, row in zip(every, rows, strict=True):
                kept = tuple(answers[k] for k in questions)
                law = Counter()
                for z, chance in row.items():
                    law[tuple(z[k] for k in questions)] += chance
                assert len(law) == d
                assert all(chance == (own.a if z == kept else own.b) for z, chance in law.items())


@pytest.mark.parametrize("sizes", SIZES)
def test_who_knows_all_answers_but_one_learns_no_more_of_it_than_alpha_allows(small, sizes):
    """Among tuples that differ in one place only the worst ratio is that of all tuples."""
    every, rows = channel(small, sizes)
    whole = worst_ratio(rows)
    for one, other in combinations(range(len(every)), 2):
        if sum(x != y for x, y in zip(every[one], every[other], strict=True)) == 1:
            assert worst_ratio([rows[one], rows[other]]) == whole


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("sizes", [*SIZES, (64, 64), (2,) * 12])
def test_the_table_is_the_best_that_is_certified_and_one_less_is_refused(alpha, sizes):
    promised = Fraction(alpha)
    table = joint.table(promised, sizes)
    assert joint.certified(table, sizes, promised)
    assert not joint.certified({"other": table["other"] - 1}, sizes, promised)
    assert joint.realized_alpha(table, sizes) <= float(promised) + 1e-12
    assert joint.realized_alpha(table, sizes) == pytest.approx(float(promised), abs=1e-9)


@pytest.mark.parametrize("sizes", SIZES)
def test_a_table_that_overstates_its_privacy_is_refused(sizes):
    alpha, more = Fraction(2), (*sizes, 2)
    assert not joint.certified(joint.table(alpha, more), sizes, alpha), "one made for more combinations"
    assert not joint.certified(joint.table(alpha + Fraction(1, 10**6), sizes), sizes, alpha), "one for a larger alpha"
    assert joint.certified(joint.table(alpha - Fraction(1, 10**6), sizes), sizes, alpha)


@pytest.mark.parametrize("t", [0, -1, 2**53, 2**53 // 4 + 1])
def test_no_table_is_certified_whose_chances_are_none(t):
    assert not joint.certified({"other": t}, (2, 2), Fraction(2))


def test_what_no_form_can_have_is_refused():
    for sizes in [(), (1, 2), (2,) * 13, (4097,)]:
        with pytest.raises(ValueError):
            joint.table(Fraction(1), sizes)


@pytest.mark.parametrize("sizes", [(2, 3, 4), (2, 2), (5, 7)])
@pytest.mark.parametrize("alpha", ["0.01", "1", "10"])
def test_the_draw_changes_exactly_at_its_thresholds_and_takes_one_integer(sizes, alpha):
    table, d = joint.table(Fraction(alpha), sizes), prod(sizes)
    for answers in ([0] * len(sizes), [size - 1 for size in sizes]):
        for k in range(1, d):
            for u in boundary(k * table["other"]):
                shift = len([j for j in range(1, d) if u < j * table["other"]])
                expected = [
                    (x + step) % size for x, step, size in zip(answers, joint.places(shift, sizes), sizes, strict=True)
                ]
                assert joint.randomize(answers, table, sizes, replay([u])) == expected


@pytest.mark.parametrize("sizes", SIZES)
def test_a_tuple_and_its_number_are_one_to_one(sizes):
    every = [list(answers) for answers in product(*map(range, sizes))]
    packing = joint.packing({"other": 1}, sizes)
    assert [packing.encode(answers) for answers in every] == list(range(prod(sizes)))
    assert [joint.places(code, sizes) for code in range(prod(sizes))] == every


@pytest.mark.parametrize("sizes", [*SIZES, (64, 64), (3,) * 7])
def test_a_packed_report_is_the_report(sizes):
    packing = joint.packing({"other": 1}, sizes)
    assert packing.width == (prod(sizes) - 1).bit_length()
    for code in {0, 1, prod(sizes) // 2, prod(sizes) - 1}:
        assert packing.encode(packing.decode(code)) == code


@pytest.mark.parametrize("value", [None, 1, [0], [0, 0, 0], [2, 0], [0, 3], [-1, 0], [True, 0], ["0", 0], [0.0, 0]])
def test_what_is_no_report_is_refused_without_a_word_of_it(value):
    with pytest.raises(ValueError, match=r"^must (be|hold)"):
        joint.packing({"other": 1}, (2, 3)).encode(value)


@pytest.mark.parametrize("sizes", [(2, 3, 4), (2, 2), (16, 16, 16)])
def test_a_tally_counts_every_tuple(sizes):
    chance = random.Random(7)
    table, packing = joint.table(Fraction(2), sizes), joint.packing({"other": 1}, sizes)
    reports = [
        joint.randomize([chance.randrange(d) for d in sizes], table, sizes, lambda: chance.getrandbits(53))
        for _ in range(300)
    ]
    size = (packing.width + 7) // 8
    packed = b"".join((packing.encode(z) << 8 * size - packing.width).to_bytes(size, "big") for z in reports)
    rows = np.frombuffer(packed, dtype=np.uint8).reshape(len(reports), size)
    counts = joint.tally(Batch(rows).field(0, packing.width), table, sizes)["support"]
    assert len(counts) == prod(sizes) and sum(counts) == 300
    assert Counter({tuple(joint.places(k, sizes)): n for k, n in enumerate(counts) if n}) == Counter(
        map(tuple, reports)
    )


FAULTS = {
    "each answer has a draw of its own": Swap(
        "randomize",
        "places(shift, sizes)",
        "[randomized_response.randomize(0, table, d, uniform) for d in sizes]",
    ),
    "the last answer stays": Swap("randomize", "places(shift, sizes)", "[*places(shift, sizes)[:-1], 0]"),
    "all answers take the same step": Swap("randomize", "places(shift, sizes)", "[shift] * len(sizes)"),
    "the draw knows one combination less": Swap("randomize", "tuples(sizes)", "tuples(sizes) - 1"),
    "the answers begin the draw": Swap("randomize", "0", "packing(table, sizes).encode(answers)"),
    "places are read from the other end": Swap("places", "reverse[::-1]", "reverse"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_seeded_faults_are_caught(small, name):
    broken, sizes = mutant(joint, (FAULTS[name],)), (2, 2, 3)
    every, right = channel(small, sizes)
    # One that takes more integers than it may finds none.
    with contextlib.suppress(RuntimeError):
        assert enumerated(broken.randomize, every, sizes, small, RESOLUTION, 1) != right


def test_the_systems_own_words_draw_a_report():
    report = joint.randomize([1, 2], joint.table(Fraction(1), (2, 3)), (2, 3), words.uniform_from(words.system_words))
    assert joint.packing({"other": 1}, (2, 3)).encode(report) in range(6)
