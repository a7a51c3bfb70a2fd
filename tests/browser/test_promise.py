"""The page's statements before its first question, and their folded parts. They are true at every alpha, computed from
the tables, and short."""

import math
import re
from fractions import Fraction
from itertools import product

import pytest

from ldp import strength
from ldp.exact import RESOLUTION
from surveys.public.demo.drafts import draft as demo_draft
from surveys.rules import languages
from surveys.survey import definition as definitions
from tests.support import stated_channels as stated
from tests.support.accessibility import violations
from tests.support.certificate_cases import question, sound_question
from tests.support.languages import spoken as translated
from tests.support.mechanisms import laplace
from tests.support.respondents import Visit, open_page
from tests.support.site import mapped, open_blank
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]


@pytest.fixture(scope="module")
def blank(browser, system):
    with browser.new_context() as context:
        yield open_blank(context.new_page(), system.url)


def asking(*alphas, **more):
    each = [{"key": f"q{i}", "kind": "yes_no", "text": f"{i}?", "alpha": alpha} for i, alpha in enumerate(alphas)]
    return {"title": "Alphas", "questions": each} | more


SAID = """async (text) => {
  const { certify } = await import("/static/respond/certificate.js");
  const { ofForm } = await import("/static/respond/lot.js");
  const { promise } = await import("/static/respond/promise.js");
  const { beliefs } = await import("/static/respond/beliefs.js");
  const definition = ofForm(certify(new TextEncoder().encode(text)).definition);
  document.body.replaceChildren(promise(definition).node, ...beliefs(definition).filter(Boolean));
  return document.body.innerText;
}"""


def said(blank, draft):
    """Return the page's first statements about a survey, folded or unfolded."""
    return blank.evaluate(SAID, definitions.canonical(definitions.build(draft)).decode())


# In words -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["0.2", "0.4", "1", "16"])
def spoken(request, system, tmp_path_factory):
    """Return a survey of five questions in every page language, without consent and sections, of one strength."""

    def plain(made):
        for texts in (made, *made["translations"].values()):
            del texts["sections"], texts["consent"]
            texts["questions"] = texts["questions"][:5]
        for each in made["questions"]:
            each["alpha"] = request.param

    return open_page(system, tmp_path_factory.mktemp("spoken"), translated(plain))


# The visible words before the first question, divided by the language's rules.
WORDS = """() => {
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const parts = new Intl.Segmenter(document.documentElement.lang, { granularity: "word" });
  const words = [];
  while (walker.nextNode() && !walker.currentNode.parentElement.closest(".question")) {
    const { parentElement, data } = walker.currentNode;
    if (parentElement.closest(".visually-hidden, .language") || !parentElement.checkVisibility()) continue;
    words.push(...[...parts.segment(data)].filter((each) => each.isWordLike).map((each) => each.segment));
  }
  return words;
}"""


def test_after_sixty_words_comes_the_first_question_on_the_first_screen_of_a_phone(browser, spoken):
    for language in languages.PAGE:
        the_first_question_is_near(browser, spoken, language)


def test_that_of_the_demo_does_too(browser, system, tmp_path):
    the_first_question_is_near(browser, open_page(system, tmp_path, demo_draft()), "en")


def the_first_question_is_near(browser, survey, locale):
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale=locale)
    page = Visit(context.new_page(), survey).load().page
    page.locator(".own summary").wait_for()
    assert page.locator("html").get_attribute("lang") == locale and page.locator(".own dl").count() == 0
    words = page.evaluate(WORDS)
    assert 20 < len(words) <= 60, (locale, words)
    control = page.locator(".question").first.locator("button, input, select").first
    option = control.bounding_box()
    assert option["y"] + option["height"] < 844, locale
    assert page.locator(".own .strength path").count() == 2, "the picture of the strength"
    assert beyond(page) == 0
    context.close()


