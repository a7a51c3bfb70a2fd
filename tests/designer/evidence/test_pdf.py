"""The documents as PDF: in the site's languages, with unusual texts, and the same bytes for the same facts."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.designer.evidence import catalog, facts
from surveys.life.lifecycle import create_draft
from tests.support import languages
from tests.support.estimates import ODD
from tests.support.evidence import demonstration

pytestmark = pytest.mark.django_db


def pages(content):
    return int(re.search(rb"/Count (\d+)", content)[1])


def test_papers_are_pdfs_in_their_languages_and_the_statement_is_one_page():
    own = facts.of_survey(demonstration())
    for name, most in (
        ("statement.en.pdf", 1),
        ("questionnaire.en.pdf", 3),
        ("impact.de.pdf", 6),
        ("preregistration.ar.pdf", 6),
    ):
        made = catalog.file(own, name)
        assert made.media_type == "application/pdf" and made.content.startswith(b"%PDF-")
        assert 1 <= pages(made.content) <= most
        assert catalog.file(own, name).content == made.content
    assert catalog.file(own, "statement.fr.pdf") is None and catalog.file(own, "ddi.pdf") is None


def test_no_pdf_is_made_of_a_language_whose_letters_it_lacks_and_the_page_says_what_to_do_instead():
    survey = create_draft(languages.spoken())
    own = facts.of_survey(survey)
    for name, made in (("questionnaire.zh", False), ("statement.zh", False), ("questionnaire.tr", True)):
        assert (catalog.file(own, f"{name}.pdf") is not None) is made and catalog.file(own, f"{name}.html")
    assert not any(".zh." in name for name in catalog.signable(own)) and "annex.ar.pdf" in catalog.signable(own)
    client = Client()
    client.force_login(User.objects.create(username="ada", is_superuser=True))
    page = client.get(reverse("survey-evidence", args=[survey.pk])).content.decode()
    assert "zh.html" in page and "zh.pdf" not in page and "print it from the browser: <bdi>zh</bdi>" in page


def test_texts_that_no_one_can_draw_make_no_paper_fail():
    title = "\u0627\u0644\u0635\u062d\u0629 \U0001f600 \ue000 " + "x" * 150
    survey = create_draft(ODD | {"title": title})
    client = Client()
    client.force_login(User.objects.create(username="ada", is_superuser=True))
    for name in ("statement.en.pdf", "annex.ar.pdf"):
        response = client.get(reverse("survey-evidence-file", args=[survey.pk, name]))
        assert response["Content-Type"] == "application/pdf" and response.content.startswith(b"%PDF-")
        assert response["Content-Disposition"] == f'attachment; filename="{name}"'
