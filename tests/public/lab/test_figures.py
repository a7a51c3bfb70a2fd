"""The lab's figures have ldp's numbers to scale, equal points in SVG and CSV, and their parameters in their names."""

import csv
import functools
import gzip
import io
import math
import re
import xml.etree.ElementTree as ElementTree

import pytest
from django.test import Client

from ldp.central import bounds, composition, exponential, gaussian, laplace, proportion, shared, shuffled, trust, tulap
from surveys.figures.layout import WIDTHS
from surveys.figures.svg import SVG
from surveys.figures.themes import THEMES
from surveys.public.lab import drawing, layout
from surveys.public.lab.curves import forms
from surveys.public.lab.curves.charts import Axis, IntervalSpans, Lines, Series, table
from surveys.public.lab.figures import FIGURES
from surveys.public.lab.inputs import chosen_numbers, read

pytestmark = pytest.mark.django_db

CHOSEN = {"n": "200", "alpha": "0.5", "d": "3", "shares": "20", "delta": "0.001"}


FORMS = ("all asked of everyone", "one question for each", "forms, randomized together", "what no one can beat")


def fetch(address, query=None, **headers):
    return Client(headers=headers).get(f"/lab/figures/{address}", query or {})


def chart(name, query=None):
    return made(name, tuple((query or {}).items()))


@functools.cache  # several tests use the same figure
def made(name, query):
    form = read(dict(query), FIGURES[name].uses)
    assert form.is_valid()
    return FIGURES[name].chart(chosen_numbers(form))


def points(name, label, query=None):
    (series,) = (series for series in chart(name, query).series if series.label == label)
    return list(zip(series.x, series.y, strict=True))


# Numbers --------------------------------------------------------------------------------------------------------------


def test_errors_of_a_share_are_ldps():
    for n, error in points("people", "Local: this system", CHOSEN):
        assert error == pytest.approx(100 * trust.standard_errors(int(n), 0.5, 3, 0.2).local)
    for alpha, error in points("alphas", "Trusted curator", CHOSEN):
        assert error == pytest.approx(100 * math.sqrt(0.16 / 200 + laplace.noise_variance(1, alpha / 2) / 200**2))


def test_prices_of_a_survey_in_forms_are_those_of_the_formulas():
    """20 yes/no questions (M35), over the 1/4 without privacy. At a total of 2, asking everyone everything costs 4
    times 100, one question each 4 times 8.62, pairs 4 times 6.61."""
    query = {"questions": "20"}
    found = {label: dict(points("forms-alphas", label, query)) for label in FORMS}
    for alpha, price in found["all asked of everyone"].items():
        assert price == pytest.approx(1 / math.tanh(alpha / 40) ** 2)
    for alpha, price in found["one question for each"].items():
        assert price == pytest.approx(20 / math.tanh(alpha / 2) ** 2)
    for alpha in found["what no one can beat"]:
        best, bound = found["forms, randomized together"][alpha], found["what no one can beat"][alpha]
        assert bound <= best <= 1.45 * bound and best <= found["one question for each"][alpha]
    at_2 = forms.prices(2.0, 20)
    assert (at_2.size, round(at_2.everything), at_2.alone) == (2, 401, pytest.approx(34.48, abs=0.01))
    assert at_2.together == pytest.approx(20 / 2 * ((math.e**2 + 3) / (math.e**2 - 1)) ** 2)


def test_surveys_of_more_options_are_those_of_the_planner():
    """M35 has five questions of 3, 5, 4, 6 and 6 options, and ten questions of five, at totals of 2 and 4."""
    five, ten = forms.surveys(2.0)
    assert (five.options, ten.options) == ((3, 5, 4, 6, 6), (5,) * 10)
    assert [round(price, 2) for price in (five.everything, five.alone, five.proposed)] == [95.62, 15.35, 15.35]
    assert [round(price, 2) for price in (ten.everything, ten.alone, ten.proposed)] == [402.89, 31.78, 31.78]
    assert (five.forms, ten.forms) == ((1,) * 5, (1,) * 10)
    four, _ = forms.surveys(4.0)
    # Some of the five questions are in two forms.
    assert round(four.proposed, 2) == 4.80 and four.forms == (2, 2, 2, 2)
    assert forms.surveys(0.01)[0].everything is None, "alpha is too small to be shared out"


