"""Intervals of a survey that may end at any release hold at all releases together, for every kind of score."""

import math
import warnings

import numpy as np
import pytest

from ldp import mechanisms
from ldp.forms.report import alone
from ldp.inference import published, sequences
from ldp.planning import stopping
from ldp.planning.outlook import HOPELESS
from ldp.results import results
from surveys.survey import definition

CONFIDENCE = 0.95
LOOKS = (200, 300, 450, 700, 1100, 1700, 2600, 4000)
QUESTIONS = [
    {"key": "rr", "kind": "yes_no", "text": "x", "alpha": "2"},
    {"key": "exponential", "kind": "ordered", "text": "x", "alpha": "3", "options": list("abcde")}
    | {"mechanism": "exponential"},
    {"key": "sums", "kind": "histogram", "text": "x", "alpha": "2", "edges": [0, 1, 2, 3], "mechanism": "gaussian"}
    | {"delta": "0.001"},
    {"key": "bit", "kind": "mean", "text": "x", "alpha": "1", "low": 0, "high": 10},
    {"key": "laplace", "kind": "mean", "text": "x", "alpha": "4", "low": 0, "high": 10, "mechanism": "laplace_mean"},
    {"key": "several", "kind": "multiple_choice", "text": "x", "alpha": "2", "options": list("abc")},
    {"key": "grid", "kind": "grid", "text": "x", "alpha": "2", "options": list("ab"), "items": list("uvw")},
]
BUILT = {q["key"]: q for q in alone(definition.build({"title": "t", "questions": QUESTIONS}))}


def channel(key):
    question = BUILT[key]
    _, moments = mechanisms.of(question).default()
    return moments, np.array(moments.weights) / sum(moments.weights[0])


@pytest.mark.parametrize("key", ["exponential", "laplace"])
@pytest.mark.parametrize("sign", [1, -1])
def test_no_law_of_answers_has_more_evidence_against_its_own_share_than_one_on_average(key, sign):
    """E e^{t phi} is at most the hull at the law's share or mean, for every tilt in use."""
    moments, _ = channel(key)
    one, generator = sequences.Channel(moments, 1), np.random.default_rng(7)
    t, log_weights = sequences.grid(one.spread(0), 0.025, sign)
    powers, positions = one.powers(0, t), one.positions(0)
    for law in [*np.eye(len(positions)), *generator.dirichlet(np.full(len(positions), 0.4), 50)]:
        hulls = [np.interp(law @ positions, *sequences.upper_hull(positions, row)) for row in powers]
        assert np.all(powers @ law <= np.array(hulls) * (1 + 1e-12))
    assert np.exp(log_weights).sum() < 1


def test_a_hull_is_the_least_concave_function_above_its_points():
    xs, ys = sequences.upper_hull(np.array([0.0, 0.0, 0.25, 0.5, 1.0]), np.array([1.0, 2.0, 2.1, 4.0, 3.0]))
    assert (xs.tolist(), ys.tolist()) == ([0.0, 0.5, 1.0], [2.0, 4.0, 3.0])


@pytest.mark.parametrize(("key", "law"), [("exponential", (0.0, 0.02, 0.9, 0.08, 0.0)), ("laplace", None)])
def test_all_looks_at_a_channel_cover_together(key, law):
    """200 surveys have eight looks. With coverage exactly .95, fewer than 176 cover for 2.6e-5 of all seeds."""
    moments, rows = channel(key)
    chances, j = np.array(law if law else np.full(len(rows), 1 / len(rows))), 1 if law else 0
    truth = chances @ sequences.Channel(moments, 1).positions(j)
    generator, covered = np.random.default_rng(29), 0
    for _ in range(200):
        reports = generator.multinomial(np.diff(LOOKS, prepend=0), chances @ rows)
        covered += all(
            sequences.Evidence(spans, j, spans.total(j, counts), 0.025, sign).excess(truth) < 0
            for n, counts in zip(LOOKS, reports.cumsum(axis=0), strict=True)
            for spans in (sequences.Channel(moments, n),)
            for sign in (1, -1)
        )
    assert covered >= 176


