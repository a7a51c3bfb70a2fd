"""Every analysis that a worker computes is requested on its page or by the API, then is the same for ever on both."""

import csv
import html
import io
import re
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from surveys.models import AnalysisRun, Release, Role
from surveys.researcher.analyses.frame import requests
from surveys.researcher.analyses.frame.selection import canonical, digest
from surveys.researcher.analyses.frame.views import page_address
from surveys.researcher.analyses.registry import COUNTED
from surveys.researcher.sheets.column import names
from surveys.transfer import counts
from surveys.transfer.rules import BrokenField
from tests.api.test_crossings import fits, refusal
from tests.support.analyses import SPECIFICATIONS, asked, made
from tests.support.estimates import found_again
from tests.support.exports import flip_a_bit
from tests.support.regressions import ended
from tests.support.tokens import carrying, member, token

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("analysis", COUNTED.values(), ids=COUNTED)]

API = "/api/v1/surveys/{slug}/releases/{number}/"
SITE = "http://127.0.0.1:8000"


@pytest.fixture(scope="module")
def hidden(outer_transaction):
    survey = ended(300)
    survey.results_public = False
    survey.save()
    return survey


@pytest.fixture
def survey(hidden, db):
    return found_again(hidden)


@pytest.fixture
def ada(survey):
    return member(survey)


@pytest.fixture
def researcher(ada):
    client = Client()
    client.force_login(ada)
    return client


@pytest.fixture
def program(ada):
    return carrying(token(ada))


@pytest.fixture
def data(analysis):
    return SPECIFICATIONS[analysis.name]


@pytest.fixture
def at(analysis, survey, data):
    """Return the URL of the analysis's page."""
    return page_address(analysis, Release.objects.latest_of(survey), analysis.from_json(data))


@pytest.fixture
def told_at(analysis, survey, data):
    """Return a function that appends a suffix to the analysis's URL in the API."""

    def address(form=""):
        fields = "" if analysis.parameter else "/" + "/".join(data.values())
        query = "?" + urlencode({analysis.parameter: canonical(data)}) if analysis.parameter else ""
        path = API.format(slug=survey.slug, number="latest") + analysis.paths.api_page
        return f"{path}{fields}{form}{query}"

    return address


def described(analysis, form=""):
    """Return the analysis's path in the API's description."""
    return API + "/".join([analysis.paths.api_page, *(f"{{{field}}}" for field in analysis.fields)]) + form


def sent_again(page):
    """Return the fields of the form that requests the analysis again."""
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.content.decode())
    return {name: html.unescape(value) for name, value in fields if name != "csrfmiddlewaretoken"}


def test_it_is_asked_for_on_its_page_counted_and_shown(analysis, survey, researcher, at):
    before = researcher.get(at)
    assert "Not counted yet" in before.content.decode() and str(analysis.words.button) in before.content.decode()
    ask = reverse(f"ask-{analysis.name}", args=[survey.slug, 1])
    answer = researcher.post(ask, sent_again(before))
    assert (answer.status_code, answer["Location"]) == (302, at)
    assert "300 reports will be counted" in researcher.get(at).content.decode()
    run = AnalysisRun.objects.get()
    listing = reverse(f"release-{analysis.plural}", args=[survey.slug, 1])
    assert "being counted" in researcher.get(listing).content.decode()
    AnalysisRun.objects.update(state="failed", reason="differs")
    failed = researcher.get(at).content.decode()
    assert str(analysis.words.failed) in failed and "the stored reports do not add up to the release" in failed
    assert researcher.post(ask, sent_again(researcher.get(at)))["Location"] == at
    assert made(run).state == AnalysisRun.State.READY, run.reason
    page = researcher.get(at).content.decode()
    assert f'<div id="{analysis.name}">' in page and "How this was found" in page
    part = researcher.get(at, headers={"X-Fragments": "1"}).content.decode()
    assert part.lstrip().startswith(f'<div id="{analysis.name}">') and "How this was found" in part
    assert html.escape(at) in researcher.get(listing).content.decode()


