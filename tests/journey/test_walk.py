"""Walks through the studio. A designer reads and presses little, meets no barrier, and sees all of “Open” at once."""

import pytest

from benchmarks.walk import WINDOW, Walk, first, form_and_files, groups, languages, together
from tests.support.accessibility import violations

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]
SCROLLED = """() => [...document.querySelectorAll(".scroll")].filter(
  (region) => region.checkVisibility() && region.scrollWidth > region.clientWidth).map((region) => region.innerText)"""
ENDS = ["At a time or a number", "Publish once", "By hand"]
# The model's limits of clicks, words and minutes. Where the model has none, the limit is a tenth above the need.
LIMITS = [
    pytest.param(first, 60, 1500, 9.0, id="a first survey"),
    pytest.param(languages, 100, 2600, 15.1, id="two languages", marks=pytest.mark.slow),
    pytest.param(groups, 30, 2800, 13.7, id="four departments", marks=pytest.mark.slow),
    pytest.param(form_and_files, 23, 2520, 11.7, id="an XLSForm", marks=pytest.mark.slow),
    pytest.param(together, 22, 1010, 5.7, id="two designers", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("walk", "clicks", "words", "minutes"), LIMITS)
def test_a_walk_takes_at_most_so_many_clicks_words_and_minutes(system, page, walk, clicks, words, minutes):
    page.set_viewport_size(WINDOW)

    def look(shown, title):
        assert violations(shown) == [], title
        assert "%(" not in shown.locator("body").inner_text(), title
        if title == "Open":
            for name in ENDS:
                shown.get_by_label(name).check()
                button = shown.get_by_role("button", name="Open the survey").bounding_box()
                assert button["y"] + button["height"] <= WINDOW["height"], f"“Open” is one screen: {name}"
            shown.get_by_label("Publish once").uncheck()
        if title == "Results":
            shown.set_viewport_size({"width": 390, "height": 844})
            assert not shown.evaluate(SCROLLED), "each table fits a phone"
            shown.set_viewport_size(WINDOW)

    walked = Walk(page, system, f"walker-{walk.__name__}", look)
    walk(walked)
    assert walked.words <= words, walked.pages
    assert walked.clicks <= clicks
    assert walked.minutes <= minutes
