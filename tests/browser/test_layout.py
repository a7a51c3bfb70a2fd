"""Every kind of question where there is little room and where there is much, with a person's own colours, and on paper."""

import pytest

from tests.support.accessibility import violations
from tests.support.respondents import Visit, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

AGREEMENT = ["Strongly disagree", "Disagree", "Neither", "Agree", "Strongly agree"]
COUNTRIES = [f"{name} {part}" for name in ("Norland", "Südmark", "Westria", "Élan") for part in "abcdef"]
LONG = "Donaudampfschifffahrtsgesellschaftskapitänswitwenrente" * 3


def asked(key, kind, **fields):
    return {"key": key, "kind": kind, "text": f"{key}?", "alpha": "1"} | fields


QUESTIONS = [
    asked("tenths", "ordered", options=["0 not at all", *map(str, range(1, 10)), "10 completely"]),
    asked("seven", "ordered", options=[*"1234567"], prefer_not_to_say=True),
    asked("matrix", "grid", items=["My work is useful", "I sleep well", "Trains are late"], options=AGREEMENT),
    asked("refused", "grid", items=["tea", "coffee"], options=["never", "often"], prefer_not_to_say=True),
    asked("numbers", "grid", items=["Monday", "Tuesday"], options=[*map(str, range(11))]),
    asked("stacked", "grid", items=["This", "That"], options=[f"An answer that takes a line, {i}" for i in range(4)]),
    asked("country", "single_choice", options=COUNTRIES, prefer_not_to_say=True),
    asked("visited", "multiple_choice", options=COUNTRIES),
    asked("age", "histogram", edges=["0", "30", "60", "90"], unit="years", prefer_not_to_say=True),
    asked("words", "yes_no", text=LONG, note=LONG),
    asked("options", "multiple_choice", options=[LONG, f"{LONG}a"], prefer_not_to_say=True),
    asked("items", "grid", items=[LONG, f"{LONG}b"], options=["yes", "no"]),
    asked("steps", "ordered", options=[f"{LONG}c", f"{LONG}d", f"{LONG}e"]),
]
KEYS = [question["key"] for question in QUESTIONS]
DRAFT = {"title": f"Layout {LONG}", "introduction": LONG, "questions": QUESTIONS}


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("layout"), draft=DRAFT)


@pytest.fixture
def visit(page, survey):
    return Visit(page, survey).load()


def card(visit, key):
    return visit.page.locator(".question").nth(KEYS.index(key))