@pytest.mark.parametrize("key", BUILT)
def test_every_kind_says_that_its_intervals_hold_at_every_look_and_they_are_wider(key):
    question, n = BUILT[key], 4000
    totals = expected_totals(question, n)
    once, always = (results(question, totals, n, CONFIDENCE, every_look=every) for every in (False, True))
    for one, other in zip(once, always, strict=True):
        for category, wide in zip(one["methods"][0]["categories"], other["methods"][0]["categories"], strict=True):
            for target in ("population", "respondents"):
                moving = target == "respondents" and key in ("bit", "several", "grid")
                proof = "checked" if moving else "proved"
                assert (wide[target]["interval_method"], wide[target]["guarantee"]) == ("sequence", proof)
                (low, high), (lower, higher) = category[target]["simultaneous"], wide[target]["simultaneous"]
                assert lower <= low and high <= higher
                assert target == "respondents" or higher - lower < 3 * (high - low)
            assert wide["estimate"] == category["estimate"]


@pytest.mark.parametrize("first", [0.0, 1.0, 0.9])
def test_the_populations_sequence_held_for_respondents_whose_answers_turn_round(first):
    """200 surveys have eight looks, with a different share among the respondents so far at each. With coverage exactly
    .95, fewer than 176 hold for 2.6e-5 of all seeds."""
    _, moments = mechanisms.of(BUILT["bit"]).default()
    generator, covered, turn = np.random.default_rng(30), 0, LOOKS[4]
    numbers = np.where(np.arange(LOOKS[-1]) < turn, first, 1 - first)
    chances = float(moments.b) + float(moments.gap) * numbers
    for _ in range(200):
        totals = np.cumsum(generator.random(LOOKS[-1]) < chances)
        spans = [
            (published.of(moments, n, every_look=True).interval([int(totals[n - 1])], 0, CONFIDENCE, "population"), n)
            for n in LOOKS
        ]
        covered += all(low <= numbers[:n].mean() <= high for (low, high), n in spans)
    assert covered >= 176


def expected_totals(question, n):
    """Return about the totals of n reports with evenly spread answers."""
    name, moments = mechanisms.of(question).default()
    d, items = max(mechanisms.of(question).d, 1), len(question.get("items", (None,)))
    if question["mechanism"] == "multiple":
        drawn = round(n / d)
        return {name: [round(drawn * (float(moments.b) + float(moments.gap) / 2))] * d, "drawn": [drawn] * d}
    if question["kind"] == "grid":
        return {name: [round(n / items / d)] * (d * items)}
    share = 0.5 if question["kind"] == "mean" else 1 / d
    expected = [round(total) for total in stopping._expected(moments, share, n)]
    others = dict.fromkeys(mechanisms.of(question).moments(), expected * d)
    return others | {name: expected * (1 if len(expected) > 1 else d)}


