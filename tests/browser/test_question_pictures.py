"""Pictures of questions and options, and the logo, in Chromium. The page draws them from the definition, without a
request, and the same for everyone."""

import json
from itertools import product

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import violations
from tests.support.picture_files import PICTURED, picture
from tests.support.respondents import Visit, open_page
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# The colour in the middle of each canvas, after all are drawn.
DRAWN = """async () => {
  const canvases = [...document.querySelectorAll("canvas")];
  const middle = (canvas) => {
    const [x, y] = [canvas.width >> 2, canvas.height >> 2];
    return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
  };
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    const colours = canvases.map(middle);
    if (colours.every((each) => each[3] === 255)) return colours;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return null;
}"""
BOXES = """() => [...document.querySelectorAll("canvas")].map((canvas) => {
  const { width, height } = canvas.getBoundingClientRect();
  return { width, height, ratio: width / height, own: canvas.width / canvas.height };
})"""
ALTS = ["The Society for Walking", "A street with a bus stop", "Three hills, each higher than the one before"]


@pytest.fixture(scope="module")
def pictured(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("pictures"), PICTURED)


@pytest.fixture
def page(warm):
    return warm


@pytest.fixture(scope="module")
def translated(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("translated"), TRANSLATED)


def way(page):
    return page.locator(".question").nth(1)


def asked_for(visit):
    return sorted({request.url.partition("#")[0].rsplit("/", 1)[-1] for request in visit.requests})


def test_each_is_drawn_with_what_it_shows_in_words_and_none_is_asked_for(page, pictured):
    visit = Visit(page, pictured).load()
    visit.requests.clear()
    assert len(page.evaluate(DRAWN)) == 1 + 1 + 2 + 1 + 3
    shown = page.get_by_role("img", include_hidden=True)
    names = [each for each in shown.evaluate_all("(all) => all.map((each) => each.ariaLabel)") if each in ALTS]
    assert names == ALTS
    # An option's text describes its picture, so the text alone is its name.
    radios = way(page).get_by_role("radio")
    assert [radio.inner_text() for radio in radios.all()] == ["On foot", "By bus", "By train", "Prefer not to say"]
    expect(way(page).get_by_role("radio", name="On foot", exact=True)).to_have_count(1)
    described = way(page).get_by_role("radiogroup")
    expect(described).to_have_accessible_description("A street with a bus stop The longest part counts.")
    page.get_by_role("radio", name="Yes").click()
    page.locator(".question").nth(2).get_by_role("radio", name="Steep").click()
    assert asked_for(visit) == [] and page.locator("img").count() == 0


def test_they_keep_their_shape_and_fit_the_page(page, pictured):
    page.set_viewport_size({"width": 320, "height": 900})
    Visit(page, pictured).load()
    page.get_by_role("radio", name="Yes").click()
    for scheme, width in product(("light", "dark"), (320, 390, 1280)):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(DRAWN) and beyond(page) == 0
        for box in page.evaluate(BOXES):
            assert box["width"] > 20 and abs(box["ratio"] / box["own"] - 1) < 0.03, (box, width)
    page.locator(".question").nth(2).get_by_role("radio", name="Steep").click()
    assert violations(page) == []


def test_nothing_moves_when_they_are_drawn(context, pictured):
    page = context.new_page()
    page.add_init_script("""
      const make = window.createImageBitmap;
      window.createImageBitmap = async (...given) => {
        await new Promise((resolve) => { window.release = resolve; setTimeout(resolve, 1500); });
        return make(...given);
      };""")
    Visit(page, pictured).load()
    height = "() => document.body.scrollHeight"
    before = page.evaluate(height)
    assert page.evaluate(DRAWN) and page.evaluate(height) == before


def test_an_option_with_a_picture_is_chosen_by_its_picture_and_by_keys(page, pictured):
    Visit(page, pictured).load()
    way(page).locator("canvas").nth(1).click()
    expect(way(page).get_by_role("radio", name="On foot")).to_be_checked()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(way(page).get_by_role("radio", name="By train")).to_be_checked()
    assert way(page).get_by_role("radio", name="By train").evaluate("(node) => node === document.activeElement")


def test_forced_colours_and_paper_have_them(page, pictured):
    Visit(page, pictured).load()
    page.emulate_media(forced_colors="active")
    way(page).get_by_role("radio").first.click()
    assert way(page).locator("canvas").first.is_visible()
    page.emulate_media(media="print", forced_colors="none")
    assert way(page).locator("canvas").first.is_visible() and way(page).locator("canvas").nth(1).is_visible()
    page.emulate_media(media="screen")


def test_everyone_loads_and_is_shown_the_same_whatever_they_answer(page, pictured):
    """The test compares all requests and every picture, including a picture of a conditional question."""
    seen = []
    for answer in ("Yes", "No"):
        visit = Visit(page, pictured).load()
        before = page.evaluate(DRAWN)
        page.get_by_role("radio", name=answer, exact=True).click()
        assert page.evaluate(DRAWN) == before
        seen.append((before, asked_for(visit)))
        visit.requests.clear()
    assert seen[0][0] == seen[1][0] and "pictures.js" in seen[0][1] and {*seen[1][1]} == {*seen[0][1]}


