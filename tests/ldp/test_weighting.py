"""Shares weighted by the known shares of another question (M41): enumerated where exact, and against simulation."""

from itertools import islice, product

import numpy as np
import pytest
from scipy import stats

from benchmarks.crossings_coverage import crossing_of, of_one_draw, question, sent
from ldp import subgroups
from ldp.exact import RESOLUTION
from ldp.forms.crossed import of_reports
from ldp.inference import crossed
from ldp.inference.variables import pair_of
from ldp.weighting import document, margin
from ldp.weighting.scores import Law
from tests.support import stated_channels

# Shares of the strata in the population and among respondents, and of "yes" in each: 18.8 and 24.0 percent.
KNOWN, RESPONDENTS, YES = (0.6, 0.3, 0.1), np.array([0.425, 0.375, 0.2]), np.array([0.10, 0.26, 0.50])
LAW = np.column_stack((RESPONDENTS * YES, RESPONDENTS * (1 - YES)))
TRUTH = np.array([0.188, 0.812])

CHANNELS = {
    "randomized_response": stated_channels.randomized_response_channel,
    "bitwise": stated_channels.bitwise_channel,
    "exponential": stated_channels.rows_channel,
}
PAIRS = [
    ("randomized_response", "randomized_response"),
    ("randomized_response", "bitwise"),
    ("bitwise", "randomized_response"),
    ("randomized_response 2", "exponential"),
    ("exponential", "bitwise"),
    ("bitwise", "randomized_response 2"),
]


def outputs(asked):
    """Return every report to a question as a row of columns, and its chance for each answer, (answers, reports)."""
    d, table, name = len(asked["options"]), asked["table"], asked["mechanism"]
    channel = CHANNELS[name](d, table, RESOLUTION)
    reports = list(channel[0])
    if name == "randomized_response" and table["sizes"] != [1]:
        columns = [[int(j in report) for j in range(d)] for report in reports]
    else:
        columns = [list(map(int, report)) if isinstance(report, str) else np.ravel(report) for report in reports]
    chances = [[float(row[report]) for report in reports] for row in channel]
    return np.array(columns, dtype=np.int16), np.array(chances)


def pair(mechanisms, shape=(3, 2), alpha="1"):
    return pair_of([question(key, *one, alpha) for key, *one in zip("ab", mechanisms, shape, strict=True)], "a", "b")


def enumerated(mechanisms, shape, law, n):
    """Return a crossing with every report as often as expected, and (columns, columns, chances) of the reports."""
    first, second = pair(mechanisms, shape)
    (one, rows), (other, columns) = outputs(first.question), outputs(second.question)
    chances = rows.T @ law @ columns
    left, right = (
        np.column_stack((np.ones(len(table)), variable.symbols(table)))
        for variable, table in ((first, one), (second, other))
    )
    counts = n * (left.T @ chances @ right)
    counts[0, 0] = n  # but for rounding it is
    return crossed.Crossing(first, second, counts), (one, other, chances)


def phis(variable, table):
    """Return the score of each category for each report, (reports, d)."""
    symbols = variable.symbols(table).astype(float)
    if variable.phi is not None:
        return symbols @ variable.phi
    return (symbols - float(variable.moments.b)) / float(variable.moments.gap)