def test_one_belief_is_said_and_all_else_is_folded(page, system, tmp_path):
    """M28: e/(e+1) is .731. All three answers together have alpha 2.5: 20 in 100 becomes 75.3 or 2.01."""
    Visit(page, open_page(system, tmp_path, asking("1", "0.5", "1"))).load()
    assert re.split("\n+", page.locator("#stage > section").first.inner_text()) == [
        "This page says",
        "Even randomized, your report can reveal much about your answers",
        "Weak protection",
        "Your report can make someone 20% sure of an answer at most 76% sure.",
        "Take part only if you accept what others could learn.",
        "How are you protected?",
    ]
    page.get_by_text("How are you protected?").click()
    page.locator("#stage td").first.wait_for()
    assert page.locator(".own dl > div").count() == 4 and page.locator(".own dl").is_visible()
    text = page.locator(".own details").inner_text().partition("Who could learn what")[0]
    assert "Weak protection of all 3 answers; of each alone: strong." in text
    assert "Of 100 people who answer as you do, about 73 reports name that answer." in text
    assert "Of 100 who answer otherwise, about 27 do." in text
    assert "with 20% certainty, your whole report could raise that to at most 76%, or lower it to 2%." in text
    assert "41" not in text, "beliefs are of the whole report (M39)"
    (own,) = page.locator(".question .protection").all_inner_texts()
    assert own.startswith("This page says\nStrong protection") and "about 62 reports" in own
    squares = page.locator(".hundreds path").evaluate_all("(paths) => paths.map((path) => path.attributes.d.value)")
    assert [path.count("M") for path in squares] == [73, 27, 27, 73]
    cells = page.locator("#stage td").all_inner_texts()
    assert cells == ["1 to 13", "0 to 40", "8 to 41", "2 to 76", "26 to 74", "7 to 93"]
    assert page.locator(".own details").get_by_text("null", exact=True).count() == 0
    assert violations(page) == []


@pytest.mark.parametrize(
    ("alphas", "named", "warned"),
    [
        (["1"], "Strong protection", ""),
        (["2"], "Moderate protection", ""),
        (["0.5"] * 3, "Moderate protection of all 3 answers; of each alone: strong.", ""),
        (["4"], "Weak protection", "what others could learn"),
        (["4.000001"], "Hardly any protection", "your answers being known"),
        (["1"] * 8, "Weak protection of all 8 answers; of each alone: strong.", "what others could learn"),
        (["1"] * 8 + ["0.01"], "Hardly any protection of all 9", "your answers being known"),
    ],
)
def test_the_strength_is_named_and_where_it_is_weak_that_is_said(blank, alphas, named, warned):
    text = said(blank, asking(*alphas))
    assert named in text and warned in text
    assert bool(warned) == ("Take part only if you accept" in text)
    assert not any(claim in text for claim in ("never learn", "nobody can", "Nobody can", "anonymous"))


def test_at_the_largest_alpha_nothing_is_claimed_that_is_not_so(blank):
    text = said(blank, asking("16"))
    assert "about 100 reports name that answer" in text and "about 0 do" in text
    assert text.count("as good as certain") == 2 and "at most" not in text
    assert blank.evaluate("[...document.querySelectorAll('td')].map((cell) => cell.textContent)") == ["0 to 100"] * 3


@pytest.mark.parametrize(
    ("kind", "first"),
    [
        ({"kind": "mean", "low": "0", "high": "9"}, "Of 100 people with the highest number"),
        ({"kind": "multiple_choice", "options": ["a", "b"]}, "If 100 people gave your answer to this item"),
        ({"kind": "ranking", "ranked": ["a", "b", "c"]}, "If 100 people put two of the items in your order"),
        ({"kind": "ordered", "options": ["a", "b", "c"]}, "Of 100 people who answer as you do"),
    ],
)
def test_each_kind_has_words_of_its_own_and_the_simplest_question_is_the_example(blank, kind, first):
    own = kind | {"key": "own", "text": "?", "alpha": "1"}
    assert first in said(blank, {"title": "Kinds", "questions": [own]})
    text = said(blank, {"title": "Kinds", "questions": [own, *asking("1")["questions"]]})
    assert f"Question {1 if kind['kind'] == 'ordered' else 2}, for example:" in text
    assert "Of 100 people who answer as you do" in text


# From the tables ------------------------------------------------------------------------------------------------------

STEPS = """(alphas) => {
  const each = alphas.map((alpha) => ({ alpha }));
  return strengths({ questions: each, parts: each });
}"""


def test_the_steps_are_those_of_the_server(blank):
    given = [
        *([alpha] for alpha in ("0.01", "1", "1.000001", "2", "2.000001", "4", "4.000001", "16")),
        *(["1", "1"], ["1", "1.000001"], ["0.5"] * 9, ["2"] * 4, ["2"] * 4 + ["0.01"], ["3", "0.01"], ["0.01"] * 200),
    ]
    found = mapped(blank, "promise.js", "strengths", STEPS, given)
    for alphas, steps in zip(given, found, strict=True):
        fractions = [Fraction(alpha) for alpha in alphas]
        assert strength.STEPS[steps["one"]] == strength.of_question(max(fractions))
        assert strength.STEPS[steps["all"]] == strength.of_survey(fractions)
    steps = blank.evaluate("async () => (await import('/static/respond/promise.js')).STRENGTHS")
    assert steps == {"question": list(strength.QUESTION), "survey": list(strength.SURVEY)}


