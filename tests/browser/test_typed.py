"""The respondents' page reads a typed number as the studio does. It asks again if two numbers may be meant."""

import itertools
import random
import unicodedata

import pytest

from surveys.figures import typed
from tests.support.respondents import Visit
from tests.support.site import mapped, open_blank

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

MARKS = ".,·'_ ٬٫’\u00a0\u2009\u202f，．。،﹐﹒-−＋﹢+eE%\u200f\u200b\n"
PARTS = ("", "0", "1", "12", "123", "1234", "٣٤", "３０", "०", "²", "½")


@pytest.fixture
def blank(warm, system):
    return open_blank(warm, system.url)


def inputs():
    """Return texts of parts with marks between them, random texts, and every character between two digits."""
    chance = random.Random(46)
    regular = [
        one + mark + other + (again + third if third else "")
        for one, other in itertools.product(PARTS, repeat=2)
        for mark, again, third in itertools.product(MARKS, ("", ",", "."), ("", "567", "5"))
    ]
    letters = "0123456789" + MARKS + "٠०৩๓௩៣၃𝟗１"
    free = ["".join(chance.choices(letters, k=chance.randint(0, 9))) for _ in range(20_000)]
    code_points = [f"1{chr(code)}5" for code in range(0x110000) if unicodedata.category(chr(code)) not in ("Cs", "Cn")]
    return [*regular, *free], code_points


@pytest.mark.parametrize("language", ["en", "de", "ar", "es", "fr", "pt-BR", "tr", "zh", "it"])
def test_the_page_and_the_studio_read_every_text_alike(blank, language):
    made, characters = inputs()
    given = [*made, *(characters if language == "en" else ())]
    body = "([text, language]) => readings(text, language)"
    found = mapped(blank, "typed.js", "readings", body, [[text, language] for text in given])
    differing = [
        (text, there, here)
        for text, there in zip(given, found, strict=True)
        if there != (here := typed.readings(text, language))
    ]
    assert len(given) > 40_000 and differing == []


def test_what_is_named_is_read_again_in_every_language(blank):
    numbers = ["1.125", "-999.999", "1000.125", "0.125", "1.5"]
    found = mapped(blank, "typed.js", "unmistakable", "unmistakable", numbers)
    assert found == list(map(typed.unmistakable, numbers))


READ = """async ([language, typed, question]) => {
  document.documentElement.lang = language;
  const { readNumber } = await import("/static/respond/number.js");
  return typed.map((text) => readNumber(question, text).answer ?? readNumber(question, text).problem);
}"""
RENT = {"kind": "histogram", "edges": ["0", "100", "300", "600", "900"], "options": ["a", "b", "c", "d"], "unit": "EUR"}


def test_thousands_are_never_taken_for_decimals(blank):
    """This holds even if the question has no number of a thousand or more."""
    assert blank.evaluate(READ, ["en", ["1,500", "1'500", "1٬500", "12,34,567"], RENT]) == [3, 3, 3, 3]
    asked = blank.evaluate(READ, ["de", ["1,500"], RENT]) + blank.evaluate(READ, ["en", ["1.500", "1·500"], RENT])
    assert asked == ["Do you mean 1500 or 1.5? Enter that."] * 3
    assert blank.evaluate(READ, ["en", ["1000,000"], RENT]) == ["Do you mean 1000000 or 1000? Enter that."]
    assert blank.evaluate(READ, ["en", ["1.125"], RENT]) == ["Do you mean 1125 or 1.1250? Enter that."]


# The zero of each script, and its signs for minus and decimals if they differ from Europe's.
SCRIPTS = {
    "Arabic": "٠\u061c-٫",
    "Persian": "۰\u200e\u2212٫",
    "Devanagari": "०-.",
    "Bengali": "০-.",
    "Gujarati": "૦-.",
    "Tamil": "௦-.",
    "Thai": "๐-.",
    "Khmer": "០-,",
    "Burmese": "၀-.",
    "full width": "０－．",
    "small marks": "0﹣﹒",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_number_in_any_script_is_read_as_it_is(blank, script):
    zero, *minus, decimals = SCRIPTS[script]
    number = "".join(minus) + "".join(chr(ord(zero) + digit) for digit in (1, 2)) + decimals + chr(ord(zero) + 5)
    mean = {"kind": "mean", "low": "-50", "high": "50", "unit": ""}
    assert blank.evaluate(READ, ["en", [number, number.removeprefix("".join(minus))], mean]) == ["-12.5", "12.5"]


def test_digits_of_another_script_are_taken_at_the_page_and_refused_input_hears_the_rule(page, survey):
    question = Visit(page, survey).load().question("age")
    said = question.locator(".counts")
    for typed_text, words in (
        ("३३", "= 33. Counts as: 30 to under 35 years."),
        ("３３．５", "= 33.5. Counts as: 30 to under 35 years."),
        ("\u200b๓๓", "= 33. Counts as: 30 to under 35 years."),
        ("ten", "This is not a number yet. Enter digits only, such as 34 or 34.5."),
        ("1" * 16, "This number is too long. Enter at most 15 digits."),
    ):
        question.get_by_role("textbox").fill(typed_text)
        assert said.inner_text() == words
    question.get_by_role("textbox").fill("1" * 15)
    assert said.inner_text().endswith("Counts as: 35 or more years.")


@pytest.mark.parametrize("typed_text", ["4_0", "1e5", "3 4", "10²", "1,50,0", "abc", "5-"])
def test_what_is_no_number_is_said_to_be_none(blank, typed_text):
    [said] = blank.evaluate(READ, ["en", [typed_text], RENT])
    assert said.startswith("This is not a number yet.")