def test_rare_noise_makes_powers_that_no_float_holds_and_an_interval_all_the_same():
    asked = QUESTIONS[1] | {"alpha": "16", "options": ["a", "b"]}
    [question] = alone(definition.build({"title": "t", "questions": [asked]}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        [found] = results(question, {"inverse": [160, 140]}, 300, CONFIDENCE, every_look=True)
    low, high = found["methods"][0]["categories"][0]["population"]["interval"]
    assert 0.3 < low < 160 / 300 < high < 0.7


# The end at a precision ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["rr", "exponential", "sums", "bit", "laplace"])
def test_with_the_number_that_is_planned_the_width_is_reached_and_with_a_tenth_less_it_is_not(key):
    question, wished = BUILT[key], 0.05
    n = stopping.reports_needed(question, wished, CONFIDENCE)
    ends = {"low": 0.0, "high": 10.0} if question["kind"] == "mean" else {}

    def width(count):
        found = results(question, expected_totals(question, count), count, CONFIDENCE, every_look=True)
        return stopping.half_width(found, 1, CONFIDENCE, **ends)

    assert width(round(1.02 * n)) <= wished < width(round(0.9 * n))


@pytest.mark.parametrize("key", ["rr", "exponential", "sums", "bit", "laplace"])
def test_so_many_reports_as_are_said_to_say_something_do_at_their_own_kind_of_interval(key):
    question = BUILT[key]
    ends = {"low": 0.0, "high": 10.0} if question["kind"] == "mean" else {}
    [n] = {found["informative_n"] for found in results(question, expected_totals(question, 300), 300, 0.95, True)}
    [once] = {found["informative_n"] for found in results(question, expected_totals(question, 300), 300, 0.95)}
    found = results(question, expected_totals(question, round(1.05 * n)), round(1.05 * n), CONFIDENCE, every_look=True)
    assert stopping.half_width(found, 1, CONFIDENCE, **ends) <= HOPELESS
    found = results(question, expected_totals(question, once), once, CONFIDENCE, every_look=True)
    assert stopping.half_width(found, 1, CONFIDENCE, **ends) > HOPELESS, (
        "what is enough for one look is not at every release"
    )


@pytest.mark.parametrize("key", ["rr", "exponential", "sums", "bit", "laplace"])
def test_intervals_that_hold_at_every_release_are_as_much_wider_as_is_planned(key):
    question = BUILT[key]
    ends = {"low": 0.0, "high": 10.0} if question["kind"] == "mean" else {}
    for n in (300, 3000):
        every, one = (
            stopping.half_width(
                results(question, expected_totals(question, n), n, CONFIDENCE, each), 1, CONFIDENCE, **ends
            )
            for each in (True, False)
        )
        assert math.isclose(stopping.widening(question, n, CONFIDENCE), every / one, rel_tol=0.08)


@pytest.mark.parametrize(
    "asked",
    [
        {"kind": "yes_no", "alpha": "16", "mechanism": "bitwise"},
        {"kind": "mean", "alpha": "0.2", "mechanism": "laplace_mean", "low": "-3", "high": "0"},
    ],
    ids=lambda asked: asked["mechanism"],
)
def test_how_much_wider_they_are_is_known_of_a_few_reports_too(asked):
    [question] = alone(definition.build({"title": "t", "questions": [{"key": "q", "text": "x"} | asked]}))
    for target in ("population", "respondents"):
        assert all(stopping.widening(question, n, CONFIDENCE, target) >= 1 for n in (1, 20, 20.5))


def test_of_items_that_a_report_is_about_by_chance_as_many_more_are_needed():
    alone = BUILT["grid"] | {"items": ["u"]}
    needed = [stopping.reports_needed(question, 0.1, CONFIDENCE) for question in (alone, BUILT["grid"])]
    assert needed[1] > 3 * needed[0], "three items, and the intervals of all of them hold at once"
    assert stopping.reports_needed(BUILT["rr"], 1e-6, CONFIDENCE) is None


def test_an_option_that_no_report_is_about_is_not_known_to_any_width():
    question = BUILT["several"]
    totals = expected_totals(question, 3000) | {"drawn": [1000, 1000, 0]}
    assert stopping.half_width(results(question, totals, 3000, CONFIDENCE, every_look=True), 1, CONFIDENCE) == float(
        "inf"
    )
    (name, _), n = mechanisms.of(BUILT["grid"]).default(), 2000
    found = results(BUILT["grid"], {name: [500, 500, 500, 500, 0, 0]}, n, CONFIDENCE, every_look=True)
    assert len(found) == 2 and stopping.half_width(found, 3, CONFIDENCE) == float("inf")


def test_an_interval_that_is_cut_is_not_narrower_for_it():
    assert stopping.farther(0.02, 0.0, 0.1) == pytest.approx(0.08)
    assert stopping.farther(-0.3, 0.0, 0.1) == pytest.approx(0.1)
    moments = mechanisms.of(BUILT["rr"]).default()[1]
    low, high = published.of(moments, 1000, every_look=True).interval([0], 0, CONFIDENCE, "population")
    at_edge = published.of(moments, 1000, every_look=True).interval([119], 0, CONFIDENCE, "population")
    assert (low, high) == at_edge and high > 0.05
