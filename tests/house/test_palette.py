"""One palette: the styles copy it, no other file states a colour, and the colours are legible and distinct."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from ldp import strength
from surveys.figures import styles
from surveys.figures.palette import PALETTE, SCHEMES, colour
from surveys.respondent.page import assets
from tests.support.colours import BLIND, contrast, difference

SURVEYS = Path(__file__).parents[2] / "surveys"
STEPS = [name.replace("_", "-") for name in strength.STEPS]
GROUNDS = ("paper", "card", "tint", "faint", "warn-soft")
TEXTS = ("ink", "quiet", "accent", "warn", "alarm", *STEPS)
LINES = ["edge", "zero", "estimate", "interval", "aside-estimate", "aside-interval"]
LINES += [name for name in PALETTE if name.startswith("curve-")]
TOLD_APART = 12  # a difference of colours, CIE 1976; side by side, a difference of about 2 can be seen
STATED = re.compile(r"#[0-9a-fA-F]{6}\b|\b(?:rgba?|hsla?|oklch|oklab)\(")
WHITE = {"#ffffff"}  # of paper, and behind QR codes


@pytest.mark.parametrize("sheet", styles.SHEETS)
def test_the_styles_hold_the_palettes_colours(sheet):
    assert (styles.STATIC / sheet).read_text(encoding="utf-8") == styles.written(sheet), "run `make styles`"


def test_the_pinned_page_has_the_palettes_colours():
    text = assets.asset(assets.STYLE).content.decode()
    light, dark = (re.findall(r"--([\w-]+):(#\w+)[;}]", part) for part in text.split("(prefers-color-scheme:dark)"))
    for scheme, pairs in zip(SCHEMES, (light, dark), strict=True):
        assert set(STEPS) < {name for name, _ in pairs}
        assert dict(pairs) == {name: colour(name, scheme) for name, _ in pairs}


def test_designer_and_respondent_see_a_strength_in_its_own_colour():
    """Both pages mark a step by its number or its name, and read the variable of that name."""
    studio = (styles.STATIC / "designer/steps.css").read_text(encoding="utf-8")
    page = (styles.STATIC / "respond/respond.css").read_text(encoding="utf-8")
    for place, name in enumerate(STEPS):
        assert f".step.{name}, .track .{name} {{ --step: var(--{name}); }}" in studio
        assert f".step-{place} {{ --step: var(--{name}); }}" in page


@pytest.mark.parametrize("sheet", styles.SHEETS)
def test_a_style_reads_only_what_is_defined(sheet):
    files = [file for folder in styles.SHEETS[sheet] for file in (styles.STATIC / folder).glob("*.css")]
    defined = {name for file in files for name in re.findall(r"--([\w-]+):", file.read_text(encoding="utf-8"))}
    assert styles.uses(sheet) - defined <= {"scale"}  # the builder's script sets it


def test_no_other_file_states_a_colour():
    stated = {}
    for path in sorted(file for kind in ("css", "html", "svg", "js", "py") for file in SURVEYS.rglob(f"*.{kind}")):
        text = path.read_text(encoding="utf-8")
        text = re.sub(re.escape(styles.BEGIN) + ".*?" + re.escape(styles.END), "", text, flags=re.DOTALL)
        if colours := set(STATED.findall(text)) - WHITE:
            stated[path.relative_to(SURVEYS).as_posix()] = colours
    assert stated.pop("static/respond/icon.svg") == {PALETTE["accent"].light}
    assert set(stated) == {"figures/palette.py"}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_can_be_read_on_every_ground(scheme):
    """WCAG requires a contrast of at least 4.5."""
    pairs = [*itertools.product(TEXTS, GROUNDS), ("on-accent", "accent"), ("ink", "interval")]
    found = {pair: contrast(*(colour(name, scheme) for name in pair)) for pair in pairs}
    assert {pair: value for pair, value in found.items() if value < 4.5} == {}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_line_can_be_told_from_the_card(scheme):
    """WCAG requires a contrast of at least 3 for graphics."""
    found = {name: contrast(colour(name, scheme), colour("card", scheme)) for name in LINES}
    assert {name: value for name, value in found.items() if value < 3} == {}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("eyes", [np.eye(3), *BLIND.values()], ids=["usual", *BLIND])
def test_the_strengths_can_be_told_apart_by_colour(scheme, eyes):
    for one, other in itertools.combinations(STEPS, 2):
        assert difference(colour(one, scheme), colour(other, scheme), eyes) > TOLD_APART, (one, other)
