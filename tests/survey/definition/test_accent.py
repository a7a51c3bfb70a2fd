"""A survey's own accent colour: refused colours, the dark page's variant, and no other change."""

import colorsys
import itertools
import json
import random

import pytest
from django.utils import translation

from surveys.designer.xlsform import writer
from surveys.figures.palette import PALETTE, colour
from surveys.survey import definition as definitions
from surveys.survey.definition import accent
from tests.support.colours import contrast
from tests.support.factories import DRAFT

# The colour, its least contrast on the light page, and on the dark page the variant and its least contrast.
ACCEPTED = [
    ("#000000", 17.82, "#999999", 4.58),
    ("#0a5c8f", 6.06, "#6e9fbd", 4.57),
    ("#0f5c56", 6.63, "#74a09d", 4.51),
    ("#1a237e", 11.24, "#9195c1", 4.52),
    ("#6b5900", 5.83, "#a59a63", 4.60),
    ("#7a1fa2", 7.00, "#b786cd", 4.54),
    ("#b00020", 6.21, "#d88090", 4.60),
    ("#c2185b", 4.98, "#dc79a0", 4.53),
    ("#6b6b6b", 4.52, "#999999", 4.58),
]
REFUSED = [("#6c6c6c", "4.45"), ("#8a6d00", "4.17"), ("#ff6600", "2.49"), ("#ffffff", "1.00"), ("#ffee00", "1.01")]
GROUNDS = ("paper", "card", "tint")
LIGHT, DARK = 0, 1


def refusal(value):
    (only,) = definitions.refusals(DRAFT | {"accent": value})
    return only


def ratios(of, scheme):
    """Return the contrasts by the tests' own computation: on each ground, and below a button's words."""
    return [contrast(of, PALETTE[name][scheme]) for name in (*GROUNDS, "on-accent")]


def channels(of):
    return [int(of[i : i + 2], 16) for i in (1, 3, 5)]


def chroma(of):
    return max(channels(of)) - min(channels(of))


def hue(of):
    return colorsys.rgb_to_hls(*(each / 255 for each in channels(of)))[0] * 360


def hundredths(ratio):
    return int(ratio * 100) / 100


def mixed(of, share):
    return "#" + "".join(f"{(each * (100 - share) + 255 * share + 50) // 100:02x}" for each in channels(of))


@pytest.mark.parametrize(("light", "least", "dark", "least_dark"), ACCEPTED)
def test_a_colour_that_can_be_read_is_frozen_with_its_tint_for_the_dark_page(light, least, dark, least_dark):
    assert definitions.build(DRAFT | {"accent": light})["accent"] == {"light": light, "dark": dark}
    assert (hundredths(min(ratios(light, LIGHT))), hundredths(min(ratios(dark, DARK)))) == (least, least_dark)
    assert least >= 4.5 and least_dark >= 4.5


@pytest.mark.parametrize(("light", "ratio"), REFUSED)
def test_one_that_cannot_is_refused_with_its_contrast(light, ratio):
    refused = refusal(light)
    assert (refused.field, refused.code) == ("accent", "accent_contrast")
    assert f"{ratio}:1" in refused.message and f"{hundredths(min(ratios(light, LIGHT))):.2f}" == ratio
    messages = {refused.message}
    for language in ("de", "ar"):
        with translation.override(language):
            messages.add(refused.message)
    assert len(messages) == 3 and all(ratio in each for each in messages)


@pytest.mark.parametrize("value", ["red", "#fff", "0a5c8f", "#0a5c8g", "#0a5c8f ", "#0a5c8f\n", None, 5, ["#0a5c8f"]])
def test_what_is_no_colour_is_refused_by_name(value):
    assert (refusal(value).field, refusal(value).code) == ("accent", "accent_format")


@pytest.mark.statistical
def test_the_tint_is_the_least_that_can_be_read_and_has_the_same_hue(nightly):
    draw = random.Random(7)
    tried = [f"#{draw.randrange(1 << 24):06x}" for _ in range(3000 if nightly else 1000)]
    passed = [each for each in tried if min(ratios(each, LIGHT)) >= 4.5]
    assert len(passed) > len(tried) // 6
    for light in passed:
        dark = accent.lightened(light)
        share = next(k for k in range(101) if min(ratios(mixed(light, k), DARK)) >= 4.5)
        assert dark == mixed(light, share) and share > 0, light
        if chroma(dark) > 40:  # below that, rounding alone changes a gray's hue by more
            apart = abs(hue(light) - hue(dark))
            assert min(apart, 360 - apart) < 2, (light, dark)


def test_every_colour_is_accepted_or_refused_by_its_contrast_alone():
    for three in itertools.product(range(0, 256, 51), repeat=3):
        light = "#" + "".join(f"{each:02x}" for each in three)
        codes = [each.code for each in definitions.refusals(DRAFT | {"accent": light})]
        assert codes == ([] if min(ratios(light, LIGHT)) >= 4.5 else ["accent_contrast"]), light


def test_the_sites_own_accent_passes_its_own_rule():
    assert accent.least_contrast(colour("accent", "light"), "light") >= 4.5
    assert accent.least_contrast(colour("accent", "dark"), "dark") >= 4.5


def test_digits_of_either_case_are_one_colour():
    same = [definitions.canonical(definitions.build(DRAFT | {"accent": each})) for each in ("#0A5c8F", "#0a5c8f")]
    assert same[0] == same[1]


def test_a_survey_without_one_has_the_bytes_that_it_always_had():
    plain, own = (definitions.build(DRAFT | fields) for fields in ({}, {"accent": "#0a5c8f"}))
    assert "accent" not in plain
    assert definitions.canonical(definitions.build(DRAFT | {"accent": ""})) == definitions.canonical(plain)
    assert {name: value for name, value in own.items() if name != "accent"} == plain
    assert json.loads(definitions.canonical(own))["accent"] == {"light": "#0a5c8f", "dark": "#6e9fbd"}
    assert definitions.certified(definitions.canonical(own)) and definitions.certified(definitions.canonical(plain))


def test_a_form_of_others_says_that_it_lacks_the_colour():
    texts = {
        own: [each.text for each in writer.remarks(definitions.build(DRAFT | own_fields))]
        for own, own_fields in (("own", {"accent": "#0a5c8f"}), ("plain", {}))
    }
    assert {*texts["own"]} - {*texts["plain"]} == {"The accent colour of the page."}
