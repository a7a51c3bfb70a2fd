"""Subgroups (M31b): all intervals of a page hold at once, and no sentence claims a difference that is not there."""

import json

import numpy as np
import pytest
import scipy

from benchmarks.claims import _crossing
from benchmarks.crossings_coverage import question, sent
from ldp import subgroups
from ldp.forms.crossed import of_reports
from ldp.inference import association
from ldp.inference.variables import pair_of
from ldp.subgroup_comparisons import compared
from ldp.subgroups import NoSubgroups
from surveys.researcher.analyses.subgroups import findings

HEADER = {"survey": "s", "release": 1, "date": "2026-11-23", "totals_digest": "0", "n": 1}
STRATA = np.array([0.5, 0.35, 0.15])
SAME = np.array([0.7, 0.2, 0.1])
OTHER = np.array([[0.7, 0.2, 0.1], [0.4, 0.4, 0.2], [0.1, 0.1, 0.8]])
# Surveys, and the least number that errs with a chance of 1 in 10,000 if one in twenty does. If one in four does, the
# short length sees it with a chance of .49, and each of its six figures separately.
SHORT, FULL = (30, 8), (200, 23)


def questions_of(mechanisms, alpha):
    return [question(key, mechanism, 3, alpha) for key, mechanism in zip("abc", mechanisms, strict=True)]


def document(questions, laws, n, generator):
    """Return the document by "a" of n simulated reports. `laws` are the shares of b and c given each answer."""
    strata = generator.choice(3, n, p=STRATA)
    answers = [strata, *(_given(law, strata, generator) for law in laws)]
    a, *rest = (sent(each, own, generator) for each, own in zip(questions, answers, strict=True))
    pairs = [pair_of(questions, "a", key) for key in "bc"]
    crossings = [of_reports(*pair, [(a, b)]) for pair, b in zip(pairs, rest, strict=True)]
    return subgroups.document(HEADER, questions, crossings)


def _given(law, strata, generator):
    uniform = generator.random(len(strata))
    return (uniform[:, None] > np.cumsum(np.broadcast_to(law, (3, 3)), axis=1)[strata]).sum(axis=1).clip(max=2)


def all_differences_hold(made, laws, place):
    every = (
        (one["simultaneous"][place], law[one["strata"], k])
        for question, law in zip(made["questions"], laws, strict=True)
        for k, share in enumerate(question["shares"])
        for one in share["differences"]
    )
    return all(low <= first - second <= high for (low, high), (first, second) in every)


def all_hold(made, laws, place):
    return all(
        within is None or within["simultaneous"][place][0] <= law[s, k] <= within["simultaneous"][place][1]
        for question, law in zip(made["questions"], laws, strict=True)
        for k, share in enumerate(question["shares"])
        for s, within in enumerate(share["within"])
    )


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(
    ("mechanisms", "alpha", "n"),
    [
        (("randomized_response", "randomized_response", "bitwise"), "4", 1000),
        # Variables that are not one category are crossed in tests/ldp/test_crossed.py every day.
        pytest.param(("bitwise", "randomized_response 2", "randomized_response"), "2", 4000, marks=pytest.mark.long),
        (("randomized_response", "laplace", "exponential"), "8", 300),
    ],
)
def test_all_intervals_hold_at_once_and_no_difference_is_claimed_that_is_not_there(mechanisms, alpha, n, nightly):
    surveys, errors_max = FULL if nightly else SHORT
    generator, questions = np.random.default_rng(31), questions_of(mechanisms, alpha)
    laws = OTHER, np.broadcast_to(SAME, (3, 3))
    place, missed, apart, wrong, found = 1, 0, 0, 0, 0
    for _ in range(surveys):
        made = document(questions, laws, n, generator)
        assert made["confidences"][place] == 0.95
        missed += not all_hold(made, laws, place)
        apart += not all_differences_hold(made, laws, place)
        claims = findings.differences(made, place)
        wrong += any(claim.question["key"] == "c" for claim in claims)
        found += any(claim.question["key"] == "b" for claim in claims)
    assert max(missed, apart, wrong) < errors_max, (missed, apart, wrong)
    assert found > surveys // 2, "what differs is found too"


def yes_no(how, alpha, n, law, sizes, generator):
    """Return the document of a yes/no question by another one."""
    crossing = _crossing(np.array(sizes)[:, None] * np.array(law), how, alpha, n, generator)
    return subgroups.document(HEADER, [crossing.first.question, crossing.second.question], [crossing]), crossing


