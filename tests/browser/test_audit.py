"""The audit of this site in Chromium, with the log's head beside it. Its mathematics is the twin's, its bound is
honest, the user can stop it, and it sends nothing."""

import base64
import json
import random
import re

import pytest

from ldp.exact import RESOLUTION
from ldp.forms.report import alone
from surveys.rules import languages
from surveys.survey import definition as definitions
from tests.support import audit, form_cases
from tests.support.accessibility import violations
from tests.support.journeys import request
from tests.support.respondents import Visit
from tests.support.site import SEEDED, mapped, open_blank
from tests.support.vectors import EVERY_KIND

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

TEXT = "What is your occupation?"


@pytest.fixture
def blank(warm, system):
    return open_blank(warm, system.url)


def test_bounds_are_the_twins(blank):
    chance = random.Random(3)
    pairs = [(0, 5), (1, 5), (5, 5), (25_000, 25_000), (24_999, 25_000), (1, 25_000)]
    pairs += [(chance.randint(0, n), n) for n in (40, 1000, 25_000) for _ in range(40)]
    found = mapped(blank, "audit.js", "lowerChance", "([k, n]) => lowerChance(k, n)", pairs)
    assert found == pytest.approx([audit.lower_chance(k, n, 0.025) for k, n in pairs], rel=1e-8)
    cases = [[chance.randint(0, 25_000), chance.randint(0, 25_000), delta] for delta in (0, 0.01) for _ in range(40)]
    body = "([k, m, delta]) => alphaBound([k, m], 25000, delta)"
    expected = [audit.alpha_bound((k, m), 25_000, delta) for k, m, delta in cases]
    assert mapped(blank, "audit.js", "alphaBound", body, cases) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_events_are_the_twins(blank):
    chance = random.Random(4)
    cases = [
        {str(value): [chance.randint(0, 90), chance.randint(0, 90)] for value in range(chance.randint(0, 40))}
        for _ in range(60)
    ]
    body = "(counts) => chosenEvent(new Map(Object.entries(counts)), 1000, 0.001)"
    for counts, found in zip(cases, mapped(blank, "audit.js", "chosenEvent", body, cases), strict=True):
        event = audit.chosen_event({value: tuple(pair) for value, pair in counts.items()}, 1000, 0.001)
        assert (set(found["values"]), found["likelier"]) == (event.values, event.likelier)


DRAWN = """async ({ questions, reports }) => {
  const { drawn } = await import("/static/respond/audit.js");
  const found = [];
  for (const each of questions) found.push(await drawn({ ...each, questions: [each] }, reports, () => true));
  return found;
}"""


@pytest.mark.statistical
def test_what_is_drawn_of_every_mechanism_comes_close_to_its_alpha_and_not_beyond(blank, nightly):
    """A bound is above alpha with a chance of at most 1 in 20. With this seed, only a few are."""
    questions = alone(definitions.build(EVERY_KIND))
    moderate = [question for question in questions if 0.5 <= float(question["alpha"]) <= 4]
    if not nightly:  # the first of each mechanism
        moderate = [*{question["mechanism"]: question for question in reversed(moderate)}.values()]
    assert len({question["mechanism"] for question in moderate}) >= 9
    blank.evaluate(SEEDED, 1)
    found = blank.evaluate(DRAWN, {"questions": moderate, "reports": 8000})
    beyond = [(q["key"], f["alpha"]) for q, f in zip(moderate, found, strict=True) if f["alpha"] > float(q["alpha"])]
    assert len(moderate) <= 11 or nightly
    assert len(beyond) <= (4 if nightly else 3)
    low = [(q["key"], f["alpha"]) for q, f in zip(moderate, found, strict=True) if f["alpha"] < float(q["alpha"]) / 4]
    assert low == []


