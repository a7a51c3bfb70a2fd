"""The statement and the questionnaire exist in each language of the survey, in the site's own words or in English."""

import re
from copy import deepcopy
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.designer.evidence import catalog, facts
from surveys.life.lifecycle import create_draft, open_survey
from surveys.survey.definition.languages import in_language
from tests.support import languages

pytestmark = pytest.mark.django_db
WORDS = {"de": "Ihre Entscheidung", "ar": "لك الاختيار"}
CHOICE = "Your choice"


def renamed(**tags):
    """Return the draft in three languages, with other tags than German, English and Arabic."""

    def rename(draft):
        draft["language"] = tags.get(draft["language"], draft["language"])
        draft["translations"] = {tags.get(tag, tag): texts for tag, texts in draft["translations"].items()}

    return languages.draft(rename)


def written(draft):
    own = facts.of_survey(create_draft(draft))
    return own, {file.name: unescape(file.content.decode()) for file in catalog.files(own)}


@pytest.fixture(scope="module")
def spoken(outer_transaction):
    return written(languages.spoken())


@pytest.mark.parametrize("tag", ["de", "ar", "en", "es", "fr", "pt", "tr", "zh"])
def test_each_language_of_the_survey_has_statement_and_questionnaire_with_its_texts(spoken, tag):
    own, files = spoken
    texts, other = in_language(own.definition, tag), in_language(own.definition, "de" if tag != "de" else "en")
    statement, asked = files[f"statement.{tag}.html"], files[f"questionnaire.{tag}.html"]
    assert texts["title"] in statement and other["title"] not in statement + asked
    assert WORDS.get(tag, CHOICE) in statement
    for part in ("introduction", "consent", "thanks"):
        assert texts[part] in asked and other[part] not in asked
    for question, foreign in zip(texts["questions"], other["questions"], strict=True):
        assert question["text"] in asked and foreign["text"] not in asked
        assert all(option in asked for option in [*question.get("options", ()), *question.get("items", ())])
    assert all(section["title"] in asked for section in texts["sections"])


def test_words_of_the_site_are_english_where_it_has_none_and_texts_say_in_which_language_they_are():
    _own, files = written(renamed(en="fr", ar="fa"))
    asked = files["questionnaire.fa.html"]
    assert '<html lang="en" dir="ltr">' in asked and "<h1>Questionnaire</h1>" in asked
    assert '<bdi lang="fa" dir="rtl">الحياة في المدينة</bdi>' in asked
    assert '<p lang="fa" dir="rtl">سبعة أسئلة.</p>' in asked and '<h2 lang="fa" dir="rtl">عنك</h2>' in asked
    assert '<dt lang="fa" dir="rtl">1. هل انتقلت إلى مسكن آخر؟</dt>' in asked and '<dd lang="fa" dir="rtl">' in asked
    assert '<p lang="fr" dir="ltr">Seven questions.</p>' in files["questionnaire.fr.html"]
    assert '<bdi lang="fr" dir="ltr">Life in the city</bdi>' in files["statement.fr.html"]
    german = files["questionnaire.de.html"]
    assert '<html lang="de" dir="ltr">' in german and "lang=" not in german.split("<body>")[1]


def test_a_regional_tag_takes_the_words_of_its_language():
    _own, files = written(renamed(de="de-AT", ar="ar-EG"))
    assert WORDS["de"] in files["statement.de-AT.html"] and WORDS["ar"] in files["statement.ar-EG.html"]
    assert '<html lang="ar" dir="rtl">' in files["questionnaire.ar-EG.html"]


def test_documents_for_boards_name_the_survey_and_its_questions_in_their_own_language(spoken):
    _own, files = spoken
    assert "الحياة في المدينة" in files["annex.ar.html"] and "هل انتقلت إلى مسكن آخر؟" in files["annex.ar.html"]
    assert "Life in the city" in files["transparency.en.html"] and "Have you moved?" in files["transparency.en.html"]
    assert "Leben in der Stadt" in files["impact.de.html"]


def test_numbers_and_digests_are_those_of_every_language():
    _own, files = written(languages.draft())
    digests = {
        re.search(r"<code>([0-9a-f]{64})</code>", files[f"statement.{tag}.html"])[1] for tag in ("de", "en", "ar")
    }
    assert len(digests) == 1
    alone = languages.draft(lambda draft: draft.pop("translations"))
    digest, plain = written(alone)[0].digest, written(alone)[1]
    same, _digest = files["statement.de.html"].replace(*digests, ""), plain["statement.de.html"].replace(digest, "")
    assert same == _digest


def test_the_page_names_each_language_and_says_where_words_are_english():
    survey = create_draft(renamed(en="fr"))
    open_survey(survey)
    client = Client()
    client.force_login(User.objects.create(username="ada", is_superuser=True))
    page = client.get(reverse("survey-evidence", args=[survey.pk])).content.decode()
    assert "<bdi>français, partly English</bdi>&nbsp;(PDF)" in page
    assert "<bdi>العربيّة</bdi>&nbsp;(PDF)" in page, "its form follows the name, whichever way that is written"
    assert "<bdi>Deutsch</bdi>&nbsp;(PDF)" in page and "Deutsch, partly" not in page
    for name in ("statement.fr.html", "questionnaire.ar.pdf", "questionnaire.fr.pdf"):
        assert client.get(reverse("survey-evidence-file", args=[survey.pk, name])).status_code == 200
    assert client.get(reverse("survey-evidence-file", args=[survey.pk, "statement.en.html"])).status_code == 404


def test_a_survey_in_one_language_has_its_documents_in_that_one():
    draft = deepcopy(languages.draft(lambda made: (made.pop("translations"), made.update(language="sw"))))
    _own, files = written(draft)
    assert '<bdi lang="sw" dir="ltr">Leben in der Stadt</bdi>' in files["statement.sw.html"]
    assert CHOICE in files["statement.sw.html"] and "statement.en.html" not in files
