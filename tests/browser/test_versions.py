"""Two open versions of a survey in three languages: a designer meets them in a browser, a respondent by their links."""

import json

import pytest

from tests.support import languages
from tests.support.accessibility import violations
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
