"""Words in pictures: joined letters, the script's direction, each line as a whole, and room in every language."""

import io
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from PIL import Image

from surveys.figures import labels, layout
from surveys.figures.heat import Heat, HeatCell
from surveys.figures.heat import draw as draw_heat
from surveys.figures.picture import picture
from surveys.figures.svg import SVG, apart

FIRST_STRONG, POP, LEFT, RIGHT = "\u2068", "\u2069", "\u200e", "\u200f"


def ink(text):
    """Return the dark rows of each column between the first and the last dark pixel of a PNG of the text."""
    png = picture(
        200, 60, "#ffffff", "x", lambda figure: figure.text(0.2, 0.5, text, fontsize=24, color="#000000"), "png"
    )
    dark = np.asarray(Image.open(io.BytesIO(png)).convert("L")).T < 128
    columns = np.flatnonzero(dark.any(axis=1))
    return dark[columns[0] : columns[-1] + 1]


def test_letters_of_arabic_are_joined():
    joined, alone = ink("بب"), ink("ب ب")
    assert joined.any(axis=1).all() and not alone.any(axis=1).all()


def test_arabic_runs_from_right_to_left():
    """The letters are beh and alef. The tall alef is second, so it is on the left."""
    heights = [int(np.ptp(np.flatnonzero(column))) for column in ink("با")]
    assert heights.index(max(heights)) < len(heights) / 2


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("How do you go?", ["How do", "you", "go?"]),
        ("أخرى (مثل Uber) اليوم", ["أخرى", "(مثل", f"{RIGHT}Uber)", "اليوم"]),
        ("Taxi أو سيارة", ["Taxi", f"{LEFT}أو", f"{LEFT}سيارة"]),
        ("عام 2026", ["عام", f"{RIGHT}2026"]),
    ],
)
def test_every_line_reads_in_the_direction_of_the_whole_text(text, lines):
    assert labels.wrap(text, 6, 9) == lines


@pytest.mark.parametrize("text", ["مجال 95%", f"{LEFT}استبيان. Release 1"])
def test_an_svg_sets_texts_from_right_to_left_apart_and_leaves_others_as_they_are(text):
    def paint(figure):
        figure.text(0.1, 0.5, text)
        figure.text(0.1, 0.2, "95% interval")

    cells = [[HeatCell("12", "10 to 14", 0.5, 0)]]
    for svg in (
        picture(100, 50, "#ffffff", text, paint),
        draw_heat(Heat("x", "rows", "columns", [text], ["95% interval"], cells), "light"),
    ):
        written = [element.text for element in ElementTree.fromstring(svg).iter(f"{{{SVG}}}text")]
        assert FIRST_STRONG + text + POP in written and "95% interval" in written
    assert apart("–5%") == "–5%"


@pytest.mark.parametrize("word", ["Mean", "Mittelwert", "المتوسط"])
def test_the_word_for_a_mean_has_room_before_its_line(monkeypatch, word):
    monkeypatch.setattr(layout, "_", lambda text: word)
    category = {"estimate": 5.0, "population": {"standard_error": 0.1}}
    plan = layout.number_line({"low": "0", "high": "10", "methods": [{"categories": [category]}]}, "wide")
    assert len(word) * layout.CHARACTER <= plan.left - 14
