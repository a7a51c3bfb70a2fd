"""Randomized response on product subsets (M44): the sampler has the stated channel, and so has each question."""

import contextlib
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import prod

import numpy as np
import pytest

from ldp import bounds, exact, words
from ldp import packing as packings
from ldp.mechanisms import MECHANISMS, randomized_response
from ldp.mechanisms.randomized_response import draw, table
from ldp.scores import PairMoments
from ldp.tally import CODE_BITS, Batch
from tests.support.channels import enumerated, hashable, worst_ratio
from tests.support.draws import boundary, listed
from tests.support.mutation import Swap, mutant
from tests.support.stated_channels import product_subsets

# The number of each question's options, of options that a report lists, and a resolution that every choice divides.
DRAWS = [
    ((2,), (1,), 6),
    ((5,), (2,), 20),
    ((4,), (3,), 12),
    ((2, 2), (1, 1), 16),
    ((2, 3), (1, 2), 6),
    ((3, 2), (1, 1), 12),
    ((2, 2, 2), (1, 1, 1), 8),
    ((3, 3), (2, 1), 6),
]
WHOLE = [
    *((counts, sizes) for counts, sizes, _ in DRAWS),
    ((5, 5), (1, 4)),
    ((2, 3, 4), (1, 2, 1)),
    ((64, 64), (28, 28)),
]
ALPHAS = ["0.01", "0.5", "2", "8", "16"]
KEEP = 2


def small(sizes):
    return {"keep": KEEP, "sizes": list(sizes)}


def channel(counts, sizes, resolution, sampler=draw):
    """Return Q[x][z] over all answers, from every outcome of the choices."""
    every = [list(answers) for answers in product(*map(range, counts))]

    def sample(answers, table, d, uniform):
        return sampler(answers, table, counts, uniform)

    return enumerated(sample, every, counts, small(sizes), resolution, 1 + sum(sizes))


@pytest.fixture
def resolution(monkeypatch):
    """Set the resolution so low that all uniform integers of all draws can be tried."""
    return lambda number: monkeypatch.setattr(exact, "RESOLUTION", number)


@pytest.mark.parametrize(("counts", "sizes", "r"), DRAWS)
def test_the_sampler_is_the_stated_channel_and_no_likelier_than_its_certificate_says(resolution, counts, sizes, r):
    resolution(r)
    rows = channel(counts, sizes, r)
    assert rows == product_subsets(counts, small(sizes), r)
    numerator, denominator = (r - KEEP) * prod(sizes) + KEEP * prod(counts), (r - KEEP) * prod(sizes)
    assert worst_ratio(rows) == Fraction(numerator, denominator)
    assert randomized_response.realized_alpha(small(sizes), counts) == pytest.approx(
        float(np.log(numerator / denominator)), rel=1e-12
    )


@pytest.mark.parametrize(("counts", "sizes", "r"), DRAWS)
def test_one_question_of_a_draw_goes_through_the_same_mechanism_with_its_own_size(resolution, counts, sizes, r):
    resolution(r)
    rows = product_subsets(counts, small(sizes), r)
    for place, d in enumerate(counts):
        own = randomized_response.marginal(small(sizes), place)
        assert own == {"keep": KEEP, "sizes": [sizes[place]]}
        alone = [{z: chance for (z,), chance in row.items()} for row in product_subsets((d,), own, r)]
        p, q = randomized_response.chances(own, d)
        pair = randomized_response.pairs(own, d)["support"]
        for answers, row in zip(product(*map(range, counts)), rows, strict=True):
            law = Counter()
            for z, chance in row.items():
                law[z[place]] += chance
            x = answers[place]
            assert law == alone[x]
            has = {
                wanted: sum(chance for z, chance in law.items() if {*wanted} <= {*z})
                for size in (1, 2)
                for wanted in combinations(range(d), size)
            }
            assert all(has[(j,)] == (p if j == x else q) for j in range(d))
            for j, k in combinations(range(d), 2):
                assert d == 2 or has[(j, k)] == (pair.among if x in (j, k) else pair.neither)
    assert randomized_response.pair_moments(Fraction(1, 3), 1, 5) == PairMoments(Fraction(0), Fraction(0))


