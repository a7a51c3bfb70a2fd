"""The page in another site's frame. The site's policy admits the hosts that the operator names, for all surveys. The
page asks only if its definition names every page around it. The page around it learns nothing of the answers: not from
the history and, in Chromium, not from the focus."""

import pytest

from surveys.designer.studio import frames
from tests.services.firefox import Firefox
from tests.services.webkit import WebKit
from tests.support.journeys import request
from tests.support.respondents import DRAFT, ROUTED, Survey, Visit, open_page, stored_rows

pytestmark = [pytest.mark.browser, pytest.mark.system]

HEADING = "This survey is not shown inside this page"
ALONE = "Open the survey in a window of its own"
FOCUS = """<!doctype html><h1>Focus</h1><p style="height: 2500px"></p><input>
<script>setInterval(() => { document.activeElement.blur(); document.querySelector("input").focus(); }, 200)</script>"""
ENDED = {"completion_code": "C1A2B3D4", "return_link": "https://panel.example.org/done"}


@pytest.fixture(scope="module")
def draft(hosts):
    named, _, survey_alone = hosts
    return DRAFT | ENDED | {"frame_hosts": [named.origin, survey_alone.origin]}


@pytest.fixture(scope="module")
def survey(site, draft, tmp_path_factory):
    return open_page(site, tmp_path_factory.mktemp("framed"), draft)


def held(page, host, inner, path="/"):
    """Return the frame after the host's page is open. The page shows this URL with the studio's HTML."""
    page.goto(host.holds(frames.html(inner, "Survey"), path))
    return page.frame_locator("iframe")


class Framed(Visit):
    """A person at a page that holds a survey."""

    def __init__(self, page, survey, host):
        self.host, self.outside = host, page
        super().__init__(page, survey)

    def load(self):
        self.page = self.outside
        self.page = held(self.page, self.host, self.survey.page)
        self.page.locator("#promise, #outcome").wait_for()
        return self


def test_a_page_that_site_and_survey_name_holds_it_and_its_report_is_recorded(page, site, survey, hosts):
    named, *_ = hosts
    host = named.origin.removeprefix("http://")
    visit = Framed(page, survey, named).load()
    visit.page.locator(".own summary").click()
    visit.sees(f"You see this survey inside a page of {host}.")
    assert page.locator("iframe").evaluate("(frame) => frame.clientHeight") == frames.HEIGHT
    visit.answer().send().is_thanked()
    back = visit.page.get_by_role("link", name="Back to panel.example.org")
    assert back.get_attribute("target") == "_top" and back.get_attribute("href") == ENDED["return_link"]
    [report] = visit.posts
    assert len(stored_rows(site, report)) == 1


def test_a_page_that_the_survey_does_not_name_is_told_so(page, site, survey, hosts, tmp_path):
    _, site_alone, _ = hosts
    for each in (survey, open_page(site, tmp_path)):
        visit = Framed(page, each, site_alone).load()
        assert visit.heading == HEADING and not visit.is_asking
        with page.context.expect_page() as opened:
            visit.page.get_by_role("link", name=ALONE).click()
        own = Visit(opened.value, each)
        own.sees("This page says")
        assert opened.value.url == each.page and own.is_asking and opened.value.evaluate("opener") is None
        assert visit.posts == []


def test_a_page_that_only_the_survey_names_is_kept_out_by_the_browser(page, survey, hosts):
    *_, survey_alone = hosts
    with page.expect_event("console", lambda message: "frame-ancestors" in message.text):
        frame = held(page, survey_alone, survey.page)
    assert frame.locator("#title").count() == 0


def test_every_page_around_it_must_be_named(page, survey, hosts):
    named, site_alone, _ = hosts
    inner = named.holds(frames.html(survey.page, "Survey"), "/inner")
    within = held(page, named, inner).frame_locator("iframe")
    within.locator(".own summary").click()
    within.get_by_text("You see this survey inside a page of").wait_for()
    # The definition names the innermost page, but not the page around it.
    within = held(page, site_alone, inner).frame_locator("iframe")
    within.get_by_role("heading", name=HEADING).wait_for()
    assert within.get_by_role("radio").count() == 0
    # The definition names the outer page, but not the inner one.
    inner = site_alone.holds(frames.html(survey.page, "Survey"), "/inner")
    within = held(page, named, inner).frame_locator("iframe")
    within.get_by_role("heading", name=HEADING).wait_for()


def test_the_headers_name_the_holders_and_are_the_same_for_all_surveys(site, survey, hosts):
    named, site_alone, _ = hosts
    _, headers, body = request(f"{site.url}/s/")
    ancestors = f"frame-ancestors {named.origin} {site_alone.origin}; "
    assert ancestors in headers["Content-Security-Policy"] and "X-Frame-Options" not in headers
    assert survey.slug.encode() not in body
    for path in ("/", "/check/", "/accounts/login/", f"/r/{survey.slug}/"):
        _, others, _ = request(f"{site.url}{path}")
        assert "frame-ancestors 'none'" in others["Content-Security-Policy"] and others["X-Frame-Options"] == "DENY"


def test_all_pages_around_it_must_be_known(page, survey, hosts):
    Framed(page, survey, hosts[0]).load()
    (frame,) = page.main_frame.child_frames
    assert frame.evaluate("async () => (await import('/respond/framed.js')).holders({})") == []
    allows = "async ([origins, named]) => (await import('/respond/framed.js')).allowed(origins, named)"
    one, other = "https://a.org", "https://b.org"
    for origins, named, sound in (
        *(([one], [one], True), ([one, other], [other, one], True), ([one, one], [one], True)),
        *(([], [one], False), ([one, other], [one], False), ([other, one], [one], False), (["null"], [one], False)),
        ([f"{one}:8443"], [one], False),
    ):
        assert frame.evaluate(allows, [origins, named]) is sound, (origins, named)
    assert frame.evaluate("async () => (await import('/respond/framed.js')).allowed(['https://a.org'])") is False


