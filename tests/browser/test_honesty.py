"""A designer marks an answer that everyone should give. A researcher reads corrected shares, with a real system's
worker."""

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import violations
from tests.support.builder_pages import expect_saved, signed_in, stored, two_designers
from tests.support.journeys import open_survey, published
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

PASSWORD = "correct horse battery staple"
DRAFT = {
    "title": "Anchored",
    "questions": [
        {"key": "check", "kind": "yes_no", "text": "Please choose yes.", "alpha": "8", "right": 0},
        {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "8"},
    ],
}


# Reports as if they were sent: 80 of 400 people pay no attention.
SEND = """
from surveys.survey.definition.layout import Layout
from surveys.models import Report, Survey
survey = Survey.objects.get(slug={slug!r})
pack = Layout(survey.definition).pack
answers = [(0, 0)] * 52 + [(0, 1)] * 308 + [(1, 0)] * 20 + [(1, 1)] * 20
packed = [pack({{"check": [one], "smokes": [other]}}) for one, other in answers]
Report.objects.bulk_create(Report(id=f"{{i:032x}}", survey=survey, packed=each) for i, each in enumerate(packed))
"""


def test_a_researcher_corrects_a_question(system, tmp_path, page):
    survey = open_survey(system, tmp_path, draft=DRAFT)
    system.manage("shell", "-c", SEND.format(slug=survey))
    system.manage("survey", "close", "--", survey)
    number = published(system, survey, lambda document: document["final"])["release"]
    system.env["DJANGO_SUPERUSER_PASSWORD"] = PASSWORD
    system.manage("createsuperuser", "--noinput", "--username", "mona", "--email", "mona@example.org")
    path = f"/r/{survey}/{number}/honesty/"
    page.goto(f"{system.url}/account/login/?next={path}")
    page.get_by_label("Name").fill("mona")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{system.url}{path}")
    page.get_by_label("Its true share, in percent").fill("many")
    page.get_by_role("button", name="Compare").press("Enter")
    page.get_by_text("Type a number from 0 to 100, such as 12.5.").wait_for()
    assert violations(page) == []
    page.get_by_label("Answer").select_option("smokes:1")
    page.get_by_label("Its true share, in percent").fill("99")
    page.get_by_role("button", name="Compare").press("Enter")
    page.get_by_text("No report shows which.").wait_for()
    assert violations(page) == []
    _fits(page)
    page.get_by_role("button", name="Make the cross-table").click()
    page.get_by_role("link", name="Correct “Do you smoke?” for attention").click(timeout=60_000)
    page.get_by_role("heading", name="“Do you smoke?”, corrected for attention").wait_for()
    assert violations(page) == []
    _fits(page)


def test_a_designer_marks_the_answer_that_everyone_should_give(system, context):
    """The choice follows the options as they are typed. If the chosen answer moves, it stays chosen."""
    (session, _), (number,) = two_designers(system, [{"title": "New", "questions": []}])
    page = signed_in(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/questions/")
    with page.expect_navigation():
        page.locator("button[value=attention]").press("Enter")
    expect(page.locator("#f-right")).to_have_value("3")
    assert violations(page) == []
    page.get_by_role("button", name="Edit as text").click()
    page.fill("#f-options", "Often\nNever")
    expect(page.locator("#f-right option")).to_have_text(["what is true of them", "Often", "Never"])
    expect(page.locator("#f-right")).to_have_value("0")
    expect_saved(page)
    assert stored(system, number)["questions"][0]["right"] == 0
    page.locator("#f-right").select_option("")
    expect_saved(page)
    assert "right" not in stored(system, number)["questions"][0]
    _fits(page)
    assert page.failures == []


def _fits(page):
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert beyond(page) == 0
