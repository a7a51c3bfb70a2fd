"""Texts to share a survey exist in each of its languages. Each has the link that opens the page in that language."""

import re
from html import unescape

import pytest
from django.utils.translation import override

from surveys.life.lifecycle import begin_draft, open_survey
from tests.support import languages
from tests.support.life import page, text

pytestmark = pytest.mark.django_db
TITLES = {"de": "Leben in der Stadt", "fr": "Life in the city", "ar": "الحياة في المدينة"}


@pytest.fixture
def shared(ada, client, settings):
    """Return a function that shares a changed draft and returns the page's fields by id, and the page."""
    settings.SITE_URL = "https://surveys.example.org"
    settings.FRAME_HOSTS = ["https://www.example.org"]

    def share(change, **fields):
        survey = begin_draft(ada, languages.draft(change, **fields))
        open_survey(survey, ada)
        response = page(client, survey, "share/")
        found = re.findall(r'<textarea id="([^"]*)"([^>]*)>(.*?)</textarea>', response.content.decode(), re.DOTALL)
        return survey, {name: (attributes, unescape(words)) for name, attributes, words in found}, response

    return share


def french(draft):
    draft["translations"]["fr"] = draft["translations"].pop("en")


def test_each_language_has_its_letter_with_the_link_that_opens_the_page_in_it(shared):
    survey, fields, response = shared(french)
    for tag, words, direction in (("de", "Sie sind", "ltr"), ("ar", "ندعوك", "rtl"), ("fr", "You are invited", "ltr")):
        attributes, letter = fields[f"mail-{tag}"]
        assert TITLES[tag] in letter and f"https://surveys.example.org/s/#{survey.slug}/{tag}\n" in letter
        assert words in letter and f'dir="{direction}"' in attributes
        assert not any(title in letter for other, title in TITLES.items() if other != tag)
    shown = text(response)
    assert "This site does not speak français (fr)" in shown and "does not speak Deutsch" not in shown


def test_each_language_has_the_html_of_its_link_and_of_its_frame(shared):
    survey, fields, _response = shared(french, frame_hosts=["https://www.example.org"])
    for tag, title in TITLES.items():
        link = f'"https://surveys.example.org/s/#{survey.slug}/{tag}"'
        assert f"href={link}" in fields[f"embed-{tag}"][1] and title in fields[f"embed-{tag}"][1]
        assert f'src={link} title="{title}"' in fields[f"frame-{tag}"][1]


def test_a_survey_in_one_language_is_shared_in_it_whatever_its_designer_reads(shared, client):
    client.cookies["language"] = "en"
    survey, fields, _response = shared(lambda draft: draft.pop("translations"))
    attributes, letter = fields["mail"]
    assert "Sie sind" in letter and 'lang="de"' in attributes
    assert f"https://surveys.example.org/s/#{survey.slug}\n" in letter


def test_a_regional_language_is_shared_in_the_words_of_its_language(shared):
    _survey, fields, response = shared(lambda draft: draft.update(language="de-AT"))
    assert "Sie sind" in fields["mail-de-AT"][1] and "does not speak" not in text(response)


def test_a_survey_that_protects_little_says_so_in_each_language(shared):
    def weak(draft):
        for question in draft["questions"]:
            question["alpha"] = "4"

    _survey, fields, _response = shared(weak)
    assert "Take part only if you accept what a report can reveal" in fields["mail-en"][1]
    with override("de"):
        assert "truthfully" not in fields["mail-en"][1] and "wahrheitsgemäß" not in fields["mail-de"][1]


def test_a_letter_of_invitation_names_the_survey_in_the_language_of_the_letter(ada, client, settings):
    settings.EMAIL_HOST = "mail.example.org"
    survey = begin_draft(ada, languages.draft(french, invitations=True))
    open_survey(survey, ada)
    for tag, title in TITLES.items():
        shown = page(client, survey, f"invitations/mail/?language={tag}").content.decode()
        [letter] = re.findall(r'<textarea name="text"[^>]*>(.*?)</textarea>', shown, re.DOTALL)
        assert title in letter