@pytest.mark.parametrize(("counts", "sizes", "r"), [each for each in DRAWS if len(each[0]) > 1])
def test_who_knows_all_answers_but_one_learns_no_more_of_it_than_alpha_allows(counts, sizes, r):
    """The worst ratio among answers that differ in one place is that of all answers."""
    rows = product_subsets(counts, small(sizes), r)
    every, whole = list(product(*map(range, counts))), worst_ratio(rows)
    for one, other in combinations(range(len(every)), 2):
        if sum(x != y for x, y in zip(every[one], every[other], strict=True)) == 1:
            assert worst_ratio([rows[one], rows[other]]) == whole


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize(("counts", "sizes"), WHOLE)
def test_the_table_is_the_best_that_is_certified_and_one_more_is_refused(alpha, counts, sizes):
    promised = Fraction(alpha)
    found = table(promised, counts, sizes)
    assert randomized_response.certified(found, counts, promised)
    t = found["keep"]
    for wrong in (t + 1, 0, -1, exact.RESOLUTION):
        assert not randomized_response.certified(found | {"keep": wrong}, counts, promised)
    ratio = Fraction((exact.RESOLUTION - t) * prod(sizes) + t * prod(counts), (exact.RESOLUTION - t) * prod(sizes))
    assert ratio <= exact.exp_below(promised)
    assert randomized_response.realized_alpha(found, counts) == pytest.approx(float(promised), abs=1e-9)


@pytest.mark.parametrize(("counts", "sizes"), WHOLE)
def test_a_table_that_overstates_its_privacy_is_refused(counts, sizes):
    alpha, step = Fraction(2), Fraction(1, 10**6)
    found = table(alpha, counts, sizes)
    assert not randomized_response.certified(table(alpha + step, counts, sizes), counts, alpha), "for a larger alpha"
    assert randomized_response.certified(table(alpha - step, counts, sizes), counts, alpha)
    larger = [d + (place == 0) for place, d in enumerate(counts)]
    assert not randomized_response.certified(found, larger, alpha), "of more options fewer are listed"
    for place, (d, a) in enumerate(zip(counts, sizes, strict=True)):
        for wrong in {0, -1, d, d + 1, a - 1}:
            changed = [*sizes[:place], wrong, *sizes[place + 1 :]]
            assert not randomized_response.certified(found | {"sizes": changed}, counts, alpha)
    for wrong in ([], [*sizes, 1], sizes[1:]):
        assert not randomized_response.certified(found | {"sizes": list(wrong)}, counts, alpha)


def test_what_no_draw_can_have_is_refused():
    for counts in [(), (1, 2), (2,) * 13, (2, 4096)]:
        with pytest.raises(ValueError):
            table(Fraction(1), counts)
        assert not randomized_response.certified({"keep": 1, "sizes": [1] * len(counts)}, counts, Fraction(1))
    for size in (0, 5, (1, 1)):
        with pytest.raises(ValueError):
            table(Fraction(1), 5, size)


