"""Open versions of a survey: a designer sees them in a browser, a respondent through their links."""

import json

import pytest

from tests.support import languages
from tests.support.accessibility import violations
from tests.support.respondents import Visit, open_page
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

BEGIN = """
import json
from django.contrib.auth.models import User
from django.test import Client
from surveys.life.versions import new_version
from surveys.life.lifecycle import begin_draft, open_survey
user, _ = User.objects.get_or_create(username="correcting")
client = Client()
client.force_login(user)
(name, cookie), = client.cookies.items()
first = begin_draft(user, json.loads({draft!r}))
open_survey(first, user)
second = new_version(first, user)
open_survey(second, user)
print("begun", json.dumps([first.pk, second.pk, first.slug, name, cookie.value]))
"""


def french(draft):
    draft["translations"]["fr"] = draft["translations"].pop("en")


@pytest.fixture
def begun(system, context):
    said = system.manage("shell", "-c", BEGIN.format(draft=json.dumps(languages.draft(french))))
    first, second, slug, name, value = json.loads(said.partition("begun ")[2])
    context.add_cookies([{"name": name, "value": value, "url": system.url, "httpOnly": True}])
    return first, second, slug


def test_versions_are_told_apart_and_each_language_is_shared_on_phones_and_desks(system, begun, context):
    first, second, _slug = begun
    page = context.new_page()
    for address in ("", f"{first}/", f"{second}/", f"{first}/share/", f"{second}/share/", f"{second}/evidence/"):
        page.goto(f"{system.url}/surveys/{address}")
        page.evaluate("for (const each of document.querySelectorAll('.panel details')) each.open = true")
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert beyond(page) == 0, (address, width)
            assert violations(page) == [], (address, width)


def test_the_link_in_a_text_opens_the_page_in_its_language_and_the_ended_version_leads_nowhere(system, begun, context):
    _first, second, slug = begun
    page, reader = context.new_page(), context.new_page()
    page.goto(f"{system.url}/surveys/{second}/share/")
    for tag, title in (("ar", "الحياة في المدينة"), ("fr", "Life in the city"), ("de", "Leben in der Stadt")):
        letter = page.locator(f"#mail-{tag}").input_value()
        [link] = [line for line in letter.split("\n") if line.startswith("http")]
        reader.goto("about:blank")
        reader.goto(link)
        reader.get_by_role("heading", name=title).wait_for()
        assert reader.locator("html").get_attribute("lang") == tag
    page.get_by_role("link", name="End version 1").click()
    page.get_by_role("button", name="End the survey").click()
    page.get_by_text("The survey has ended.", exact=False).first.wait_for()
    page.goto(f"{system.url}/surveys/{second}/share/")
    assert page.get_by_text("is open too").count() == 0
    reader.goto("about:blank")
    reader.goto(f"{system.url}/s/#{slug}/de")
    reader.get_by_role("heading", name="Diese Umfrage ist geschlossen").wait_for()
    assert reader.get_by_role("link").evaluate_all("links => links.map((each) => each.getAttribute('href'))") == []


CORRECT = """
import json
from surveys.life.lifecycle import Terms, open_survey
from surveys.life.versions import new_version
from surveys.models import Survey
from django.contrib.auth.models import User
first = Survey.objects.get(slug={slug!r})
second = new_version(first, User.objects.get_or_create(username="correcting")[0])
Survey.objects.filter(pk=second.pk).update(draft=second.draft | {{"title": "Put right"}})
second.refresh_from_db()
open_survey(second, terms=Terms(takes_link=True))
print("corrected", second.slug)
"""


def correct(system, slug):
    """Return the slug of a correction that took the link."""
    return system.manage("shell", "-c", CORRECT.format(slug=slug)).partition("corrected ")[2].strip()


def sent(visit):
    return visit.load().answer().send().is_thanked()


ANSWERED = "Someone has already answered this survey in this browser"
OLDER = "That was an earlier version of this survey."


def test_the_old_link_leads_to_the_correction_which_knows_who_answered_before(system, tmp_path, context, browser):
    survey = open_page(system, tmp_path)
    page = context.new_page()
    sent(Visit(page, survey))
    slug = correct(system, survey.slug)
    visit = Visit(page, survey._replace(page=f"{survey.page}/en")).load()
    visit.sees(OLDER)
    assert page.url == f"{system.url}/s/#{slug}/en" and page.title() == "Put right" and visit.heading == ANSWERED
    visit.press("Answer this version too").sees("their alphas add up")
    assert violations(page) == []
    page.locator("#another-person").get_by_role("button").click()
    visit.answer().send().is_thanked()
    page.reload()
    visit.sees(ANSWERED)
    assert page.get_by_text(OLDER).count() == 0, "it was this one"
    with browser.new_context() as fresh:
        other = Visit(fresh.new_page(), survey).load()
        assert other.page.url == f"{system.url}/s/#{slug}" and other.is_asking
    system.manage("survey", "close", slug)
    before = Visit(page, survey).load()
    assert page.url.endswith(f"#{survey.slug}") and before.heading == ANSWERED and not before.is_asking


def test_who_had_begun_the_old_version_sends_that_and_then_meets_the_new_one(system, tmp_path, context):
    survey = open_page(system, tmp_path)
    visit = Visit(context.new_page(), survey).load().answer()
    correct(system, survey.slug)
    visit.send().is_thanked()
    ((reports,),) = system.query(
        "SELECT count(*) FROM surveys_report JOIN surveys_survey ON surveys_survey.id = survey_id "
        f"WHERE slug = '{survey.slug}'"
    )
    assert reports == 1
    visit.page.reload()
    visit.sees(OLDER)
