"""The forms that a model from pairs uses, and the price of a form with all its questions (M47)."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from ldp.forms import report
from ldp.forms.marginals import JointTally
from ldp.forms.results import FormTally
from ldp.inference.variables import variable
from ldp.mechanisms import bitwise, exponential, randomized_response
from ldp.planning.combined_price import reports_factor
from ldp.regression import pair_sources, specification
from ldp.regression.draw_scores import DrawScores
from ldp.regression.expectation import share_variance
from ldp.regression.pairs import PairsMissing, fit
from ldp.regression.report_scores import ReportScores
from ldp.regression.sample import JointSample
from ldp.regression.specification import Covariate, NotFitted, Specification

KEYS = ("one", "two", "three", "four", "five", "six")
PAIRS = list(combinations(KEYS, 2))
OPTIONS = 5


def question(key, options=OPTIONS):
    return {
        "key": key,
        "kind": "single_choice",
        "text": f"{key}?",
        "note": "",
        "options": [f"{key} {k}" for k in range(options)],
        "prefer_not_to_say": False,
    }


def draw(*keys, alpha="2", options=OPTIONS):
    table = randomized_response.table(Fraction(alpha), [options] * len(keys), [1] * len(keys))
    return {"alpha": alpha, "mechanism": "randomized_response", "table": table, "questions": list(keys)}


def definition(*forms, everyone=(), options=OPTIONS):
    """Return the definition of forms, which are lists of draws with equal weights."""
    return {
        "questions": [question(key, options) for key in KEYS],
        "draws": list(everyone),
        "forms": [{"weight": 1, "draws": list(draws)} for draws in forms],
    }


def linear(*keys, **fields):
    outcome, *others = keys
    return Specification(
        "linear", outcome, tuple(Covariate(key, (0.0, 1.0, 2.0, 3.0, 4.0)) for key in others), **fields
    )


def test_a_linear_model_is_by_pairs_where_forms_ask_some_of_its_questions_only():
    pairs = definition(*([draw(*pair)] for pair in PAIRS))
    assert pair_sources.is_by_pairs(pairs, linear(*KEYS))
    assert pair_sources.is_by_pairs(pairs, linear("one", "two", "three"))
    assert pair_sources.is_by_pairs(pairs, linear("one", "two")), "other forms ask one of them"
    assert not pair_sources.is_by_pairs(pairs, linear("one", "two", "three", interactions=(("two", "three"),)))
    assert not pair_sources.is_by_pairs(
        pairs, Specification("multinomial", "one", (Covariate("two"), Covariate("three")))
    )


def test_all_forms_are_pooled_though_one_asks_everything():
    larger = definition([draw("one", "two", "three")], [draw("one", "two")], [draw("three", "four")])
    assert pair_sources.is_by_pairs(larger, linear("one", "two", "three"))
    assert [each.keys for each in pair_sources.forms_about(larger, ("one", "two", "three"))] == [
        ("one", "two", "three"),
        ("one", "two"),
    ]


def test_questions_of_everyone_and_of_one_form_are_one_sample():
    mixed = definition([draw("three")], [draw("four")], everyone=[draw("one"), draw("two")])
    assert not pair_sources.is_by_pairs(mixed, linear("one", "two", "three"))


def test_pairs_that_no_form_asks_are_named_and_single_draws_of_a_form_ask_them_too():
    apart = definition([draw("one", "two")], [draw("one", "three")], [draw("two"), draw("three")])
    model = linear("one", "two", "three")
    forms = pair_sources.forms_about(apart, model.keys)
    assert [each.is_tallied for each in forms] == [True, True, False]
    pair_sources.check(apart, model.keys, forms)
    with pytest.raises(PairsMissing) as refused:
        pair_sources.check(apart, model.keys, forms[:2])
    assert refused.value.pairs == (("two", "three"),)


def test_more_combinations_than_a_table_can_have_are_no_hindrance_but_for_a_form_that_is_read():
    variables = [variable(report.alone(definition(*([draw(*pair)] for pair in PAIRS))), key) for key in KEYS]
    specification.check(linear(*KEYS), variables, by_pairs=True)
    with pytest.raises(NotFitted, match="combinations"):
        specification.check(linear(*KEYS), variables)
    apart = definition([draw(key) for key in KEYS], [draw("one", "two")])
    with pytest.raises(NotFitted, match="combinations"):
        pair_sources.check(apart, KEYS, pair_sources.forms_about(apart, KEYS))


def test_more_than_64_coefficients_are_refused():
    many = definition(*([draw(*pair)] for pair in PAIRS), options=20)
    variables = [variable(report.alone(many), key) for key in KEYS]
    model = Specification("linear", "one", tuple(Covariate(key) for key in KEYS[1:]))
    with pytest.raises(NotFitted, match="64 coefficients"):
        specification.check(model, variables, by_pairs=True)


def counts(law, keep):
    """Return the counts expected of a million reports that list one option of each."""
    return np.rint(1e6 * (float(keep) * law + (1 - float(keep)) / law.size)).astype(np.int64)


def test_six_questions_of_five_options_are_computed_from_fifteen_forms():
    """The first answer is the second's step minus one half of the third's, plus noise."""
    pairs = definition(*([draw(*pair)] for pair in PAIRS))
    rng = np.random.default_rng(1)
    people = rng.integers(0, OPTIONS, (400_000, 6))
    people[:, 0] = np.clip(np.rint(people[:, 1] - people[:, 2] / 2 + rng.normal(size=len(people))), 0, 4)
    tallies = []
    for place, pair in enumerate(PAIRS):
        own = people[:, [KEYS.index(key) for key in pair]]
        law = np.histogram2d(*own.T, bins=[np.arange(6) - 0.5] * 2)[0] / len(people)
        table = pairs["forms"][place]["draws"][0]["table"]
        support = counts(law, randomized_response.keep(table)).ravel().tolist()
        tallies.append(FormTally(sum(support), ({"support": support},)))
    forms = pair_sources.forms_about(pairs, KEYS)
    sources = pair_sources.sources(pairs, tallies, forms, lambda _: pytest.fail("nothing is read"))
    assert all(isinstance(source, DrawScores) for source in sources) and len(sources) == 15
    x = np.column_stack([np.ones(len(people)), people[:, 1:]]).astype(float)
    best = np.linalg.lstsq(x, people[:, 0].astype(float))[0]
    assert fit(linear(*KEYS), sources).parameters == pytest.approx(best, abs=1e-4)


def test_of_a_draw_the_totals_and_the_reports_tell_the_same():
    pair = definition([draw("one", "two")])
    [form] = pair_sources.forms_about(pair, ("one", "two"))
    law = np.random.default_rng(2).dirichlet(np.ones(25)).reshape(5, 5)
    support = counts(law, randomized_response.keep(pair["forms"][0]["draws"][0]["table"])).ravel().tolist()
    [source] = pair_sources.sources(pair, [FormTally(sum(support), ({"support": support},))], [form], dict)
    from ldp.forms.results import joint_tallies

    [joint] = joint_tallies(pair, 0, FormTally(sum(support), ({"support": support},)), [])
    other = ReportScores(form.variables, JointSample(joint, (0, 1)))
    assert source.information(("one", "two")) == pytest.approx(other.information(("one", "two")), rel=1e-9)
    assert source.information(("one",)) == pytest.approx(other.information(("one",)), rel=1e-9)
    one, same = (fit(linear("one", "two"), [each]) for each in (source, other))
    assert one.parameters == pytest.approx(same.parameters, abs=1e-9)
    assert one.covariance == pytest.approx(same.covariance, rel=1e-9)


@pytest.mark.parametrize("mechanism", [randomized_response, bitwise, exponential])
def test_a_report_is_worth_what_both_of_its_own_draws_are(mechanism):
    """This holds for a draw that cannot keep all answers too."""
    table = mechanism.table(Fraction(2), 5)
    apart = {"alpha": "2", "mechanism": mechanism.__name__.rpartition(".")[2], "table": table, "questions": ["two"]}
    [form] = pair_sources.forms_about(definition([draw("one"), apart], [draw("three")]), ("one", "two"))
    one, two = (share_variance(each) for each in form.variables)
    source = ReportScores(
        form.variables, JointSample(JointTally({"keep": 0, "sizes": [1, 1]}, (5, 5), (1,) * 25), (0, 1))
    )
    assert source.information(("one", "two")) == pytest.approx(1 / (one * two), rel=1e-12)
    assert source.information(("two",)) == pytest.approx(1 / two, rel=1e-12)


# One form asks both questions; one asks one in a separate draw; one asks the other beside a question not in the model.
SINGLE = [[draw("one", "two")], [draw("one")], [draw("two", "three")]]
ONE, TWO = np.arange(1, 6) / 15, np.array([0.3, 0.1, 0.2, 0.1, 0.3])


def single_sources(reports):
    """Return the forms' sources. `reports` returns counts from a law of answers and a chance to keep."""
    mixed, tallies = definition(*SINGLE), []
    for [each], law in zip(SINGLE, (np.outer(ONE, TWO), ONE, np.outer(TWO, ONE)), strict=True):
        support = reports(law, randomized_response.keep(each["table"])).ravel().tolist()
        tallies.append(FormTally(sum(support), ({"support": support},)))
    return pair_sources.sources(mixed, tallies, pair_sources.forms_about(mixed, ("one", "two")), lambda _: {}), tallies


