"""The first page's trial in Chromium. It runs the respondents' code, and nothing leaves the browser."""

import gzip
import re

import pytest
from scipy.stats import norm

from ldp.exact import RESOLUTION
from surveys.public.home.trial import TRUE_YES, question
from tests.support.site import SEEDED

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

BYTES_MAX = 20_000
ENDS = f"From {100 * 2**7:,} reports"


@pytest.fixture
def home(page, system):
    page.emulate_media(reduced_motion="reduce")
    page.add_init_script(f"({SEEDED})(1)")
    page.goto(system.url)
    return page


def test_an_answer_is_drawn_again_and_again_and_nothing_is_sent(home):
    requests = []
    home.on("request", lambda request: requests.append(request.url))
    home.get_by_role("button", name="Yes", exact=True).click()
    for _ in range(39):
        home.get_by_role("button", name="Draw again").click()
    drawn = [int(number) for number in re.findall(r"\d+", home.locator("#trial-draws").inner_text())]
    assert drawn[0] == 40 == drawn[1] + drawn[2]
    assert all(drawn[1:])
    last = home.locator("#trial-report").inner_text()
    assert last.startswith("You answered Yes.") and last.endswith(("your report says Yes.", "your report says No."))
    home.get_by_role("button", name="Let people join").click()
    home.get_by_text(ENDS).wait_for()
    assert requests == []


def test_a_hundred_reports_are_shown_and_whose_answer_is_yes_only_on_request(home):
    said = int(home.locator("#trial-counted").inner_text().split()[0])
    assert said == home.locator(".says-yes").count() and home.locator(".crowd circle").count() == 100
    assert home.locator(".is-yes").count() == 0
    home.get_by_role("button", name="Show what they would answer").click()
    assert home.locator(".is-yes").count() == TRUE_YES
    hidden = home.locator(".is-yes.says-no").count()
    assert 0 < hidden < TRUE_YES


def test_the_estimate_settles_on_the_truth(home):
    home.get_by_role("button", name="Let people join").click()
    home.get_by_text(ENDS).wait_for()
    share, low, high, truth = (int(each) for each in re.findall(r"(\d+)%", home.locator("#trial-settled").inner_text()))
    assert low <= share <= high and truth == TRUE_YES
    assert abs(share - truth) <= 6  # five standard errors at 12,800 reports, and the rounding
    assert home.locator(".settling .interval").count() == 8


def test_the_interval_is_wilsons_with_the_odds_exact_deciders(home):
    chance = (1 - question()["table"]["keep"] / RESOLUTION) / 2
    module = "async ([r, n, c]) => (await import('/static/web/drawing.js')).estimate(r, n, c)"
    z = norm.ppf(0.975)
    for reported, n in ((0, 100), (27, 100), (43, 100), (100, 100), (5_440, 12_800)):
        given = home.evaluate(module, [reported, n, chance])
        for end in ("low", "high"):
            p = chance + given[end] * (1 - 2 * chance)
            if 0 < given[end] < 1:  # the score is z at these ends, by the interval's definition
                assert abs(reported / n - p) == pytest.approx(z * (p * (1 - p) / n) ** 0.5, rel=1e-4)


def test_all_that_the_page_loads_fits_into_its_bytes(page, system):
    """The proxy in docs/deploy/nginx.conf compresses static files at level 1."""
    bodies = {}
    page.on("response", lambda response: bodies.update({response.url: response}))
    page.goto(system.url, wait_until="networkidle")
    static = [response.body() for url, response in bodies.items() if "/static/" in url]
    assert len(static) == 10 and sum(len(gzip.compress(body, 1)) for body in static) <= BYTES_MAX


def test_without_scripts_it_says_the_odds_and_shows_no_button_that_does_nothing(browser, system):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(system.url)
    assert page.get_by_text("Of 100 people who answer Yes, 73 reports say Yes.").is_visible()
    assert page.locator(".trial button:visible").count() == 0
    context.close()


def test_before_an_answer_a_wide_page_shows_what_a_hundred_reports_say(home):
    home.set_viewport_size({"width": 1280, "height": 900})
    pictures = home.locator(".hundreds figure")
    assert pictures.count() == 2 and pictures.first.is_visible()
    marks = "(all) => all.map((path) => path.getAttribute('d').split('M').length - 1)"
    assert home.locator(".hundreds .yes").evaluate_all(marks) == [73, 27]
    home.set_viewport_size({"width": 390, "height": 844})
    assert not pictures.first.is_visible(), "the sentence says it"
