"""The scroll position reveals which questions a person was asked. No browser writes it down (P1)."""

import re
import struct

import pytest

from tests.services import chromium, session_files
from tests.services.firefox import Firefox
from tests.services.profile import Profile
from tests.support.engines import ENGINES, Chromium
from tests.support.respondents import open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

MORE = [
    {"key": f"more_{i}", "kind": "single_choice", "text": f"And {i}?", "alpha": "1", "options": ["a", "b", "c"]}
    | {"asked_if": {"question": "there", "options": [0]}}
    for i in range(10)
]
DRAFT = {
    "title": "Places",
    "questions": [
        {"key": "there", "kind": "yes_no", "text": "Were you ever there?", "alpha": "1"},
        *MORE,
        {"key": "age", "kind": "mean", "text": "How old?", "alpha": "1", "low": "0", "high": "100", "unit": "years"},
    ],
}
# Scroll to the last question, with any scrolling element, and return the distance.
SCROLL = """document.querySelector(".finish").scrollIntoView();
  return Math.max(document.body.scrollTop, document.documentElement.scrollTop)"""
SEEN = 777


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("scroll"), DRAFT)


def written(firefox, width, shown):
    """Return Firefox's record of the tab. Firefox records changes of the window and of the tab at separate
    moments. So the function changes the window once more, and returns the record after that."""
    files = firefox.directory / "profile"

    def newest(width):
        state = session_files.of_firefox(files)
        return f'"width":{width}' in state and shown in state and state

    for each in (width, width - 1):
        firefox.resize(each)
        state = firefox.until(lambda each=each: newest(each), "the state of the tabs in its file")
    return state


def test_firefox_writes_down_no_place_among_the_questions(system, survey):
    firefox, places = Firefox({"browser.sessionstore.interval": 500}), []
    try:
        keys_scroll(firefox, survey)
        for width, answer in ((990, "Yes"), (980, "No")):
            firefox.go("about:blank")  # the same URL again would keep the scroll position
            firefox.go(survey.page)
            firefox.click(firefox.named("radio", answer, firefox.named("radiogroup", "Were you ever there?")))
            firefox.type(firefox.named("textbox", "How old?"), "33.77")
            places.append(firefox.run(SCROLL))
            state = written(firefox, width, survey.slug)
            assert not re.findall(r'"(?:scroll|formdata|zoom)":[^,]*', state) and "33.77" not in state
        firefox.go(f"{system.url}/lab/")
        firefox.run(f"scrollTo(0, {SEEN})")
        assert written(firefox, 970, f'"scroll":"0,{SEEN}"'), "the search finds what is written"
    finally:
        firefox.stop()
    assert places[0] > places[1] + 1000, "the answers lead to different places"


def test_chromium_writes_down_no_place_among_the_questions(system, survey, tmp_path):
    places = []
    with chromium.playwright() as playwright:
        profile = Profile(playwright, tmp_path)
        profile.page.goto(survey.page)
        for answer in ("Yes", "No"):
            profile.page.reload()
            profile.page.get_by_role("radio", name=answer, exact=True).first.click()
            profile.page.get_by_role("textbox").fill("33.77")
            places.append(round(profile.page.evaluate(f"() => {{ {SCROLL} }}")))
            profile.page.on("dialog", lambda dialog: dialog.accept())
        profile.page.goto(f"{system.url}/lab/")
        profile.page.evaluate(f"scrollTo(0, {SEEN})")
        profile.page.goto(f"{system.url}/")
        profile.quit()
    data = session_files.of_chromium(tmp_path)
    assert survey.slug.encode() in data and b"33.77" not in data
    assert struct.pack("<2i", 0, SEEN) in data, "the search finds what is written"
    assert not [place for place in places if struct.pack("<2i", 0, place) in data]
    assert places[0] > places[1] + 1000, "the answers lead to different places"


PAGE_DOWN = "\ue00f"


def keys_scroll(engine, survey):
    """Scroll by keys before anything has the focus."""
    engine.go(survey.page)
    engine.sees("Were you ever there?")
    if isinstance(engine, Chromium):
        engine._page.keyboard.press("PageDown")
    else:
        (body,) = engine.run("return [document.body]")
        engine.command("ElementSendKeys", body, text=PAGE_DOWN)
    engine.until(lambda: engine.run("return document.body.scrollTop > 100"), "the page further down")


def test_keys_scroll_the_questions_before_anything_has_the_focus(survey, page):
    """Firefox is tested above, where it does not write the scroll position."""
    keys_scroll(Chromium(page), survey)
    with ENGINES["webkit"]() as webkit:
        keys_scroll(webkit, survey)
