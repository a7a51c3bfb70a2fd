"""Linear models from pairs whose questions include items of a list that forms draw in different ways (M47, M45)."""

import random
from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ldp import exact
from ldp.forms import definition as definitions
from ldp.forms import report, results
from ldp.inference.variables import NotCrossed
from ldp.mechanisms import randomized_response
from ldp.planning.trial import field, rows
from ldp.regression import pair_sources
from ldp.regression.columns import Column
from ldp.regression.pair_sources import SplitReports
from ldp.regression.pairs import PairsMissing, fit
from ldp.regression.specification import Covariate, Specification
from tests.ldp.test_pooled_lists import OWNS, TEXTS, draw
from tests.support.product_subsets import reports as lists_of
from tests.support.stated_channels import sampled_channel

OWN = OWNS | TEXTS
CLASS = {"key": "class", "kind": "single_choice", "text": "Class?", "options": ["low", "mid", "high"]} | TEXTS
STEPS = {"key": "steps", "kind": "ordered", "text": "How much?", "options": ["1", "2", "3", "4"]} | TEXTS


def together(questions, alpha, sizes):
    table = randomized_response.table(Fraction(alpha), definitions.counts(questions), sizes)
    keys = [question["key"] for question in questions]
    return {"alpha": alpha, "mechanism": "randomized_response", "table": table, "questions": keys}


def surveyed(*forms):
    each = [{"weight": weight, "draws": list(draws)} for weight, draws in forms]
    return {"questions": [OWN, CLASS, STEPS], "draws": [], "forms": each}


# No form asks everything. Reports are about two items, one, none and all three.
FORMS = surveyed(
    (2, [together([OWN, CLASS], "3", [[2, 1], 1])]),
    (2, [draw(OWNS, "2", 1), together([STEPS], "2", [1])]),
    (1, [together([CLASS, STEPS], "3", [1, 2])]),
    (1, [draw(OWNS, "2", 3)]),
)
MODEL = Specification("linear", "steps", (Covariate("owns.1"), Covariate("owns.2"), Covariate("class")))


def tables(definition, form, sent):
    made = {}
    for part in report.parts(definition, form):
        made |= part.tables(rows(part.packing, [part.value(each) for each in sent]), 0)
    return made


# Every report ---------------------------------------------------------------------------------------------------------


def test_products_of_columns_are_unbiased_among_the_reports_about_the_same_items():
    """A form draws two of three items, and another question separately."""
    definition = surveyed((1, [draw(OWNS, "2", 2), together([STEPS], "2", [2])]))
    [form] = pair_sources.forms_about(definition, MODEL.keys)
    values = {"owns.1": np.array([0.3, 1.0]), "owns.2": np.array([-1.0, 2.0]), "steps": np.array([0.0, 1.0, 4.0, -2.0])}
    columns = [Column(key, None, own, 0.0) for key, own in values.items()]
    first, second = (own["table"] for own in definition["forms"][0]["draws"])
    keep = Fraction(second["keep"], exact.RESOLUTION)
    for owns, steps in (((1, 0, 1), 2), ((0, 0, 0), 0)):
        [row] = sampled_channel([owns], 2, 3, first, exact.RESOLUTION)
        sums, whole = defaultdict(float), defaultdict(float)
        for (drawn, one), ((listed,), other) in product(row.items(), lists_of(keep, (4,), (2,), (steps,))):
            sent = {"owns": [[item, bit] for item, [bit] in drawn], "steps": list(listed)}
            counted = SplitReports(form)
            counted.add(tables(definition, 0, [sent]))
            [scores] = counted.scores()
            assert set(scores.keys) == {"steps"} | {f"owns.{item + 1}" for item, _ in drawn if item < 2}
            whole[scores.keys] += float(one * other)
            for a, b in product(columns, columns):
                if {a.key, b.key} <= set(scores.keys):
                    sums[scores.keys, a.key, b.key] += float(one * other) * scores.mean(a, b)
        assert sum(whole.values()) == pytest.approx(1) and len(whole) == 3
        answers = {"owns.1": 1 - owns[0], "owns.2": 1 - owns[1], "steps": steps}
        for (keys, a, b), found in sums.items():
            assert found / whole[keys] == pytest.approx(values[a][answers[a]] * values[b][answers[b]])


# Samples --------------------------------------------------------------------------------------------------------------


