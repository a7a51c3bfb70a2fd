"""A respondent and a designer in three engines: Chromium, Firefox and WebKit."""

import json
import re

import pytest

from surveys.rules import markup
from surveys.survey.definition.layout import Layout
from tests.support import kinds, languages
from tests.support.engines import ENGINES
from tests.support.invited_page import invitations, invited_survey, verifies
from tests.support.journeys import request
from tests.support.respondents import open_page, stored_rows
from tests.support.vectors import EVERY_KIND

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

KEYS = [question["key"] for question in EVERY_KIND["questions"]]
DRAFT = EVERY_KIND | {
    "consent": "You take part **of your own will**.\n- [Who we are](https://example.org/a)\n- 2**3 and 4**5",
    "thanks": "That was kind of you.",
    "sections": [
        {"title": "Choices", "text": "One of a few or of many.", "questions": KEYS[:9]},
        {"title": "Numbers", "text": "", "questions": KEYS[9:16]},
        {"title": "Several", "text": "", "questions": KEYS[16:]},
    ],
}
BY_KEY = {question["key"]: question for question in DRAFT["questions"]}
OWNER = "engineer"
# The name of the language list, in the engine's own language.
CHOICE = "return document.querySelector('.language span')?.textContent"


# Other modules test Chromium daily: test_kinds.py, test_invitation.py, test_languages.py and those of
# tests/designer/editor.
@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.long if name == "chromium" else ()) for name in ENGINES],
)
def started(request):
    with ENGINES[request.param]() as engine:
        yield engine


@pytest.fixture
def engine(started):
    yield started
    started.go("about:blank")  # within one document, another link makes the page load itself again
    assert not started.complaints


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("engines"), DRAFT)


@pytest.fixture(scope="module")
def translated(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("translated"), languages.DRAFT)


@pytest.fixture(scope="module")
def password(system):
    return system.manage("owner", OWNER).strip().rpartition(" ")[2]


def press(engine, name):
    engine.click(engine.named("button", name))


def answer(engine, question):
    kinds.of(question["kind"]).give(engine, question)


def test_a_respondent_answers_every_kind_of_question(system, survey, engine):
    engine.go(survey.page)
    engine.click(engine.named("checkbox", "I have read this and agree"))
    text = engine.run("return document.querySelector('blockquote .text').innerHTML.replace(/ style=\"[^\"]*\"/g, '')")
    assert text == markup.html(DRAFT["consent"]), "its markup is shown as the server shows it"
    press(engine, "Go to the questions")
    for i, section in enumerate(DRAFT["sections"], 1):
        engine.sees(f"Section {i} of 3")
        for key in section["questions"]:
            answer(engine, BY_KEY[key])
        press(engine, "Next" if i < 3 else "Send my randomized answers")
    engine.named("heading", "Thank you")
    engine.sees("Your report is recorded.")  # only a 201 has this sentence
    engine.sees("That was kind of you.")
    body = engine.run("return document.querySelector('.bytes').textContent")
    report = json.loads(body)
    assert list(report["answers"]) == KEYS and report["digest"] == survey.digest
    assert stored_rows(system, body) == [Layout(survey.definition).pack(report["answers"])]
    assert request(f"{survey.api}/reports", body)[0] == 200, "it is there already"
    engine.go("about:blank")
    engine.go(survey.page)
    engine.sees("Someone has already answered this survey in this browser")


def test_an_invited_respondent_sends_one_report_with_its_signature(system, tmp_path, engine):
    survey = invited_survey(system, tmp_path, DRAFT | {"sections": [], "questions": DRAFT["questions"][:1]})
    engine.go(next(invitations(system, survey, 1)).page)
    engine.click(engine.named("checkbox", "I have read this and agree"))
    press(engine, "Go to the questions")
    answer(engine, DRAFT["questions"][0])
    press(engine, "Send my randomized answers")
    engine.named("heading", "Thank you")
    body = engine.run("return document.querySelector('.bytes').textContent")
    assert verifies(survey, body) and len(stored_rows(system, body)) == 1