def test_forms_that_ask_one_question_make_it_known_better():
    model, (sources, tallies) = linear("one", "two"), single_sources(counts)
    assert [source.keys for source in sources] == [("one", "two"), ("one",), ("two",)]
    pooled, alone = fit(model, sources), fit(model, sources[:1])
    assert pooled.n == alone.n == tallies[0].n
    assert pooled.parameters == pytest.approx([ONE @ np.arange(5), 0], abs=1e-5)
    assert pooled.standard_errors[0] < 0.9 * alone.standard_errors[0]


def test_with_forms_of_one_question_the_errors_are_those_of_400_surveys():
    """In 400 standard normal numbers the mean of squares (error .07) and the mean (.05) are each 4 of their errors off
    once in 15,000 seeds."""
    rng, model, off = np.random.default_rng(53), linear("one", "two"), []

    def reports(law, keep):
        chances = float(keep) * law + (1 - float(keep)) / law.size
        return rng.multinomial(20_000, chances.ravel())

    for _ in range(400):
        fitted = fit(model, single_sources(reports)[0])
        off.append((fitted.parameters - [ONE @ np.arange(5), 0]) / fitted.standard_errors)
    assert (np.square(off).mean(axis=0) == pytest.approx(np.ones(2), abs=0.28)) and (
        abs(np.mean(off, axis=0)) < 0.2
    ).all()


@pytest.mark.parametrize("alpha", ["1", "2", "4"])
def test_three_yes_no_questions_in_one_draw_cost_what_their_chances_say(alpha):
    """Three separate draws are the alternative if they cost less."""
    forms = ([draw(*pair, alpha=alpha, options=2)] for pair in combinations(KEYS[:3], 2))
    made = definition(*forms, options=2)
    made["questions"] = made["questions"][:3]
    variables = [variable(report.alone(made), key) for key in KEYS[:3]]
    e = math.exp(float(alpha))
    pair, three = ((e - 1) / (e - 1 + 2**s) for s in (2, 3))
    apart = (math.exp(float(alpha) / 3) - 1) / (math.exp(float(alpha) / 3) + 1)
    assert reports_factor(made, variables) == pytest.approx((pair / max(three, apart)) ** 2, rel=1e-6)