def test_powers_sizes_and_coverage_are_ldps():
    for share, chance in points("power", "curator, most powerful"):
        assert chance == pytest.approx(tulap.power(1000, 0.25, share, 1.0, 0.05))
    for level, ratio in points("size", "curator, most powerful"):
        assert ratio == pytest.approx(1, rel=1e-6)
        assert dict(points("size", "curator, normal"))[level] == pytest.approx(
            proportion.normal_power(1000, 0.25, 0.25, 1.0, level) / level
        )
    assert {chance for _, chance in points("coverage", "most powerful: as promised")} == {0.95}
    assert min(chance for _, chance in points("coverage", "fiducial, outer rules", {"n": "50"})) >= 0.95


def test_noises_at_equal_guarantee_keep_it_and_at_equal_variance_have_it():
    for delta, deviation in points("deviations", "Gaussian", {"alpha": "0.5"}):
        assert gaussian.delta(0.5, deviation) == pytest.approx(delta, rel=1e-6)
    for alpha, delta in points("deltas", "Laplace", {"alpha": "2"}):
        assert alpha < 2 and delta == pytest.approx(1 - math.exp((alpha - 2) / 2))
    for name, series in (("Laplace", 1), ("Gaussian", 0), ("OSGT", 0)):
        pairs = points("densities", name, {"alpha": "1", "delta": "0.01"})
        width = pairs[1][0] - pairs[0][0]
        assert sum(y for _, y in pairs) * width == pytest.approx(1, abs=0.02), (name, series)
    assert dict(points("missing", "delta at the chosen alpha", {"n": "10"}))[0.9] == shared.missing_delta(9, 10, 1.0)


def test_what_adds_up_and_what_bounds_is_ldps():
    optimal = dict(points("releases", "optimal", {"alpha": "0.1"}))
    assert optimal[1000] == pytest.approx(composition.optimal(0.1, 1000, 1e-6))
    readers = dict(points("readers", "readers"))
    assert readers[10.0] == pytest.approx(1, abs=1e-4) and readers[100_000] == pytest.approx(
        shuffled.guarantee(1.0, 100_000, 1e-6)
    )
    assert {alpha for _, alpha in points("readers", "the server: a report's own alpha")} == {1.0}
    best = max(y for _, y in points("two-points", "Trusted curator", {"n": "100", "alpha": "0.01"}))
    assert 0.99 * bounds.private_le_cam(100, 0.01) < best <= bounds.private_le_cam(100, 0.01) * (1 + 1e-9)
    for votes, chance in points("majority", "inverse sensitivity"):
        assert chance == exponential.majority_error(int(votes), 1.0)
        assert dict(points("majority", "no one does better"))[votes] <= chance
        assert chance <= dict(points("majority", "exponential mechanism"))[votes]
    done = dict(points("one-share", "Trusted curator"))
    for n, least in points("one-share", "bound, curator"):
        assert least < done[n]


def test_equal_answers_are_told_where_they_are_moved_first():
    rows = {row.label: row for row in chart("quartiles", {"n": "300"}).rows}
    true = rows["Upper quartile, moved first"].point
    near, far = (
        abs(end - true) for end in (rows["Upper quartile, moved first"].high, rows["Upper quartile, as they are"].high)
    )
    assert near < 100 < far
    plain, moved = (dict(points("atoms", f"answers {way}", {"n": "300"})) for way in ("as they are", "moved first"))
    assert plain[0.0] == pytest.approx(moved[0.0], rel=0.3) and plain[0.6] > 5 * moved[0.6]


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_says_what_it_shows_and_is_finite(name):
    for query in ({}, CHOSEN):
        found = chart(name, query)
        assert len(found.says) > 20
        if isinstance(found, Lines):
            for series in found.series:
                assert series.x and all(map(math.isfinite, series.x + series.y)), series.label
            assert not found.x.log or min(x for series in found.series for x in series.x) > 0
            assert not found.y.log or min(y for series in found.series for y in series.y) > 0


