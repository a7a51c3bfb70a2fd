"""P1 in a real browser: if chance makes the same report of two different answers, no observation differs.

Each person's random words are chosen so that the report is the same. The two persons also answer in different ways, in
another order and with second thoughts. Only the time they take is not compared: time is not hidden.
"""

import json
import uuid

import pytest

from ldp.privatize import make_report
from tests.support import forced_words
from tests.support.leaks import LEAKS, TELLING
from tests.support.respondents import ROUTED, SECTIONED, Visit, Wire, answers, open_page
from tests.support.site import altered
from tests.support.witness import INJECT, OBSERVE, differences, picture

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

REPORT = {"affair": [1], "rating": [2], "work": "0110", "region": [2, 9], "age": [2, 0, -1, 1, 0, 0]}


@pytest.fixture(scope="module")
def sectioned(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("sections"), SECTIONED)


@pytest.fixture(scope="module")
def routed(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("routed"), ROUTED)


class Straight:
    """A person who answers from top to bottom with the mouse, after sending too early."""

    answers = {"affair": 0, "rating": 0, "work": 3, "region": 13, "age": 3}

    @staticmethod
    def answer(visit):
        visit.send().sees("5 questions still need an answer.")
        visit.answer(affair=0, rating=0, work=3, region=13, age="33.77")


class Hesitant:
    """A person who answers from bottom to top, partly with the keyboard, and changes an answer."""

    answers = {"affair": 1, "rating": 3, "work": 0, "region": 2, "age": 5}

    @staticmethod
    def answer(visit):
        visit.question("region").get_by_role("searchbox").fill("RÉGION")
        visit.answer(age="abc").answer(age="19").answer(age=None, region=12, work=1, rating=1)
        visit.answer(region=2, rating=3, affair=0)
        visit.page.keyboard.press("ArrowDown")
        visit.question("work").get_by_role("radio").nth(0).press("Enter")


class SectionBySection(Straight):
    """A person who agrees at once and goes straight on, after trying to leave a section with gaps."""

    @staticmethod
    def answer(visit):
        visit.agree().press("Next").sees("2 questions still need an answer.")
        visit.answer(affair=0, rating=0).press("Next").answer(work=3).press("Next").answer(region=13, age="33.77")


class BackAndForth(Hesitant):
    """A person who tries to begin without agreeing, goes back, and looks at all sections at once."""

    @staticmethod
    def answer(visit):
        visit.press("Go to the questions").agree().answer(rating=1, affair=0).press("Next").press("Back")
        visit.press("Show all sections at once")
        Hesitant.answer(visit)
        visit.press("Show one section at a time").press("Back").answer(work=0).press("Next")


class AskedLittle:
    """A person who is asked two of the five questions and skips two sections."""

    answers = {"affair": 1, "age": 3}

    @staticmethod
    def answer(visit):
        visit.answer(affair=1).press("Next").answer(age="33.77")


class AskedMore:
    """A person who is asked four questions, after a look at the questions behind another answer."""

    answers = {"affair": 0, "rating": 0, "work": 1, "age": 5}

    @staticmethod
    def answer(visit):
        visit.answer(affair=1).press("Next").press("Back")
        visit.answer(affair=0).press("Next").answer(rating=0, work=3).press("Next").answer(region=5).press("Back")
        visit.answer(work=1).press("Next").answer(age=None)


class AskedAll:
    """A person who is asked all five questions at once and answers partly by keyboard. An answer is taken back and
    given again."""

    answers = {"affair": 0, "rating": 2, "work": 2, "region": 7, "age": 0}

    @staticmethod
    def answer(visit):
        visit.press("Show all sections at once").answer(affair=0, rating=1, work=3, region=13)
        visit.page.keyboard.press("Tab")
        visit.answer(affair=1, age="19").answer(affair=0, rating=2, work=1)
        visit.page.keyboard.press("ArrowDown")
        visit.answer(region=7, age="12")


def words(survey, given, seed):
    """Return the random words with which these answers become REPORT, and the report. Its id comes from the seed."""
    chosen = forced_words.words(survey.definition, survey.digest, given, REPORT, seed)
    remaining = iter(chosen)
    return chosen, make_report(survey.definition, survey.digest, given, lambda: next(remaining))