def test_a_table_that_is_weaker_than_it_says_is_found_out(blank):
    asked = {"key": "yes", "kind": "yes_no", "text": "Yes?", "alpha": "1", "mechanism": "randomized_response"}
    [question] = alone(definitions.build({"title": "One", "questions": [asked]}))
    keep = question["table"]["keep"]
    weaker = question | {"table": {"keep": keep + (RESOLUTION - keep) // 2, "sizes": [1]}}
    blank.evaluate(SEEDED, 2)
    *sound, found = blank.evaluate(DRAWN, {"questions": [question] * 5 + [weaker], "reports": 5_000})
    assert min(each["alpha"] for each in sound) < 1 < found["alpha"]


PARTS = """async ({ definition, reports, from = 0, to }) => {
  const { drawn } = await import("/static/respond/audit.js");
  const { everyPart } = await import("/static/respond/lot.js");
  const found = [];
  for (const part of everyPart(definition).slice(from, to)) {
    found.push([part.alpha, part.questions.map(({ key }) => key), await drawn(part, reports, () => true)]);
  }
  return found;
}"""


def test_what_is_randomized_together_is_audited_together(blank):
    made = form_cases.built()
    blank.evaluate(SEEDED, 3)
    found = blank.evaluate(PARTS, {"definition": made, "reports": 10_000})
    assert [keys for _, keys, _ in found] == [
        ["region"],
        ["drugs", "often"],
        ["age", "income"],
        ["health"],
        ["devices"],
    ]
    beyond = [keys for alpha, keys, result in found if result["alpha"] > float(alpha)]
    assert len(beyond) <= 1
    assert all(result["alpha"] > float(alpha) / 2 for alpha, keys, result in found if len(keys) == 2)
    table = made["forms"][0]["draws"][0]["table"]
    table["keep"] += (RESOLUTION - table["keep"]) * 2 // 3
    [weaker] = blank.evaluate(PARTS, {"definition": made, "reports": 10_000, "from": 1, "to": 2})
    assert weaker[1] == ["drugs", "often"] and weaker[2]["alpha"] > 2


SHOWN = """async (definition) => {
  const { audit } = await import("/static/respond/audit.js");
  document.body.replaceChildren(...audit(definition));
}"""


@pytest.mark.parametrize("language", languages.PAGE)
def test_an_audit_says_what_so_many_reports_cannot_reach(warm, system, language):
    blank, n = open_blank(warm, system.url, language), 25_000
    [most] = mapped(blank, "audit.js", "reach", "([reports, delta]) => reach(reports, delta)", [[4 * n, 0]])
    assert most == pytest.approx(audit.alpha_bound((n, 0), n), rel=1e-9) and 8.82 <= most < 8.83
    questions = [{"key": f"q{alpha}", "kind": "yes_no", "text": f"{alpha}?", "alpha": alpha} for alpha in ("1", "16")]
    blank.evaluate(SHOWN, definitions.build({"title": "Two", "questions": questions}))
    said = re.compile("8[.,]82.*16")
    assert said.search(blank.locator("body").inner_text()), "the one with the largest alpha is chosen first"
    blank.locator("select").select_option("0")
    assert not said.search(blank.locator("body").inner_text())


def test_an_audit_of_a_draw_of_several_says_what_becomes_of_their_answers(blank):
    blank.evaluate(SHOWN, form_cases.built())
    [place] = [n for n, text in enumerate(blank.locator("option").all_inner_texts()) if " + " in text][:1]
    blank.locator("select").select_option(str(place))
    said = blank.locator("body").inner_text()
    assert re.search(r"With a chance of [\d.]+% your answers are (among )?what is sent; otherwise all of it is", said)
    assert "A report distinguishes them if it holds all answers of one of them" in said


def opened(page, survey):
    visit = Visit(page, survey).load()
    page.get_by_text("Check it yourself").click()
    page.get_by_text("Audit this site").click()
    page.get_by_label("Question", exact=True).wait_for()
    return visit


def test_an_audit_shows_its_bound_beside_the_promise_and_sends_nothing(page, survey):
    visit = opened(page, survey)
    largest = max(alone(survey.definition), key=lambda question: float(question["alpha"]))
    chosen = page.get_by_label("Question", exact=True)
    assert largest["text"] in chosen.evaluate("list => list.selectedOptions[0].textContent")
    before = len(visit.requests)
    page.get_by_role("button", name="Draw 100,000 reports").click()
    shown = page.locator(".audit [role=status]")
    shown.filter(has_text="With 95% confidence").wait_for(timeout=180_000)
    bound = float(re.search(r"alpha is at least ([\d.]+)\. Stated: alpha 1\.", shown.inner_text())[1])
    assert 0.9 < bound <= 1.05
    assert len(visit.requests) == before and visit.stored == [] and violations(page) == []


# Interrupt in the middle, even on a fast machine: after the first part has been drawn.
INTERRUPT = """() => {
  const bar = document.querySelector(".audit progress");
  new MutationObserver((_, watch) => {
    if (!(bar.value > 0 && bar.value < bar.max)) return;
    watch.disconnect();
    document.querySelector(".question [role=radio]").click();
    [...document.querySelectorAll(".audit button")].find((button) => button.textContent === "Stop").click();
  }).observe(bar, { attributes: true });
}"""


def test_an_audit_can_be_stopped_and_the_page_answers_meanwhile(page, survey):
    visit = opened(page, survey)
    page.evaluate(INTERRUPT)
    page.get_by_role("button", name="Draw 100,000 reports").click()
    page.locator(".audit [role=status]").filter(has_text="Stopped.").wait_for()
    assert page.locator(".question [role=radio]").first.is_checked()
    visit.answer().send().is_thanked()


def test_the_program_and_the_log_are_named_once_they_are_asked_for_and_without_credentials(page, survey, system):
    visit = Visit(page, survey).load()
    assert not any("/check/" in made.url for made in visit.requests)
    head = json.loads(request(f"{system.url}/check/head.json")[2])
    page.get_by_text("Check it yourself").click()
    visit.sees(head["hash"])
    asked = [made for made in visit.requests if "/check/" in made.url]
    assert [made.url.rpartition("/")[2] for made in asked] == ["release.json", "head.json"]
    assert not any("cookie" in made.all_headers() for made in asked)
    release = json.loads(request(f"{system.url}/check/release.json")[2])
    for named in (f"version {release['version']}, commit {release['commit']}", release["manifest"]):
        visit.sees(named)
    visit.sees("It does not say where the source is published. Ask its operator.")
    _, size, root, *_ = request(f"{system.url}/check/log/checkpoint")[2].decode().split("\n")
    assert (str(head["number"]), bytes.fromhex(head["hash"])) == (size, base64.b64decode(root))
