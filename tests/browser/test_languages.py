"""The respondents' page in its languages, in Chromium: every text, both directions, digits, and the change of language.
The rules and the texts of a definition are the server's."""

import json
import re

import pytest
from django.conf import settings
from django.utils import translation
from playwright.sync_api import expect

from surveys.figures import numerals
from surveys.respondent.page.notices import WORDS
from surveys.rules import languages as rules
from surveys.survey import definition as definitions
from surveys.survey.definition.languages import in_language, languages_of
from surveys.survey.kinds import texts as texts_of_kind
from tests.support import frames, vectors
from tests.support.accessibility import violations
from tests.support.builder_pages import PASTE
from tests.support.everything import NEXT, SEND
from tests.support.languages import DRAFT, draft, spoken
from tests.support.respondents import open_page
from tests.support.site import open_blank
from tests.support.studio import begun_draft
from tests.support.widths import beyond
from tests.survey.definition.test_languages import alterations

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

AGREED = "section:has(#agreed) > .primary"


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("languages"), spoken())


@pytest.fixture(scope="module")
def blank(browser, system):
    with browser.new_context() as context:
        yield open_blank(context.new_page(), system.url)


# The same in Python and in the page -----------------------------------------------------------------------------------

CERTIFY = """async (texts) => {
  const { certify } = await import("/static/respond/certificate.js");
  return texts.map((text) => certify(new TextEncoder().encode(text)).problem === null);
}"""
OWN_WORDS = """async (tag) => {
  const { OWN } = await import(`/static/respond/words/${tag}.js`);
  const { yes, no, withheld, under, between, orMore } = OWN;
  return [yes, no, withheld, under("1.5"), between("1.5", "2"), orMore("2")];
}"""
READ = """async ([text, tag, table]) => {
  const { certify } = await import("/static/respond/certificate.js");
  const { inLanguage, languagesOf } = await import("/static/respond/languages.js");
  const { OWN } = await import(`/static/respond/words/${table}.js`);
  document.documentElement.lang = tag;
  const { definition } = certify(new TextEncoder().encode(text));
  return [languagesOf(definition), inLanguage(definition, tag, OWN)];
}"""


def test_the_page_asks_in_languages_that_are_complete_and_in_no_others(blank):
    cases = alterations()
    texts = [definitions.canonical(given).decode() for given, _ in cases]
    assert blank.evaluate(CERTIFY, texts) == [sound for _, sound in cases]


@pytest.mark.parametrize("given", [DRAFT, frames.DRAFT, vectors.EVERY_KIND], ids=["three", "sections", "kinds"])
def test_a_definition_reads_the_same_in_python_and_in_the_page(blank, given):
    made = definitions.build(given)
    if "translations" not in made:
        made = made | {"translations": {"ar-MA": translated(made), "fa": translated(made)}}
    assert definitions.certified(definitions.canonical(made))
    for tag in languages_of(made):
        read = blank.evaluate(READ, [definitions.canonical(made).decode(), tag, rules.page_language(tag)])
        assert read == [languages_of(made), in_language(made, tag)], tag


@pytest.mark.parametrize("tag", rules.PAGE)
def test_each_language_has_the_same_own_words_in_python_and_in_the_page(blank, tag):
    own = rules.implied_words(tag)
    low, high = own.number("1.5"), own.number("2")
    bins = [own.under.format(low), own.between.format(low, high), own.or_more.format(high)]
    assert blank.evaluate(OWN_WORDS, tag) == [own.yes, own.no, own.prefer_not_to_say, *bins]


def translated(made):
    """Return the draft's texts in another language, each with a star."""

    def starred(part, *names):
        return {name: f"{part[name]} *" if part[name] else "" for name in names if name in part}

    def of(question):
        names = {name for name in texts_of_kind(question) if isinstance(question[name], list)}
        lists = {name: [f"{each} *" for each in question[name]] for name in names}
        if question["prefer_not_to_say"] and "options" in lists:
            lists["options"] = lists["options"][:-1]
        return starred(question, "text", "note", "unit") | lists

    texts = starred(made, "title", "introduction", "consent", "thanks")
    texts |= {"sections": [starred(each, "title", "text") for each in made["sections"]]} if "sections" in made else {}
    return texts | {"questions": [of(each) for each in made["questions"]]}


