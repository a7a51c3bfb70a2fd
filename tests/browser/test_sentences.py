"""The page's sentences about protection, folded or not, at five strengths, with one question and with five. A table has
every sentence with the facts that must hold for it, computed here from alpha alone. A sentence outside the table
fails."""

import math
import re
from typing import NamedTuple

import pytest

from surveys.rules import languages
from tests.support.languages import spoken
from tests.support.respondents import Visit, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

ALPHAS = ("0.5", "1", "2", "4", "16")
COUNTS = (1, 5)
CASES = [(alpha, count) for count in COUNTS for alpha in ALPHAS]
# One of each strength, some about one answer and some about a whole report. The others have the same sentences.
DAILY = {("0.5", 1), ("2", 5), ("16", 1)}


class Facts(NamedTuple):
    """Alpha of the least protected answer and of the whole report, and the highest chance to which a guess of 20 in 100
    can rise."""

    alpha: float
    count: int

    def after(self, answers: int, prior: float = 0.2) -> float:
        odds = prior / (1 - prior) * math.exp(self.alpha * answers)
        return odds / (1 + odds)

    @property
    def alone(self) -> float:
        return self.after(1)

    @property
    def whole(self) -> float:
        return self.after(self.count)

    def belief(self) -> tuple[str, str]:
        """Return (most, least): a guess of 20 in 100 after the whole report, rounded outward."""
        odds = 0.25 / math.exp(self.alpha * self.count)
        low = math.floor(100 * odds / (1 + odds))
        return f"{math.ceil(100 * self.whole)}%", f"{low}%" if low else "almost 0%"

    def reports(self, options: int) -> tuple[str, str]:
        """Return how many of 100 reports by randomized response name the given answer, and how many name another
        one."""
        a = math.exp(self.alpha)
        return f"{100 * a / (a + options - 1):.0f}", f"{100 / (a + options - 1):.0f}"


def may_ask_for_trust(facts):
    """Return whether the page may ask for trust: a guess of 20 in 100 stays below two thirds after any report."""
    return facts.whole < 2 / 3


def tells_much(facts):
    return facts.whole > 2 / 3


def comes_close(facts):
    return facts.alone > 0.95 or facts.whole > 0.999


def always(_facts):
    return True


CLAIMS = {
    r"Your answers are randomized before they leave this browser": may_ask_for_trust,
    r"Even randomized, your report can reveal much about your answers": lambda f: tells_much(f) and not comes_close(f),
    r"Even randomized, your report can nearly reveal your answers": comes_close,
    r"Strong protection": lambda f: f.whole < 0.42,
    r"Moderate protection": lambda f: f.whole > 0.42 and may_ask_for_trust(f),
    r"Weak protection(?: of all 5 answers; of each alone: \w+\.)?": lambda f: tells_much(f) and not comes_close(f),
    r"Hardly any protection(?: of all 5 answers; of each alone: \w+\.)?": comes_close,
    r"Take part only if you accept what others could learn\.": tells_much,
    r"Take part only if you accept your answers being known\.": comes_close,
    r"Question 1, for example:": lambda f: f.count > 1,
    r"Your report could come from either group\.": may_ask_for_trust,
    r"Your report can make someone 20% sure of an answer as good as certain\.": lambda f: f.whole > 0.99,
    r"Please answer truthfully: the randomizing protects you\.": may_ask_for_trust,
    r"Lying does not reliably protect you more, and it distorts the result\.": may_ask_for_trust,
    r"What was sent may differ from what you answered: that is what protects you\.": may_ask_for_trust,
    r"What was sent may differ from what you answered, but it can reveal much about it\.": tells_much,
    r"What was sent may differ from what you answered, but it can come close to revealing it\.": comes_close,
    r"This page says|Who could learn what|How are you protected\?": always,
    r"This page: your answers, until you send\.|The network: when you take part\.": always,
    r"Staff, thieves, courts: your report, in a table without names, addresses or times\.": always,
    r"The results: how common answers are\.": always,
    r"“This page says” marks what the page itself .*\. “The survey says” marks what .* no one has checked it\.": always,
    r"Your protection gets weaker if you take part twice, .*|So please take part only once\.": always,
    r"People who read only the published results usually learn less, .*|Anyone who sees it arrive, .*": always,
    r"How far a guess about an answer can move, in percent\.": always,
    r"Before|From one answer alone|From the whole report|\d+( to \d+)?": always,
}
ALONE = {"strong": (0, 0.41), "moderate": (0.41, 0.65), "weak": (0.65, 0.94), "hardly any": (0.94, 1)}
NUMBERS = {
    r"about (\d+) reports name that answer\. Of 100 who answer otherwise, about (\d+) do\.": lambda f: f.reports(3),
    r"could raise that to at most (\d+%), or lower it to (almost 0%|\d+%)\.": Facts.belief,
    r"someone 20% sure of an answer at most (\d+%) sure\.": lambda f: f.belief()[0],
}


