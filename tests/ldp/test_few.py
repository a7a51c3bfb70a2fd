"""Totals of so few scores that a table holds all their chances."""

from fractions import Fraction

import pytest

from benchmarks import interval_methods as coverage
from ldp.inference import convolution, few
from ldp.inference.convolution import TotalLaw
from ldp.inference.estimates import TARGETS
from ldp.mechanisms import MECHANISMS
from ldp.planning import trial
from ldp.results import results

CONFIDENCE = 0.95


@pytest.mark.parametrize("n", [1, 2, 7])
@pytest.mark.parametrize("name", ["laplace", "gaussian"])
def test_a_table_of_all_tails_gives_the_intervals_of_the_transform(name, n, monkeypatch):
    """Both give the same intervals to 1e-9, for totals from end to end."""
    extra = {"delta": Fraction(1, 1000)} if name == "gaussian" else {}
    mechanism = MECHANISMS[name]
    scores = convolution.lattice(mechanism.moments(mechanism.table(Fraction(2), 3, **extra), 3)["sum"])
    laid = TotalLaw(n, scores)
    monkeypatch.setattr(few, "MOST", 0)
    transformed = TotalLaw(n, scores)
    assert laid._few and not transformed._few
    for total in range(laid.low, laid.high + 1, 7):
        for target in TARGETS:
            one, other = (law.interval(total, CONFIDENCE, target) for law in (laid, transformed))
            assert one == pytest.approx(other, abs=1e-9)


def test_one_report_of_256_noisy_bins_is_laid_out_once_and_no_transform_is_taken_for_a_bin(monkeypatch):
    """One such report took ten times as long as with randomized response: 20,000 transforms of 16,384 values."""
    mechanism, work = MECHANISMS["laplace"], []
    table = mechanism.table(Fraction("0.01"), 256)
    question = {"key": "q", "kind": "histogram", "alpha": "0.01", "mechanism": "laplace", "table": table, "text": "?"}
    question["options"] = [f"bin {j}" for j in range(256)]
    totals = trial.totals(question, [1 / 256] * 256, 1, seed=5)
    for of, name in ((few.Tails, "__init__"), (TotalLaw, "_mixed"), (TotalLaw, "_fixed"), (convolution, "_transforms")):
        plain = getattr(of, name)
        monkeypatch.setattr(of, name, lambda *args, plain=plain, name=name: work.append(name) or plain(*args))
    few.tails.cache_clear()
    results(question, totals, 1, CONFIDENCE)
    assert work == ["__init__"]


def test_for_many_reports_no_table_is_laid_out():
    scores = coverage.sum_law(Fraction(1))[1]
    assert not TotalLaw(10**6, scores)._few and not TotalLaw(0, scores)._few
