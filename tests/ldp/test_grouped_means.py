"""Means within groups, and as outcomes of linear models (M43b): enumerated, otherwise simulated."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.crossings_coverage import question, sent
from ldp import subgroups
from ldp.forms.crossed import of_reports
from ldp.inference import intervals
from ldp.inference.variables import NotCrossed, pair_of, variable, variables, with_means
from ldp.mechanisms import one_bit, randomized_response
from ldp.regression import expectation
from ldp.regression.factors import factors
from ldp.regression.fitting import fit
from ldp.regression.sample import Tabulation
from ldp.regression.specification import Covariate, NotFitted, Specification, check
from surveys.survey.definition import questions
from tests.ldp.test_subgroups import HEADER

LOW, HIGH = 10.0, 20.0
GROUPS = np.array([0.6, 0.4])
# Answers, as parts of the scale, and how common they are in each group: means of .3 and .55, exactly.
VALUES = np.array([0.0, 0.5, 1.0])
LAWS = np.array([[0.5, 0.4, 0.1], [0.3, 0.3, 0.4]])
MEANS = LOW + (HIGH - LOW) * LAWS @ VALUES


def mean(alpha, mechanism="one_bit", **fields):
    asked = {"key": "m", "kind": "mean", "text": "m", "low": "10", "high": "20", "unit": "cm", "alpha": alpha}
    table = one_bit.table(Fraction(alpha), 2) if mechanism == "one_bit" else {}
    return asked | {"mechanism": mechanism, "table": table} | fields


def bits(asked, values, generator):
    """Return the reports of numbers from 0 to 1: each becomes an end, which goes through randomized response."""
    ends = generator.random(len(values)) < values
    flipped = generator.random(len(values)) < float(one_bit.moments(asked["table"], 2)["mean"].b)
    return (ends ^ flipped).astype(np.int16)[:, None]


def survey(n, alpha, generator, stratum="randomized_response"):
    """Return questions, and the columns of n people's reports."""
    asked = [question("s", stratum, 2, alpha), mean(alpha)]
    groups = generator.choice(2, n, p=GROUPS)
    chosen = (generator.random(n)[:, None] > np.cumsum(LAWS, axis=1)[groups]).sum(axis=1).clip(max=2)
    return asked, (sent(asked[0], groups, generator), bits(asked[1], VALUES[chosen], generator))


def test_only_a_mean_by_one_bit_is_told_by_other_answers_and_none_can_be_crossed():
    asked = [question("s", "randomized_response", 2, "1"), mean("1")]
    assert [each.key for each in variables(asked)] == ["s"] and [each.key for each in with_means(asked)] == ["s", "m"]
    with pytest.raises(NotCrossed, match="averaged"):
        pair_of(asked, "s", "m")
    own = variable(asked, "m", means=True)
    assert own.scale == (LOW, HIGH) and own.options == ("10", "20")


def test_the_share_of_the_upper_end_within_a_group_is_its_mean_in_fractions():
    """This holds for any answers. The bit is rounded independently of the group's noise, so their product has the mean
    of the group's indicator times the answer."""
    alpha, keep = Fraction(1), Fraction(3, 4)
    law = {(0, Fraction(1, 3)): Fraction(1, 2), (1, Fraction(5, 7)): Fraction(1, 4), (1, Fraction(0)): Fraction(1, 4)}
    moments = one_bit.moments(one_bit.table(alpha, 2), 2)["mean"]
    for group in (0, 1):
        total = Fraction(0)
        for (own, answer), chance in law.items():
            for z in (0, 1):
                of_z = keep if z == own else 1 - keep
                phi_group = ((z == group) - (1 - keep)) / (2 * keep - 1)
                for end in (0, 1):
                    of_end = answer if end else 1 - answer
                    for bit, of_bit in ((end, moments.a), (1 - end, moments.b)):
                        phi = (bit - moments.b) / (moments.a - moments.b)
                        total += chance * of_z * of_end * of_bit * phi_group * phi
        assert total == sum(chance * answer for (own, answer), chance in law.items() if own == group)


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("stratum", ["randomized_response", "bitwise"])
def test_means_of_groups_are_covered_as_promised(stratum, nightly):
    """If .95 hold, both means hold in fewer than 132 of 150 surveys, or 51 of 60, in one of 1,000 runs."""
    surveys, held_min = (150, 132) if nightly else (60, 51)
    generator, held, estimates = np.random.default_rng(3), 0, []
    for _ in range(surveys):
        asked, columns = survey(2500, "2", generator, stratum)
        crossing = of_reports(*pair_of(asked, "s", "m", means=True), [columns])
        made = subgroups.document(HEADER, asked, [crossing])
        [part] = made["questions"]
        assert part["scale"] == [LOW, HIGH] and part["unit"] == "cm" and made["together"] == 2
        [share] = part["shares"]
        within = [each["simultaneous"][1] for each in share["within"]]
        estimates.append([each["estimate"] for each in share["within"]])
        held += all(low <= true <= high for (low, high), true in zip(within, MEANS, strict=True))
    assert held >= held_min and np.mean(estimates, axis=0) == pytest.approx(MEANS, abs=0.25)