def people(rng, n):
    """Return the answers of people whose items depend on each other, on the class, and on the outcome."""
    level = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    owns = rng.random((n, 3)) < np.array([0.3, 0.5, 0.7]) + 0.15 * (level == 1)[:, None]
    owns[:, 1] |= owns[:, 0] & (rng.random(n) < 0.5)
    steps = np.rint(1.2 * owns[:, 0] - 0.8 * owns[:, 1] + 0.6 * level + rng.normal(0.5, 0.8, n))
    return level, owns, np.clip(steps, 0, 3).astype(int)


def true_parameters():
    level, owns, steps = people(np.random.default_rng(1), 2_000_000)
    columns = [np.ones(len(level)), ~owns[:, 0], ~owns[:, 1], level == 1, level == 2]
    return np.linalg.lstsq(np.column_stack(columns).astype(float), steps.astype(float), rcond=None)[0]


def sources(definition, n, rng, chance, keys=MODEL.keys):
    """Return the sources of n people's reports, randomized as on their devices."""
    sent, tallies, whole = [], [], sum(form["weight"] for form in definition["forms"])
    for form, own in enumerate(definition["forms"]):
        parts, made = report.parts(definition, form), []
        for level, owns, steps in zip(*people(rng, n * own["weight"] // whole), strict=True):
            answers = {"class": int(level), "owns": owns.tolist(), "steps": int(steps)}
            each = (part.randomize(answers, lambda: chance.getrandbits(53)) for part in parts)
            made.append({key: value for values in each for key, value in values.items()})
        sent.append(made)
        fields = (part.tally(field(part.packing, [part.value(each) for each in made])) for part in parts)
        tallies.append(results.FormTally(len(made), tuple(fields)))

    def read(forms):
        for form, counted in forms.items():
            counted.add(tables(definition, form, sent[form]))

    return pair_sources.sources(definition, tallies, pair_sources.forms_about(definition, keys), read)


def test_coefficients_are_those_of_the_population_and_their_intervals_hold():
    """If each of 30 surveys misses with a chance of .05, more than 8 miss once in 80,000 runs. A mean of 30 is more
    than 5 of its standard errors off once in a million runs."""
    assert pair_sources.is_by_pairs(FORMS, MODEL)
    pair_sources.check(FORMS, MODEL.keys, pair_sources.forms_about(FORMS, MODEL.keys))
    rng, chance, truth, errors = np.random.default_rng(2), random.Random(2), true_parameters(), []
    for _ in range(30):
        fitted = fit(MODEL, sources(FORMS, 2400, rng, chance))
        errors.append((fitted.parameters - truth) / fitted.standard_errors)
    assert (abs(np.array(errors)) > 1.96).sum(axis=0).max() <= 8
    assert abs(np.mean(errors, axis=0)).max() < 5 / 30**0.5


def test_every_report_is_in_one_sample_with_the_questions_that_it_is_about():
    each = sources(FORMS, 600, np.random.default_rng(3), random.Random(3))
    assert sum(own.n for own in each) == 2 * 200 + 2 * 100
    read = {own.keys for own in each if len(own.keys) > 1}
    assert {("owns.1", "class"), ("owns.1", "owns.2", "class"), ("steps", "owns.1"), ("class", "steps")} <= read
    assert ("owns.1", "owns.2") in read and ("steps", "owns.1", "owns.2") not in read
    assert ("steps",) in {own.keys for own in each}, "no item of the model was drawn"


def test_reports_about_the_same_items_err_about_what_all_reports_say():
    """Deviations are from the pooled mean, so the variance is not 0 even with one report."""
    whole = sources(FORMS, 600, np.random.default_rng(4), random.Random(4))
    few = next(own for own in whole if own.keys == ("owns.1", "owns.2"))
    pooled = np.array([[1.0, 0.2], [0.2, 0.25]])
    columns = [Column(None, None, np.ones(1), 0.0), Column("owns.1", None, np.array([0.5, -0.5]), 0.0)]
    linear = np.zeros((1, 2, 2))
    linear[0, 0, 1] = 1.0
    own, about = few.covariance(columns, linear), few.covariance(columns, linear, pooled)
    assert about == pytest.approx(own + (few.mean(*columns) - 0.2) ** 2)


def test_items_that_no_form_draws_together_are_refused():
    apart = surveyed(
        (1, [draw(OWNS, "2", 1), together([STEPS], "2", [1])]), (1, [together([CLASS, STEPS], "3", [1, 1])])
    )
    with pytest.raises(NotCrossed, match="only one item"):
        pair_sources.check(apart, MODEL.keys, pair_sources.forms_about(apart, MODEL.keys))
    one = ("steps", "owns.1", "class")
    with pytest.raises(PairsMissing, match=r"owns\.1 and class"):
        pair_sources.check(apart, one, pair_sources.forms_about(apart, one))