def is_on(engine, element):
    return engine.run("return arguments[0].getAttribute('aria-checked')", element) == "true"


def choose(engine, role, group, name):
    engine.click(engine.named("checkbox" if role == "group" else "radio", name, engine.named(role, group)))


def test_a_respondent_answers_in_german_and_then_in_arabic(system, translated, engine):
    engine.go(translated.page)
    engine.choose(engine.until(lambda: engine.run(CHOICE), "the choice of a language"), "de")
    engine.named("heading", "Leben in der Stadt")
    engine.click(engine.named("checkbox", "Ich habe das gelesen und bin einverstanden"))
    press(engine, "Zu den Fragen")
    engine.sees("Abschnitt 1 von 2")
    choose(engine, "radiogroup", "Sind Sie umgezogen?", "Ja")
    engine.type(engine.named("textbox", "Wie alt sind Sie?"), "33,5")
    engine.sees("Zählt als: 30 bis unter 45,5 Jahre.")
    engine.choose("Sprache", "ar")
    engine.named("heading", "الحياة في المدينة")
    assert engine.run("const { lang, dir } = document.documentElement; return [lang, dir]") == ["ar", "rtl"]
    assert is_on(engine, engine.named("radio", "نعم", engine.named("radiogroup", "هل انتقلت إلى مسكن آخر؟")))
    engine.sees("يُحسب: من 30 إلى أقل من 45.5 سنة.")
    engine.type(engine.named("textbox", "كم تكسب في الشهر؟"), "١٢٠٠٫٥")
    engine.sees("يُحسب: 1200.5 يورو.")
    choose(engine, "radiogroup", "ما عملك؟", "مكتب")
    press(engine, "التالي")
    choose(engine, "group", "ماذا تحب؟", "المقاهي")
    choose(engine, "radiogroup", "ما مدى رضاك؟", "راضٍ جدًا")
    for item in ("الحافلات", "الطرق"):
        choose(engine, "table", "كيف تجد …؟", f"{item}: جيدة")
    press(engine, "إرسال إجاباتي المُغيَّرة عشوائيًا")
    engine.named("heading", "شكرًا لك")
    engine.sees("إلى اللقاء!")
    body = engine.run("return document.querySelector('.bytes').textContent")
    report = json.loads(body)
    assert list(report["answers"]) == [question["key"] for question in languages.DRAFT["questions"]]
    assert stored_rows(system, body) == [Layout(translated.definition).pack(report["answers"])]


def test_a_designer_drafts_and_opens_a_survey(system, password, engine):
    engine.go(f"{system.url}/account/")
    engine.type(engine.named("textbox", "Name"), OWNER)
    engine.type(engine.named("password", "Password"), password)
    press(engine, "Sign in")
    engine.named("link", "Account")
    engine.go(f"{system.url}/surveys/new/")
    press(engine, "Begin a blank survey")
    press(engine, "Yes/no Answered with yes or no.")
    engine.type(engine.named("textbox", "Question"), "Did you sleep well?")
    engine.sees("Saved")
    number = re.search(r"/surveys/(\d+)/", engine.run("return location.href"))[1]
    engine.go(f"{system.url}/surveys/{number}/texts/")
    engine.type(engine.named("textbox", "Title"), "A week")
    engine.sees("Saved")
    (draft,) = system.eventually(lambda: stored_draft(system, number), "the draft is stored as it was typed")
    assert draft["questions"][0]["text"] == "Did you sleep well?"
    engine.go(f"{system.url}/surveys/{number}/open/")
    press(engine, "Open the survey")
    engine.sees("The survey is open.")
    link = engine.run("return document.getElementById('the-link').textContent")
    engine.named("link", link)
    status, _, page = request(link)
    assert status == 200 and b"respond/page.js" in page


def stored_draft(system, number):
    ((draft,),) = system.query(f"SELECT draft FROM surveys_survey WHERE id = {number}")
    draft = json.loads(draft)
    return draft["title"] == "A week" and draft["questions"][0]["text"] and [draft]
