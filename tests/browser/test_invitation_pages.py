"""The studio's pages of invitations in a real browser. The file of links comes, and the page says how many links it
has."""

import csv

import pytest

from tests.browser.test_people import sound
from tests.support.invitations import INVITED
from tests.support.studio import begun_draft

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]


def test_the_page_counts_the_invitations_of_a_file_that_came(system, page):
    number, cookie = begun_draft(system, INVITED)
    system.manage("survey", "open", str(number))
    page.context.add_cookies([cookie])
    page.goto(f"{system.url}/surveys/{number}/invitations/")
    sound(page, "invitations")
    page.get_by_label("How many people").fill("0")
    page.get_by_role("button", name="Make the invitations").click()
    page.get_by_role("heading", name="Not done yet").wait_for()
    page.get_by_label("How many people").fill("7")
    with page.expect_download() as download:
        page.get_by_role("button", name="Make the invitations").click()
    with open(download.value.path(), encoding="utf-8-sig") as file:
        assert len(list(csv.DictReader(file))) == 7
    page.get_by_role("heading", name="7 people invited").wait_for()
    page.get_by_role("heading", name="Not done yet").wait_for(state="detached")
    page.get_by_role("link", name="Emails and reminders").click()
    page.get_by_role("heading", name="This site sends no email").wait_for()
    sound(page, "emails where there is no mail server")