def test_it_is_asked_for_by_a_program_counted_and_read(analysis, survey, program, told_at, data):
    assert refusal(program.get(told_at()))[:2] == (404, "not_found")
    answer = program.post(told_at())
    assert answer.status_code == 202 and "no-store" in answer["Cache-Control"]
    told = fits(answer, described(analysis), "post")
    assert (told["state"], told["reports"]) == ("asked", 300)
    assert (told[analysis.parameter] if analysis.parameter else {field: told[field] for field in data}) == data
    for form in ("", ".csv"):
        waiting = program.get(told_at(form))
        assert waiting.status_code == 202 and fits(waiting, described(analysis, form)) == told
    AnalysisRun.objects.update(state="failed", reason="differs")
    assert refusal(program.get(told_at()))[:2] == (409, f"{analysis.name}_failed")
    assert program.post(told_at()).status_code == 202
    run = made(AnalysisRun.objects.get())
    document = fits(program.get(told["url"].removeprefix(SITE)), described(analysis))
    assert document == analysis.published(run.document) and document["header"]["release"] == 1
    assert program.post(told_at()).status_code == 200, "it is there already"
    at = API.format(slug=survey.slug, number=1) + analysis.paths.api_listing
    [listed] = fits(program.get(at), API + analysis.paths.api_listing)["items"]
    assert listed == told | {"state": "ready", "counted": listed["counted"]}


def test_what_the_page_gives_is_what_the_api_gives(analysis, survey, program, told_at, data, at):
    run = made(asked(analysis, survey, data))
    viewer = Client()
    viewer.force_login(member(survey, Role.VIEWER, "vera"))
    path, _, query = at.partition("?")
    for form in ("json", "csv"):
        page = viewer.get(f"{path}{analysis.name}.{form}?{query}")
        answer = program.get(told_at(".csv" if form == "csv" else ""))
        assert page.status_code == answer.status_code == 200 and page.content == answer.content
        assert page["Content-Type"] == answer["Content-Type"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert tuple(rows[0]) == names(analysis.columns) and len(rows) == len(list(analysis.rows(run.document)))


def test_only_researchers_ask_and_with_a_token_only(analysis, survey, told_at):
    session = Client()
    session.force_login(member(survey))
    assert session.post(told_at()).status_code == 401
    vera, person = member(survey, Role.VIEWER, "vera"), Client()
    assert carrying(token(vera)).post(told_at()).status_code == 404
    person.force_login(vera)
    assert person.post(reverse(f"ask-{analysis.name}", args=[survey.slug, 1])).status_code == 404
    assert not AnalysisRun.objects.exists()


@pytest.mark.parametrize(("limit", "reason"), [("WAITING_MAX", "waiting"), ("KEPT_MAX", "kept")])
def test_what_is_too_much_now_is_refused_as_such(
    analysis, researcher, survey, program, told_at, at, monkeypatch, limit, reason
):
    fields = sent_again(researcher.get(at))
    monkeypatch.setattr(requests, limit, 0)
    sentence = str(analysis.refusals[reason])
    assert refusal(program.post(told_at())) == (409, f"{analysis.name}_{reason}", sentence)
    answer = researcher.post(reverse(f"ask-{analysis.name}", args=[survey.slug, 1]), fields)
    assert answer.status_code == 422 and sentence in html.unescape(answer.content.decode())


def test_reports_that_are_not_the_releases_are_not_used(analysis, data):
    survey = ended(100)
    flip_a_bit(survey)
    run = made(asked(analysis, survey, data))
    assert (run.state, run.reason, run.document) == ("failed", "differs", None)


def test_what_was_asked_for_is_made_once(analysis, survey, data):
    first = made(asked(analysis, survey, data))
    second = made(asked(analysis, survey, data))
    assert first.pk == second.pk and second.attempts == 1


def test_what_no_one_could_have_asked_for_does_not_arrive(analysis, survey, data):
    run = made(asked(analysis, survey, data))
    counts.check(survey)
    nothing = {name: "nothing" if isinstance(value, str) else value for name, value in data.items()}
    for change in ({"specification": {}}, {"specification": nothing, "digest": digest(nothing)}, {"digest": "0" * 64}):
        AnalysisRun.objects.filter(pk=run.pk).update(**{"specification": data, "digest": run.digest} | change)
        with pytest.raises(BrokenField, match=f"{analysis.name} must be about the survey"):
            counts.check(survey)
