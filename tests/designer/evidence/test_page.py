"""The page "Evidence" marks a draft's documents as drafts, and asks designers for facts that the site does not have."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.life.lifecycle import create_draft, open_survey
from surveys.models import AuditEntry, Disclosure, Survey
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db
GIVEN = {"conductor": "University of <Ada>", "sponsor": "Nobody", "population": "Adults of a town"}


@pytest.fixture
def client():
    client = Client()
    client.force_login(User.objects.create(username="ada", is_superuser=True))
    return client


def file_of(client, survey, name):
    return client.get(reverse("survey-evidence-file", args=[survey.pk, name]))


def test_a_draft_has_drafts_and_an_opened_survey_the_frozen_ones(client):
    survey = create_draft(DRAFT)
    page = client.get(reverse("survey-evidence", args=[survey.pk])).content.decode()
    assert "statement.en.html" in page and "archive.zip" not in page
    before = file_of(client, survey, "annex.de.html")
    assert b'class="draft"' in before.content and before["Content-Security-Policy"].startswith(
        "default-src 'none'; style"
    )
    assert file_of(client, survey, "registry.yaml").status_code == 404
    open_survey(survey)
    after = file_of(client, survey, "annex.de.html").content.decode()
    assert 'class="draft"' not in after and Survey.objects.get(pk=survey.pk).digest in after


def test_an_incomplete_draft_says_what_is_missing(client):
    survey = Survey.objects.create(title="Half", draft={"title": "Half", "questions": []})
    response = client.get(reverse("survey-evidence", args=[survey.pk]))
    assert "still missing" in response.content.decode().lower()
    assert file_of(client, survey, "statement.en.html").status_code == 404


def test_what_is_given_stands_in_the_documents_and_in_the_log(client):
    survey = create_draft(DRAFT)
    assert "[not given yet]" in file_of(client, survey, "statement.en.html").content.decode()
    client.post(reverse("survey-disclosure", args=[survey.pk]), GIVEN)
    assert Disclosure.of(survey).sponsor == "Nobody"
    assert AuditEntry.objects.filter(survey_number=survey.pk, action="edited").count() == 1
    statement = file_of(client, survey, "statement.en.html").content.decode()
    assert "University of &lt;Ada&gt;" in statement and "Questions to: [not given yet]" in statement


def test_a_text_that_is_too_long_is_refused_beside_its_field(client):
    survey = create_draft(DRAFT)
    response = client.post(reverse("survey-disclosure", args=[survey.pk]), {"sponsor": "x" * 2001})
    assert response.status_code == 422 and 'id="sponsor-error"' in response.content.decode()
    assert Disclosure.of(survey).pk is None


def test_an_end_of_a_line_counts_once_as_a_browser_counts_it(client):
    survey, typed = create_draft(DRAFT), "x\r\n" * 999 + "xx"
    assert client.post(reverse("survey-disclosure", args=[survey.pk]), {"sponsor": typed}).status_code == 302
    assert Disclosure.of(survey).sponsor == typed.replace("\r\n", "\n")
