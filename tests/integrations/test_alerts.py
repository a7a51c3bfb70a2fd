"""The page of alerts in a real browser. The system's worker posts to a receiver and mails to a server on this
machine."""

import base64
import hashlib
import hmac
import json
import re

import pytest

from tests.browser.test_people import sound
from tests.support.factories import DRAFT
from tests.support.studio import begun_draft

pytestmark = [pytest.mark.browser, pytest.mark.system]


def test_a_webhook_is_added_tested_and_removed(site, receiver, page):
    number, cookie = begun_draft(site, DRAFT)
    page.context.add_cookies([cookie])
    page.goto(f"{site.url}/surveys/{number}/")
    page.locator(".tabs summary").click()
    page.get_by_role("navigation").get_by_role("link", name="Alerts").click()
    page.get_by_role("heading", name="By email, to you").wait_for()
    sound(page, "no webhook")
    page.get_by_label("URL", exact=True).fill("ftp://example.org/")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_text("The URL must begin with https:// and have a public host").wait_for()
    sound(page, "refused")
    page.get_by_label("URL", exact=True).fill(f"{receiver.url}/hook?of=deniable")
    page.get_by_role("button", name="Add", exact=True).click()
    secret = page.get_by_role("textbox", name="Secret").input_value()
    sound(page, "the secret")
    page.get_by_role("button", name="Send a test").click()
    page.get_by_text("A test is on its way.").wait_for()
    row = page.get_by_role("row", name="Test")
    site.eventually(lambda: receiver.posted, "the test is posted")
    while "arrived" not in row.inner_text():
        page.reload()
    assert "204" in row.inner_text()
    sound(page, "tested")
    (posted,) = receiver.posted
    signed = ".".join([posted.headers["webhook-id"], posted.headers["webhook-timestamp"], ""]).encode() + posted.body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert posted.headers["webhook-signature"] == f"v1,{mac}" and posted.path == "/hook?of=deniable"
    assert json.loads(posted.body)["data"]["survey"]["url"] == f"{site.url}/surveys/{number}/"
    page.get_by_role("button", name="Remove").click()
    page.get_by_text("Nothing more is posted to 127.0.0.1.").wait_for()
    assert page.get_by_role("button", name="Send a test").count() == 0


def test_mail_comes_once_its_link_was_followed(site, post, page):
    number, cookie = begun_draft(site, DRAFT)
    page.context.add_cookies([cookie])
    page.goto(f"{site.url}/surveys/{number}/alerts/")
    page.get_by_label("Your email address").fill("ada@example.org")
    page.get_by_role("button", name="Send me alerts").click()
    page.get_by_text("An email is on its way to ada@example.org").wait_for()
    sound(page, "asked")
    site.eventually(lambda: post.to("ada@example.org"), "the mail comes")
    (letter,) = post.to("ada@example.org")
    (link,) = re.findall(r"\S+/mail/confirm/\?token=\S+", letter.get_content())
    page.goto(link)
    sound(page, "the link")
    page.get_by_role("button", name="Yes, this is my email address").click()
    page.get_by_text("Alerts go to ada@example.org.").wait_for()
    sound(page, "confirmed")
