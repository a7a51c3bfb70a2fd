"""The plots have the document's numbers to scale, equal bytes for equal numbers, and nothing that a policy forbids."""

import itertools
import json
import os
import re
import subprocess
import sys
import threading
import xml.etree.ElementTree as ElementTree

import pytest
from django.conf import settings
from django.test import Client

from surveys.figures import labels, layout, numerals
from surveys.figures.svg import SVG
from surveys.figures.themes import THEMES
from surveys.researcher.results import pictures, plots
from surveys.survey import kinds
from tests.support.estimates import HOSTILE, LARGE, ODD, document_of, released, with_totals
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db

VARIANTS = list(itertools.product(THEMES, layout.WIDTHS))


def questions(draft, n=30):
    return document_of(released(n, draft))["questions"]


def fetch(survey, key="yes", theme="light", width="wide", **headers):
    return Client(headers=headers).get(f"/r/{survey.slug}/plots/{key}-{theme}-{width}.svg")


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter(f"{{{SVG}}}text")]


# The picture says what the table says ---------------------------------------------------------------------------------


def scale(root, axis):
    """Return the function from a coordinate to percent, by the first and the last labelled line of the grid."""
    at = {}
    for element in root.iter(f"{{{SVG}}}g"):
        labels = [label.text for label in element.iter(f"{{{SVG}}}text")]
        if re.fullmatch(rf"{axis}tick_\d+", element.get("id", "")) and labels:
            numbers = coordinates(next(element.iter(f"{{{SVG}}}path")))
            at[float(labels[0].rstrip("%").replace(numerals.MINUS, "-"))] = numbers["xy".index(axis)]
    (low, start), *_, (high, end) = sorted(at.items())
    return lambda place: low + (high - low) * (place - start) / (end - start)


def coordinates(path):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path.get("d"))]


def drawn(svg, axis, **attributes):
    """Return the span of each path with these attributes along the axis, in percent, in the order of the options."""
    root, wanted = ElementTree.fromstring(svg), {name.replace("_", "-"): value for name, value in attributes.items()}
    percent = scale(root, axis)
    paths = [
        path for path in root.iter(f"{{{SVG}}}path") if path.get("clip-path") and wanted.items() <= path.attrib.items()
    ]
    return [sorted(map(percent, coordinates(path)["xy".index(axis) :: 2])) for path in paths]


@pytest.mark.parametrize(("theme", "width"), VARIANTS)
@pytest.mark.parametrize("index", range(3))
def test_dots_lines_and_bands_stand_where_the_numbers_are(index, theme, width):
    question = questions(DRAFT)[index]
    accent, band = THEMES[theme].accent, THEMES[theme].band
    svg = plots.draw(question | {"prefer_not_to_say": False}, 0.95, theme, width)
    axis = "y" if question["kind"] == "histogram" else "x"
    together = drawn(svg, axis, stroke=accent, stroke_width="1.6")
    alone = drawn(svg, axis, stroke=band, stroke_width="8")
    dots = drawn(svg, axis, stroke_width="1.5")
    for category, line, thick, dot in zip(question["methods"][0]["categories"], together, alone, dots, strict=True):
        about = category["population"]
        told = [*about["simultaneous"], *about["interval"], category["estimate"]]
        assert [*line, *thick, *dot] == pytest.approx([100 * value for value in told], abs=0.01)


def test_every_option_is_written_with_the_tables_number():
    question = questions(DRAFT)[1]
    decimals = numerals.decimals_of(question["methods"][0])
    shares = [numerals.share(c["estimate"], decimals) + "%" for c in question["methods"][0]["categories"]]
    for theme, width in VARIANTS:
        written = texts(plots.draw(question, 0.95, theme, width))
        assert all(written.count(text) >= 1 for text in [*question["options"], *shares])


def test_an_estimate_where_no_share_can_be_is_a_hollow_dot():
    document = with_totals(released(), 60, yes={"support": [58, 2]})
    root = ElementTree.fromstring(plots.draw(document["questions"][0], 0.95, "light", "wide"))
    dots = [use.get("fill") for use in root.iter(f"{{{SVG}}}use") if use.get("stroke-width") == "1.6"]
    assert dots[-2:] == [THEMES["light"].card] * 2


# The same numbers, the same bytes -------------------------------------------------------------------------------------

AGAIN = (
    "import json, sys, django; django.setup(); from surveys.researcher.results import plots; "
    "sys.stdout.buffer.write(plots.draw(*json.load(sys.stdin)))"
)


@pytest.mark.slow
def test_another_process_draws_the_same_bytes(tmp_path):
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 9\naxes.facecolor: red\n")
    arguments = [questions(ODD)[0], 0.95, "dark", "narrow"]
    env = os.environ | {"PYTHONPATH": str(settings.BASE_DIR), "PYTHONHASHSEED": "7"}
    command, stdin = [sys.executable, "-c", AGAIN], json.dumps(arguments).encode()
    done = subprocess.run(command, input=stdin, capture_output=True, env=env, cwd=tmp_path)
    assert done.stdout == plots.draw(*arguments), done.stderr.decode()


