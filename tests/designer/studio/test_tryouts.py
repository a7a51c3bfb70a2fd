"""Test answers: the preview's own report visibly arrives, is kept apart, and counts nowhere."""

import copy
import json
import re

import pytest
from django.test import Client
from django.utils.translation import override

from surveys.designer.tryouts import storage, testers
from surveys.drafts import NotDraft
from surveys.life.deletion import delete
from surveys.life.lifecycle import begin_draft, close_survey, open_survey
from surveys.models import AuditEntry, Report, Survey, Tally, TryoutLink, TryoutReport
from surveys.operation.window import WindowRate
from surveys.respondent.intake.envelope import parse
from surveys.respondent.intake.replies import Reply
from surveys.respondent.page.assets import PREVIEW
from surveys.respondent.page.document import document
from surveys.survey.definition.layout import ReportRefused
from tests.support import forms
from tests.support.estimates import work
from tests.support.factories import DRAFT, opened_survey, report
from tests.support.tryouts import test_answer as answer_of
from tests.support.vectors import EVERY_KIND

pytestmark = pytest.mark.django_db
JSON = "application/json"
NOT_PRIVATE = "The designers see this test answer and its time: do not give your own answers."


def address(survey, of=""):
    return f"/surveys/{survey.pk}/try/{of}"


def sent(client, survey, body):
    return client.post(address(survey, "page/reports"), body, JSON)


def test_a_designer_sees_what_the_page_sent_in_words_and_that_it_is_never_counted(client, draft):
    body = answer_of(draft.draft)
    assert sent(client, draft, body).status_code == 201
    page = client.get(address(draft)).content.decode()
    assert "Arrived, kept apart, never counted" in page and body.replace('"', "&quot;") in page
    for question in draft.draft["questions"]:
        assert f"<dt><bdi>{question['text']}</bdi></dt>" in page


def test_the_page_that_sends_one_is_the_respondents_and_may_reach_two_addresses(client, draft):
    response = client.get(address(draft, "page/"))
    page, policy = response.content.decode(), response["Content-Security-Policy"]
    at = f"http://127.0.0.1{address(draft, 'page/')}"
    assert f"connect-src {at}definition {at}reports;" in policy
    assert f'data-tests="{address(draft, "page/reports")}"' in page and "data-key=" in page
    assert "which never counts as a report" in page and NOT_PRIVATE in page
    alone = client.get(f"/surveys/{draft.pk}/preview/").content.decode()
    assert "data-tests" not in alone and "Nothing is sent or kept." in alone


def test_no_respondents_page_names_the_script_that_sends_test_answers():
    assert PREVIEW.encode() not in document()


def test_no_survey_takes_a_test_answer_not_even_one_of_the_same_digest(client, ada, draft):
    body = answer_of(draft.draft)
    assert sent(client, draft, body).status_code == 201
    open_survey(draft, ada)
    digest = json.loads(body)["digest"]
    assert digest == f"test-{draft.digest}"  # they were the same questions
    for where in (f"/api/v1/surveys/{draft.slug}/reports",):
        refused = client.post(where, body, JSON)
        assert (refused.status_code, refused.json()["field"]) == (422, "digest")
    with pytest.raises(ReportRefused, match="64 hexadecimal digits"):
        parse(body.encode())
    close_survey(draft)
    work(draft)
    assert (Report.objects.count(), Tally.objects.get(survey=draft).n) == (0, 0)


def test_no_report_of_a_survey_becomes_a_test_answer(client, draft):
    survey = opened_survey(DRAFT)
    assert survey.draft == draft.draft
    refused = sent(client, draft, report(survey, 1))
    assert (refused.status_code, refused.json()["field"]) == (422, "digest")
    assert "a test answer is no report" in refused.json()["detail"]
    assert sent(client, survey, answer_of(survey.draft)).status_code == 404  # the survey is another designer's
    assert not TryoutReport.objects.exists()


def test_an_opened_survey_takes_none_and_has_none_left(client, ada, draft):
    body = answer_of(draft.draft)
    sent(client, draft, body)
    before = Survey.objects.get(pk=draft.pk)
    open_survey(draft, ada)
    assert not TryoutReport.objects.exists()
    assert sent(client, draft, body).status_code == 409
    with pytest.raises(NotDraft):  # it was read while it was a draft
        storage.receive(before, body.encode())
    assert client.get(address(draft, "page/")).status_code == 302
    assert "Test answers" not in client.get(address(draft)).content.decode()
    assert not TryoutReport.objects.exists()


def test_they_go_with_the_draft_and_when_a_designer_says_so(client, ada, draft):
    sent(client, draft, answer_of(draft.draft))
    client.post(address(draft))
    assert not TryoutReport.objects.exists()
    sent(client, draft, answer_of(draft.draft))
    delete(draft, ada)
    assert not TryoutReport.objects.exists()


def test_the_newest_are_kept_and_one_that_is_sent_twice_is_one(client, draft):
    bodies = [answer_of(draft.draft, seed) for seed in range(storage.MOST + 3)]
    for body in [*bodies, bodies[-1]]:
        assert sent(client, draft, body).status_code == 201
    assert [row.body for row in storage.newest_first(draft)] == bodies[:2:-1]


def test_what_was_sent_of_an_earlier_state_of_the_draft_is_refused_and_what_had_come_still_reads_as_it_was_asked(
    client, draft
):
    sent(client, draft, answer_of(draft.draft))
    late = answer_of(draft.draft, 2)
    changed = copy.deepcopy(draft.draft)
    changed["questions"][0]["text"] = "Another text?"
    Survey.objects.filter(pk=draft.pk).update(draft=changed)
    assert sent(client, draft, late).status_code == 409
    assert "<dt><bdi>Yes or no?</bdi></dt>" in client.get(address(draft)).content.decode()


