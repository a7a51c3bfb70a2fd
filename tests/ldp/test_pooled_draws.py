"""Two questions that several forms ask in different ways, by separate draws or by one draw (M45)."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import stats

from benchmarks.crossings_coverage import of_one_draw, question, sent
from benchmarks.designs_coverage import listed
from ldp.forms.joint_crossing import JointCrossing
from ldp.forms.pooled_cells import PooledCells, information
from ldp.honesty import attention
from ldp.inference import intervals
from ldp.inference.crossed import Crossing, joint_counts
from ldp.inference.hypotheses import helmert
from ldp.inference.product_subsets import PairTally, keep
from ldp.inference.variables import variable
from ldp.mechanisms import one_bit
from ldp.planning import associations, expectation, groups
from ldp.planning.expectation import Way
from ldp.subgroup_comparisons import differences
from ldp.weighting import raking_document
from ldp.weighting.margin import weighted
from ldp.weighting.margins import Margin, Margins
from tests.support.product_subsets import reports, together

JOINT = np.array([[0.5, 0.08, 0.02], [0.2, 0.19, 0.01]])
SHAPE = JOINT.shape


def own_draws(first, second, alphas):
    names = zip("ab", (first, second), SHAPE, alphas, strict=True)
    return [variable([question(key, mechanism, d, alpha)], key) for key, mechanism, d, alpha in names]


def one_draw(alpha, sizes):
    questions = of_one_draw("ab", SHAPE, alpha, sizes)
    return [variable(questions, key) for key in "ab"]


LISTS = [own_draws("randomized_response", "randomized_response 2", "23"), own_draws(*["randomized_response"] * 2, "11")]
BITS = [own_draws("randomized_response", "bitwise", "13"), own_draws("randomized_response", "bitwise", "33")]
SCORES = [own_draws("randomized_response", "exponential", "12"), own_draws("randomized_response", "exponential", "32")]
MIXED = [own_draws("randomized_response", "randomized_response 2", "22"), one_draw("2", (1, 2)), one_draw("1", (1, 1))]
FORMS = {"lists": LISTS, "bits": BITS, "scores": SCORES, "mixed": MIXED}


def part(pair, answers, rng):
    """Return the crossing of the reports of people with these answers, (n, 2)."""
    if "joint" not in pair[0].question:
        columns = [sent(each.question, own, rng) for each, own in zip(pair, answers.T, strict=True)]
        return Crossing(*pair, joint_counts(*pair, [columns]))
    sizes = pair[0].listed, pair[1].listed
    lists = listed(float(keep(pair[0])), SHAPE, sizes, answers, rng)
    return JointCrossing(*pair, PairTally(keep(pair[0]), sizes, together(*lists)))


def survey(rng, forms, numbers, joint=JOINT):
    """Return the crossing of forms with these numbers of reports, and the shares of the people who sent them."""
    parts, people = [], []
    for pair, n in zip(forms, numbers, strict=True):
        places = rng.choice(joint.size, n, p=joint.ravel())
        parts.append(part(pair, np.stack(np.divmod(places, SHAPE[1]), axis=1), rng))
        people.append(places)
    asked = np.bincount(np.concatenate(people), minlength=joint.size).reshape(SHAPE) / sum(numbers)
    return PooledCells(*forms[0], tuple(parts)), asked


def shares_of(n):
    return {2: (n, 2 * n), 3: (n, n, n)}


# What a report of a form says, over every report ----------------------------------------------------------------------


def every_report(pair, answers):
    """Return the symbols of both questions in every report of these answers, with its chance."""
    each = []
    for own, x in zip(pair, answers, strict=True):
        d, a = len(own.options), own.listed
        lists = reports(keep(own), (d,), (a,), (x,))
        each.append([(np.isin(np.arange(d), one).astype(int), chance) for (one,), chance in lists])
    return [(z, w, one * other) for (z, one), (w, other) in product(*each)]


def counted(z, w):
    return np.outer(np.append(1, z), np.append(1, w))


@pytest.mark.parametrize("pair", LISTS)
def test_the_score_of_a_cell_is_unbiased_and_its_information_is_that_of_every_report(pair):
    square = 0.0
    for x, y in product(*map(range, SHAPE)):
        mean, counts = np.zeros(SHAPE), np.zeros((3, 4))
        for z, w, chance in every_report(pair, (x, y)):
            own = Crossing(*pair, counted(z, w))
            mean, counts = mean + float(chance) * own.joint, counts + float(chance) * own.counts
            square += float(chance) * float((own.joint**2).mean()) / 6
        law = np.zeros(SHAPE)
        law[x, y] = 1
        assert mean == pytest.approx(law, abs=1e-12)
        assert Crossing(*pair, counted(z, w)).means(law) == pytest.approx(counts, abs=1e-12)
    assert float(information(Crossing(*pair, counts))) == pytest.approx(1 / (square - 1 / 36), rel=1e-12)


@pytest.mark.parametrize("pair", LISTS)
def test_what_the_test_of_independence_supposes_is_what_every_report_says(pair):
    rows, columns = np.array([0.7, 0.3]), np.array([0.5, 0.3, 0.2])
    left, right = helmert(2), helmert(3)
    mean, second = 0.0, 0.0
    for x, y in product(*map(range, SHAPE)):
        for z, w, chance in every_report(pair, (x, y)):
            (one, _), (other, _) = Crossing(*pair, counted(z, w)).margins
            value = np.outer(left @ (one - rows), right @ (other - columns)).ravel()
            weight = float(chance) * rows[x] * columns[y]
            mean, second = mean + weight * value, second + weight * np.outer(value, value)
    assert mean == pytest.approx(np.zeros(2), abs=1e-12)
    assert Crossing(*pair, counted(z, w)).null_covariance(rows, columns) == pytest.approx(second, abs=1e-10)


# Simulated surveys ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMS)
def test_pooled_cells_are_unbiased_and_err_as_their_standard_errors_say(name):
    """In 400 surveys luck moves a mean by more than 5 of its own standard errors once in a million runs."""
    rng, forms = np.random.default_rng(45), FORMS[name]
    found = [survey(rng, forms, shares_of(150)[len(forms)]) for _ in range(400)]
    for target, truths in enumerate((np.broadcast_to(JOINT, (400, 2, 3)), np.array([asked for _, asked in found]))):
        errors = np.array([cells.joint for cells, _ in found]) - truths
        squares = np.array([cells.standard_errors[target] ** 2 for cells, _ in found])
        assert (abs(errors.mean(axis=0)) < 5 * errors.std(axis=0) / 20).all()
        assert (errors**2).mean(axis=0) / squares.mean(axis=0) == pytest.approx(np.ones((2, 3)), abs=0.35)
    cells, _ = found[0]
    for side, axis in enumerate((1, 0)):
        shares, errors = cells.margins[side]
        if not (name == "bits" and side == 0):  # bits add up to 1 on average only
            assert shares == pytest.approx(cells.joint.sum(axis=axis))
        assert (errors > 0).all()
    assert cells.turned().joint == pytest.approx(cells.joint.T)


@pytest.mark.parametrize("name", FORMS)
def test_intervals_of_cells_and_within_answers_hold_as_often_as_promised(name):
    """If each of 60 surveys misses with a chance of at most .05, more than 11 miss once in 10,000 runs."""
    rng, forms = np.random.default_rng(46), FORMS[name]
    within = JOINT / JOINT.sum(axis=1, keepdims=True)
    alone, missed, at_once = np.zeros(SHAPE), np.zeros(SHAPE), 0
    for _ in range(60):
        cells, asked = survey(rng, forms, shares_of(700)[len(forms)])
        for ends, truth, count in (
            (cells.intervals(0.95), JOINT, alone),
            (cells.within_first_intervals(0.95), within, missed),
        ):
            count += (ends[..., 0] > truth + 1e-12) | (ends[..., 1] < truth - 1e-12)
        ends = cells.intervals(intervals.bonferroni(0.95, 6))
        at_once += bool(((ends[..., 0] > asked + 1e-12) | (ends[..., 1] < asked - 1e-12)).any())
    assert alone.max() <= 11 and missed.max() <= 11 and at_once <= 11


@pytest.mark.parametrize("name", FORMS)
def test_independent_questions_are_named_as_often_as_the_level_says(name):
    """A number outside these has a chance below 1 in 1,000 among 300 surveys."""
    rng, joint, forms = np.random.default_rng(47), np.outer([0.7, 0.3], [0.6, 0.3, 0.1]), FORMS[name]
    tests = [survey(rng, forms, shares_of(900)[len(forms)], joint)[0].independence() for _ in range(300)]
    assert all(each is not None and each.degrees == 2 for each in tests)
    low, high = stats.binom.ppf([0.0005, 0.9995], 300, 0.05)
    assert low <= sum(each.p_value < 0.05 for each in tests) <= high
    assert survey(rng, forms, shares_of(3)[len(forms)], joint)[0].independence() is None


def test_forms_of_one_channel_pool_to_what_all_their_reports_say():
    rng, [pair, _] = np.random.default_rng(48), LISTS
    pooled, _ = survey(rng, (pair, pair), (300, 500))
    whole = Crossing(*pair, pooled.counts)
    assert pooled.joint == pytest.approx(whole.joint) and pooled.intervals(0.95) == pytest.approx(
        whole.intervals(0.95), abs=1e-9
    )
    assert pooled.standard_errors[0] == pytest.approx(whole.standard_errors[0])
    assert pooled.within_first_intervals(0.95) == pytest.approx(whole.within_first_intervals(0.95), abs=1e-9)
    for [[one]], [[other]] in ([differences(each, [(1, 0)], [0]) for each in (pooled, whole)],):
        assert one.law == pytest.approx(other.law) and one.estimate == pytest.approx(other.estimate)
    known = [weighted(each, (0.5, 0.5)) for each in (pooled, whole)]
    assert known[0].estimates == pytest.approx(known[1].estimates)
    assert known[0].standard_errors == pytest.approx(known[1].standard_errors)


@pytest.mark.parametrize("name", FORMS)
def test_differences_between_groups_and_weighted_shares_err_as_they_say(name):
    """If .05 of 200 surveys miss, more than 21 do once in 2,000 runs. Variances of 200 errors are less than .35 off."""
    rng, forms = np.random.default_rng(49), FORMS[name]
    within, known = JOINT / JOINT.sum(axis=1, keepdims=True), np.array([0.4, 0.6])
    truth, share = within[1, 0] - within[0, 0], known @ within
    errors, missed = [], 0
    for _ in range(200):
        cells, _ = survey(rng, forms, shares_of(1000)[len(forms)])
        [[one]] = differences(cells, [(1, 0)], [0])
        low, high = one.interval(0.95)
        of = weighted(cells, known)
        missed += np.array([not low <= truth <= high, *((of.intervals(0.95) - share[:, None]).prod(axis=1) > 0)])
        error = [one.estimate - truth, *(of.estimates - share)]
        errors.append([error, [(one.law.variance / one.n) ** 0.5, *of.standard_errors]])
    assert max(missed) <= 21
    found, said = np.array(errors).transpose(1, 2, 0)
    assert (found**2).mean(axis=1) / (said**2).mean(axis=1) == pytest.approx(np.ones(4), abs=0.35)
    assert (abs(found.mean(axis=1)) < 5 * found.std(axis=1) / 200**0.5).all()


# Before anybody answers -----------------------------------------------------------------------------------------------


def ways(forms, numbers):
    return [Way(n, *pair) for n, pair in zip(numbers, forms, strict=True)]


@pytest.mark.parametrize("name", FORMS)
def test_planned_errors_are_those_that_surveys_have(name):
    """The tolerance is 3%, for 30,000 reports of a form: several times the chance error of an error from so many
    squares."""
    rng, forms = np.random.default_rng(50), FORMS[name]
    numbers = shares_of(30_000)[len(forms)]
    planned, (found, _) = expectation.crossing(ways(forms, numbers), JOINT), survey(rng, forms, numbers)
    fewer = (planned.n / found.n) ** 0.5
    assert planned.joint == pytest.approx(JOINT, abs=1e-9)
    assert planned.standard_errors[0] * fewer == pytest.approx(found.standard_errors[0], rel=0.03)
    for side in (0, 1):
        assert planned.margins[side][1] * fewer == pytest.approx(found.margins[side][1], rel=0.03)
    own = groups.Planned(associations.of_ways(ways(forms, numbers)), JOINT, 1)
    [[difference]] = differences(found, [(0, 1)], [0])
    assert own.deviation == pytest.approx(difference.law.variance**0.5, rel=0.03)


@pytest.mark.parametrize("name", ["lists", "mixed"])
def test_dependence_shows_as_often_as_planned(name):
    """In 200 surveys luck moves the share by .13 once in 10,000 runs."""
    rng, forms = np.random.default_rng(51), FORMS[name]
    effect = associations.Dependence(np.full(2, 1 / 2), np.full(3, 1 / 3), 0, 0)
    numbers = shares_of(700)[len(forms)]
    prospect = associations.Prospect(associations.of_ways(ways(forms, numbers)), effect)
    least = prospect.smallest(sum(numbers))
    law = effect.law(least)
    tests = [survey(rng, forms, numbers, law)[0].independence() for _ in range(200)]
    assert abs(sum(each.p_value < 0.05 for each in tests) / 200 - prospect.power(least, sum(numbers), 0.05)) < 0.13
    needed = prospect.needed(least)
    assert sum(numbers) * 0.85 < needed < sum(numbers) * 1.15


def test_a_mean_in_several_forms_is_weighted_by_what_everyone_is_asked():
    """The expected mean of very many people is the truth."""

    def height(alpha):
        asked = {"key": "b", "kind": "mean", "text": "?", "alpha": alpha, "mechanism": "one_bit", "unit": ""}
        table = one_bit.table(Fraction(alpha), 0)
        return variable([asked | {"low": "0", "high": "10", "table": table}], "b", means=True)

    law, [stratum, _] = np.array([[0.3, 0.1], [0.15, 0.45]]), own_draws("randomized_response", "bitwise", "22")
    crossing = expectation.crossing([Way(n, stratum, height(alpha)) for n, alpha in ((2, "1"), (1, "4"))], law)
    document = raking_document.by_one_margin({}, Margins("b", (Margin("a", (0.5, 0.5)),)), crossing)
    assert document["refusal"] is None and document["shares"] == [] and document["n_about"] == crossing.n
    assert document["mean"]["estimate"] == pytest.approx(10 * (0.5 * 0.25 + 0.5 * 0.75))
    assert [each["estimate"] for each in document["margins"][0]["strata"]] == pytest.approx([0.4, 0.6])


def test_an_attention_question_of_everyone_corrects_a_question_of_several_forms():
    """Expected estimates are the truth. Errors are those of simulated surveys, within a fifth."""
    forms = [[replace(first, question=first.question | {"right": 1}), second] for first, second in MIXED]
    law = attention.law(forms[0][0], (0.6, 0.3, 0.1), 0.8)
    whole = attention.Corrected(expectation.crossing(ways(forms, (2, 1, 1)), law))
    assert whole.estimates == pytest.approx([0.6, 0.3, 0.1]) and whole.attention[0] == pytest.approx(0.8)
    rng = np.random.default_rng(52)
    found = [attention.Corrected(survey(rng, forms, (2000, 1000, 1000), law)[0]) for _ in range(200)]
    errors = np.array([each.estimates for each in found]) - (0.6, 0.3, 0.1)
    expected = whole.standard_errors * (whole.n / 4000) ** 0.5
    assert (errors**2).mean(axis=0) ** 0.5 / expected == pytest.approx(np.ones(3), abs=0.2)
    assert np.mean([each.standard_errors for each in found], axis=0) / expected == pytest.approx(np.ones(3), abs=0.1)
    low, high = found[0].intervals(0.999)[0]
    assert low < 0.6 < high