@pytest.mark.parametrize(("counts", "sizes"), [((2, 3, 4), (1, 2, 3)), ((5, 7), (1, 1)), ((6,), (4,))])
@pytest.mark.parametrize("alpha", ["0.01", "1", "10"])
def test_what_is_drawn_decides_at_its_threshold_whatever_the_answers_are(counts, sizes, alpha):
    found, chance = table(Fraction(alpha), counts, sizes), random.Random(alpha)
    for answers in ([0] * len(counts), [d - 1 for d in counts], [d // 2 for d in counts]):
        for u in boundary(found["keep"]):
            choices = [chance.randrange(d - i) for d, a in zip(counts, sizes, strict=True) for i in range(a)]
            source = iter([u, *choices])
            assert draw(answers, found, counts, source.__next__) == listed(answers, counts, found, [u, *choices])
            assert next(source, None) is None


# Sizes ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ["0.01", "0.5", "1", "2", "4", "10"])
@pytest.mark.parametrize("d", [2, 3, 10, 64, 256])
def test_no_private_channel_is_more_precise_at_equal_shares(alpha, d):
    moments = randomized_response.moments(table(Fraction(alpha), d), d)["support"]
    assert bounds.efficiency(moments, float(alpha), d) == pytest.approx(1, abs=1e-9)


def test_the_size_is_near_the_published_one():
    """The published size is d/(e^alpha + 1), at least 1."""
    for d, alpha, size in [(10, 1, 3), (100, 1, 27), (256, 0.5, 97), (16, 2, 2), (5, 4, 1), (4, 0.01, 2)]:
        assert table(Fraction(alpha), d)["sizes"] == [size]


@pytest.mark.parametrize("alpha", ["0.5", "2", "4"])
@pytest.mark.parametrize("counts", [(5, 5), (2, 5), (2, 3, 4), (4, 4, 4)])
def test_the_sizes_of_a_draw_have_the_least_sum_of_variances(alpha, counts):
    """Each variance is over the question's least in a separate draw, at equal shares. All sizes are tried."""
    promised = Fraction(alpha)

    def variance(d, lam, a):
        gain, hits = Fraction(d - a, d - 1), Fraction(a, d)
        return hits * (1 - hits) / (lam * gain) ** 2

    def keeping(counts, sizes):
        e = exact.exp_short(promised)
        return (e - 1) / (e - 1 + Fraction(prod(counts), prod(sizes)))

    alone = [min(variance(d, keeping((d,), (a,)), a) for a in range(1, d)) for d in counts]

    def value(sizes):
        lam = keeping(counts, sizes)
        each = zip(counts, sizes, alone, strict=True)
        return sum(variance(d, lam, a) / least for d, a, least in each), sizes

    assert randomized_response.best_sizes(promised, counts) == min(product(*(range(1, d) for d in counts)), key=value)


def test_two_options_are_warners_design_and_one_listed_option_is_k_ary():
    """p over q is e^alpha up to the last unit (M2)."""
    for d in (2, 3, 10):
        p, q = randomized_response.chances(table(Fraction(1), d, 1), d)
        assert p + (d - 1) * q == 1 and float(p / q) == pytest.approx(np.e, rel=1e-12) and p / q <= exact.exp_below(1)


# Packed and tallied ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("counts", "sizes"), [((2, 3), (1, 2)), ((5,), (2,)), ((5,), (1,)), ((3, 2, 4), (1, 1, 3))])
def test_a_packed_report_is_the_report(counts, sizes):
    """Packing is one-to-one. One listed option takes the bits of its number, several take a bit for each option."""
    packing = packings.of_draw([packings.subset(d, a) for d, a in zip(counts, sizes, strict=True)])
    assert packing.width == sum((d - 1).bit_length() if a == 1 else d for d, a in zip(counts, sizes, strict=True))
    every = product(*(combinations(range(d), a) for d, a in zip(counts, sizes, strict=True)))
    reports = [[list(each) for each in lists] for lists in every]
    codes = [packing.encode(report) for report in reports]
    assert [packing.decode(code) for code in codes] == reports
    assert len(set(codes)) == len(codes) and max(codes) < 2**packing.width
    assert packings.subset(5, 2).encode([0, 3]) == 0b10010 and packings.subset(5, 1).encode([3]) == 3


@pytest.mark.parametrize(
    "value", [None, 1, [], [0], [0, 1, 2], [1, 0], [0, 0], [0, 5], [-1, 0], [True, 2], ["0", 1], [0.0, 1]]
)
def test_what_is_no_report_is_refused_without_a_word_of_it(value):
    with pytest.raises(ValueError, match=r"^must (be|hold)"):
        packings.subset(5, 2).encode(value)
    if value != [0]:
        with pytest.raises(ValueError, match=r"^must (be|hold)"):
            packings.subset(5, 1).encode(value)


def batch(counts, sizes, reports):
    packing = packings.of_draw([packings.subset(d, a) for d, a in zip(counts, sizes, strict=True)])
    size = (packing.width + 7) // 8
    packed = b"".join((packing.encode(z) << 8 * size - packing.width).to_bytes(size, "big") for z in reports)
    rows = np.frombuffer(packed, dtype=np.uint8).reshape(len(reports), size)
    return Batch(rows).field(0, packing.width)


@pytest.mark.parametrize(
    ("counts", "sizes"),
    [
        ((2, 3, 4), (1, 1, 1)),
        ((2, 2), (1, 1)),
        ((5, 5), (1, 4)),
        ((16, 16, 16), (1, 7, 1)),
        ((40, 20), (1, 9)),
        ((9, 7), (4, 1)),
    ],
)
def test_a_tally_counts_in_how_many_reports_every_cell_is_listed(counts, sizes):
    chance, found = random.Random(7), table(Fraction(2), counts, sizes)
    reports = [
        draw([chance.randrange(d) for d in counts], found, counts, lambda: chance.getrandbits(53)) for _ in range(300)
    ]
    expected = Counter(cell for report in reports for cell in product(*report))
    field = batch(counts, sizes, reports)
    totals = randomized_response.tally(field, found, counts)["support"]
    assert len(totals) == prod(counts) and sum(totals) == 300 * prod(sizes)
    cells = product(*map(range, counts))
    assert {cell: n for cell, n in zip(cells, totals, strict=True) if n} == expected


def test_fields_of_few_and_of_many_bits_are_counted_alike(monkeypatch):
    chance, counts, sizes = random.Random(3), (3, 5, 4), (1, 2, 3)
    found = table(Fraction(1), counts, sizes)
    reports = [draw([1, 2, 3], found, counts, lambda: chance.getrandbits(53)) for _ in range(500)]
    field = batch(counts, sizes, reports)
    few = field.listed(counts, sizes).tolist()
    assert CODE_BITS >= 11
    monkeypatch.setattr("ldp.tally.CODE_BITS", 0)
    monkeypatch.setattr("ldp.tally._CHUNK", 64)
    assert field.listed(counts, sizes).tolist() == few


@pytest.mark.parametrize(
    ("name", "size", "sample"), [("multiple", 1, 2), ("grid", 1, 2), ("grid", 2, 2), ("grid", 9, 1)]
)
def test_items_that_are_drawn_are_counted_each_with_its_options(name, size, sample):
    """The grid has few options, whose code is short, or twenty, whose code is long."""
    d, items, chance = (20 if size == 9 else 4), 6, random.Random(5)
    mechanism = MECHANISMS[name]
    made = {
        "multiple": {"sample": sample, "keep": 1},
        "grid": {"sample": sample, "keep": 1, "size": size, "items": items},
    }
    found, options = made[name], items if name == "multiple" else d
    answer = [True] * items if name == "multiple" else [1] * items
    reports = [mechanism.randomize(answer, found, options, lambda: chance.getrandbits(53)) for _ in range(400)]
    packing = mechanism.packing(found, options)
    rows = b"".join(
        (packing.encode(z) << -packing.width % 8).to_bytes((packing.width + 7) // 8, "big") for z in reports
    )
    array = np.frombuffer(rows, dtype=np.uint8).reshape(400, -1)
    totals = mechanism.tally(Batch(array).field(0, packing.width), found, options)
    listed = Counter(
        (item, z) for report in reports for item, own in report for z in ([own] if name == "multiple" else own)
    )
    if name == "multiple":
        assert totals["support"] == [listed[item, 1] for item in range(items)]
        assert totals["drawn"] == [listed[item, 0] + listed[item, 1] for item in range(items)]
    else:
        assert totals["support"] == [listed[item, z] for item in range(items) for z in range(d)]


@pytest.mark.parametrize(("name", "d"), [("multiple", 12), ("grid", 4), ("grid", 2)])
@pytest.mark.parametrize("sample", [1, 2, 3])
def test_items_keep_alpha_together(name, d, sample):
    """Items keep alpha like one draw of that many questions: M44's ratio with the product of their sizes."""
    mechanism, alpha = MECHANISMS[name], Fraction(2)
    found, options = mechanism.table(alpha, d, sample=sample), 2 if name == "multiple" else d
    a, t = found.get("size", 1), found["keep"]
    rarity = Fraction(options, a) ** sample
    assert 1 + t * rarity / (exact.RESOLUTION - t) <= exact.exp_below(alpha)
    assert mechanism.certified(found, d, alpha) and not mechanism.certified(found | {"keep": t + 1}, d, alpha)
    assert not mechanism.certified(found | {"sample": sample + 1}, d, alpha)
    if a > 1:
        assert not mechanism.certified(found | {"size": a - 1}, d, alpha)


# Faults ---------------------------------------------------------------------------------------------------------------

FAULTS = {
    "each question is kept by a draw of its own": Swap(
        "_steps", "kept and 0 not in places", "uniform() < kept_below and 0 not in places"
    ),
    "the first question alone is kept": Swap(
        "_steps", "kept and 0 not in places", "kept and 0 not in places and not steps"
    ),
    "all answers take the same steps": Swap(
        "draw", '_steps(table["keep"], every, uniform)', '_steps(table["keep"], every[:1], uniform) * len(every)'
    ),
    "the answers begin the draw": Swap(
        "draw",
        '_steps(table["keep"], every, uniform)',
        '_steps(table["keep"] + sum(answers), every, uniform)',
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_seeded_faults_are_caught(resolution, name):
    resolution(6)
    broken = mutant(randomized_response, (FAULTS[name],))
    # A randomizer that takes more integers than allowed finds none.
    with contextlib.suppress(RuntimeError):
        assert channel((2, 3), (1, 1), 6, broken.draw) != product_subsets((2, 3), small((1, 1)), 6)


def test_the_systems_own_words_draw_a_report():
    found = table(Fraction(1), (2, 5))
    report = draw([1, 2], found, (2, 5), words.uniform_from(words.system_words))
    assert [len(each) for each in report] == found["sizes"] and hashable(report)