def test_a_survey_without_any_loads_nothing_for_them(page, survey):
    visit = Visit(page, survey).load()
    assert "pictures.js" not in asked_for(visit)


def test_the_page_allows_itself_nothing_more_for_them(page, pictured, survey):
    policies = []
    for each in (pictured, survey):
        page.goto("about:blank")
        policies.append(page.goto(each.page).headers["content-security-policy"])
    assert policies[0] == policies[1] and "img-src 'self';" in policies[0]


# Features that the oldest supported browsers lack: Chrome 93 and Firefox 92 have no :has(), others no such function.
OLD = """
  const insert = CSSStyleSheet.prototype.insertRule;
  CSSStyleSheet.prototype.insertRule = function (rule, ...rest) {
    if (rule.includes(":has(")) throw new SyntaxError(rule);
    return insert.call(this, rule, ...rest);
  };"""
LACKS = {
    "has": OLD,
    "bitmaps": "delete window.createImageBitmap;",
    "decoding": "window.createImageBitmap = async () => { throw new DOMException('', 'InvalidStateError'); };",
    "drawing": "HTMLCanvasElement.prototype.getContext = () => null;",
}


@pytest.mark.parametrize("lack", LACKS)
def test_a_browser_that_cannot_show_them_asks_all_the_same(context, pictured, lack):
    page = context.new_page()
    page.add_init_script(LACKS[lack])
    Visit(page, pictured).load()
    way(page).get_by_role("radio", name="On foot").click()
    expect(way(page).get_by_role("radio", name="On foot")).to_be_checked()
    if lack != "has":
        for alt in ALTS:
            expect(page.get_by_text(alt, exact=True)).to_have_count(1)
        described = way(page).get_by_role("radiogroup")
        expect(described).to_have_accessible_description("A street with a bus stop The longest part counts.")
        assert page.locator("canvas").count() == 0
    if lack == "drawing":  # the options' words are shown in any case
        assert violations(page) == []


def test_a_question_whose_key_is_a_name_of_all_objects_is_asked_without_any(page, system, tmp_path):
    named = PICTURED | {"questions": [PICTURED["questions"][1], PICTURED["questions"][0] | {"key": "constructor"}]}
    Visit(page, open_page(system, tmp_path, named)).load()
    expect(page.locator(".question")).to_have_count(2)
    assert len(page.evaluate(DRAWN)) == 1 + 1 + 2


TRANSLATED = PICTURED | {
    "translations": {
        "ar": {
            "title": "على الطريق",
            "introduction": "ثلاثة أسئلة.",
            "logo": "جمعية المشي",
            "questions": [
                {"text": "هل تمشي إلى العمل؟"},
                {"text": "كيف تصل؟", "note": "الجزء الأطول.", "options": ["مشيا", "حافلة", "قطار"]}
                | {"picture": "شارع فيه موقف"},
                {"text": "كم انحدار الطريق؟", "options": ["مستو", "قليل", "شديد"], "picture": "ثلاثة تلال"},
            ],
        }
    }
}  # fmt: skip


def test_their_words_change_with_the_language_and_what_was_answered_stays(page, translated):
    Visit(page, translated).load()
    way(page).get_by_role("radio", name="By bus").click()
    page.locator(".language select").select_option("ar")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.get_by_role("img", name="جمعية المشي")).to_have_attribute("lang", "ar")
    expect(page.get_by_role("img", name="شارع فيه موقف")).to_have_count(1)
    expect(way(page).get_by_role("radio", name="حافلة")).to_be_checked()
    assert page.evaluate(DRAWN) and violations(page) == []


def test_words_in_place_of_pictures_change_with_the_language(context, translated):
    page = context.new_page()
    page.add_init_script(LACKS["decoding"])
    Visit(page, translated).load()
    expect(page.get_by_text("The Society for Walking", exact=True)).to_be_visible()
    page.locator(".language select").select_option("ar")
    expect(page.get_by_text("جمعية المشي", exact=True)).to_have_attribute("lang", "ar")
    expect(page.get_by_text("شارع فيه موقف", exact=True)).to_have_attribute("lang", "ar")


@pytest.mark.parametrize(
    "wrong",
    [
        {"logo": {"alt": {"en": "A"}, "data": "https://example.org/a.webp", "height": 5, "width": 5}},
        {"logo": picture(9, 9) | {"alt": {"en": "A"}, "width": 321}},
        {"logo": picture(9, 9)},
        {"questions": {"other": picture(9, 9) | {"alt": {"en": "A"}}}},
        {"options": {"way": [picture(9, 9)]}},
        {"sections": {}},
    ],
)
def test_a_definition_whose_pictures_are_none_is_not_asked(page, pictured, wrong):
    def altered(route):
        data = route.fetch().json() | {"pictures": wrong}
        route.fulfill(body=json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False))

    page.route("**/respond/definition", altered)
    page.goto(pictured.page)
    expect(page.locator("#outcome")).to_be_visible()
    assert page.locator(".question").count() == 0 and page.locator("canvas").count() == 0
