"""P1 for every mechanism, every path of questions and every language, in Chromium and in Firefox.

Two people give different answers, are asked different questions and act differently. Their random words make the same
report. Then no observation differs: not the requests with headers, bodies and order, not the page, not the storage.
Only the time they take is not compared. Firefox is observed by its driver, and from outside by a proxy that records
every byte. One test there uses real chance: the reports then differ only in what chance decides.
"""

import json
import random

import pytest

from ldp.mechanisms import MECHANISMS
from ldp.privatize import make_report
from ldp.routing import applicable, filled
from tests.services.recorder import Recorder
from tests.support import forced_words as support_forced_words
from tests.support.everything import DRAFT, EVERYTHING, PEOPLE, SEND
from tests.support.leaks import LEAKS, TELLING
from tests.support.respondents import open_page
from tests.support.witness import WAITING, InChromium, InFirefox, differences, forget, whole_visit

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# Daily, all three use the right-to-left language. tests/browser/test_noninterference.py has English. The page's code
# could distinguish people, and it is the same in all languages.
TOLD_APART = [
    pytest.param("en", "everything", ("little",), marks=pytest.mark.long),
    pytest.param("de", "everything", ("some",), marks=pytest.mark.long),
    ("ar", "little", ("everything", "some")),
]
# Each visit starts a Firefox. Daily, only the last test starts one, with real chance: it shows what is sent and stored.
# Chromium shows everything that the page itself could reveal.
IN_FIREFOX = [("en", "everything", "little"), ("de", "everything", "some"), ("ar", "little", "everything")]


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("everything"), DRAFT)


@pytest.fixture(scope="module")
def recorder(system):
    recorder = Recorder(system.connect_port)
    yield recorder
    recorder.stop()


def forced_words(survey, name, seed=7):
    """Return the words with which a person sends the report that EVERYTHING gave with chance alone, and that report."""
    chance = random.Random(seed)
    report = json.loads(make_report(survey.definition, survey.digest, EVERYTHING, lambda: chance.getrandbits(32)))
    answers, _ = PEOPLE[name]
    chosen = support_forced_words.words(survey.definition, survey.digest, answers, report["answers"], seed)
    words = iter(chosen)
    return chosen, make_report(survey.definition, survey.digest, answers, lambda: next(words))


def answering(survey, name):
    answers, way = PEOPLE[name]
    return lambda hand: way(hand, survey.definition, answers)


def in_chromium(browser, system, survey, language, name, prepare=lambda page: None):
    words, body = forced_words(survey, name)
    at = InChromium(browser, language, words, prepare)
    try:
        return whole_visit(at, survey.page, f"{system.url}/", answering(survey, name), body)
    finally:
        at.stop()
        forget(system, body)


def in_firefox(recorder, system, survey, language, name, after=""):
    words, body = forced_words(survey, name)
    at, page = InFirefox(recorder, language, words, after), f"{recorder.url}/s/#{survey.slug}"
    try:
        return whole_visit(at, page, f"{recorder.url}/", answering(survey, name), body)
    finally:
        at.stop()
        forget(system, body)


def test_the_survey_has_every_mechanism_and_the_people_answer_and_are_asked_differently(survey):
    questions = survey.definition["questions"]
    # People rank by moving rows; tests/browser/test_rankings.py checks what is seen and sent.
    assert {draw["mechanism"] for draw in survey.definition["draws"]} == set(MECHANISMS) - {"ranking"}
    first, *others = (filled(questions, answers) for answers, _ in PEOPLE.values())
    # People who are not asked "few" count as its last option, which the first person chooses.
    assert {key for other in others for key in other if other[key] == first[key]} == {"warner", "few"}
    assert any(other["few"] != first["few"] for other in others)
    assert [len(applicable(questions, answers)) for answers, _ in PEOPLE.values()] == [22, 11, 17]
    assert len({len(forced_words(survey, name)[0]) for name in PEOPLE}) == 1
    assert len({forced_words(survey, name)[1] for name in PEOPLE}) == 1


@pytest.mark.parametrize(("language", "one", "others"), TOLD_APART)
def test_nothing_tells_them_apart_in_chromium(browser, system, survey, language, one, others):
    first = in_chromium(browser, system, survey, language, one)
    assert f'lang="{language}"' in first["thanked"]["html"]
    for name in others:
        assert differences(first, in_chromium(browser, system, survey, language, name)) == set(), name


@pytest.mark.long  # daily, the last test has Firefox's wire, and the one before this one forced words in Chromium
@pytest.mark.parametrize(("language", "one", "other"), IN_FIREFOX)
def test_nor_in_firefox_and_on_its_wire(recorder, system, survey, language, one, other):
    first, second = (in_firefox(recorder, system, survey, language, name) for name in (one, other))
    assert f'lang="{language}"' in first["thanked"]["html"]
    posts = [request.body for request in first["the whole visit"]["requests"] if request.line.startswith("POST ")]
    assert len(posts) == 2 and posts[0] == posts[1], "a retry sends the same bytes"
    assert differences(first, second) == set()


@pytest.mark.long  # daily, test_noninterference.py notices the same observations in Chromium
def test_a_page_that_tells_in_many_ways_is_noticed_in_firefox(recorder, system, survey):
    first, second = (in_firefox(recorder, system, survey, "en", name, TELLING) for name in ("everything", "little"))
    noticed = {difference.split(": ")[1] for difference in differences(first, second)}
    # The questions here have sections: the page's own history entry follows the entry whose state and URL reveal it.
    # test_noninterference.py sees the state in a survey without sections.
    only_chromium_shows = {"storage", "tree", "console", "history"}
    assert noticed == {name for names in LEAKS.values() for name in names} - only_chromium_shows


def shape(value):
    """Return the keys, kinds and lengths of a document. Numbers only count as numbers."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value]
    return len(value) if isinstance(value, str) else type(value).__name__


def unforced(recorder, survey, name):
    """Return the shapes of everything that leaves a Firefox or is stored in it, from the questions to the thanks. The
    page is unchanged."""
    at, stored = InFirefox(recorder, "en", words=None), []
    try:
        at.go(f"{recorder.url}/s/#{survey.slug}")
        at.wait("#promise")
        before = at.requests()
        answering(survey, name)(at)
        assert at.requests() == before and at.stored() == []
        at.click(SEND)
        at.wait(WAITING)
        stored.append([{**record, "body": json.loads(record["body"])} for record in at.stored()])
        at.reload()
        at.wait("details:has(.bytes)")
        stored.append(at.stored())
        sent = [(request.line, _fields(request), request.body) for request in at.requests()]
    finally:
        at.stop()
    return [(line, fields, shape(json.loads(body or "null"))) for line, fields, body in sent], shape(stored)


def _fields(request):
    """Return names and values of a header. The length of a report depends on chance, so it only has to agree with the
    body."""
    fields = dict(field.split(": ", 1) for field in request.fields)
    assert int(fields.pop("Content-Length", 0)) == len(request.body)
    return fields


@pytest.mark.statistical
def test_nor_are_shapes_and_lengths_another_where_chance_is_left_alone(recorder, survey, nightly):
    """A report has the same number of numbers, and strings of the same lengths, for all answers. Daily, the two most
    different people are compared."""
    first, *others = (unforced(recorder, survey, name) for name in PEOPLE if nightly or name != "some")
    assert [line.split(" ")[0] for line, _, _ in first[0]].count("POST") == 2
    assert others == [first] * len(others) and others
