"""A survey to which another site sends people. After a report is recorded, the page shows a code and a link back. Both
are the same for everyone, and nothing from the person's link is passed on."""

import pytest

from tests.support.respondents import DRAFT, Visit, Wire, answers, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

CODE, LINK = "C1A2B3D4", "https://panel.example.org/submissions/complete?cc=C1A2B3D4"
FIELDS = {"completion_code": CODE, "return_link": LINK}
# The page at the link reads these values about a visitor's origin.
FINDS = "JSON.stringify([location.href, document.referrer, window.name, opener === null, document.cookie])"


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("completion"), DRAFT | FIELDS)


@pytest.fixture
def page(warm):
    return warm


def back(page):
    return page.get_by_role("link", name="Back to panel.example.org")


def test_anyone_who_has_sent_a_report_is_shown_both_and_no_one_before(page, survey, system):
    visit = Visit(page, survey).load().answer()
    assert CODE not in page.content() and "panel.example.org" not in page.content()
    visit.send().is_thanked()
    assert page.get_by_text(f"Completion code: {CODE}").is_visible()
    assert back(page).get_attribute("href") == LINK and back(page).get_attribute("rel") == "noreferrer noopener"
    assert back(page).get_attribute("target") is None and page.url == survey.page
    visit.load()
    assert visit.heading == "Someone has already answered this survey in this browser"
    assert page.get_by_text(CODE).is_visible() and back(page).is_visible()
    assert all(request.url.startswith(system.url) for request in visit.requests), "the page does not leave by itself"


def test_a_report_that_comes_late_or_came_before_is_followed_by_both(page, survey):
    wire = Wire(page, answers(503), lambda route: route.fulfill(status=200, json={}))
    Visit(page, survey).load().answer().send().is_thanked()
    assert len(wire.bodies) == 2 and page.get_by_text(CODE).is_visible() and back(page).is_visible()


def test_a_report_that_is_refused_is_followed_by_neither(page, survey):
    Wire(page, lambda route: route.fulfill(status=410, content_type="application/problem+json", body='{"status": 410}'))
    visit = Visit(page, survey).load().answer().send()
    visit.sees("Your report was not recorded")
    assert CODE not in page.content() and back(page).count() == 0
    visit.load().sees("This browser has already sent a report")
    assert CODE not in page.content() and back(page).count() == 0


def test_nothing_that_someone_came_with_goes_along(page, survey):
    """A panel writes an id into the link that it sends. The page sends the id nowhere."""
    page.route(
        "https://panel.example.org/**",
        lambda route: route.fulfill(
            content_type="text/html", body=f"<p></p><script>document.body.innerText={FINDS}</script>"
        ),
    )
    came = survey._replace(page=survey.page.replace("/s/#", "/s/?PROLIFIC_PID=5f3a9c&SESSION_ID=77#"))
    visit = Visit(page, came).load().answer().send().is_thanked()
    first, *rest = (request for request in visit.requests if not request.url.endswith("icon.svg"))
    assert "5f3a9c" in first.url and first.url.startswith(survey.page.partition("#")[0])
    assert not any("5f3a9c" in str((each.url, each.post_data, each.headers)) for each in rest)
    back(page).click()
    page.wait_for_url(LINK)
    assert page.locator("body").inner_text() == f'["{LINK}","","",true,""]'
    (left,) = (request for request in visit.requests if request.url == LINK)
    assert {"referer", "cookie", "origin"}.isdisjoint(left.all_headers())


def test_a_press_copies_the_code(page, survey):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    Visit(page, survey).load().answer().send().is_thanked().press("Copy the code").sees("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == CODE


@pytest.mark.parametrize("field", FIELDS)
def test_a_survey_may_have_one_of_them(page, system, tmp_path, field):
    Visit(page, open_page(system, tmp_path, DRAFT | {field: FIELDS[field]})).load().answer().send().is_thanked()
    assert (page.get_by_text("Completion code").count(), back(page).count()) == (
        field == "completion_code",
        field != "completion_code",
    )
    page.get_by_text("All respondents see the same here.").wait_for()


def test_it_is_said_in_german_and_arabic(page, system, tmp_path):
    for language, words in {"de": "Zurück zu panel.example.org", "ar": "العودة إلى"}.items():
        draft = {"title": "!", "language": language, "questions": [DRAFT["questions"][0]]}
        Visit(page, open_page(system, tmp_path, draft | FIELDS)).load()
        page.get_by_role("radio").first.click()
        page.locator(".finish .primary").click()
        page.get_by_role("link", name=words).wait_for()