# Format ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_plain_svg_of_the_announced_size(name):
    variants = [(theme, width) for theme in THEMES for width in WIDTHS]
    for theme, width in variants if name in ("intervals", "people") else variants[1:3]:
        response = fetch(f"{name}-{theme}-{width}.svg", CHOSEN)
        assert response.status_code == 200 and response["Content-Type"] == "image/svg+xml"
        root = ElementTree.fromstring(response.content)
        size = layout.size(FIGURES[name].rows, width)
        assert (root.get("width"), root.get("height")) == tuple(map(str, size))
        assert root.find(f"{{{SVG}}}title").text == str(FIGURES[name].title)
        assert not any(element.get("style") or element.tag.endswith(("style", "script")) for element in root.iter())
        assert THEMES[theme].card in response.content.decode()
        texts = [element.text for element in root.iter(f"{{{SVG}}}text")]
        found = chart(name, CHOSEN)
        labels = (
            [row.label for row in found.rows] if isinstance(found, IntervalSpans) else [s.label for s in found.series]
        )
        assert {label for label in labels if label} <= set(texts)


def test_lines_stand_where_the_numbers_are():
    """The scale follows the first and last labelled line of the grid, in the logarithm if the axis is logarithmic."""
    lines = Lines(
        Axis("x", log=True), Axis("y", low=0, high=1), (Series("a", "local", (1.0, 10.0, 100.0), (0.0, 0.25, 1.0)),), ""
    )
    root = ElementTree.fromstring(drawing.draw(lines, "title", "light", "wide"))
    (path,) = (p for p in root.iter(f"{{{SVG}}}path") if p.get("clip-path") and p.get("stroke-width") == "2")
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path.get("d"))]
    xs, ys = numbers[::2], numbers[1::2]
    assert (xs[1] - xs[0]) == pytest.approx(xs[2] - xs[1], abs=0.01)
    assert (ys[1] - ys[0]) / (ys[2] - ys[0]) == pytest.approx(0.25, abs=0.001)


def test_the_csv_has_every_point():
    for name in ("power", "quartiles"):
        response = fetch(f"{name}.csv", CHOSEN)
        assert response["Content-Type"].startswith("text/csv") and "attachment" in response["Content-Disposition"]
        rows = list(csv.reader(io.StringIO(response.content.decode())))
        found = chart(name, CHOSEN)
        count = len(found.rows) if isinstance(found, IntervalSpans) else sum(len(series.x) for series in found.series)
        assert len(rows) == count + 1
        if isinstance(found, Lines):
            assert float(rows[1][2]) == found.series[0].y[0]
    assert table(IntervalSpans(Axis("x"), (), "")) == "row,low,high,point\n"


def test_a_figure_is_named_by_the_numbers_that_it_uses():
    first = fetch("majority-light-wide.svg", {"alpha": "2"})
    assert first["ETag"] == fetch("majority-light-wide.svg", {"alpha": "2.0", "n": "7", "d": "no number"})["ETag"]
    assert first["ETag"] != fetch("majority-light-wide.svg", {"alpha": "3"})["ETag"]
    assert "public" in first["Cache-Control"] and "max-age=600" in first["Cache-Control"] and "Set-Cookie" not in first
    assert fetch("majority-light-wide.svg", {"alpha": "2"}, **{"If-None-Match": first["ETag"]}).status_code == 304
    packed = fetch("majority-light-wide.svg", {"alpha": "2"}, **{"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.content) == first.content


@pytest.mark.parametrize(
    "address",
    ["no-light-wide.svg", "power-pink-wide.svg", "power-light-huge.svg", "no.csv", "power-light-wide.svg?n=0",
     "power-light-wide.svg?alpha=x", "power.csv?shares=200", "power.csv?n="],
)  # fmt: skip
def test_there_are_no_other_figures(address):
    assert Client().get(f"/lab/figures/{address}").status_code == 404


@pytest.mark.parametrize(
    ("low", "high", "most"), [(1, 1000, 6), (0.3, 0.9, 6), (1e-12, 0.1, 6), (10, 100_000, 7), (5, 6, 4)]
)
def test_logarithmic_axes_have_a_few_round_labels(low, high, most):
    ticks = drawing.log_ticks(low, high, most)
    assert len(ticks) <= most + 2 and all(low * 0.999 <= tick <= high * 1.001 for tick in ticks)
    assert ticks or high / low < 2


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(1e-9, "", "10⁻⁹"), (5e-7, "", "5·10⁻⁷"), (0.01, "", "0.01"), (20_000, "", "20,000"), (0.25, "%", "25%"),
     (1e7, "", "10⁷"), (0, "", "0"), (-2.5, "", "−2.5"), (0.005, "%", "0.5%")],
)  # fmt: skip
def test_labels_of_axes_are_short(value, unit, text):
    assert drawing.tick(value, unit) == text
