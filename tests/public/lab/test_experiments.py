"""The experiments of lab.md, shortened: simulations agree with the formulas, and the figures show both."""

import math
from pathlib import Path

import numpy as np
import pytest

from benchmarks import lab, lab_curator, lab_local
from benchmarks.lab_scale import SHORT
from ldp.central import laplace
from surveys.public.lab.curves.charts import Lines, table

DOCUMENT = Path(__file__).parents[3] / "docs" / "makers" / "lab.md"
COMPUTED = ("osgt", "majority")


def lines(name):
    """Return the points of an experiment at the short scale, by panel and label."""
    found = {}
    for heading, chart in lab.EXPERIMENTS[name].panels(SHORT):
        assert isinstance(chart, Lines)
        for series in chart.series:
            found.setdefault((heading, series.label), []).append(dict(zip(series.x, series.y, strict=True)))
    return found


def test_the_laplace_means_simulated_error_is_the_formulas():
    """The mean squared error of 2,000 surveys is within 5 standard errors; by chance outside 1 time in 100,000."""
    generator = np.random.default_rng(1)
    for alpha in lab_curator.MEAN_ALPHAS:
        for n in (32, 1000):
            expected = laplace.variance(1 / 12, n, alpha)
            # The fourth moment is at most 6 times the squared variance, as for Laplace noise.
            simulated = lab_curator.mean_error_of(n, alpha, 2000, generator)
            assert abs(simulated / expected - 1) < 5 * math.sqrt(5 / 2000)
    found = lines("laplace-mean")
    formula = found["Against n", "alpha 0.2"][0]
    assert formula[10] == pytest.approx(1 / 120 + 2 / (10 * 0.2) ** 2)


def test_no_test_of_the_same_size_beats_the_most_powerful_one():
    for alpha in lab_curator.TEST_ALPHAS:
        for n in lab_curator.TEST_PEOPLE:
            sizes = {name: lab_curator.chance(name, n, alpha, lab_curator.NULL) for name, *_ in lab_curator.TESTS}
            assert sizes["most powerful"] == pytest.approx(lab_curator.LEVEL)
            for share in (0.5, 0.6, 0.8):
                best = lab_curator.chance("most powerful", n, alpha, share)
                for name in ("normal", "fiducial"):
                    if sizes[name] <= lab_curator.LEVEL:
                        assert lab_curator.chance(name, n, alpha, share) <= best + 1e-9


def test_osgt_is_narrower_than_gaussian_noise_at_both_comparisons():
    found = lines("osgt")
    osgt = found["Equal variance, 27.7", "OSGT, m = 3, s² = 40"][0]
    for alpha, delta in found["Equal variance, 27.7", "Gaussian"][0].items():
        assert alpha < 0.3 or osgt[alpha] < delta
    for alpha in ("0.1", "1"):
        heading = f"Equal guarantee, alpha {alpha}"
        for delta, variance in found[heading, "Gaussian"][0].items():
            assert found[heading, "OSGT"][0][delta] <= variance * (1 + 1e-9)


def test_atoms_spoil_quartiles_unless_answers_are_moved():
    apart = [lab_curator.quartile_error(1.0, atom, moves) for atom in (0.0, 0.6) for moves in (0, SHORT.moves)]
    without, without_moved, plain, moved = apart
    assert without == pytest.approx(without_moved, rel=0.3)
    assert plain > 8 * moved and moved < 12


def test_the_majoritys_errors_are_ordered():
    found = lines("majority")
    for alpha in ("alpha 0.2", "alpha 1"):
        for votes, bound in found[alpha, "no one does better"][0].items():
            inverse, exponential = found[alpha, "inverse sensitivity"][0], found[alpha, "exponential mechanism"][0]
            assert bound <= inverse[votes] <= exponential[votes]


def test_errors_of_all_shares_lie_between_the_sharp_bound_and_the_formulas():
    """Mean squared errors of 200 surveys of 16 shares are within 15%; by chance outside less than 1 time in 10,000."""
    found = lines("multinomial")
    for n in (316, 1000):
        bound = found["Squared error, l2", "sharp bound"][0][n]
        bitwise = found["Squared error, l2", "bitwise"][0][n]
        assert 1.1 < bitwise / bound < 1.5  # 1.24 in theory
        assert found["Squared error, l2", "curator"][0][n] == pytest.approx(
            found["Squared error, l2", "curator, formula"][0][n], rel=0.15
        )
        assert found["Absolute error, l1", "rates: low"][0][n] < found["Absolute error, l1", "bitwise"][0][n]


def test_a_density_has_a_best_number_of_bins_and_its_error_is_the_sum_of_its_parts():
    found = lines("density")
    (heading,) = {key for key in found if key[0] == "Local, alpha 1" and key[1]}
    simulated, exact = found[heading][0], found["Local, alpha 1", ""][0]
    for bins, error in exact.items():
        assert simulated[bins] == pytest.approx(error, rel=0.6)  # 20 surveys
    best = min(exact, key=exact.get)
    assert 2 < best < 16 and exact[128] > 100 * exact[best]


@pytest.mark.parametrize("name", COMPUTED)
def test_the_documents_figures_are_the_codes(name):
    picture, points = lab.made(name, SHORT)
    assert (lab.FOLDER / f"{name}.csv").read_text(encoding="utf-8") == points, f"run `python -m benchmarks.lab {name}`"
    assert (lab.FOLDER / f"{name}.svg").read_bytes() == picture


def test_the_document_shows_every_experiment_beside_its_command():
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, experiment in lab.EXPERIMENTS.items():
        assert f"](../lab/{name}.svg)" in text and f"python -m benchmarks.lab {name}" in text
        assert experiment.title in text
        assert (lab.FOLDER / f"{name}.svg").exists() and (lab.FOLDER / f"{name}.csv").exists()


def test_simulated_points_stand_beside_their_lines_in_the_csv():
    (_, chart), *_ = lab.EXPERIMENTS["laplace-mean"].panels(SHORT)
    assert table(chart).count("\n") == 1 + sum(len(series.x) for series in chart.series)
    assert {series.style for series in chart.series} == {"line", "dots"} and lab_local.D == 16
