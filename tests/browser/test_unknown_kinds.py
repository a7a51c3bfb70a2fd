"""A definition with a kind of question that the page does not know, in Chromium: it is refused in words, and its name
leads to no file but those that the document names."""

import json
import re

import pytest

from tests.support.questions import question
from tests.support.respondents import Visit, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# Of no kind, of every object, paths, and files that the page has or may have for something else.
NAMES = (
    *("essay", "", "Date", "dates", "daté", "__proto__", "constructor", "toString", "hasOwnProperty"),
    *("kinds/date", "../definition", "date/../../definition", "//example.org/date", "date?x", 'date"],[src', "*"),
    *("page", "pins", "en", "respond", "definition", "preview", "budget", "seldom"),
)
DATES = question("born", "date", "1", dates=["1940", "1960", "1980", "2000"], text="When were you born?")
NAMED = "Array.from(document.querySelectorAll('head [src], head [href]'), (node) => node.src ?? node.href)"


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    draft = {"title": "A kind", "introduction": "For the tests.", "questions": [DATES]}
    return open_page(system, tmp_path_factory.mktemp("kinds"), draft=draft)


def with_kind(name):
    def altered(route):
        made = route.fetch().json()
        made["questions"][0]["kind"] = name
        route.fulfill(body=json.dumps(made, sort_keys=True, separators=(",", ":"), ensure_ascii=False))

    return altered


@pytest.mark.parametrize("name", NAMES)
def test_a_kind_that_the_page_does_not_know_is_refused_and_nothing_fetched_by_its_name(page, system, survey, name):
    page.route("**/respond/definition", with_kind(name))
    visit = Visit(page, survey).load()
    page.locator("#outcome").wait_for()
    assert not visit.is_asking and "question 1 " in page.locator("#stage").inner_text()
    named = {*page.evaluate(NAMED), f"{system.url}/s/", f"{system.url}/respond/definition"}
    assert {re.sub("#.*", "", each.url) for each in visit.requests} <= named