@pytest.mark.parametrize("mechanisms", PAIRS, ids="-".join)
def test_weighted_shares_of_what_is_expected_are_the_truth_and_so_is_their_law(mechanisms):
    """Every report is enumerated with its chance, so mean and variance need no approximation."""
    shape = (4, 2) if "randomized_response 2" in mechanisms else (3, 2)
    known = (*KNOWN[:2], 0.06, 0.04) if shape[0] == 4 else KNOWN
    law = np.vstack((LAW[:2], LAW[2] * 0.6, LAW[2] * 0.4)) if shape[0] == 4 else LAW
    found, (one, other, chances) = enumerated(mechanisms, shape, law, 10**6)
    got = margin.weighted(found, known)
    assert got.estimates == pytest.approx(TRUTH, abs=1e-12) and got.unweighted == pytest.approx([0.24, 0.76])
    factors, within = np.array(known) / law.sum(axis=1), law / law.sum(axis=1)[:, None]
    strata, answers = phis(found.first, one), phis(found.second, other)
    for j in range(2):
        products = strata[:, :, None] * answers[None, :, j].reshape(1, 1, -1)
        each = ((factors - 1)[:, None] * products - (factors * within[:, j])[:, None] * strata[:, :, None]).sum(axis=1)
        u = each + answers[:, j]
        mean = (u * chances).sum()
        variance = ((u - mean) ** 2 * chances).sum()
        assert got.laws[j].mean == pytest.approx(mean, abs=1e-12)
        assert got.laws[j].variance == pytest.approx(variance, rel=1e-9)
        assert (got.laws[j].least, got.laws[j].largest) == pytest.approx((u.min(), u.max()))
    assert got.standard_errors == pytest.approx([(law.variance / 10**6) ** 0.5 for law in got.laws])


@pytest.mark.parametrize("mechanisms", PAIRS, ids="-".join)
def test_with_the_estimated_shares_as_known_ones_nothing_changes(mechanisms):
    generator, (first, second) = np.random.default_rng(3), pair(mechanisms, alpha="4")
    found = simulated(first, second, 2000, generator)
    strata = found.margins[0][0]
    fitted = found.joint / strata[:, None]
    got = margin.by_factors(found, np.ones(3), fitted)
    assert got.estimates == pytest.approx(got.unweighted, abs=1e-12)
    if first.one_sent or first.question["mechanism"] == "randomized_response":
        assert strata.sum() == pytest.approx(1, abs=1e-12)
        again = margin.weighted(found, strata.tolist())
        assert again.estimates == pytest.approx(again.unweighted, abs=1e-12)


def simulated(first, second, n, generator, law=LAW):
    people = generator.choice(law.size, n, p=law.ravel())
    tables = (sent(v.question, x, generator) for v, x in zip((first, second), divmod(people, 2), strict=True))
    return of_reports(first, second, [tuple(tables)])


# Joint forms ----------------------------------------------------------------------------------------------------------


def jointly(counts, alpha="2"):
    first, second = pair_of(of_one_draw("ab", (3, 2), alpha), "a", "b")
    return crossing_of(first, second, counts)


def test_in_a_joint_form_weighted_shares_of_what_is_expected_are_the_truth_and_so_is_their_law():
    lam, n = float(jointly([1] * 6).pair.lam), 10**12
    chances = lam * LAW + (1 - lam) / 6
    found = jointly(np.rint(n * chances).astype(int).ravel().tolist())
    got = margin.weighted(found, KNOWN)
    assert got.estimates == pytest.approx(TRUTH, abs=1e-10)
    factors = np.array(KNOWN) / RESPONDENTS
    for j, within in enumerate((YES, 1 - YES)):
        u = np.zeros((3, 2))
        for (a, k), s in product(product(range(3), range(2)), range(3)):
            cell = ((s == a) * (j == k) - (1 - lam) / 6) / lam
            stratum = ((s == a) - (1 - lam) / 3) / lam
            u[a, k] += factors[s] * (cell - within[s] * stratum)
        mean = (u * chances).sum()
        assert got.laws[j].variance == pytest.approx(((u - mean) ** 2 * chances).sum(), rel=1e-6)
        assert (got.laws[j].least, got.laws[j].largest) == pytest.approx((u.min(), u.max()), rel=1e-6)
    turned = margin.weighted(found.turned(), (0.3, 0.7))
    assert turned.estimates == pytest.approx(0.3 * LAW[:, 0] / 0.24 + 0.7 * LAW[:, 1] / 0.76, abs=1e-10)


