"""Estimates are unbiased, and the bounds are the published ones (M12, M19, M21); exact where it can be."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from ldp import bounds
from ldp.inference import estimates
from ldp.kinds import best
from ldp.mechanisms import MECHANISMS
from ldp.results import results
from ldp.scores import ScoreMoments
from ldp.tables import channel
from ldp.tally import Field
from tests.support.channels import SMALL

# For these, one law of 0/1 or integer scores holds for all categories. The others have separate tests.
ALIKE = ("randomized_response", "bitwise", "laplace", "osgt", "gaussian")


def _supports(report, j):
    """Return the bit of a string, or whether a list has the member."""
    return report[j] == "1" if isinstance(report, str) else j in report


SCORES = {
    "support": lambda report, j, d: Fraction(_supports(report, j)),
    "threshold": lambda report, j, d: Fraction(int(report[j] >= 1)),
    "sum": lambda report, j, d: Fraction(report[j]),
}


def _exact_moments(name, monkeypatch):
    """Return the mechanism's moments of the small table, and the channel, at the small resolution."""
    d, table, resolution, _, channel, _ = SMALL[name]
    monkeypatch.setattr("ldp.exact.RESOLUTION", resolution)
    return d, MECHANISMS[name].moments(table, d), channel


@pytest.mark.parametrize("name", ALIKE)
def test_score_laws_are_the_exact_moments_of_the_channel(name, monkeypatch):
    d, by_method, channel = _exact_moments(name, monkeypatch)
    for method, moments in by_method.items():
        score = SCORES[method]
        for truth in range(d):
            for j in range(d):
                mean = sum(p * score(z, j, d) for z, p in channel[truth].items())
                square = sum(p * score(z, j, d) ** 2 for z, p in channel[truth].items())
                expected = (moments.a, moments.v_a) if j == truth else (moments.b, moments.v_b)
                assert (mean, square - mean**2) == expected


@pytest.mark.parametrize("name", ALIKE)
def test_pair_moments_are_those_of_the_channel(name, monkeypatch):
    """E[s_j s_k] for every two categories and every truth, compared with == (M13)."""
    d, by_method, channel = _exact_moments(name, monkeypatch)
    pairs = MECHANISMS[name].pairs(SMALL[name].table, d)
    assert pairs.keys() == by_method.keys()
    for method, pair in pairs.items():
        for truth in range(d):
            for j, k in permutations(range(d), 2):
                score = SCORES[method]
                mean = sum(p * score(z, j, d) * score(z, k, d) for z, p in channel[truth].items())
                assert mean == (pair.among if truth in (j, k) else pair.neither)