def test_beliefs_are_rounded_outward_from_the_exact_factor(blank):
    factors = [(1, 1), (3, 2), (27, 10), (10**40 + 1, 10**39), (1 + 2**53, 7)]
    given = [[prior, str(a), str(b)] for prior, (a, b) in product((1, 5, 20, 50, 99), factors)]
    found = mapped(blank, "exact.js", "belief", "([prior, a, b]) => belief(prior, [BigInt(a), BigInt(b)])", given)
    for (prior, a, b), limits in zip(given, found, strict=True):
        factor, x = Fraction(int(a), int(b)), Fraction(prior, 100)
        low, high = x / (x + (1 - x) * factor), x * factor / (x * factor + 1 - x)
        assert limits == [math.floor(100 * low), math.ceil(100 * high)]


THIRD, TENTH = RESOLUTION // 3, RESOLUTION // 10
ROWS = [[5 * TENTH, 8 * TENTH], [3 * TENTH, 7 * TENTH], [TENTH, 4 * TENTH]]
LONG = [[4 * TENTH, 7 * TENTH, 8 * TENTH, 9 * TENTH], [2 * TENTH, 4 * TENTH, 6 * TENTH, 8 * TENTH]]
LONG.append([TENTH, 2 * TENTH, 3 * TENTH, 6 * TENTH])
# name: (a table for three options or grid points, its channel, whether a report speaks for an answer)
SPEAKING = {
    "randomized_response": ({"keep": 4 * TENTH, "sizes": [2]}, stated.randomized_response_channel, lambda z, x: x in z),
    "bitwise": ({"flip": THIRD}, stated.bitwise_channel, lambda z, x: z[x] == "1"),
    "laplace": ({"flip": THIRD, "magnitude": [THIRD, TENTH]}, laplace.channel, lambda z, x: z[x] > 0),
    "osgt": ({"noise": [TENTH, THIRD, 6 * TENTH, 9 * TENTH]}, stated.noise_channel, lambda z, x: z[x] > 0),
    "gaussian": ({"noise": [TENTH, 7 * TENTH]}, stated.noise_channel, lambda z, x: z[x] > 0),
    "exponential": ({"rows": ROWS}, stated.rows_channel, lambda z, x: z == x),
}


def speaks(blank, given):
    body = "(question) => MECHANISMS[question.mechanism].speaks(question.table, valuesOf(question))"
    return mapped(blank, "mechanisms.js", "MECHANISMS, valuesOf", body, [given])[0]


@pytest.mark.parametrize("name", SPEAKING)
def test_how_often_a_report_names_an_answer_is_what_the_channel_says(blank, name):
    table, channel, says = SPEAKING[name]
    rows = channel(3, table, RESOLUTION)
    chance = [[sum(p for z, p in row.items() if says(z, x)) for x in range(3)] for row in rows]
    own = sum(chance[x][x] for x in range(3)) / 3
    other = sum(chance[y][x] for x, y in product(range(3), repeat=2) if x != y) / 6
    assert speaks(blank, question(name, "1", 3, table)) == pytest.approx([own, other], rel=1e-12)


@pytest.mark.parametrize("name", ["multiple", "grid"])
def test_of_a_sampled_point_it_is_how_often_the_answer_about_it_is_named(blank, name):
    d, size = (2, {}) if name == "multiple" else (3, {"size": 2})
    table = {"sample": 2, "keep": 4 * TENTH} | size
    (law,) = stated.sampled_channel([(0, 1, 1)], d, 3, table, RESOLUTION)
    about = {z: p for z, p in law.items() if 1 in dict(z)}
    own, other = (sum(p for z, p in about.items() if value in dict(z)[1]) / sum(about.values()) for value in (1, 0))
    assert speaks(blank, question(name, "1", d, table)) == pytest.approx([own, other], rel=1e-12)


def test_of_a_number_it_is_how_often_it_lies_in_the_upper_half(blank):
    rows = stated.rows_channel(3, {"rows": LONG}, RESOLUTION, lowest=-1)
    upper = [sum(p for z, p in row.items() if z > 1) for row in (rows[-1], rows[0])]
    assert speaks(blank, question("laplace_mean", "1", 0, {"rows": LONG})) == pytest.approx(upper, rel=1e-12)
    own, other = speaks(blank, sound_question("one_bit", "1"))
    assert (own, other) == pytest.approx((0.7310586, 0.2689414))