DIRECTIONS = """async (tags) => {
  const { direction } = await import("/static/respond/translations.js");
  return tags.map(direction);
}"""


def test_tags_have_the_same_direction(blank):
    tags = ["en", "de-AT", "ar", "ar-MA", "fa", "he", "ks-Deva", "az-Arab", "zh-Hant-TW", "nqo", "yi", "dv", "ur-IN"]
    assert blank.evaluate(DIRECTIONS, tags) == [rules.direction(tag) for tag in tags]


# The words ------------------------------------------------------------------------------------------------------------

SHAPES = """async (languages) => {
  const shape = (value) => {
    if (typeof value === "function") return `function of ${value.length}`;
    if (Array.isArray(value)) return value.map(shape);
    if (typeof value !== "object") return typeof value;
    return Object.fromEntries(Object.keys(value).sort().map((name) => [name, shape(value[name])]));
  };
  const load = (name) => import(`/static/respond/words/${name}.js`);
  return Promise.all(languages.map(async (language) =>
    shape({ ...(await load(language)), ...(await load(`${language}-more`)) })));
}"""


def test_every_table_of_words_has_what_the_english_one_has(blank):
    english, *others = blank.evaluate(SHAPES, list(rules.PAGE))
    assert len(english) > 20 and all(other == english for other in others)


WRITTEN = """async ([tag, name]) => {
  document.documentElement.lang = tag;
  const { shown, ODDS } = await import(`/static/respond/words/${name}.js`);
  const { BELIEFS } = await import(`/static/respond/words/${name}-more.js`);
  const { localTime } = await import("/static/respond/outcome.js");
  return [shown("45.5"), ODDS.oneIn(12345), BELIEFS.belief(20, 41, 8), localTime("2030-01-31T12:00:00Z")];
}"""


@pytest.mark.parametrize("tag", ["ar-EG", "ar-MA", *rules.PAGE])
def test_numbers_and_dates_have_the_digits_of_the_results_pages(blank, tag):
    """If the site has the language, its pages decide the digits. Otherwise the language does."""
    name = rules.page_language(tag)
    number, chance, belief, day = blank.evaluate(WRITTEN, [tag, name])
    assert number == rules.implied_words(tag).number("45.5") and re.search(r"12[.,\u202f\u00a0]?345", chance)
    if name in dict(settings.LANGUAGES):
        with translation.override(name):
            assert number == numerals.decimal("45.5") and numerals.integer(12345) in chance
    assert {"2030", "31"} <= set(re.findall(r"[0-9]+", day)) and {"20", "8", "41"} == set(re.findall(r"[0-9]+", belief))


NUMBERS = {
    "١٢٫٥": "12.5", "۱۲٫۵": "12.5", "۴۵": "45", "12,5": "12.5", "−٣": "-3", "٣٠٠٠": "3000", "٢٬٥٠٠": "2500", " ٧ ": "7",
    "\u061c-٤": "-4", "١٢،٥": "12.5",
}  # fmt: skip
TYPED = """async (typed) => {
  const { readNumber } = await import("/static/respond/number.js");
  const question = { kind: "mean", low: "-5", high: "50", unit: "" };
  return typed.map((text) => readNumber(question, text).answer);
}"""


def test_the_digits_of_arabic_and_persian_are_read_as_numbers(blank):
    assert blank.evaluate(TYPED, list(NUMBERS)) == list(NUMBERS.values())


COUNTED = """async () => {
  document.documentElement.lang = "ar";
  const { FORM } = await import("/static/respond/words/ar.js");
  return [1, 2, 3, 11, 100].map((count) => FORM.missing(count));
}"""


def test_arabic_counts_in_all_of_its_plurals(blank):
    nouns = ["سؤال واحد", "سؤالان", "3 أسئلة", "11 سؤالًا", "100 سؤال"]
    assert blank.evaluate(COUNTED) == [f"بقي {noun} من دون إجابة." for noun in nouns]