def test_what_is_no_report_of_the_draft_is_refused(client, draft):
    whole = answer_of(draft.draft)
    broken = json.loads(whole)
    del broken["answers"]["yes"]
    for body, status in (("", 422), ("{}", 422), (json.dumps(broken), 422), (whole + " " * 5000, 413)):
        assert sent(client, draft, body).status_code == status
    Survey.objects.filter(pk=draft.pk).update(draft={"title": "", "questions": []})
    assert sent(client, draft, whole).status_code == 409
    assert not TryoutReport.objects.exists()


def test_nothing_is_sent_for_a_designer_from_another_site(ada, draft):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ada)
    assert sent(strict, draft, answer_of(draft.draft)).status_code == 403


def test_nothing_is_kept_beside_it_but_the_minute(client, draft):
    sent(client, draft, answer_of(draft.draft))
    assert {field.name for field in TryoutReport._meta.fields} == {"id", "survey", "body", "definition", "at"}
    at = TryoutReport.objects.get().at
    assert (at.second, at.microsecond) == (0, 0)


@pytest.mark.parametrize("questions", [EVERY_KIND, forms.DRAFT], ids=["every kind", "in forms"])
def test_a_test_answer_of_every_kind_and_mechanism_is_read_in_words(ada, questions):
    survey = begin_draft(ada, copy.deepcopy(questions))
    keys = set()
    for seed in range(24):
        row = storage.receive(survey, answer_of(survey.draft, seed).encode())
        assert not isinstance(row, Reply)
        for line in storage.lines(row):
            keys.add(line.key)
            assert line.reading.items and all(line.reading.items), line
    assert keys == {question["key"] for question in questions["questions"]}


def test_it_is_read_in_the_designers_language(ada):
    survey = begin_draft(ada, copy.deepcopy(EVERY_KIND))
    row = storage.receive(survey, answer_of(survey.draft).encode())
    with override("de"):
        titles = {line.reading.title for line in storage.lines(row)}
    assert "Zufällig gezogen:" in titles and "Picked at random:" not in titles


def test_a_page_that_waits_is_told_nothing_until_there_is_something_new(client, draft):
    ask = {"X-Fragments": "1"}
    assert client.get(f"{address(draft)}?after=0", headers=ask).content == b""
    sent(client, draft, answer_of(draft.draft))
    parts = client.get(f"{address(draft)}?after=0", headers=ask).content.decode()
    assert "A test answer arrived." in parts and 'id="test-answers"' in parts
    newest = TryoutReport.objects.get().pk
    assert client.get(f"{address(draft)}?after={newest}", headers=ask).content == b""


def test_a_draft_of_which_nothing_can_be_asked_says_so(client, ada):
    survey = begin_draft(ada, {"title": "", "questions": []})
    page = client.get(address(survey)).content.decode()
    assert "Nothing can be asked yet" in page and "Answer as a test" not in page


# The link of testers --------------------------------------------------------------------------------------------------


def link_for_testers(client, survey, **form):
    """Return the path of the link that the page shows after a press of its button; empty if it shows none."""
    page = client.post(address(survey, "link/"), form, follow=True).content.decode()
    shown = re.search(r'id="the-link"[^>]*>[^<]*(/try/[^<]+)<', page)
    return shown[1] if shown else ""


def test_anyone_who_has_the_link_of_testers_answers_as_a_test_without_an_account(client, draft):
    path, tester = link_for_testers(client, draft), Client(enforce_csrf_checks=True)
    page = tester.get(path)
    assert page["X-Robots-Tag"] == "noindex, nofollow" and not tester.cookies
    assert f'data-tests="{path}reports" data-key=""' in page.content.decode()
    assert "/surveys/" not in page.content.decode(), "nothing leads to the studio"
    assert tester.get(f"{path}definition").json()["title"] == draft.title
    body = answer_of(draft.draft)
    assert tester.post(f"{path}reports", body, JSON).status_code == 201
    assert body.replace('"', "&quot;") in client.get(address(draft)).content.decode()
    assert Survey.objects.get(pk=draft.pk).draft == draft.draft


def test_the_link_of_testers_is_renewed_and_ended_and_ends_when_the_survey_opens(client, ada, draft):
    tester, first = Client(), link_for_testers(client, draft)
    second = link_for_testers(client, draft)
    assert (tester.get(first).status_code, tester.get(second).status_code) == (404, 200)
    assert link_for_testers(client, draft, end="yes") == "" and tester.get(second).status_code == 404
    third = link_for_testers(client, draft)
    open_survey(draft, ada)
    for name in ("", "definition"):
        assert tester.get(f"{third}{name}").status_code == 404
    assert tester.post(f"{third}reports", answer_of(draft.draft), JSON).status_code == 404
    assert link_for_testers(client, draft) == "" and not TryoutLink.objects.exists()


def test_making_and_ending_the_link_of_testers_stand_in_the_log(client, draft):
    link_for_testers(client, draft)
    link_for_testers(client, draft, end="yes")
    details = set(AuditEntry.objects.filter(action="edited").values_list("detail", flat=True))
    assert {"made a link for testers", "ended the link for testers"} <= details


def test_a_client_and_a_link_have_so_many_requests_a_minute(client, draft, settings, monkeypatch):
    path = link_for_testers(client, draft)
    monkeypatch.setattr(testers, "RATE", WindowRate())
    settings.API_REQUESTS_PER_MINUTE = 2
    statuses = [Client(REMOTE_ADDR="203.0.113.7").get(path).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    monkeypatch.setattr(testers, "PER_LINK", 3)
    refused = Client(REMOTE_ADDR="198.51.100.7").get(path)
    assert refused.status_code == 429 and 1 <= int(refused["Retry-After"]) <= 60
