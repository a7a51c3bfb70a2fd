"""Multiple choice and grids by sampled items (M9): exact channels, and estimates over the reports that drew an item."""

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from ldp import words
from ldp.inference import intervals
from ldp.mechanisms import grid, multiple, of
from ldp.privatize import randomize
from ldp.results import results
from ldp.tally import Field
from tests.support.channels import answers, enumerated, replay, worst_ratio
from tests.support.stated_channels import sampled_channel


@pytest.mark.parametrize(("d", "sample", "resolution"), [(2, 1, 4), (2, 2, 4), (3, 1, 6), (3, 2, 6)])
def test_multiple_is_the_stated_channel(d, sample, resolution):
    table = {"sample": sample, "keep": 1}
    given = answers("multiple", d, table)
    channel = enumerated(multiple.randomize, given, d, table, resolution, 1 + 2 * sample)
    listed = [{tuple((item, (bit,)) for item, bit in z): p for z, p in row.items()} for row in channel]
    assert listed == sampled_channel(given, 2, d, table, resolution)
    assert worst_ratio(channel) == 1 + Fraction(2**sample, resolution - 1)


@pytest.mark.parametrize(("d", "items", "sample", "resolution"), [(2, 2, 2, 4), (3, 3, 1, 6), (2, 3, 2, 6)])
@pytest.mark.parametrize("size", [1, 2])
def test_grid_is_the_stated_channel(d, items, sample, resolution, size):
    size = min(size, d - 1)
    table = {"sample": sample, "keep": 1, "items": items, "size": size}
    given = answers("grid", d, table)
    channel = enumerated(grid.randomize, given, d, table, resolution, 1 + sample * (1 + size))
    assert channel == sampled_channel(given, d, items, table, resolution)
    assert worst_ratio(channel) == 1 + Fraction(d, size) ** sample / (resolution - 1)


def test_every_subset_of_items_is_equally_likely():
    drawn = Counter(
        tuple(sorted(words.shuffled(5, 3, replay([a, b, c])))) for a in range(60) for b in range(60) for c in range(60)
    )
    assert len(drawn) == 10 and len(set(drawn.values())) == 1


@pytest.mark.parametrize("k", [1, 2, 3, 5, 6, 255])
def test_a_choice_draws_again_exactly_where_remainders_would_be_uneven(k):
    end = 2**53 - 2**53 % k
    assert words.choice(k, replay([end - 1])) == k - 1
    if end < 2**53:
        assert words.choice(k, replay([end, 2**53 - 1, k])) == 0


def _bits(question, given, seed):
    (width, encode, *_), chance = of(question).packing(), random.Random(seed)
    codes = [encode(randomize(question, answer, lambda: chance.getrandbits(53))) for answer in given]
    return np.array([[int(bit) for bit in f"{code:0{width}b}"] for code in codes], dtype=np.uint8)


def _multiple(alpha, d, sample):
    table = multiple.table(Fraction(alpha), d, sample=sample)
    options = [f"item {i}" for i in range(d)]
    return {"key": "m", "kind": "multiple_choice", "options": options, "alpha": alpha, "mechanism": "multiple"} | {
        "table": table
    }


@pytest.mark.parametrize("sample", [1, 2, 5])
def test_shares_of_items_need_not_add_up_to_one(sample):
    question, n, chance = _multiple("8", 5, sample), 3000, random.Random(4)
    shares = [0.9, 0.8, 0.1, 0.5, 0.3]
    given = [[chance.random() < share for share in shares] for _ in range(n)]
    found = of(question).tally(Field.of(_bits(question, given, 5)))
    assert sum(found["drawn"]) == n * sample
    [summary] = results(question, found, n, 0.95)
    [method] = summary["methods"]
    assert [category["n_about"] for category in method["categories"]] == found["drawn"]
    for j, category in enumerate(method["categories"]):
        low, high = category["respondents"]["simultaneous"]
        assert low <= sum(row[j] for row in given) / n <= high
        same = category["population"]["interval"] == category["respondents"]["interval"]
        assert same == (sample < 5), "a part of the respondents is a sample of the respondents"
    assert (summary["risk_bound"], method["at_estimate"]["risk"], summary["together"]) == (None, None, 5)


def test_an_item_that_no_report_drew_has_no_numbers_yet():
    question = _multiple("1", 3, 1)
    [summary] = results(question, {"support": [1, 0, 2], "drawn": [4, 0, 3]}, 7, 0.95)
    assert summary["options"] == ["item 0", "item 2"] == [c["option"] for c in summary["methods"][0]["categories"]]


def test_a_grid_has_one_result_for_each_item():
    question = {"key": "g", "kind": "grid", "text": "How often?", "items": ["tea", "milk", "beer"], "alpha": "8"}
    question |= {"options": ["never", "often"], "mechanism": "grid", "table": grid.table(Fraction(8), 2, sample=2)}
    chance, n = random.Random(9), 3000
    given = [[int(chance.random() < share) for share in (0.9, 0.5, 0.2)] for _ in range(n)]
    found = of(question).tally(Field.of(_bits(question, given, 10)))
    assert sum(found["support"]) == 2 * n
    tea, milk, beer = results(question, found, n, 0.95)
    assert [tea["key"], milk["key"], beer["key"]] == ["g.1", "g.2", "g.3"]
    assert milk["text"] == "How often? — milk" and tea["n_about"] + milk["n_about"] + beer["n_about"] == 2 * n
    for i, result in enumerate((tea, milk, beer)):
        for option, category in enumerate(result["methods"][0]["categories"]):
            low, high = category["respondents"]["simultaneous"]
            assert low <= sum(row[i] == option for row in given) / n <= high
    [only] = results(question, {"support": [0, 0, 0, 0, 3, 1]}, 2, 0.95)
    assert (only["key"], only["n_about"], only["together"]) == ("g.3", 4, 3)


def test_intervals_of_a_grid_hold_for_all_its_items_at_once():
    """They are those of one item at the confidence 1 - .05/items, drawn or not. Two options count as one comparison."""
    question = {"key": "g", "kind": "grid", "text": "?", "items": ["a", "b", "c"], "alpha": "2"}
    question |= {"options": ["x", "y"], "mechanism": "grid", "table": grid.table(Fraction(2), 2)}
    [only] = results(question, {"support": [0, 0, 30, 12, 0, 0]}, 42, 0.95)
    moments = grid.moments(question["table"], 2)["support"]
    expected = intervals.exact(30, 42, moments, intervals.bonferroni(0.95, 3), "population")
    assert only["methods"][0]["categories"][0]["population"]["simultaneous"] == list(expected)


def test_tally_counts_pairs():
    question = {"key": "g", "items": [*"abc"], "options": [*"xyzw"], "mechanism": "grid", "alpha": "1"}
    randomizer = of(question | {"table": {"sample": 2, "keep": 1, "size": 1}})
    width, encode, *_ = randomizer.packing()
    reports = [[[0, [3]], [2, [1]]], [[1, [0]], [2, [1]]], [[0, [3]], [1, [2]]]]
    bits = np.array([[int(bit) for bit in f"{encode(report):0{width}b}"] for report in reports], dtype=np.uint8)
    assert randomizer.tally(Field.of(bits)) == {"support": [0, 0, 0, 2, 1, 0, 1, 0, 0, 2, 0, 0]}
