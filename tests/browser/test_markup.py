"""Bold, lists and links in the survey's longer texts, as Chromium shows them. The page follows the server's rules and
contacts no one until a person follows a link."""

import json
from pathlib import Path

import pytest

from surveys.rules import markup
from tests.support.accessibility import violations
from tests.support.respondents import DRAFT, SECTIONED, Visit, open_page
from tests.support.site import open_blank

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

CASES = json.loads((Path(__file__).parents[1] / "support" / "markup.json").read_text(encoding="utf-8"))
# The served module's result for each text, and a parser's result for the server's HTML; null if the module leaves the
# text alone.
BOTH = """async (cases) => {
  const { formed } = await import("/static/respond/markup.js");
  return cases.map(({ text, html }) => {
    const plain = document.createElement("p");
    plain.append(text);
    const made = formed(plain);
    for (const each of made.querySelectorAll("[style]")) each.removeAttribute("style");
    const server = new DOMParser().parseFromString(html, "text/html").body.innerHTML;
    return made === plain ? [null, null] : [made.innerHTML, server];
  });
}"""
LINK = "[Who we are](https://example.org/about?x=1)"
TEXTS = {
    "introduction": f"Five **short** questions.\n\n- one minute\n- no names\n\n{LINK}, [write](mailto:us@example.org).",
    "consent": f"**You may stop** at any time. <b>So</b> * it is.\n\n{LINK}",
    "thanks": f"That was **kind**. {LINK}",
}
NOTED = [
    each | ({"note": "**All** of it:\n- good\n- bad"} if each["key"] == "rating" else {}) for each in DRAFT["questions"]
]
MARKED = SECTIONED | TEXTS | {"questions": NOTED}
MARKED["sections"] = [MARKED["sections"][0] | {"text": f"Two **easy** ones. {LINK}"}, *MARKED["sections"][1:]]


@pytest.fixture(scope="module")
def marked(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("markup"), MARKED)


@pytest.fixture
def page(warm):
    return warm


def test_page_and_server_make_the_same_of_every_text(page, system):
    open_blank(page, system.url)
    for case, (made, server) in zip(CASES, page.evaluate(BOTH, CASES), strict=True):
        assert (made is None) == (not case["marked"]) and made == server, case["text"]


def test_every_longer_text_is_shown_with_its_markup(page, marked):
    visit = Visit(page, marked).load()
    introduction = page.locator("#introduction")
    assert introduction.locator("strong").all_inner_texts() == ["short"]
    assert introduction.locator("li").all_inner_texts() == ["one minute", "no names"]
    assert introduction.inner_text().endswith("Who we are (example.org), write (us@example.org).")
    assert page.locator("#stage blockquote strong").first.inner_text() == "You may stop"
    assert "<b>So</b> * it is." in page.locator("#stage blockquote").inner_text() and violations(page) == []
    visit.agree()
    assert page.locator(".part strong").first.inner_text() == "easy"
    note = visit.question("rating").locator(".note")
    assert note.locator("li").all_inner_texts() == ["good", "bad"] and violations(page) == []
    described = visit.question("rating").locator("[aria-describedby]").first.get_attribute("aria-describedby")
    assert note.get_attribute("id") in described


def test_a_link_opens_apart_and_says_nothing_of_where_someone_came_from(context, marked, system):
    page = context.new_page()
    context.route(
        "https://example.org/**",
        lambda route: route.fulfill(content_type="text/html", body="<p></p><script>document.title=opener</script>"),
    )
    visit = Visit(page, marked).load().agree().answer(affair=0)
    assert all(request.url.startswith(system.url) for request in visit.requests), "nothing is asked of the host before"
    link = page.locator(".part").get_by_role("link", name="Who we are")
    assert link.get_attribute("rel") == "noreferrer noopener"
    with page.context.expect_page() as opened:
        link.click()
    opened.value.wait_for_load_state()
    assert opened.value.url == "https://example.org/about?x=1"
    assert opened.value.evaluate("[document.referrer, opener]") == ["", None]
    (left,) = (request for request in visit.requests if request.url.startswith("https://example.org/about"))
    assert "referer" not in left.headers and "cookie" not in left.headers
    assert visit.question("affair").get_by_role("radio").first.is_checked(), "what was answered stays"


def test_thanks_have_their_markup(page, marked):
    visit = Visit(page, marked).load().agree()
    visit.page.get_by_role("button", name="Show all").click()
    visit.answer().send().is_thanked()
    assert page.locator("#stage blockquote strong").inner_text() == "kind"
    assert page.locator("#stage blockquote a").get_attribute("href") == "https://example.org/about?x=1"


def test_a_survey_without_markup_is_shown_as_it_was_and_loads_nothing_for_it(page, survey):
    visit = Visit(page, survey).load()
    assert not any("markup" in request.url for request in visit.requests)
    assert page.locator("#introduction").evaluate("(node) => node.outerHTML.includes('<p ') && !node.children.length")


def test_stars_of_a_survey_that_says_nothing_of_markup_stay_stars(page, marked):
    """The survey opened before there was markup."""

    def without(route):
        data = {name: value for name, value in route.fetch().json().items() if name != "markup"}
        route.fulfill(body=json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False))

    page.route("**/respond/definition", without)
    Visit(page, marked).load()
    assert "Five **short** questions." in page.locator("#introduction").inner_text()
    assert page.locator("#introduction a, #introduction strong").count() == 0


def test_the_page_knows_the_same_number_of_rules(page, marked):
    def newer(route):
        data = route.fetch().json() | {"markup": markup.NUMBER + 1}
        route.fulfill(body=json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False))

    page.route("**/respond/definition", newer)
    visit = Visit(page, marked).load()
    assert not visit.is_asking and "**" not in page.content()


def test_without_the_module_nothing_is_asked_until_it_comes(page, marked):
    page.route("**/respond/markup.js", lambda route: route.abort())
    visit = Visit(page, marked).load()
    assert not visit.is_asking
    page.unroute("**/respond/markup.js")
    visit.press("Try again")
    page.locator("#stage blockquote strong").first.wait_for()


def test_each_language_has_its_own_markup(page, system, tmp_path):
    draft = {"title": "Work", "introduction": f"**Short.** {LINK}", "questions": [DRAFT["questions"][0]]}
    german = {"title": "Arbeit", "introduction": "- kurz\n- [wer wir sind](https://example.org/ueber)"}
    german["questions"] = [{"text": "Hatten Sie je eine Affäre?"}]
    survey = open_page(system, tmp_path, draft | {"translations": {"de": german}})
    Visit(page, survey).load()
    introduction = page.locator("#introduction")
    assert introduction.locator("strong").inner_text() == "Short."
    page.locator("select").first.select_option("de")
    introduction.locator("li").first.wait_for()
    assert introduction.locator("li").all_inner_texts() == ["kurz", "wer wir sind (example.org)"]
    assert introduction.locator("strong").count() == 0 and page.locator("#introduction").count() == 1
    page.locator("select").first.select_option("en")
    introduction.locator("strong").wait_for()
    assert introduction.inner_text() == "Short. Who we are (example.org)" and violations(page) == []