class Witness:
    """Everything that the page, the browser and the network show of a visit."""

    def __init__(self, visit):
        self.visit, self.page, self.console = visit, visit.page, []
        self.page.on("console", lambda message: self.console.append((message.type, message.text)))
        self.page.on("pageerror", lambda error: self.console.append(("error", str(error))))
        self.moments = {}

    def note(self, moment):
        seen = self.page.evaluate(OBSERVE)
        seen |= {"jar": self.page.context.cookies(), "storage": self.page.context.storage_state(indexed_db=True)}
        seen |= {"picture": picture(self.page), "tree": self.page.locator("body").aria_snapshot()}
        self.moments[moment] = seen

    def end(self):
        """Return all observations, and the requests with headers and bodies in order. The page's files have no order:
        the browser fetches them in parallel, and sometimes fetches a file again."""
        sent = [(r.method, r.url, sorted(r.all_headers().items()), r.post_data) for r in self.visit.requests]
        files = {(method, url, body) for method, url, _, body in sent if "/static/" in url}
        ordered = [request for request in sent if "/static/" not in request[1]]
        return self.moments | {"the whole visit": {"requests": ordered, "files": files, "console": self.console}}

    def sends_and_makes_room(self, system, body):
        """Visit from a failed attempt to a reload, thanks, and Back to the questions for another person."""
        visit, page = self.visit, self.page
        visit.send().sees("Not sent yet.")
        self.note("waiting")
        page.reload()
        visit.is_thanked()
        page.get_by_text("What left your browser").click()
        page.get_by_text("bytes that were sent").click()
        assert visit.shown_report == body
        self.note("thanked")
        page.goto(f"{system.url}/")
        page.go_back()
        visit.sees("Someone has already answered this survey in this browser")
        self.note("back")
        page.get_by_role("button", name="Another person").click()
        page.get_by_role("button", name="Yes, another").click()
        page.locator("#promise").wait_for()
        self.note("asked again")


def visits(browser, survey, person, prepare=lambda page: None):
    """Open the page in a fresh profile whose injected words turn this person's answers into REPORT."""
    context = browser.new_context(viewport={"width": 800, "height": 700})
    page = context.new_page()
    chosen, body = words(survey, person.answers, seed=7)
    page.add_init_script(INJECT % json.dumps(chosen))
    prepare(page)
    witness = Witness(Visit(page, survey).load())
    return context, witness, body


def whole_visit(browser, system, survey, person):
    """Visit from the first question to a failed attempt, a reload, thanks and Back to the empty questions."""
    context, witness, body = visits(browser, survey, person)
    visit, page = witness.visit, witness.page
    Wire(page, answers(503, retry_after="60"))
    before = len(visit.requests)
    person.answer(visit)
    assert visit.stored == [] and len(visit.requests) == before and page.url == survey.page
    witness.sends_and_makes_room(system, body)
    observed = witness.end()
    context.close()
    # The next person brings the same report, and the server must not know it.
    system.query(f"DELETE FROM surveys_report WHERE id = '{uuid.UUID(json.loads(body)['report_id']).hex}'")
    return observed


def test_nothing_that_can_be_observed_tells_two_answers_with_one_report_apart(browser, system, survey):
    assert all(Straight.answers[key] != Hesitant.answers[key] for key in REPORT)
    first, second = (whole_visit(browser, system, survey, person) for person in (Straight, Hesitant))
    used = len(words(survey, Straight.answers, 7)[0])
    assert first["waiting"]["wordsDrawn"] == f"{-(-used // 4) * 4} of {used}"  # words are drawn in fours
    assert differences(first, second) == set()


def test_nor_do_sections_or_what_had_to_be_agreed_to(browser, system, sectioned):
    first, second = (whole_visit(browser, system, sectioned, person) for person in (SectionBySection, BackAndForth))
    assert differences(first, second) == set()


def test_nor_which_questions_were_asked(browser, system, routed):
    """On all paths of a routed survey, the requests, their sizes, the storage and the page are the same."""
    first, *others = (whole_visit(browser, system, routed, person) for person in (AskedLittle, AskedMore, AskedAll))
    for other in others:
        assert differences(first, other) == set()
    ((_, _, _, body),) = {tuple(map(str, sent)) for sent in first["the whole visit"]["requests"] if sent[0] == "POST"}
    assert list(json.loads(body)["answers"]) == list(REPORT)


def brief_visit(browser, survey, person, prepare):
    context, witness, _ = visits(browser, survey, person, prepare)
    Wire(witness.page, answers(201))
    person.answer(witness.visit)
    witness.visit.send().is_thanked()
    witness.note("thanked")
    observed = witness.end()
    context.close()
    return observed


def test_a_page_that_tells_in_many_ways_is_noticed_in_each(browser, survey):
    first, second = (brief_visit(browser, survey, person, altered(TELLING)) for person in (Straight, Hesitant))
    noticed = {difference.split(": ")[1] for difference in differences(first, second)}
    assert noticed == {name for names in LEAKS.values() for name in names}