def test_rows_are_in_the_means_unit():
    asked, columns = survey(3000, "4", np.random.default_rng(4))
    crossing = of_reports(*pair_of(asked, "s", "m", means=True), [columns])
    rows = list(subgroups.rows(subgroups.document(HEADER, asked, [crossing])))
    assert {row["option"] for row in rows} == {"mean"} and {row["unit"] for row in rows} == {"cm"}
    assert all(row["simultaneous_low"] <= row["estimate"] <= row["simultaneous_high"] for row in rows)
    within = [row for row in rows if row["quantity"] == "within"]
    assert all(row["simultaneous_low"] >= LOW and row["simultaneous_high"] <= HIGH for row in within)
    [(first, second, apart)] = {
        (row["stratum_option"], row["reference"], row["estimate"]) for row in rows if row["quantity"] == "difference"
    }
    means = {row["stratum_option"]: row["estimate"] for row in within}
    assert apart == pytest.approx(means[first] - means[second])


LINEAR = Specification("linear", "m", (Covariate("s"),), scores=(LOW, HIGH))


def test_a_linear_model_of_a_mean_finds_the_difference_of_the_groups_means():
    generator, held, slopes = np.random.default_rng(5), 0, []
    for _ in range(100):
        asked, columns = survey(3000, "2", generator)
        own = [variable(asked, key, means=True) for key in ("m", "s")]
        tabulation = Tabulation(factors(own))
        tabulation.add(columns[::-1])
        solution = fit(LINEAR, tabulation.sample())
        slopes.append(solution.parameters[1])
        low, high = solution.intervals(0.95)[1]
        held += low <= MEANS[1] - MEANS[0] <= high
    # At .95 luck holds fewer than 86 of 100 in one of 1,000 runs.
    assert held >= 86 and np.mean(slopes) == pytest.approx(MEANS[1] - MEANS[0], abs=0.25)


def test_of_one_draw_it_is_the_difference_too():
    table = randomized_response.table(Fraction(2), (2, 2))
    upper = LAWS @ VALUES
    law = np.stack([GROUPS * (1 - upper), GROUPS * upper])
    assert fit(LINEAR, expectation.together(law, table["keep"], table["sizes"])).parameters == pytest.approx(
        [MEANS[0], MEANS[1] - MEANS[0]], abs=1e-4
    )


@pytest.mark.parametrize(
    "model",
    [
        Specification("logistic", "m", (Covariate("s"),)),
        Specification("linear", "m", (Covariate("s"),)),
        Specification("linear", "s", (Covariate("m"),)),
    ],
)
def test_in_other_models_a_mean_has_no_place(model):
    asked = [question("s", "randomized_response", 2, "1"), mean("1")]
    with pytest.raises(NotFitted, match="a mean can be in a model only as the outcome of a linear one"):
        check(model, [variable(asked, key, means=True) for key in model.keys])


def test_a_mean_by_laplace_noise_is_left_out_with_the_reason():
    own = {"key": "m", "kind": "mean", "text": "m", "low": "10", "high": "20", "alpha": "4"}
    noisy = questions.build(own | {"mechanism": "laplace_mean"}, "question")
    asked = [question(key, "randomized_response", 2, "1") for key in "sb"] + [noisy]
    _stratum, shown = subgroups.partners(asked, "s")
    assert [each.key for each in shown] == ["b"]
    with pytest.raises(NotCrossed, match="by Laplace noise"):
        variable(asked, "m", means=True)


def test_groups_count_a_mean_as_one_number():
    asked = [question("s", "randomized_response", 2, "1"), question("b", "randomized_response", 3, "1"), mean("1")]
    assert subgroups.together(*subgroups.partners(asked, "s")) == 2 * (3 + 1)
    assert intervals.bonferroni(0.95, 8) > 0.99