# The page -------------------------------------------------------------------------------------------------------------


def opened(browser, survey, locale, width=320):
    context = browser.new_context(locale=locale, viewport={"width": width, "height": 844})
    page = context.new_page()
    page.goto(survey.page)
    page.locator("#promise").wait_for()
    return page


def agree(page):
    page.get_by_role("checkbox").check()
    page.locator(AGREED).click()
    page.locator(".question").first.wait_for()


def answer(page):
    """Answer every question of the visible section."""
    for question in page.locator(".question:visible").all():
        if question.get_by_role("textbox").count():
            question.get_by_role("textbox").fill("٤٠")
        elif question.get_by_role("checkbox").count():
            question.get_by_role("checkbox").first.click()
        else:
            rows = question.get_by_role("row").filter(has=page.get_by_role("radio"))
            for group in [*question.get_by_role("radiogroup").all(), *rows.all()]:
                group.get_by_role("radio").first.click()


LOCALES = {"de-AT": "de", "en-GB": "en", "ar-EG": "ar", "nl": "de", "pt-BR": "pt", "zh-CN": "zh", "es-MX": "es"}
LOCALES |= {tag: tag for tag in rules.PAGE if tag not in LOCALES.values()}


@pytest.mark.statistical
@pytest.mark.parametrize(("locale", "tag"), LOCALES.items())
def test_the_browser_chooses_and_the_page_is_whole_in_each_language(browser, survey, locale, tag, nightly):
    """Daily, axe runs in tests/browser/test_states.py in one language."""
    page = opened(browser, survey, locale)

    def is_sound():
        return beyond(page) == 0 and not (nightly and violations(page))

    texts = in_language(survey.definition, tag)
    root = page.locator("html")
    assert (root.get_attribute("lang"), root.get_attribute("dir")) == (tag, rules.direction(tag))
    assert page.title() == page.locator("h1").inner_text() == texts["title"]
    assert is_sound()
    agree(page)
    assert page.locator("h3").first.inner_text() == texts["questions"][0]["text"]
    assert is_sound()
    answer(page)
    page.locator(NEXT).click()
    answer(page)
    assert is_sound()
    page.locator(SEND).click()
    page.get_by_text(texts["thanks"]).wait_for()
    page.get_by_role("group").first.click()
    assert is_sound()
    page.context.close()


def test_a_change_of_language_keeps_what_was_answered_and_sends_nothing(browser, survey):
    page = opened(browser, survey, "de", 390)
    agree(page)
    answer(page)
    page.locator(NEXT).click()
    page.get_by_role("radiogroup").nth(0).wait_for()
    made = []
    page.on("request", lambda request: made.append(request.url))
    page.get_by_label("Sprache").select_option("ar")
    expect(page.get_by_role("heading", name="عن المدينة")).to_be_visible()
    expect(page.get_by_label("اللغة")).to_be_focused()
    assert [url.partition("/respond/")[2] for url in made] == ["ar.js"], "pins.js has come for German"
    expect(page.locator(".progress")).to_contain_text("أُجيب عن 4 من 7")
    page.get_by_role("button", name="السابق").click()
    checked = page.get_by_role("radio", checked=True).all_inner_texts()
    assert checked == ["نعم", "مكتب"]
    assert [each.input_value() for each in page.get_by_role("textbox").all()] == ["٤٠", "٤٠"]
    expect(page.locator(".counts").first).to_have_text("= 40. يُحسب: من 30 إلى أقل من 45.5 سنة.")
    page.get_by_role("button", name="التالي").click()
    answer(page)
    with page.expect_request(lambda request: request.method == "POST") as sent:
        page.locator(SEND).click()
    page.get_by_role("heading", name="شكرًا لك").wait_for()
    body = json.loads(sent.value.post_data)
    assert body["digest"] == survey.digest and list(body["answers"]) == [each["key"] for each in DRAFT["questions"]]
    page.get_by_label("اللغة").select_option("en")
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    expect(page.get_by_text("See you next time!")).to_be_visible()
    page.context.close()