# The interval ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("successes", "n"), [(0, 30), (3, 40), (250, 1000), (17, 17)])
def test_of_scores_that_are_0_or_1_the_interval_is_clopper_and_pearsons(successes, n):
    share = successes / n
    law = Law(share, share * (1 - share), 0.0, 1.0)
    exact = stats.binomtest(successes, n).proportion_ci(0.95, "exact")
    assert tuple(law.interval(n, 0.95)) == pytest.approx((exact.low, exact.high), abs=1e-12)


def test_an_impossible_share_has_an_interval_as_wide_as_at_the_edge():
    law = Law(0.0, 4.0, -6.0, 6.0)
    beyond, edge = (law.share_interval(share, 400, 0.95) for share in (-0.5, 0.0))
    assert beyond == edge and beyond.low == 0


# 400 surveys a cell: if an interval holds with .95, fewer than 361 hold once in 10,000 runs of a cell.
SURVEYS, HELD_MIN = 400, 361
CELLS = [
    (("randomized_response", "randomized_response"), "2", 1000),
    (("bitwise", "randomized_response"), "2", 1000),
    (("exponential", "bitwise"), "8", 200),
    (("randomized_response 2", "laplace"), "4", 1000),
]


@pytest.mark.parametrize(("mechanisms", "alpha", "n"), CELLS, ids=str)
def test_intervals_hold_and_the_unweighted_share_is_of_who_answered(mechanisms, alpha, n):
    """The reference figures are 24.0% unweighted and 18.8% weighted; 18.8% is true of the population."""
    generator, (first, second) = np.random.default_rng(11), pair(mechanisms, alpha=alpha)
    surveys = (simulated(first, second, n, generator) for _ in range(2 * SURVEYS))
    enough = (found for found in surveys if not found.too_small[0].any())
    got = [margin.weighted(found, KNOWN) for found in islice(enough, SURVEYS)]
    assert len(got) == SURVEYS
    ends = np.array([each.intervals(0.95)[0] for each in got])
    assert ((ends[:, 0] <= 0.188) & (ends[:, 1] >= 0.188)).sum() >= HELD_MIN
    shares = np.array([[each.estimates[0], each.unweighted[0]] for each in got])
    # Means of 400 are farther than 4 standard errors less than once in 15,000 runs.
    far = 4 * shares.std(axis=0) / SURVEYS**0.5
    assert abs(shares[:, 1].mean() - 0.240) < far[1] and abs(shares[:, 0].mean() - 0.188) < far[0] + 0.002
    errors = np.array([each.standard_errors[0] for each in got])
    assert errors.mean() == pytest.approx(shares[:, 0].std(), rel=0.15)


def test_the_least_of_the_answers_keeps_its_width_where_no_one_gave_it():
    """No one says yes, and noise is rare, so a normal interval would be a point."""
    law = np.column_stack((0 * RESPONDENTS, RESPONDENTS))
    first, second = pair(("randomized_response",) * 2, alpha="16")
    got = margin.weighted(simulated(first, second, 300, np.random.default_rng(1), law), KNOWN)
    assert got.standard_errors[0] < 1e-6 and 0.01 < got.intervals(0.95)[0, 1] < 0.05
    assert got.design_effects[1] == pytest.approx(1, abs=0.1) and got.effective_n[0] == 0


# What is refused, and what is published -------------------------------------------------------------------------------


def test_known_shares_are_one_for_each_answer_and_add_up_to_one():
    found, _ = enumerated(PAIRS[0], (3, 2), LAW, 10**5)
    for shares, rule in (
        ((0.5, 0.5), "one for each"),
        ((0.7, 0.4, -0.1), "negative"),
        ((0.5, 0.3, 0.1), "add up to 1"),
    ):
        with pytest.raises(ValueError, match=rule):
            margin.weighted(found, shares)
    with pytest.raises(ValueError, match="negative"):
        margin.weighted(found, (float("nan"), 0.5, 0.5))
    assert margin.checked((0.333, 0.333, 0.333), 3).sum() == pytest.approx(1, abs=1e-15)


