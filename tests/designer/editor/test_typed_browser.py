"""Beside a number field, the page shows how it reads the typed text."""

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import violations
from tests.support.builder_pages import FOUR, signed_in, stored, two_designers

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]


@pytest.fixture(scope="module")
def designers(system):
    return two_designers(system, [FOUR])


def test_a_number_is_shown_as_it_is_read_and_stored_so(browser, system, designers):
    ((session, _), (number,)) = designers
    with browser.new_context(locale="de") as context:
        page = signed_in(context, system, session)
        page.goto(f"{system.url}/surveys/{number}/questions/way/")
        page.fill("#f-high", "10.000")
        expect(page.locator("#f-high + output")).to_have_text("= 10000")
        page.fill("#f-low", "-17,5")
        expect(page.locator("#f-low + output")).to_have_count(0)
        page.fill("#f-low", "1,500")
        expect(page.locator("#f-low + output")).to_have_text("= 1500 / 1,5")
        expect(page.locator("#e-low .error")).to_contain_text("1500")
        assert violations(page) == []
        page.fill("#f-low", "٠")
        expect(page.locator("#f-low + output")).to_have_text("= 0")
        expect(page.locator("#e-low .error")).to_have_count(0)
        assert [stored(system, number)["questions"][3][end] for end in ("low", "high")] == ["0", "10000"]
        page.reload()
        expect(page.locator("#f-high")).to_have_value("10000")
        page.goto(f"{system.url}/surveys/{number}/questions/hours/")
        page.fill("#f-edges-2", "17,5")
        page.fill("#f-edges-3", "1.000")
        expect(page.locator("#f-edges + output")).to_have_text("= 0 · 17,5 · 1000")
        page.goto(f"{system.url}/lab/?n=1.500&alpha=0,5")
        expect(page.locator("#id_n + output")).to_have_text("= 1500")
        assert page.failures == []
