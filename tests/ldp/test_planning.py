"""A plan states beforehand what the estimation then gives (M12, M15, M19, M22, M23)."""

import dataclasses
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from ldp import bounds, mechanisms
from ldp.inference import intervals
from ldp.kinds import best, histogram
from ldp.planning import plans
from ldp.planning.plans import plan
from tests.support.kinds import homes

ROOT = Path(__file__).parents[2]
KINDS = [(name, d) for name, home in homes().items() for d in home.SIZES]
# One of whose options is the answer.
CHOICES = [(name, d) for name, d in KINDS if mechanisms.MARGINAL.get(name) == "randomized_response"]
CONFIDENCE = 0.95


def _plan(kind, d, alpha="1", n=2000, wished=None, **more):
    own = {"grid": {"items": 6}, "ranking": {"sample": 2}}.get(kind, {})
    return plan(kind, d, Fraction(alpha), n, wished, **own, **more)


def _law(name, alpha, d, **more):
    mechanism = mechanisms.MECHANISMS[name]
    return next(iter(mechanism.moments(mechanism.table(Fraction(alpha), d, **more), d).values()))


def _outlooks(found):
    yield from (option.outlook for option in found.options)
    yield found.without_privacy
    yield found.trusted_curator


@pytest.mark.parametrize(("kind", "d"), KINDS)
@pytest.mark.parametrize("alpha", ["0.5", "1", "4"])
def test_the_first_option_is_the_mechanism_that_would_be_chosen(kind, d, alpha):
    assert _plan(kind, d, alpha).options[0].mechanism == best(kind, Fraction(alpha), d)


@pytest.mark.parametrize(("kind", "d"), KINDS)
def test_options_are_ranked_and_all_that_fit_without_delta(kind, d):
    options = _plan(kind, d).options
    errors = [option.outlook.expected.standard_error for option in options]
    assert errors == pytest.approx(sorted(errors), rel=1e-5)
    fitting = set(mechanisms.FITTING[kind]) - set(mechanisms.WITH_DELTA)
    assert {option.mechanism for option in options} == fitting


def test_the_mechanisms_with_delta_are_planned_for_those_who_ask():
    asked = plan("histogram", 6, Fraction(2), 1000, delta=Fraction(1, 10**6))
    efficiencies = {option.mechanism: option.efficiency for option in asked.options}
    assert efficiencies["osgt"] is efficiencies["gaussian"] is None and efficiencies["bitwise"] <= 1


@pytest.mark.parametrize("n", [500, 5000])
@pytest.mark.parametrize("alpha", ["0.5", "2"])
@pytest.mark.parametrize(("name", "d"), [("randomized_response", 2), ("bitwise", 5), ("randomized_response", 9)])
def test_half_widths_are_those_of_the_default_intervals(name, d, alpha, n):
    """The mean width is that of the exact interval over its law at equal shares, where no end is cut, within 2%."""
    moments = _law(name, alpha, d)
    option = next(o for o in _plan("single_choice", d, alpha, n).options if o.mechanism == name)
    pi = float(moments.b + moments.gap / d)
    totals = np.arange(n + 1)
    weights = stats.binom.pmf(totals, n, pi)
    p, q = float(moments.a), float(moments.b)
    for confidence, half in (
        (CONFIDENCE, option.outlook.expected.half_width),
        (
            intervals.bonferroni(CONFIDENCE, 1 if (name, d) == ("randomized_response", 2) else d),
            option.outlook.expected.simultaneous_half_width,
        ),
    ):
        tail = (1 - confidence) / 2
        low, high = stats.beta.ppf(tail, totals, n - totals + 1), stats.beta.ppf(1 - tail, totals + 1, n - totals)
        mean_width = np.nansum(weights * (high - low)) / (p - q)
        assert 2 * half == pytest.approx(mean_width, rel=0.02)


@pytest.mark.parametrize(("kind", "d"), KINDS)
def test_that_many_people_are_just_enough(kind, d):
    wished = 0.07
    for k, outlook in enumerate(_outlooks(_plan(kind, d, wished=wished))):
        for which in ("expected", "at_most"):
            for needed, width in (("n_needed", "half_width"), ("n_needed_simultaneous", "simultaneous_half_width")):
                enough = getattr(getattr(outlook, which), needed)
                found = [list(_outlooks(_plan(kind, d, n=n)))[k] for n in (enough, enough - 1)]
                widths = [getattr(getattr(other, which), width) for other in found]
                assert widths[0] <= wished < widths[1]


