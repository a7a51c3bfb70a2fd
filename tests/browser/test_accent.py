"""A survey's accent colour on the page in Chromium, light and dark, and the builder's field for it."""

import json

import pytest

from tests.support.accessibility import violations
from tests.support.respondents import SECTIONED, Visit, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

ACCENT = {"light": "#7a1fa2", "dark": "#b786cd"}
COLOURED = SECTIONED | {"accent": ACCENT["light"], "consent": "You may stop at any time."}
# The page's variables, and the colours that it computes from them.
VARIABLES = """(names) => {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}"""
NAMES = ["accent", "on-accent", "paper", "card", "tint", "ink", "strong", "moderate", "weak", "hardly-any", "alarm"]
COLOUR = "(node, name) => getComputedStyle(node)[name]"


@pytest.fixture(scope="module")
def coloured(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("accent"), COLOURED)


@pytest.fixture
def page(warm):
    return warm


def rgb(colour):
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_buttons_links_and_chosen_answers_have_the_surveys_colour(page, coloured, survey, scheme):
    page.emulate_media(color_scheme=scheme)
    Visit(page, survey).load()
    plain = page.evaluate(VARIABLES, NAMES)
    visit = Visit(page, coloured).load()
    assert page.evaluate(VARIABLES, NAMES) == plain | {"accent": ACCENT[scheme]} and plain["accent"] != ACCENT[scheme]
    visit.agree()
    first = page.get_by_role("radio").first
    first.click()
    assert first.evaluate(COLOUR, "borderTopColor") == rgb(ACCENT[scheme])
    button = page.locator(".button.primary").first
    assert button.evaluate(COLOUR, "backgroundColor") == rgb(ACCENT[scheme])
    assert button.evaluate(COLOUR, "color") == rgb(plain["on-accent"])
    first.focus()
    page.keyboard.press("Tab")
    assert page.locator(":focus").evaluate(COLOUR, "outlineColor") == rgb(ACCENT[scheme])
    assert violations(page) == []


def test_paper_and_forced_colours_are_as_they_were(page, coloured, survey):
    Visit(page, survey).load()
    page.emulate_media(media="print")
    plain = page.evaluate(VARIABLES, NAMES)
    page.emulate_media(media="screen")
    Visit(page, coloured).load().agree()
    page.emulate_media(media="print")
    assert page.evaluate(VARIABLES, NAMES) == plain
    page.emulate_media(media="screen", forced_colors="active")
    page.get_by_role("radio").first.click()
    assert page.get_by_role("radio").first.evaluate(COLOUR, "borderTopColor") != rgb(ACCENT["light"])
    page.emulate_media(media="null", forced_colors="null")


def test_everyone_is_shown_the_same_whatever_they_answer(page, coloured):
    """The test compares all requests and the page's colours, before and after either answer."""
    seen = []
    for answer in (0, 1):
        visit = Visit(page, coloured).load().agree()
        before = page.evaluate(VARIABLES, NAMES)
        page.get_by_role("radio").nth(answer).click()
        assert page.evaluate(VARIABLES, NAMES) == before
        files = sorted(request.url.rsplit("/", 1)[-1] for request in visit.requests if "/respond/" in request.url)
        seen.append((before, files))
        visit.requests.clear()
    assert seen[0][0] == seen[1][0] and "accent.js" in {*seen[0][1]} and {*seen[0][1]} == {*seen[1][1]}


def test_a_survey_without_one_loads_nothing_for_it(page, survey):
    visit = Visit(page, survey).load()
    assert not any("accent" in request.url for request in visit.requests)


def test_a_definition_with_anything_else_than_two_colours_is_not_asked(page, coloured):
    wrong = ["#0a5c8f", {"light": "#7a1fa2", "dark": "#b786cd;}*{"}, {"light": "#7a1fa2"}]

    def altered(route):
        data = route.fetch().json() | {"accent": wrong.pop()}
        route.fulfill(body=json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False))

    page.route("**/respond/definition", altered)
    while wrong:
        visit = Visit(page, coloured).load()
        assert not visit.is_asking and page.evaluate(VARIABLES, ["accent"])["accent"] not in ACCENT.values()