TWO_LISTED = "randomized_response 2"
WAYS = [("joint", "2", 700), ("randomized_response", "2", 1100), ("bitwise", "4", 500), (TWO_LISTED, "3", 700)]


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(("how", "alpha", "n"), WAYS)
@pytest.mark.parametrize("law", [[[0.3, 0.7], [0.5, 0.5]], [[0.02, 0.98], [0.06, 0.94]]])
def test_a_difference_holds_as_often_as_it_is_said_and_is_that_of_the_two_shares(how, alpha, n, law, nightly):
    """Luck gives more misses at .95 once in 10,000 runs."""
    generator, missed, shown, times = np.random.default_rng(5), 0, 0, 1000 if nightly else 150
    for _ in range(times):
        made, crossing = yes_no(how, alpha, n, law, (0.6, 0.4), generator)
        for one in made["questions"][0]["shares"][0]["differences"]:
            within = crossing.within_first()
            assert one["estimate"] == pytest.approx(within[one["strata"][0], 0] - within[one["strata"][1], 0])
            low, high = one["simultaneous"][1]
            shown, missed = shown + 1, missed + (not low <= law[1][0] - law[0][0] <= high)
    assert shown > times / 2 and missed <= scipy.stats.binom.isf(1e-4, shown, 0.05 / made["compared"])


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(("how", "alpha", "n"), [("joint", "2", 350), ("randomized_response", "2", 900)])
def test_of_one_pair_of_questions_subgroups_a_model_and_the_cross_table_agree(how, alpha, n, nightly):
    """Each holds at 95%, so what one finds in most surveys the others find nearly as often."""
    generator, said, times = np.random.default_rng(6), np.zeros(2), 400 if nightly else 100
    for _ in range(times):
        made, crossing = yes_no(how, alpha, n, [[0.3, 0.7], [0.55, 0.45]], (0.5, 0.5), generator)
        test = crossing.independence() if how == "joint" else association.whole_table(crossing)
        said += [bool(findings.differences(made, 1)), test is not None and test.p_value < 0.05]
    assert said[0] > times / 2 and abs(said[0] - said[1]) < 0.1 * times


def test_of_two_answers_whose_shares_add_up_to_1_one_is_compared():
    for how, many in (("joint", 1), ("randomized_response", 1), ("bitwise", 2)):
        made, _ = yes_no(how, "4", 500, [[0.3, 0.7], [0.5, 0.5]], (0.5, 0.5), np.random.default_rng(1))
        one, other = (share["differences"][0] for share in made["questions"][0]["shares"])
        assert made["compared"] == many
        if many == 1:
            assert other["estimate"] == pytest.approx(-one["estimate"])
            assert other["simultaneous"][0] == pytest.approx([-end for end in one["simultaneous"][0][::-1]])


def test_of_very_many_strata_neighbours_are_compared():
    many = [question("s", "bitwise", 40, "1"), *(question(f"q{i}", "bitwise", 10, "1") for i in range(5))]
    assert compared(*subgroups.partners(many, "s")) == 39 * 50


def test_the_number_that_would_do_shows_a_group_about_every_other_time():
    """If the estimate is as expected, it exceeds five standard errors with a chance of one half; rounding up adds a
    little. 300 surveys are outside once in 10,000 runs."""
    generator, questions = np.random.default_rng(7), questions_of(("randomized_response",) * 3, "1")
    laws = SAME, SAME
    made = document(questions, laws, 200_000, generator)
    assert all(stratum["subgroup"] for stratum in made["questions"][0]["strata"])
    [share, error] = [made["questions"][0]["strata"][2][name] for name in ("estimate", "standard_error")]
    needed = subgroups.needed(share, error, 200_000)
    shown = [_shown(questions, needed, generator) for _ in range(300)]
    assert 0.38 < np.mean(shown) < 0.66


def _shown(questions, n, generator):
    strata = generator.choice(3, n, p=STRATA)
    tables = sent(questions[0], strata, generator), sent(questions[1], strata, generator)
    return not of_reports(*pair_of(questions, "a", "b"), [tables]).too_small[0][2]


def test_a_row_for_each_answer_stratum_and_confidence():
    made = document(questions_of(("bitwise",) * 3, "1"), (SAME, OTHER), 400, np.random.default_rng(1))
    rows = [row for row in subgroups.rows(made) if row["quantity"] == "within"]
    assert len(rows) == made["together"] * 3 == 3 * 6 * 3
    assert json.loads(json.dumps(made)) == made
    assert all((row["estimate"] is None) == (row["needed"] is not None) for row in rows)


def test_a_row_for_each_difference_of_two_strata_and_confidence():
    made = document(questions_of(("bitwise",) * 3, "4"), (SAME, OTHER), 4000, np.random.default_rng(1))
    rows = [row for row in subgroups.rows(made) if row["quantity"] == "difference"]
    assert len(rows) == made["compared"] * 3 == 3 * 6 * 3
    names = made["stratum"]["options"]
    there = {
        (part["key"], share["option"], *(names[s] for s in one["strata"]), confidence): (one["estimate"], *ends)
        for part in made["questions"]
        for share in part["shares"]
        for one in share["differences"]
        for confidence, ends in zip(made["confidences"], one["simultaneous"], strict=True)
    }
    flat = {
        tuple(row[name] for name in ("question", "option", "stratum_option", "reference", "confidence")):
        tuple(row[name] for name in ("estimate", "simultaneous_low", "simultaneous_high"))
        for row in rows
    }  # fmt: skip
    assert flat == there and {(row["together"], row["needed"]) for row in rows} == {(made["compared"], None)}


def test_what_some_were_asked_is_no_stratum_and_is_left_out():
    a, b, c = questions_of(("bitwise",) * 3, "1")
    routed = c | {"asked_if": {"question": "b", "options": [0]}}
    stratum, shown = subgroups.partners([a, b, routed], "a")
    assert stratum.key == "a" and [each.key for each in shown] == ["b"]
    for key, questions, reason in (("c", [a, b, routed], "some asked"), ("a", [a], "nothing")):
        with pytest.raises(NoSubgroups) as refused:
            subgroups.partners(questions, key)
        assert refused.value.reason == reason


def test_too_many_shares_are_refused():
    many = [question(f"q{i}", "bitwise", 30, "1") for i in range(5)]
    with pytest.raises(NoSubgroups) as refused:
        subgroups.partners(many, "q0")
    assert refused.value.reason == "many shares"