def test_a_language_without_words_of_the_page_is_marked_where_it_stands(browser, system, tmp_path):
    persian = draft(lambda made: (made.pop("translations"), made.pop("consent")), language="fa")
    survey = open_page(system, tmp_path, persian)
    page = opened(browser, survey, "fa")
    root, heading = page.locator("html"), page.locator(".question h3").first
    assert (root.get_attribute("lang"), root.get_attribute("dir")) == ("en", "ltr")
    assert (heading.get_attribute("lang"), heading.get_attribute("dir")) == ("fa", "rtl")
    assert page.locator("h1").evaluate("(node) => node.lang") == "fa"
    assert page.get_by_role("radio", name="Prefer not to say").first.get_attribute("lang") is None
    assert page.get_by_label("Language").count() == 0 and violations(page) == []
    page.context.close()


@pytest.mark.parametrize("locale", ["de", "ar"])
def test_with_other_words_than_its_own_the_page_asks_nothing_and_names_a_way_out(browser, survey, locale):
    context = browser.new_context(locale=locale)
    page = context.new_page()
    file = f"**/respond/{locale}.js"
    page.route(file, lambda route: route.fulfill(body="export {}", content_type="text/javascript"))
    page.goto(survey.page)
    for language in rules.PAGE:  # without words, the page shows the document's sentence in all languages
        page.get_by_role("heading", name=WORDS[language]["stuck"]).wait_for()
    assert page.locator(".preparing").is_hidden()
    assert page.locator(".question").count() == 0
    page.unroute(file)
    page.reload()
    page.locator("#promise").wait_for()
    assert page.locator("html").get_attribute("lang") == locale
    context.close()


def test_the_studios_form_of_a_translation_is_whole_at_every_width(browser, system):
    number, cookie = begun_draft(system, draft(lambda made: made["translations"]["ar"].update(title="")))
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.add_cookies([cookie])
    page = context.new_page()
    page.goto(f"{system.url}/surveys/{number}/texts/")
    page.get_by_text("1 text is missing").wait_for()
    assert beyond(page) == 0 and violations(page) == []
    page.locator('a[href$="?to=ar"]').click()
    page.get_by_text("Not translated yet.").wait_for(state="attached")
    assert beyond(page) == 0 and violations(page) == []
    page.get_by_label("Leben in der Stadt", exact=True).fill("الحياة في المدينة")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Nothing is missing.").wait_for()
    page.goto(f"{system.url}/surveys/{number}/preview/")
    page.get_by_label("Sprache").or_(page.get_by_label("Language")).select_option("ar")
    expect(page.get_by_role("heading", level=1, name="الحياة في المدينة")).to_be_visible()
    context.close()


def test_pasted_translations_go_beside_their_originals_and_the_others_are_named(context, system):
    questions = [{"key": "tea", "kind": "single_choice", "text": "Tea?", "options": ["Green", "Black"]}]
    number, cookie = begun_draft(system, {"title": "Drinks", "questions": questions, "translations": {"de": {}}})
    context.add_cookies([cookie])
    page = context.new_page()
    page.goto(f"{system.url}/surveys/{number}/languages/?to=de")
    texts = page.locator(".pair :is(input, textarea)")

    def paste(place, text):
        texts.nth(place).evaluate(PASTE, text)
        return texts.evaluate_all("fields => fields.map((field) => field.value)")

    assert paste(0, "Green\tGrün\r\nTea?\tTee?\nMilk\tMilch\nBlack\t") == ["", "Tee?", "Grün", ""]
    expect(page.locator("#unplaced")).to_have_text(re.compile(": Milk$"))
    assert violations(page) == []
    assert paste(0, "Getränke\nTee?\nGrüner\nSchwarzer\nRoter\n") == ["Getränke", "Tee?", "Grüner", "Schwarzer"]
    expect(page.locator("#unplaced")).to_have_text(re.compile(": Roter$"))
    assert paste(1, "Zwei\nZeilen")[0] == "Getränke", "an area has lines of its own"
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Nothing is missing.").wait_for()
