"""The planned number of reports that shows an odds ratio, against simulated surveys and enumerated reports (M40)."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.crossings_coverage import of_one_draw, question, sent
from benchmarks.relations import sent_jointly
from ldp import exact
from ldp.inference.variables import scaled, variable
from ldp.mechanisms import randomized_response
from ldp.planning import regressions
from ldp.regression import expectation
from ldp.regression.factors import factors, scores
from ldp.regression.fitting import Separated, TooFewToFit, fit
from ldp.regression.sample import Tabulation
from ldp.regression.specification import Covariate, Specification
from tests.ldp.test_regression import CHANNELS, as_row


def logistic(reference=1, name="logistic"):
    return Specification(name, "y", (Covariate("a", reference=reference),))


TWO_LISTED = "randomized_response 2"


def asked(mechanisms, shape, alpha):
    each = zip("ya", mechanisms, shape, strict=False)
    return [variable([question(key, name, d, alpha)], key) for key, name, d in each]


def together(alpha, sizes=(2, 2, 3), places=(0, 1)):
    """Return two questions of a draw that has a third."""
    drawn = of_one_draw("yab", sizes, alpha)
    return regressions.JointPair(*(variable(drawn, "yab"[place]) for place in places))


def reported(own, law, n, generator):
    people = np.unravel_index(generator.choice(law.size, n, p=law.ravel()), law.shape)
    found = Tabulation(factors(own))
    found.add([sent(each.question, x, generator) for each, x in zip(own, people, strict=True)])
    return found.sample()


def counted(form, law, n, generator):
    """Return a sample of the first two questions. All people answer the third by chance."""
    whole = np.repeat(law.ravel() / 3, 3).reshape(*law.shape, 3)
    cells = generator.choice(whole.size, n, p=whole.ravel())
    sample = sent_jointly(cells, whole.shape, form.outcome.question["alpha"], generator)
    return type(sample)(sample.tally, (0, 1))


def shown(model, sample):
    try:
        found = fit(model, sample)
    except (TooFewToFit, Separated):
        return False
    low, high = found.intervals(0.95)[regressions.first_coefficient(found.terms)]
    return low > 0 or high < 0


@pytest.mark.parametrize("name", CHANNELS)
def test_expected_scores_have_the_mean_and_the_products_of_all_that_can_be_sent(name):
    d = 2 if name == "laplace" else 3
    law = CHANNELS[name](d, question("a", name, d, "1.5")["table"], exact.RESOLUTION)
    own, reports = asked([name], [d], "1.5")[0], list(law[0])
    phi = scores(own, own.symbols(np.array([as_row(name, d, report) for report in reports]).astype(np.int16)))
    for x in range(d):
        chances = np.array([float(law[x][z]) for z in reports])
        sample = expectation.apart(np.eye(d)[x], [own])
        planned, parts = sample.phi[0][sample.places[:, 0]], sample.counts / expectation.MANY
        assert parts @ planned == pytest.approx(chances @ phi, abs=1e-9)
        assert (planned.T * parts) @ planned == pytest.approx((phi.T * chances) @ phi, abs=1e-9)


def test_what_is_expected_has_the_law_that_was_meant():
    model = logistic()
    law = regressions.law(model, (2, 2), 2.0)
    assert law.sum(axis=0) == pytest.approx([0.5, 0.5]) and law[:, 1] == pytest.approx([0.25, 0.25])
    assert law[0, 0] / law[1, 0] == pytest.approx(2)
    ordered = regressions.law(logistic(0, "ordered"), (3, 4), 2.0)
    above = 1 - np.cumsum(ordered / 0.25, axis=0)[:2]
    odds = above / (1 - above)
    assert odds[:, 1] / odds[:, 0] == pytest.approx([2, 2]) and odds[:, 2] == pytest.approx(odds[:, 0])
    for which in (regressions.SeparatePair(*asked([TWO_LISTED, "bitwise"], (3, 4), "2")), together("2", (3, 4, 2))):
        assert which.expected(ordered).shares == pytest.approx(ordered.ravel(), abs=1e-6)


# The questions, and a number of reports whose power is between the two ends.
CELLS = [
    ("logistic", 1, ("randomized_response", "randomized_response"), (2, 2), "2", 900),
    ("logistic", 0, ("randomized_response", "bitwise"), (2, 4), "3", 1000),
    ("ordered", 0, ("exponential", TWO_LISTED), (4, 3), "3", 2500),
    ("multinomial", 0, ("laplace", "randomized_response"), (3, 3), "4", 700),
]


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(("name", "reference", "mechanisms", "shape", "alpha", "n"), CELLS, ids=str)
def test_the_chance_is_that_of_simulated_surveys(name, reference, mechanisms, shape, alpha, n, length):
    model, own, generator = logistic(reference, name), asked(mechanisms, shape, alpha), np.random.default_rng(22)
    law = regressions.law(model, shape, 2.0)
    planned = regressions.chance(regressions.planned(regressions.SeparatePair(*own), model, law), n)
    found = sum(shown(model, reported(own, law, n, generator)) for _ in range(length.surveys)) / length.surveys
    assert 0.3 < planned < 0.95 and abs(planned - found) < length.near


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(("alpha", "n"), [("2", 1600), ("1", 6500)])
def test_so_it_is_where_both_share_a_draw(alpha, n, length):
    form, model, generator = together(alpha), logistic(), np.random.default_rng(23)
    law = regressions.law(model, (2, 2), 2.0)
    planned = regressions.chance(regressions.planned(form, model, law), n)
    found = sum(shown(model, counted(form, law, n, generator)) for _ in range(length.surveys)) / length.surveys
    assert 0.3 < planned < 0.95 and abs(planned - found) < length.near


@pytest.mark.parametrize(
    "form", [together("1"), regressions.SeparatePair(*asked(["bitwise", TWO_LISTED], (3, 3), "1"))], ids=type
)
def test_the_reports_and_the_alpha_that_would_do_are_enough_and_a_tenth_less_is_not(form):
    shape = (2, 2) if isinstance(form, regressions.JointPair) else (3, 3)
    model = logistic(0, "ordered" if shape == (3, 3) else "logistic")
    law = regressions.law(model, shape, 2.0)

    def chance(alpha, n):
        return regressions.chance(regressions.planned(form.with_alpha(alpha / form.alpha), model, law), n)

    many = regressions.needed(regressions.planned(form, model, law))
    assert chance(form.alpha, many) >= 0.8 > chance(form.alpha, int(many * 0.88))
    alpha = regressions.alpha_needed(form, model, law, many // 10)
    assert form.alpha < alpha and chance(alpha, many // 10) >= 0.8 > chance(alpha - 0.1, many // 10)
    assert regressions.alpha_needed(form, model, law, 20) is None


def test_of_a_question_that_is_drawn_with_others_and_one_that_is_not_an_alpha_is_named_too():
    """The alpha of the first question is that of its draw, which keeps its sizes."""
    own = [variable(of_one_draw("yc", (2, 3), "2"), "y"), *asked(["randomized_response"] * 2, (2, 2), "2")[1:]]
    law, pair = regressions.law(logistic(), (2, 2), 2.0), regressions.SeparatePair(*own)
    alpha = regressions.alpha_needed(pair, logistic(), law, 900)
    larger = pair.with_alpha(alpha / pair.alpha)
    assert regressions.chance(regressions.planned(larger, logistic(), law), 900) >= 0.8
    table = randomized_response.table(Fraction(alpha / 2).limit_denominator(10**6), (2, 3), (1, 1))
    assert larger.outcome.question["table"]["keep"] == pytest.approx(table["keep"], rel=1e-5)


def test_a_named_size_stays_under_another_alpha_and_the_best_one_follows_it():
    """The best size is one of five options under alpha 4, and two under alpha .25."""
    best, named = (variable([question("y", name, 5, "4")], "y") for name in ("randomized_response", TWO_LISTED))
    assert [scaled(each, 1).question["table"] for each in (best, named)] == [
        each.question["table"] for each in (best, named)
    ]
    assert [scaled(each, 1 / 16).question["table"]["sizes"] for each in (best, named)] == [[2], [2]]
    assert scaled(named, 2).question["table"]["sizes"] == [2]


def test_nothing_shows_what_is_not_there():
    model, form = logistic(), together("1")
    assert regressions.needed(regressions.planned(form, model, regressions.law(model, (2, 2), 1.0))) is None