@pytest.fixture(scope="module", params=CASES, ids=str)
def asked(request, system, tmp_path_factory):
    """Return (facts, survey) of the draft's first questions in every language of the page, with one alpha."""
    alpha, count = request.param

    def first(made):
        for texts in (made, *made["translations"].values()):
            del texts["sections"], texts["consent"]
            texts["questions"] = texts["questions"][:count]
        for question in made["questions"]:
            question["alpha"] = alpha
        made["questions"][0]["mechanism"] = "randomized_response"

    return Facts(float(alpha), count), open_page(system, tmp_path_factory.mktemp("alpha"), spoken(first))


def unfolded(page):
    page.locator(".own summary").click()
    page.locator(".own td").first.wait_for()


def lines(page):
    """Return the page's lines about protection: the permanent strength, the promise, and the folded text."""
    return re.split(r"[\n\t]+", "\n".join(page.locator(".standing, #stage .own").all_inner_texts()))


def check(facts, said):
    text = "\n".join(said)
    for pattern, figures in NUMBERS.items():
        for found in re.findall(pattern, text):
            assert found == figures(facts), pattern
    text = re.sub(r"Of 100 people who answer as you do, about .* do\.", "", text)
    text = re.sub(r"If someone guessed .* could raise that .*\.|Your report can make someone .* at most .*\.", "", text)
    for name in re.findall(r"of each alone: ([\w ]+)\.", text):
        low, high = ALONE[name]
        assert low < facts.alone < high
    for sentence in filter(None, re.split(r"\n|(?<=[.:]) +(?=[A-Z])", text)):
        assert any(re.fullmatch(pattern, sentence.strip()) for pattern in CLAIMS), f"not in the table: {sentence}"
        (holds,) = (holds for pattern, holds in CLAIMS.items() if re.fullmatch(pattern, sentence.strip()))
        assert holds(facts), sentence


def test_every_sentence_is_true_of_the_odds(warm, asked):
    facts, survey = asked
    visit = Visit(warm, survey).load()
    unfolded(visit.page)
    said = lines(visit.page)
    check(facts, said)
    text = "\n".join(said)
    assert ("Please answer truthfully" in text) == may_ask_for_trust(facts)
    assert ("Take part only if" in text) == tells_much(facts)
    assert re.search("could raise that|as good as certain", text) and "reports name that answer" in text
    answer(visit.page)
    visit.send().is_thanked()
    check(facts, [visit.page.get_by_text("What was sent may differ").inner_text()])


def answer(page):
    for question in page.locator(".question").all():
        if question.get_by_role("textbox").count():
            question.get_by_role("textbox").fill("40")
        else:
            question.get_by_role("radio").or_(question.get_by_role("checkbox")).first.click()


# The places of all fixed texts of a language on the page.
SHOWN = """async (language) => {
  const within = (value, place) => Object.entries(value).flatMap(([name, each]) => places(each, `${place}.${name}`));
  const places = (value, place) => typeof value === "string" ? [[place, value]]
    : typeof value === "object" ? within(value, place) : [];
  const { PROMISE, STRENGTH } = await import(`/respond/${language}.js`);
  const { BELIEFS } = await import(`/respond/${language}-more.js`);
  const text = document.querySelector(".bar").textContent + document.querySelector("#stage .own").textContent;
  return places({ PROMISE, BELIEFS, STRENGTH: STRENGTH.map(({ title }) => title) }, "")
    .filter(([, each]) => text.includes(each)).map(([place]) => place).sort();
}"""


@pytest.mark.parametrize(
    "asked",
    [pytest.param(case, id=str(case), marks=() if case in DAILY else pytest.mark.long) for case in CASES],
    indirect=True,
)
def test_the_same_is_said_in_every_language(warm, asked):
    """The test changes the language on the page; tests/browser/test_languages.py begins in each language."""
    page, shown = Visit(warm, asked[1]).load().page, {}
    unfolded(page)
    for language in languages.PAGE:
        page.locator(".language select").select_option(language)
        page.locator(f"html[lang={language}] .own td").first.wait_for()
        shown[language] = page.evaluate(SHOWN, language)
    assert len(shown["en"]) > 12 and all(each == shown["en"] for each in shown.values())