def test_a_stratum_that_is_too_small_says_how_many_reports_would_do():
    found, _ = enumerated(PAIRS[0], (3, 2), LAW, 600)
    with pytest.raises(margin.TooFewStrata, match="about these answers") as refused:
        margin.weighted(found, KNOWN)
    assert "o2" in refused.value.needed and "about" in str(refused.value)
    reports = max(refused.value.needed.values())
    enough, _ = enumerated(PAIRS[0], (3, 2), LAW, reports)
    assert margin.weighted(enough, KNOWN).estimates[0] == pytest.approx(0.188)
    less, _ = enumerated(PAIRS[0], (3, 2), LAW, int(reports * 0.9))
    with pytest.raises(margin.TooFewStrata):
        margin.weighted(less, KNOWN)
    assert margin.needed(-0.2, 0.1, 1000) == margin.needed(0.1, 0.1, 1000) == 26_000


@pytest.mark.parametrize("reports", [1, 300])
def test_a_stratum_that_no_report_names_is_too_small_however_sure_that_is(reports):
    """At a large alpha no report names the stratum by chance: its estimate is below 0, with standard error 0."""
    one, other = pair(("randomized_response", "randomized_response"), alpha="8")
    columns = np.zeros((reports, 1), dtype=np.int16), np.zeros((reports, 1), dtype=np.int16)
    crossing = of_reports(one, other, [columns])
    with pytest.raises(margin.TooFewStrata) as refused:
        margin.weighted(crossing, KNOWN)
    assert refused.value.needed == dict.fromkeys(one.options[1:], margin.rounded_up(25 * reports + 1))
    made = subgroups.document({}, [one.question, other.question], [crossing])
    strata = made["questions"][0]["strata"]
    assert [(each["subgroup"], each["needed"] is None) for each in strata] == [
        (True, True),
        (False, False),
        (False, False),
    ]


def test_a_stratum_that_no_one_in_the_population_is_in_may_be_small():
    law = np.vstack((LAW[:2] / 0.8, [0, 0]))
    found, _ = enumerated(PAIRS[0], (3, 2), law, 10**5)
    assert margin.weighted(found, (0.5, 0.5, 0)).estimates[0] == pytest.approx(0.18)


def test_the_document_has_weighted_and_unweighted_shares_and_what_weighting_costs():
    found, _ = enumerated(PAIRS[0], (3, 2), LAW, 10**5)
    header = dict.fromkeys(("survey", "release", "date", "totals_digest"), "") | {"n": 10**5}
    made = document.document(header, found, KNOWN)
    assert [stratum["share"] for stratum in made["strata"]] == pytest.approx(KNOWN)
    yes = made["shares"][0]
    assert (yes["estimate"], yes["unweighted"]) == pytest.approx((0.188, 0.24))
    assert yes["design_effect"] == pytest.approx((yes["standard_error"] / yes["unweighted_standard_error"]) ** 2)
    assert yes["design_effect"] > 1
    assert yes["effective_n"] == pytest.approx(0.188 * 0.812 / yes["standard_error"] ** 2)
    got = margin.weighted(found, KNOWN)
    for level, confidence in zip(yes["levels"], made["confidences"], strict=True):
        assert level["interval"] == got.intervals(confidence)[0].tolist()
        assert level["simultaneous"] == got.intervals(confidence)[0].tolist()
    rows = list(document.rows(made))
    assert len(rows) == 9, "two shares and the mean, at three confidences"
    assert all(row.keys() == rows[0].keys() for row in rows)
    assert rows[0]["known_shares"] == "0.6 0.3 0.1" and rows[1]["interval_low"] == yes["levels"][1]["interval"][0]
