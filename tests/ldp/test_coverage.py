"""No published interval covers too little: the benchmark's table in small, and the mistakes that it must find."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks import coverage, coverage_channels, coverage_known
from benchmarks.coverage_cells import FULL, SHORT, Scale
from ldp.inference import intervals, published
from ldp.mechanisms import MECHANISMS


@pytest.mark.slow
@pytest.mark.statistical
def test_no_published_interval_falls_short(nightly):
    """Sums are exact to rounding. A simulated cell fails by luck once in 100,000 runs; there are some sixty."""
    found = list(coverage.cells(FULL if nightly else SHORT, np.random.default_rng(7)))
    assert {cell.mechanism for cell in found} == set(MECHANISMS)
    assert [cell for cell in found if coverage.short(cell)] == []


def test_a_mechanism_that_no_one_can_look_at_ends_the_table(monkeypatch):
    monkeypatch.setitem(MECHANISMS, "new", object())
    with pytest.raises(AttributeError):
        list(coverage.cells(Scale(("1",), (1,), (2,), 10), np.random.default_rng(1)))


@pytest.mark.parametrize(("alpha", "n"), [("4", 5), ("16", 5)])
def test_the_table_finds_a_normal_interval_of_a_mean(monkeypatch, alpha, n):
    """A normal interval by the sample variance covers far too little for few reports."""
    monkeypatch.setattr(coverage_channels, "tails_at", _normally)
    scale = Scale((alpha,), (n,), (2,), 200)
    found = list(coverage._mechanism("laplace_mean", alpha, 1, scale, np.random.default_rng(3)))
    assert any(coverage.short(cell) for cell in found if cell.target == "population")


def _normally(scores, counts, low, high, truth):
    ends = coverage.normal(scores, counts, counts.sum())
    return float(ends.low <= truth <= ends.high)


def test_the_table_finds_intervals_that_hold_for_one_item_only(monkeypatch):
    """The planted fault uses the level for one item's options of a grid instead of all items'."""
    monkeypatch.setattr(intervals, "bonferroni", lambda confidence, together: 1 - (1 - confidence) / 2)
    scale = Scale(("1",), (2000,), (2,), 10)
    assert any(map(coverage.short, coverage._mechanism("grid", "1", 2, scale, np.random.default_rng(3))))


@pytest.mark.parametrize(("name", "alpha"), [("laplace", "2"), ("osgt", "2"), ("gaussian", "16")])
def test_the_table_finds_a_normal_approximation_of_a_sum(monkeypatch, name, alpha):
    """The score interval, which was once published for sums, covers too little at five reports."""

    def score(self, totals, j, confidence, target):
        return intervals.score(totals[j], self._total.n, moments[name], confidence, target)

    table = MECHANISMS[name].table(Fraction(alpha), 30)
    moments = {name: MECHANISMS[name].moments(table, 30)["sum"]}
    monkeypatch.setattr(published.SumOfScores, "interval", score)
    found = coverage_known.known((name, "sum", alpha, 5, 30), moments[name])
    assert any(map(coverage.short, found))


def test_what_is_not_proved_says_so():
    named = {published.of(moments, 9).method(target) for moments in _laws() for target in ("population", "respondents")}
    assert named == {"exact", "answers_at_ends", "unseen_respondent", "widest_noise"}
    assert published.PROVED == ("exact", "sequence")


def _laws():
    for name in ("bitwise", "laplace", "exponential"):
        yield from MECHANISMS[name].moments(MECHANISMS[name].table(Fraction(1), 3), 3).values()
    for alpha in (1, 4):
        table = MECHANISMS["laplace_mean"].table(Fraction(alpha), 1)
        yield from MECHANISMS["laplace_mean"].moments(table, 1).values()