@pytest.mark.slow
def test_threads_draw_the_same_bytes():
    jobs = [(question, 0.95, theme, width) for question in questions(DRAFT) for theme, width in VARIANTS]
    expected, got = [plots.draw(*job) for job in jobs], {}
    threads = [
        threading.Thread(target=lambda i=i: got.update({i: [plots.draw(*job) for job in jobs]})) for i in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(got[i] == expected for i in range(3))


def test_a_plot_is_drawn_once_and_named_by_its_numbers(monkeypatch):
    survey = released(results_public=True)
    pictures.PLOTS.clear()
    first = fetch(survey)
    monkeypatch.setattr(plots, "draw", lambda *_: pytest.fail("it was drawn again"))
    again = fetch(survey)
    assert first.content == again.content and first["Content-Type"] == "image/svg+xml"
    assert fetch(survey, **{"If-None-Match": first["ETag"]}).status_code == 304
    assert "public" in first["Cache-Control"] and "Set-Cookie" not in first
    monkeypatch.undo()
    with_totals(survey, 60, yes={"support": [21, 39]})
    changed = fetch(survey, **{"If-None-Match": first["ETag"]})
    assert changed.status_code == 200 and changed["ETag"] != first["ETag"] and changed.content != first.content


def test_the_page_names_the_picture_by_its_content():
    survey = released(results_public=True)
    page = Client().get(f"/r/{survey.slug}/?target=population").content.decode()
    for etag in re.findall(r"yes-light-wide\.svg\?(\w+)", page):
        assert etag in fetch(survey)["ETag"]


@pytest.mark.parametrize("address", ["no-light-wide", "yes-pink-wide", "yes-light-huge", "many-light-", "-light-wide"])
def test_there_are_no_other_plots(address):
    survey = released(20, results_public=True)
    assert Client().get(f"/r/{survey.slug}/plots/{address}.svg").status_code == 404


def test_the_bins_of_a_histogram_have_the_surveys_own_names():
    """Names are side by side if they fit below the bars, else upright; many bins show those that fit and both ends."""
    for edges, unit in ((["15", "20", "25", "30"], "years"), ([str(1000 * i) for i in range(31)], "euro")):
        question = {"key": "q", "kind": "histogram", "text": "How many?", "unit": unit, "edges": edges, "alpha": "4"}
        survey = released(60, {"title": "Bins", "questions": [question]}, results_public=True)
        names = survey.questions[0]["options"]
        for width in ("wide", "narrow"):
            words = " ".join(line or "" for line in texts(fetch(survey, "q", width=width).content))
            shown = [name for name in names if name in words]
            assert shown == names if len(names) < 9 else {names[0], names[-1]} < set(shown)
            assert "≤" not in words and "≥" not in words


# Format ---------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("draft", [DRAFT, ODD, LARGE], ids=["three kinds", "odd texts", "256 options"])
def test_every_variant_is_plain_svg_of_the_announced_size(draft):
    # A large plot takes half a second: each theme and each width once.
    variants = VARIANTS[::3] if draft is LARGE else VARIANTS
    for question, (theme, width) in itertools.product(questions(draft, 20), variants):
        svg, plan = plots.draw(question, 0.95, theme, width), kinds.of(question).layout(question, width)
        root = ElementTree.fromstring(svg)
        assert (root.get("width"), root.get("height")) == (str(plan.width), str(plan.height))
        assert root.find(f"{{{SVG}}}title").text == question["text"]
        assert not any(element.get("style") or element.tag.endswith(("style", "script")) for element in root.iter())
        assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]
        assert THEMES[theme].card in svg.decode()


def test_texts_stay_text():
    question = questions(ODD)[0] | {"options": [HOSTILE, "a\0b\uffff", *"cdef"]}
    written = "".join(texts(plots.draw(question, 0.95, "light", "wide")))
    assert "$x^2$" in written and "<b>" in written and "a b" in written


@pytest.mark.parametrize(
    ("text", "columns", "lines", "expected"),
    [
        ("White-collar work", 20, 3, ["White-collar work"]),
        ("one two three", 8, 3, ["one two", "three"]),
        ("大麻以外の薬物を", 10, 3, ["大麻以外の", "薬物を"]),
        ("x" * 50, 7, 3, ["xxxxxxx", "xxxxxxx", "xxxxxx…"]),
        ("line\nbreak", 20, 3, ["line break"]),
        ("", 10, 3, [""]),
    ],
)
def test_labels_break_at_blanks_and_never_leave_their_column(text, columns, lines, expected):
    assert labels.wrap(text, columns, lines) == expected


def test_only_a_request_for_a_plot_imports_matplotlib():
    code = "import django; django.setup(); import surveys.urls, sys; sys.exit('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def test_matplotlib_writes_into_the_data_directory_only(tmp_path):
    home, data = tmp_path / "home", tmp_path / "data"
    home.mkdir()
    env = os.environ | {"HOME": str(home), "DATA_DIR": str(data), "MPLCONFIGDIR": str(home / "own")}
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        env.pop(name, None)
    code = "import django; django.setup(); import surveys.researcher.results.plots"
    subprocess.run([sys.executable, "-c", code], cwd=settings.BASE_DIR, env=env, check=True)
    assert not list(home.iterdir()) and (data / "matplotlib").is_dir()
