"""What a page that holds a survey learns of the answers by the history, and in Chromium by the focus: nothing."""

import pytest

from surveys.design import frames
from tests.browser.test_frames import Framed
from tests.services.system import EmbeddedSystem
from tests.support.holders import holders
from tests.support.respondents import ROUTED, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system]

TALL = 'height="3000"'
# Presses Back and Forward until this page itself is led back, and says how many times it took.
STEPS_BACK = """async () => {
  let left = false;
  window.addEventListener("popstate", () => { left = true; });
  const pause = () => new Promise((resolve) => setTimeout(resolve, 200));
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


@pytest.fixture(scope="module")
def host():
    with holders(1) as (one,):
        yield one


@pytest.fixture(scope="module")
def site(host):
    system = EmbeddedSystem(BATCH="20", FRAME_HOSTS=host.origin)
    yield system
    system.stop()


@pytest.fixture
def survey(site, host, tmp_path):
    return open_page(site, tmp_path, ROUTED | {"frame_hosts": [host.origin]})


@pytest.fixture
def visit(page, survey, host):
    return Framed(page, survey, host)


def begun(visit, before=""):
    """The visit, with this HTML in front of the frame."""
    visit.outside.goto(visit.host.holds(before + frames.html(visit.survey.page, "Survey")))
    visit.page = visit.outside.frame_locator("iframe")
    visit.page.locator("#promise").wait_for()
    return visit


@pytest.mark.parametrize("affair", [0, 1])
def test_the_history_tells_no_holder_how_many_sections_were_asked(visit, affair):
    begun(visit, LAYERS)
    before = visit.outside.evaluate("history.length")
    visit.answer(affair=affair).press("Next")
    if affair == 0:
        visit.answer(rating=1, work=0).press("Next")
    assert visit.outside.evaluate("history.length") == before
    assert visit.outside.evaluate(STEPS_BACK) == 1
    visit.question("age").get_by_role("textbox").wait_for()


def test_the_history_tells_no_holder_whether_somebody_has_sent(visit):
    begun(visit, LAYERS)
    visit.answer(affair=1).press("Next").answer(age="30").send().is_thanked()
    assert visit.outside.evaluate(STEPS_BACK) == 1


@pytest.fixture
def all_at_once(site, host, tmp_path):
    return open_page(site, tmp_path, ROUTED | {"frame_hosts": [host.origin], "sections": []})


def tall(survey):
    return frames.html(survey.page, "Survey").replace(f'height="{frames.HEIGHT}"', TALL)


def test_no_focus_scrolls_the_page_around(page, all_at_once, host):
    page.set_viewport_size({"width": 800, "height": 150})
    page.goto(host.holds(tall(all_at_once)))
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
