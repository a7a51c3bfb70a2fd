"""Clicks, typed characters, words, pages and minutes of five walks through the studio: `python -m benchmarks.walk`.

Each begins at the sign-in page of a new site. `first` writes a blank survey of five questions in one language and opens
it. `languages` writes ten questions and adds a second language later. `groups` invites 120 people of four departments
and reads the results of each. `form_and_files` brings an XLSForm and ends with files of its results. `together` is two
designers on one draft.

A page counts once, as the designer leaves it, with its visible words and its preview's. Folded text and text for screen
readers alone do not count. A choice from a list is two clicks. Needs requirements-dev.txt.

A model computes the minutes from the counts, the keystroke-level model of Card, Moran and Newell (1980). No one was
timed.
"""

import argparse
import csv
import hashlib
import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

from playwright.sync_api import Page, expect

import benchmarks.site  # noqa: F401
from benchmarks.tables import table
from surveys.respondent.page.links import token_of
from tests.services.chromium import browser
from tests.services.system import EmbeddedSystem, System
from tests.support.builder_pages import PASTE
from tests.support.invitations import Invited
from tests.support.journeys import request
from tests.support.workbooks import form, row

WORDS_A_MINUTE = 240  # a person reads each word of each page once
CLICK, CHARACTER = 1.1 + 1.35, 0.28  # seconds: to prepare and point, and to press a key
PREVIEW = 500  # milliseconds after a change was stored, until a new preview is on its way
WINDOW = {"width": 1280, "height": 900}
VISIBLE_WORDS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let words = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (element.closest("script, style, template, noscript, .hidden, .skip, option:not(:checked)")) continue;
    if (!(element.closest("select") ?? element).checkVisibility({ visibilityProperty: true })) continue;
    words += walker.currentNode.textContent.match(/[^\\s]*[\\p{L}\\p{N}][^\\s]*/gu)?.length ?? 0;
  }
  return words;
}"""
GERMAN = """Sleep of students\tSchlaf von Studierenden
Did you sleep well last week?\tHaben Sie letzte Woche gut geschlafen?
How many hours did you sleep last night?\tWie viele Stunden haben Sie letzte Nacht geschlafen?
How good is your health?\tWie gut ist Ihre Gesundheit?
How often did these wake you last week?\tWie oft hat Sie das letzte Woche geweckt?
Noise\tLärm
Worry\tSorgen
Pain\tSchmerzen
What helps you to sleep?\tWas hilft Ihnen beim Einschlafen?
Music\tMusik
Reading\tLesen
Tea\tTee
Where do you live?\tWo wohnen Sie?
Alone\tAllein
With family\tBei der Familie
In a hall\tIm Wohnheim
Did you see a doctor last year?\tWaren Sie im letzten Jahr beim Arzt?
Why did you see a doctor?\tWarum waren Sie beim Arzt?
Check-up\tVorsorge
Illness\tKrankheit
Accident\tUnfall
Do you smoke?\tRauchen Sie?
How satisfied are you with your studies?\tWie zufrieden sind Sie mit dem Studium?
"""
DEPARTMENTS = {"Sales": 40, "Works": 40, "Research": 30, "Legal": 10}
STAFF = "\n".join(
    f"{name.lower()}{k}@example.org;{name}" for name, people in DEPARTMENTS.items() for k in range(people)
)
HOUSEHOLDS = form(
    row("start", "start"),
    row("text", "name", "What is your name?"),
    row("select_one yes_no", "water", "Does your household have clean water?"),
    row("select_one frequent", "hunger", "How often were you hungry last week?", relevant="${water} = 'no'"),
    row("select_multiple colours", "cards", "Which ration cards do you hold?"),
    row("integer", "people", "How many people live here?", constraint=". >= 1 and . <= 20"),
    form_title="Households",
)
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
Look = Callable[[Page, str], object]


@dataclass
class Walk:
    page: Page
    system: System
    name: str
    look: Look = lambda page, title: None  # called with each page before it is left
    clicks: int = 0
    characters: int = 0
    pages: list[tuple[str, int]] = field(default_factory=list)  # each page's title and number of words

    @property
    def words(self) -> int:
        return sum(words for _title, words in self.pages)

    @property
    def minutes(self) -> float:
        """Return how long the walk takes by the model."""
        return self.words / WORDS_A_MINUTE + (CLICK * self.clicks + CHARACTER * self.characters) / 60

    # What a hand does ----------------------------------------------------------------------------------------------

    def click(self, role: str, name: str) -> None:
        self.clicks += 1
        self.page.get_by_role(role, name=name).first.click()

    def fill(self, label: str, *texts: str) -> None:
        """Click into the field, then type the texts, one for each row."""
        self.clicks += 1
        self.page.get_by_role("textbox", name=label).first.click()
        self.type("\n".join(texts))

    def type(self, text: str) -> None:
        self.characters += len(text)
        self.page.keyboard.type(text)

    def paste(self, label: str, text: str) -> None:
        self.fill(label)
        if self.page.get_by_role("textbox", name=label).first.evaluate(PASTE, text):
            self.page.keyboard.insert_text(text)

    def choose(self, label: str, option: str) -> None:
        self.clicks += 2
        field = self.page.get_by_role("combobox", name=label)
        field.select_option(field.locator("option", has_text=option).first.get_attribute("value"))

    def leave(self, title: str, role: str, name: str, previewed: str = "") -> None:
        """Count this page's words once its preview shows the question `previewed`, then follow the link or button
        `name`."""
        if previewed:
            preview = self.page.frame_locator("iframe:not(.coming)")
            preview.get_by_text(previewed, exact=True).first.wait_for()
        self.count(title)
        with self.page.expect_navigation():
            self.click(role, name)

    def count(self, title: str) -> None:
        self.look(self.page, title)
        self.pages.append((title, sum(frame.evaluate(VISIBLE_WORDS) for frame in self.page.frames)))

    def saved(self) -> None:
        self.page.locator("#state.saved").wait_for()
        self.page.wait_for_timeout(PREVIEW)
        self.page.locator("iframe.coming").wait_for(state="detached")

    # Steps that several walks take ----------------------------------------------------------------------------------

    def sign_in(self) -> None:
        password = self.system.manage("owner", self.name).split()[-1]
        self.page.goto(f"{self.system.url}/surveys/")
        self.fill("Name", self.name)
        self.fill("Password", password)
        self.leave("Sign in", "button", "Sign in")

    def begin(self, people: int, invited: bool = False) -> None:
        self.sign_in()
        self.leave("Surveys", "link", "New survey")
        self.fill("How many people can you reach?", str(people))
        if invited:
            self.click("radio", "By personal invitations")
            self.clicks += 1
            self.page.get_by_text("Also publish results of groups").click()
            self.paste("Or a list of the people", STAFF)

    def ask(self, kind: str, text: str, *lines: str, scale: str = "") -> None:
        """Add a question, with its options or items in lines, and the steps of a scale."""
        if self.page.locator("#add:not([open])").count():
            self.clicks += 1
            self.page.locator("#add summary").click()
        with self.page.expect_navigation():
            self.click("button", kind)
        self.type(text)
        if lines:
            self.fill("Line 1", *lines)
        if scale:
            self.choose("Fill in a scale", scale)
            self.click("button", "Fill in")
            self.page.locator("#part").get_by_text("Nothing is missing here.").wait_for()
        self.saved()

    def name_it(self, title: str) -> None:
        self.fill("Title", title)
        self.saved()

    def open(self, first: str) -> None:
        self.leave("Try it", "link", "Open")
        self.leave("Open", "button", "Open the survey", first)
        self.page.get_by_text("The survey is open.").wait_for()

    def end(self) -> None:
        """End the survey, and go on to its last results."""
        self.leave("Share", "link", "Overview")
        self.leave("Overview", "link", "End it now")
        self.leave("End", "button", "End the survey")
        ready = self.page.get_by_text("all its results are available")
        self.system.eventually(lambda: self.page.reload() and ready.count(), "the last results")
        self.leave("Overview at the end", "link", "See the results")


def first(walked: Walk) -> None:
    questions = (
        ("Yes/no", "Did you sleep well last week?", ()),
        ("Single choice", "How do you get to work?", ("Bus", "Car", "On foot")),
        ("Rating scale", "How good is your health?", ("Poor", "Fair", "Good")),
        ("Multiple choice", "What do you do in the evening?", ("Read", "Sport", "Work")),
        ("Yes/no", "Did you see a doctor last year?", ()),
    )
    walked.begin(900)
    walked.leave("New survey", "button", "Begin a blank survey")
    for kind, text, options in questions:
        walked.ask(kind, text, *options)
    walked.leave("Questions", "link", "People and protection", questions[-1][1])
    walked.leave("People and protection", "link", "Texts and languages")
    walked.name_it("A week")
    walked.leave("Texts and languages", "link", "Try it", questions[0][1])
    walked.open(questions[0][1])


def languages(walked: Walk) -> None:
    walked.begin(900)
    walked.leave("New survey", "button", "Begin a blank survey")
    walked.ask("Yes/no", "Did you sleep well last week?")
    walked.ask("Number", "How many hours did you sleep last night?")
    walked.fill("From", "0")
    walked.fill("To", "12")
    walked.click("button", "Fill in the edges")
    walked.page.get_by_role("textbox", name="Line 3").wait_for()
    walked.ask("Rating scale", "How good is your health?", scale="Quality")
    walked.ask("Grid", "How often did these wake you last week?", "Noise", "Worry", "Pain", scale="How often")
    walked.ask("Multiple choice", "What helps you to sleep?", "Music", "Reading", "Tea")
    walked.ask("Single choice", "Where do you live?", "Alone", "With family", "In a hall")
    walked.ask("Yes/no", "Did you see a doctor last year?")
    walked.ask("Single choice", "Why did you see a doctor?", "Check-up", "Illness", "Accident")
    walked.clicks += 1
    walked.page.get_by_text("Ask only some people").click()
    walked.click("button", "Ask only for some answers")  # by the question before, if it was answered with yes
    walked.page.get_by_role("group", name="“Did you see a doctor last year?” is").wait_for()
    walked.ask("Yes/no", "Do you smoke?")
    walked.ask("Rating scale", "How satisfied are you with your studies?", scale="Satisfaction")
    walked.leave("Questions", "link", "People and protection", "How satisfied are you with your studies?")
    walked.leave("People and protection", "link", "Texts and languages")
    walked.name_it("Sleep of students")
    walked.choose("Add a language", "Deutsch")
    walked.leave("Texts and languages", "button", "Add", "Did you sleep well last week?")
    walked.paste("Sleep of students", GERMAN)
    walked.leave("Translation", "button", "Save")
    walked.page.get_by_text("Nothing is missing.").wait_for()
    walked.leave("Translation, saved", "link", "Try it")
    walked.open("Did you sleep well last week?")


def groups(walked: Walk) -> None:
    """The department of 10 is too small for results, so it is shown with another."""
    walked.begin(120, invited=True)
    walked.leave("New survey", "button", "Begin a blank survey")
    walked.page.get_by_text("“Research + Legal” is one group").wait_for()
    walked.ask("Rating scale", "How heavy is your workload?", "Too light", "Right", "Too heavy")
    walked.ask("Yes/no", "Would you recommend us as an employer?")
    walked.ask("Yes/no", "Have you seen bullying at work?")
    walked.leave("Questions", "button", "Do it", "Have you seen bullying at work?")
    walked.leave("Questions, protected weakly", "link", "Texts and languages", "Have you seen bullying at work?")
    walked.name_it("Work here")
    walked.leave("Texts and languages", "link", "Try it", "How heavy is your workload?")
    walked.open("How heavy is your workload?")
    walked.paste("Or a list, one person a line", STAFF)
    with walked.page.expect_download() as made:
        walked.click("button", "Make the invitations")
    walked.page.get_by_role("heading", name="120 people invited").wait_for()
    _answer(walked.system, made.value.path())
    walked.end()
    walked.page.get_by_role("heading", name="By group").wait_for()
    walked.count("Results")


def _answer(system: System, file: Path) -> None:
    """Send a report with each invitation of a file."""
    links = [line["link"] for line in csv.DictReader(io.StringIO(file.read_text("utf-8-sig")))]
    found = re.search(r"/s/#(\w{27})", links[0])
    assert found
    address = f"{system.url}/api/v1/surveys/{found[1]}"
    data = request(f"{address}/definition")[2]
    survey = SimpleNamespace(digest=hashlib.sha256(data).hexdigest(), definition=json.loads(data))
    survey.questions = survey.definition["questions"]
    for number, link in enumerate(links):
        person = Invited(survey, token_of(link) or "", number)
        signature = json.loads(request(f"{address}/signature", json.dumps(person.request()))[2])["signature"]
        assert request(f"{address}/reports", person.signed(signature))[0] in (200, 201)


def form_and_files(walked: Walk) -> None:
    walked.begin(1000)
    walked.clicks += 2
    walked.page.set_input_files("#file", {"name": "households.xlsx", "mimeType": EXCEL, "buffer": HOUSEHOLDS})
    walked.leave("New survey", "button", "Begin with this file")
    walked.leave("What became of the form", "button", "Go on to the questions")
    walked.leave("Questions", "link", "Try it", "Does your household have clean water?")
    with walked.page.expect_popup() as opened:
        walked.click("link", "Answer as a test")
    opened.value.get_by_text("Test answer.").wait_for()
    opened.value.close()
    walked.open("Does your household have clean water?")
    link = walked.page.locator("#the-link").inner_text()
    walked.system.manage("load", "--reports", "1000", "--threads", "4", "--twice", "0", "--", link.rpartition("#")[2])
    walked.end()
    walked.leave("Results", "link", "Downloads")
    expect(walked.page.get_by_role("region", name="Start here").get_by_role("link")).to_have_count(3)
    _download(walked, "shares")
    walked.leave("Downloads", "link", "tables.xlsx")
    _download(walked, "Download the workbook")
    walked.count("Workbook")


def _download(walked: Walk, name: str) -> None:
    with walked.page.expect_download():
        walked.click("link", name)


def together(walked: Walk) -> None:
    """Two designers edit one question. Different fields are both kept; of one field the second chooses."""
    walked.begin(900)
    walked.leave("New survey", "button", "Begin a blank survey")
    walked.ask("Single choice", "How do you get to work?", "Bus", "Car")
    question = walked.page.url
    other = _colleague(walked)
    walked.page.goto(question)
    other.page.goto(question)
    other.page.get_by_text(f"Editing now, too: {walked.name}.").wait_for()
    walked.fill("Question", " Usually?")
    walked.saved()
    other.fill("Line 2", ", alone")
    other.page.get_by_text("Someone else has changed: Question. Yours is saved.").wait_for()
    other.fill("Question", " Today?")
    clash = other.page.get_by_role("heading", name="Someone else changed this in the meantime")
    clash.wait_for()
    other.count("A conflict")
    assert other.page.locator(".versions h4").all_inner_texts() == ["Question"], "not the options"
    other.click("button", "Keep mine")
    clash.wait_for(state="hidden")
    walked.clicks += other.clicks
    walked.characters += other.characters
    walked.pages += other.pages


def _colleague(walked: Walk) -> Walk:
    """Return the walk of a designer who was invited to the survey."""
    walked.clicks += 1
    walked.page.get_by_text("More", exact=True).click()
    walked.leave("Questions", "link", "Team", "How do you get to work?")
    walked.click("radio", "Designer")
    walked.leave("Team", "button", "Make a link")
    link = walked.page.get_by_label("Link", exact=True).input_value()
    launched = walked.page.context.browser
    assert launched
    other = Walk(launched.new_page(viewport=WINDOW), walked.system, f"{walked.name}-colleague", walked.look)
    other.sign_in()
    other.page.goto(link)
    other.leave("An invitation", "button", "Join")
    return other


WALKS = {
    "a first survey": first,
    "two languages": languages,
    "four departments": groups,
    "an XLSForm": form_and_files,
    "two designers": together,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=[walk.__name__ for walk in WALKS.values()], help="one walk")
    only = parser.parse_args().only
    chosen = {name: walk for name, walk in WALKS.items() if only in (None, walk.__name__)}
    system = EmbeddedSystem()
    try:
        with browser() as launched:
            taken = {}
            for number, (name, walk) in enumerate(chosen.items()):
                taken[name] = Walk(launched.new_page(viewport=WINDOW), system, f"walker{number}")
                walk(taken[name])
    finally:
        system.stop()
    rows = [
        (name, each.clicks, each.characters, each.words, len(each.pages), f"{each.minutes:.1f}")
        for name, each in taken.items()
    ]
    print("\n".join(table(("walk", "clicks", "characters", "words", "pages", "minutes"), rows)))
    for name, walked in taken.items():
        print("\n".join(["", *table((name, "words"), walked.pages)]))


if __name__ == "__main__":
    main()