@pytest.mark.parametrize("name", ALIKE)
def test_estimates_are_unbiased_exactly(name, monkeypatch):
    """The mean estimate over the channel is the true share, in fractions, for any shares."""
    d, by_method, channel = _exact_moments(name, monkeypatch)
    shares = [Fraction(i + 1, d * (d + 1) // 2) for i in range(d)]
    for method, moments in by_method.items():
        for j in range(d):
            mean = sum(shares[x] * p * SCORES[method](z, j, d) for x in range(d) for z, p in channel[x].items())
            assert (mean - moments.b) / moments.gap == shares[j]


@pytest.mark.parametrize(
    ("d", "alpha", "constant"),
    [
        (2, 0.5, 8.335),
        (2, 1, 2.341),
        (2, 2, 0.862),
        (5, 0.5, 50.26),
        (5, 1, 12.23),
        (5, 2, 2.542),
        (10, 0.5, 127.2),
        (10, 1, 30.0),
        (10, 2, 5.922),
        (100, 0.5, 1536),
        (100, 1, 360.9),
        (100, 2, 70.97),
    ],
)
def test_sharp_constant_to_four_digits(d, alpha, constant):
    assert bounds.sharp_constant(alpha, d) == pytest.approx(constant, rel=5e-4)


@pytest.mark.parametrize(
    ("d", "name", "method", "ratio"),
    [
        (5, "randomized_response 1", "support", 1.0),
        (5, "bitwise", "support", 1.67),
        (10, "randomized_response 1", "support", 1.4),
        (10, "bitwise", "support", 1.34),
        (100, "randomized_response 1", "support", 9.61),
        (10, "randomized_response", "support", 1.0),
        (100, "randomized_response", "support", 1.0),
        (100, "bitwise", "support", 1.09),
        (5, "laplace", "threshold", 1.67),
        (5, "laplace", "sum", 3.27),
        (100, "laplace", "sum", 2.17),
    ],
)
def test_risk_over_the_bound_at_alpha_one(d, name, method, ratio):
    """A name may be followed by the number of options that a report lists, if it is not the best number."""
    name, _, size = name.partition(" ")
    table = MECHANISMS[name].table(Fraction(1), d, **({"size": int(size)} if size else {}))
    moments = MECHANISMS[name].moments(table, d)[method]
    assert 1 / bounds.efficiency(moments, 1.0, d) == pytest.approx(ratio, abs=0.005)


def test_laplace_variances_are_those_of_the_discrete_laplace_law():
    moments = MECHANISMS["laplace"].moments(MECHANISMS["laplace"].table(Fraction(1), 4), 4)
    r = np.exp(-0.5)
    threshold = float(moments["threshold"].v_b / moments["threshold"].gap ** 2)
    assert threshold == pytest.approx(r / (1 - r) ** 2, rel=1e-12)
    assert float(moments["sum"].v_b / moments["sum"].gap ** 2) == pytest.approx(2 * r / (1 - r) ** 2, rel=1e-7)


def test_effective_sample_size_without_noise_is_the_sample_size():
    noiseless = ScoreMoments(Fraction(1), Fraction(0), Fraction(0), Fraction(0))
    assert bounds.effective_n(noiseless, 1000, 4) == pytest.approx(1000)


def test_choice_of_mechanism_is_the_one_of_least_risk():
    assert best("yes_no", Fraction(1), 2) == "randomized_response"
    assert best("single_choice", Fraction(1), 5) == "randomized_response"
    assert best("single_choice", Fraction(1), 100) == "randomized_response"
    assert best("ordered", Fraction(1), 100) == "randomized_response"
    assert best("ordered", Fraction(4), 5) == "randomized_response"
    assert best("histogram", Fraction(1), 10) == "randomized_response"
    assert best("multiple_choice", Fraction(1), 5) == "multiple"
    assert best("grid", Fraction(1), 5) == "grid"


def test_estimates_are_published_as_they_come_out():
    moments = MECHANISMS["randomized_response"].moments(MECHANISMS["randomized_response"].table(Fraction(1), 2), 2)[
        "support"
    ]
    shares = estimates.shares([0, 100], 100, moments)
    assert shares[0] < 0 and shares[1] > 1 and shares.sum() == pytest.approx(1)


def test_population_error_is_larger_than_the_respondents_error():
    moments = MECHANISMS["bitwise"].moments(MECHANISMS["bitwise"].table(Fraction(1), 3), 3)["support"]
    shares = np.array([0.2, 0.5, 0.3])
    population = estimates.standard_errors(shares, 400, moments, "population")
    respondents = estimates.standard_errors(shares, 400, moments, "respondents")
    assert (population**2 - respondents**2) * 400 == pytest.approx(shares * (1 - shares))


def test_tally_reads_every_mechanism_from_its_bits():
    laplace = MECHANISMS["laplace"].table(Fraction(8), 2)
    digits = len(laplace["magnitude"])
    width, encode, *_ = MECHANISMS["laplace"].packing(laplace, 2)
    reports = [[1 - 2**digits, 2**digits], [0, 1], [-1, 3]]
    bits = np.array([[int(bit) for bit in f"{encode(report):0{width}b}"] for report in reports], dtype=np.uint8)
    expected = {"threshold": [0, 3], "sum": [sum(r[0] for r in reports), sum(r[1] for r in reports)]}
    assert MECHANISMS["laplace"].tally(Field.of(bits), laplace, 2) == expected
    assert MECHANISMS["osgt"].tally(Field.of(bits[:, :4]), {"noise": [1, 2]}, 2) == {"sum": _sums(bits[:, :4], 2, -1)}
    indices = np.array([[0, 1, 1], [1, 0, 0], [0, 1, 1]], dtype=np.uint8)
    one, two = {"keep": 1, "sizes": [1]}, {"keep": 1, "sizes": [2]}
    assert MECHANISMS["randomized_response"].tally(Field.of(indices), one, 6) == {"support": [0, 0, 0, 2, 1, 0]}
    for name, table in (("bitwise", {}), ("randomized_response", two)):
        assert MECHANISMS[name].tally(Field.of(indices), table, 3) == {"support": [1, 2, 2]}
    assert MECHANISMS["exponential"].tally(Field.of(indices), {}, 5) == {"inverse": [0, 0, 0, 2, 1]}
    assert MECHANISMS["laplace_mean"].tally(Field.of(indices), {"rows": [[0] * 5]}, 0) == {"mean": [0, 0, 0, 2, 1, 0]}
    assert MECHANISMS["one_bit"].tally(Field.of(indices[:, :1]), {}, 0) == {"mean": [1]}
    pairs = {"sample": 1}
    assert MECHANISMS["multiple"].tally(Field.of(indices), pairs, 3) == {"support": [0, 2, 0], "drawn": [0, 2, 1]}


def _sums(bits, d, lowest):
    """Return the sum of each bin's values: the number that its bits spell, plus `lowest`."""
    width = bits.shape[1] // d
    values = [[int("".join(map(str, row[j * width : (j + 1) * width])), 2) + lowest for j in range(d)] for row in bits]
    return [sum(row[j] for row in values) for j in range(d)]


def test_summary_of_a_question_names_its_methods_default_first():
    table = MECHANISMS["laplace"].table(Fraction(1), 2)
    question = {"alpha": "1", "kind": "histogram", "mechanism": "laplace", "table": table, "options": ["a", "b"]}
    [summary] = results(question, {"threshold": [60, 40], "sum": [55, 20]}, 100, 0.95)
    assert [m["method"] for m in summary["methods"]] == ["threshold", "sum"]
    for method in summary["methods"]:
        for category in method["categories"]:
            for target in ("population", "respondents"):
                low, high = category[target]["interval"]
                wide_low, wide_high = category[target]["simultaneous"]
                assert 0 <= wide_low <= low <= high <= wide_high <= 1
                assert (category[target]["interval_method"], category[target]["guarantee"]) == ("exact", "proved")


@pytest.mark.parametrize("name", ["osgt", "gaussian"])
def test_summary_of_noise_with_a_delta_states_what_is_realized(name):
    delta = "0.000001"
    table = MECHANISMS[name].table(Fraction(1), 3, delta=Fraction(delta))
    question = {"alpha": "1", "delta": delta, "kind": "histogram", "mechanism": name, "table": table}
    question |= {"options": ["a", "b", "c"]}
    [summary] = results(question, {"sum": [61, 30, 9]}, 100, 0.95)
    assert summary["risk_bound"] is None and 0 < summary["realized_alpha"] <= 1 + 1e-9
    assert 0 < summary["realized_delta"] <= 1e-6
    [method] = summary["methods"]
    assert (method["method"], method["at_estimate"]["efficiency"]) == ("sum", None)
    assert 0 < method["at_estimate"]["effective_n"] < method["at_equal_shares"]["effective_n"] < 100
    assert [category["estimate"] for category in method["categories"]] == [0.61, 0.30, 0.09]


def test_summary_of_a_scale_goes_through_the_same_code():
    table = MECHANISMS["exponential"].table(Fraction(2), 4)
    question = {"alpha": "2", "kind": "ordered", "mechanism": "exponential", "table": table}
    question |= {"options": ["a", "b", "c", "d"]}
    [summary] = results(question, {"inverse": [400, 300, 200, 100]}, 1000, 0.95)
    [method] = summary["methods"]
    assert method["method"] == "inverse"
    q = np.array(channel.weights(table), dtype=float) / 2**53
    estimates_found = [category["estimate"] for category in method["categories"]]
    assert estimates_found == pytest.approx(np.linalg.solve(q.T, [0.4, 0.3, 0.2, 0.1]))
    assert 0 < method["at_equal_shares"]["efficiency"] < 1 and sum(estimates_found) == pytest.approx(1)
    for category in method["categories"]:
        errors = [category[target]["standard_error"] for target in ("population", "respondents")]
        assert errors[0] >= errors[1] > 0
        assert (category["population"]["interval_method"], category["population"]["guarantee"]) == (
            "unseen_respondent",
            "checked",
        )
