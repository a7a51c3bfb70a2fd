"""Kinds of question in separate files, in Chromium. The page asks nothing until these files have come as pinned. The
page refuses an unknown kind in words, and its name loads no file that the document does not have."""

import json
import re

import pytest

from tests.support.questions import question
from tests.support.respondents import Visit, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# Names of no kind, of every object, paths, and files that the page has or may have for something else.
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


@pytest.fixture(scope="module")
def asked_if(system, tmp_path_factory):
    rule = {"asked_if": {"question": "here", "options": [0]}}
    here = question("here", "yes_no", "1", text="Here?")
    best = question("best", "ranking", "1", ranked=["tea", "coffee", "milk"], text="Best?")
    draft = {
        "title": "Seldom",
        "questions": [here, DATES | rule, best | rule],
    }
    return open_page(system, tmp_path_factory.mktemp("routed"), draft=draft)


@pytest.fixture
def page(warm):
    return warm


def test_a_kind_that_the_page_does_not_know_is_refused_and_nothing_fetched_by_its_name(page, system, survey):
    visit, kind = Visit(page, survey), ""

    def altered(route):
        made = route.fetch().json()
        made["questions"][0]["kind"] = kind
        route.fulfill(body=json.dumps(made, sort_keys=True, separators=(",", ":"), ensure_ascii=False))

    page.route("**/respond/definition", altered)
    for kind in NAMES:
        visit.page.reload() if page.url == survey.page else visit.load()
        page.locator("#outcome").wait_for()
        assert not visit.is_asking and "question 1 " in page.locator("#stage").inner_text(), kind
    named = {*page.evaluate(NAMED), f"{system.url}/s/", f"{system.url}/respond/definition"}
    assert {re.sub("#.*", "", each.url) for each in visit.requests} <= named


def with_a_space_more(route):
    route.fulfill(body=route.fetch().body() + b" ", content_type="text/javascript")


def lost(route):
    route.abort()


# Nightly, each file is both altered and lost; daily, one is altered and the other lost.
MISHAPS = [("date.js", lost), ("ranking.js", with_a_space_more)]
MISHAPS += [
    pytest.param("date.js", with_a_space_more, marks=pytest.mark.long),
    pytest.param("ranking.js", lost, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("name", "happens"), MISHAPS)
def test_without_the_file_of_a_kind_nothing_is_asked_until_it_comes(page, asked_if, name, happens):
    """This holds even if the question depends on another answer."""
    page.route(f"**/{name}", happens)
    visit = Visit(page, asked_if).load()
    assert not visit.is_asking
    visit.sees("This part did not arrive or is the wrong file")
    page.unroute(f"**/{name}")
    visit.press("Try again")
    page.get_by_role("radiogroup", name="Here?").get_by_role("radio", name="Yes").click()
    page.get_by_role("textbox", name="When were you born?").fill("1979")
    page.get_by_role("button", name="This is my order").click()
    visit.send().is_thanked()
    visit.page.get_by_text("Check it yourself").click()
    visit.sees("ranking.js")
    assert json.loads(visit.posts[0])["answers"].keys() == {"here", "born", "best"}