def held_in(browser, holder, inner):
    """Return the frame in a browser of WebDriver. It is so high that the focus may lie far below the window."""
    tall = frames.html(inner, "Survey").replace(f'height="{frames.HEIGHT}"', 'height="3000"')
    browser.go(holder.holds(tall, "/tall"))
    browser.command("SwitchToFrame", browser.run("return document.querySelector('iframe')"), id=0)
    return browser


def test_firefox_which_scrolls_the_page_around_to_the_focus_asks_in_no_frame(survey, hosts):
    named, site_alone, _ = hosts
    firefox = Firefox()
    try:
        for host, why in ((named, "In this browser"), (site_alone, "The survey allows only pages that it names")):
            held_in(firefox, host, survey.page).sees(HEADING)
            firefox.sees(why)
            assert firefox.run("return document.querySelectorAll('[role=radio]').length") == 0
        named.pages["/focus"] = FOCUS
        held_in(firefox, hosts[1], f"{named.origin}/focus").sees("Focus")
        firefox.command("SwitchToParentFrame")
        assert firefox.until(lambda: firefox.run("return scrollY"), "scrolling"), "else it could ask, too"
    finally:
        firefox.stop()


def test_nor_does_webkit_of_which_it_is_not_known(survey, hosts):
    webkit = WebKit()
    try:
        held_in(webkit, hosts[0], survey.page).sees(HEADING)
        webkit.sees("In this browser")
        assert webkit.run("return document.querySelectorAll('[role=radio]').length") == 0
    finally:
        webkit.stop()


def test_both_are_said_in_german_and_arabic(page, site, hosts, tmp_path):
    named, site_alone, _ = hosts
    words = {
        "de": ("innerhalb einer Seite von", "Diese Umfrage wird innerhalb dieser Seite nicht gezeigt"),
        "ar": ("داخل صفحة من", "لا يُعرض هذا الاستبيان داخل هذه الصفحة"),
    }
    for language, (inside, refused) in words.items():
        draft = {"title": "!", "language": language, "questions": [DRAFT["questions"][0]]}
        spoken: Survey = open_page(site, tmp_path, draft | {"frame_hosts": [named.origin]})
        visit = Framed(page, spoken, named).load()
        visit.page.locator(".own summary").click()
        visit.sees(inside)
        assert Framed(page, spoken, site_alone).load().heading == refused


# Observations of the page around it -----------------------------------------------------------------------------------

TALL = 'height="3000"'
# Press Back and Forward until this page itself goes back, and count the presses.
STEPS_BACK = """async () => {
  let left = false;
  window.addEventListener("popstate", () => { left = true; });
  const pause = async () => {
    for (const end = Date.now() + 2000; !left && Date.now() < end;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  for (let steps = 1; steps < 9; steps += 1) {
    for (const by of [-1, 1]) {
      history.go(by);
      await pause();
      if (left) return steps;
    }
  }
  return 9;
}"""
LAYERS = "<script>history.pushState(1, ''); history.pushState(2, '')</script>"


@pytest.fixture
def routed(page, site, hosts, tmp_path):
    """Return a visit to a survey with conditions on some sections."""
    survey = open_page(site, tmp_path, ROUTED | {"frame_hosts": [hosts[0].origin]})
    return Framed(page, survey, hosts[0])


def begun(visit, before=""):
    """Return the visit, with this HTML in front of the frame."""
    visit.outside.goto(visit.host.holds(before + frames.html(visit.survey.page, "Survey")))
    visit.page = visit.outside.frame_locator("iframe")
    visit.page.locator("#promise").wait_for()
    return visit


@pytest.mark.parametrize("affair", [0, 1])
def test_the_history_tells_no_holder_how_many_sections_were_asked(routed, affair):
    visit = begun(routed, LAYERS)
    before = visit.outside.evaluate("history.length")
    visit.answer(affair=affair).press("Next")
    if affair == 0:
        visit.answer(rating=1, work=0).press("Next")
    assert visit.outside.evaluate("history.length") == before
    assert visit.outside.evaluate(STEPS_BACK) == 1
    visit.question("age").get_by_role("textbox").wait_for()


def test_the_history_tells_no_holder_whether_someone_has_sent(routed):
    visit = begun(routed, LAYERS)
    visit.answer(affair=1).press("Next").answer(age="30").send().is_thanked()
    assert visit.outside.evaluate(STEPS_BACK) == 1


@pytest.fixture
def all_at_once(site, hosts, tmp_path):
    return open_page(site, tmp_path, ROUTED | {"frame_hosts": [hosts[0].origin], "sections": []})


def tall(survey):
    return frames.html(survey.page, "Survey").replace(f'height="{frames.HEIGHT}"', TALL)


def test_no_focus_scrolls_the_page_around(page, all_at_once, hosts):
    page.set_viewport_size({"width": 800, "height": 150})
    page.goto(hosts[0].holds(tall(all_at_once)))
    inside = page.frame_locator("iframe")
    radios = inside.get_by_role("radio")
    radios.first.wait_for()
    scrolled = []

    def press(*keys):
        for key in keys:
            page.keyboard.press(key)
            page.wait_for_timeout(100)
            scrolled.append(page.evaluate("scrollY"))

    radios.first.focus()
    press("ArrowDown", "ArrowUp", "Tab", "Tab", "ArrowDown", "ArrowDown", "Tab", "Shift+Tab")
    inside.get_by_role("textbox").focus()
    press("3", "0")
    inside.get_by_role("button", name="Send my randomized answers").focus()
    press("Enter")
    assert set(scrolled) == {0}