@pytest.mark.parametrize(("kind", "d"), KINDS)
def test_no_share_makes_an_outlook_wider_than_at_most(kind, d):
    for outlook in _outlooks(_plan(kind, d)):
        assert outlook.expected.standard_error <= outlook.at_most.standard_error * (1 + 1e-9)
    if kind in ("yes_no", "single_choice", "histogram"):
        for option in _plan(kind, d).options:
            moments = _law(option.mechanism, "1", d)
            shares = np.linspace(0, 1, 1001)
            noise = (shares * float(moments.v_a) + (1 - shares) * float(moments.v_b)) / float(moments.gap) ** 2
            widest = np.sqrt((noise + shares * (1 - shares)).max() / 2000)
            assert option.outlook.at_most.standard_error == pytest.approx(widest, rel=1e-5)


@pytest.mark.parametrize(("kind", "d"), CHOICES)
def test_efficiency_and_effective_sample_size_are_those_of_the_bounds(kind, d):
    for option in _plan(kind, d).options:
        moments = _law(option.mechanism, "1", d)
        assert option.efficiency == bounds.efficiency(moments, 1.0, d) <= 1 + 1e-9
        assert option.effective_n == pytest.approx(bounds.effective_n(moments, 2000, d))
        assert option.price_of_privacy == pytest.approx((2000 / option.effective_n) ** 0.5)


@pytest.mark.parametrize("alpha", ["0.5", "1", "4", "8"])
def test_one_bit_is_the_best_for_a_mean_whatever_the_numbers_are(alpha):
    """The efficiency is for numbers at the ends. Laplace noise is better for spread numbers at a large alpha."""
    options = {option.mechanism: option for option in _plan("mean", 0, alpha).options}
    assert options["one_bit"].efficiency == pytest.approx(1, abs=1e-6)
    assert options["laplace_mean"].efficiency < 1
    spread = options["laplace_mean"].outlook.expected.standard_error
    assert (spread < options["one_bit"].outlook.expected.standard_error) == (float(alpha) > 3)


def test_one_item_at_full_alpha_beats_all_items_at_a_tenth():
    """M9 states standard errors .034 and .100 for 10 items and 10,000 people. One draw of all ten is worse still."""
    one, together = (
        _plan("multiple_choice", 10, n=10_000, sample=sample).options[0].outlook.at_most.standard_error
        for sample in (1, 10)
    )
    a_tenth = _plan("yes_no", 2, "0.1", n=10_000).options[0].outlook.at_most.standard_error
    assert (round(one, 3), round(a_tenth, 3)) == (0.034, 0.1) and together > a_tenth


@pytest.mark.parametrize(("kind", "d"), KINDS)
def test_a_curator_is_between_no_privacy_and_local_privacy(kind, d):
    found = _plan(kind, d, n=10**5)
    plain = found.without_privacy.expected.standard_error
    curator = found.trusted_curator.expected.standard_error
    local = found.options[0].outlook.expected.standard_error
    assert plain < curator < local
    assert found.options[0].price_of_privacy == pytest.approx(local / plain)
    assert found.options[0].price_of_locality == pytest.approx(local / curator)


def test_bins_are_advised_for_histograms_only():
    assert _plan("single_choice", 12).bins is None
    advised = _plan("histogram", 12, n=20_000).bins
    v = histogram.bin_noise(_law("bitwise", "1", 12))
    assert advised == {"advised": histogram.best_bins(20_000, v), "without_privacy": histogram.best_bins(20_000, 0.0)}
    assert advised["advised"] < advised["without_privacy"]


def _codes(*args, **more):
    return {caution.code for caution in _plan(*args, **more).warnings}


def test_warnings_name_what_is_unwise():
    assert _codes("yes_no", 2, n=5000) == set()
    assert _codes("yes_no", 2, "4.5", n=5000) == {"weak_privacy"}
    assert _codes("yes_no", 2, n=30) == {"hopeless"}
    assert _codes("single_choice", 100, n=5000) == {"coarse"}
    assert _codes("grid", 4, "2", n=5000) == set(), "compared with a quarter, the equal share of one item"
    assert _codes("multiple_choice", 20, "2", n=5000) == set(), "compared with a half: an option applies or not"
    assert _codes("yes_no", 2, n=5000, wished=0.001) == {"too_few"}
    never = plan("yes_no", 2, Fraction(1, 100), 10**6, 1e-6)
    assert never.options[0].outlook.expected.n_needed is None
    assert "No number" in next(c for c in never.warnings if c.code == "too_few").text


@pytest.mark.parametrize(("kind", "d"), KINDS)
def test_a_plan_is_plain_data(kind, d):
    found = _plan(kind, d, wished=0.05)
    assert json.loads(json.dumps(dataclasses.asdict(found)))["options"][0]["mechanism"] == found.options[0].mechanism


def test_what_fits_no_mechanism_is_refused():
    with pytest.raises(KeyError):
        plan("essay", 3, Fraction(1), 100)


def test_planning_loads_without_numpy():
    modules = "ldp.planning.plans, ldp.kinds.histogram, ldp.central.laplace"
    code = f"import sys, {modules}; sys.exit('numpy' in sys.modules or 'scipy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_alphas_beyond_this_are_weak():
    assert plans.ALPHA_WEAK == 4
