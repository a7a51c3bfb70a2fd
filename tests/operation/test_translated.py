"""Pages in the reader's language: numbers, dates, pictures, and the reasons for refusing a draft."""

import datetime
import re
from fractions import Fraction
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.utils import translation
from django.utils.formats import date_format, localize_input

from surveys.figures import numerals
from surveys.figures.sentences import within
from surveys.life.lifecycle import begin_draft
from surveys.survey import definition
from tests.support.estimates import released
from tests.support.factories import DRAFT

MARK = "\N{LEFT-TO-RIGHT MARK}"
DAY = datetime.date(2025, 3, 3)


@pytest.mark.parametrize(
    ("language", "large", "negative", "day"),
    [
        ("en", "1,234.5", "−0.5", "3 March 2025"),
        ("de", "1.234,5", "−0,5", "3. März 2025"),
        ("ar", "1,234.5", f"{MARK}−0.5", "3 مارس 2025"),
    ],
)
def test_numbers_and_dates_are_written_as_the_language_does(language, large, negative, day):
    with translation.override(language):
        assert numerals.number(1234.5, 1) == large
        assert numerals.decimal("-0.5") == negative
        assert numerals.number(-0.04, 1) in ("0.0", "0,0")
        assert date_format(DAY) == day


def test_an_interval_is_read_apart_from_a_negative_number_before_it():
    with translation.override("ar"):
        assert numerals.to("0", "50") == "\N{RIGHT-TO-LEFT MARK}0 إلى 50"
    assert numerals.to("0", "50") == "0 to 50"


def test_numbers_of_every_form_are_german_in_german():
    with translation.override("de"):
        assert numerals.integer(1234567) == "1.234.567"
        assert numerals.percent(0.999) == "99,9\N{NO-BREAK SPACE}%" and numerals.level(0.999) == "99,9-%"
        assert numerals.small(0.0000123, 2) == "1,2 · 10⁻⁵"
        assert numerals.rounded_up(0.0123) == "0,013"
        assert numerals.chance(Fraction(1, 100_000)).endswith("100.000")
        assert numerals.tick(-2.5) == "−2,5"


@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_fields_of_dates_hold_what_browsers_take_in_every_language(language):
    with translation.override(language):
        assert localize_input(DAY) == "2025-03-03"


def test_a_label_begins_in_lower_case_inside_of_an_english_sentence_only():
    assert within("Without privacy") == "without privacy"
    with translation.override("de"):
        assert within("Ohne Schutz") == "Ohne Schutz"


REFUSED = {
    "title": "t",
    "introduction": "i",
    "questions": [{"key": "a", "kind": "yes_no", "text": "", "alpha": "99"}],
}


def told():
    with pytest.raises(definition.DraftRefused) as refused:
        definition.build(REFUSED)
    return [str(one) for one in refused.value.refusals]


def test_a_refusal_that_was_kept_is_said_to_each_reader_in_their_language():
    said = {}
    for language in ("de", "en", "ar", "de"):
        with translation.override(language):
            assert said.setdefault(language, told()) == told()
    assert said["en"] == [
        'question 1 (key "a"), text: must be a text of 1 to 2000 characters [questions[0].text]',
        'question 1 (key "a"), alpha: must be from 0.01 to 16 [questions[0].alpha]',
    ]
    assert all(one.startswith('Frage 1 (Schlüssel "a")') for one in said["de"])
    assert all("must" not in one for one in said["de"] + said["ar"])


def test_programs_compare_a_rule_in_english_whatever_a_page_speaks():
    with translation.override("de"):
        assert [one.rule for one in definition.refusals(REFUSED)] == [
            "must be a text of 1 to 2000 characters",
            "must be from 0.01 to 16",
        ]


@pytest.mark.django_db
def test_the_pictures_of_results_speak_as_their_page_does(client):
    survey = released(results_public=True)
    for path in (f"/r/{survey.slug}/", f"/r/{survey.slug}/questions/yes/"):
        page = client.get(path, headers={"Accept-Language": "de"}).content.decode()
        (own, *_rest) = [
            found.replace("&amp;", "&") for found in re.findall(r'<img src="([^"]+)"', page) if "-light-" in found
        ]
        assert "language=de" in own
        german, english = client.get(own).content.decode(), client.get(own.replace("language=de", "")).content.decode()
        assert "Anteil" in german and "Anteil" not in english
        assert "language=" not in client.get(path, headers={"Accept-Language": "en"}).content.decode()


@pytest.mark.django_db
def test_no_number_is_right_before_a_percent_sign_in_german(client):
    draft, user = DRAFT | {"language": "de"}, User.objects.create_user("grete")
    survey = released(draft=draft, results_public=True)
    client.force_login(user)
    release = f"/r/{survey.slug}/1/"
    own = ["", "questions/yes/?value=50", "questions/many/", "comparisons/?question=which&value=50"]
    own.append("plots/yes-light-narrow.svg?language=de")
    lab = [f"/lab/{room}" for room in ("", "tests/", "noise/", "limits/")]
    for path in [*(release + page for page in own), *lab, f"/surveys/{begin_draft(user, draft).pk}/open/"]:
        answer = client.get(path, headers={"Accept-Language": "de"})
        page = unescape(answer.content.decode())
        texts = " ".join(map("".join, re.findall(r'>([^<]*)<|alt="([^"]*)"', page)))
        assert answer.status_code == 200 and re.search("[^ ]\N{NO-BREAK SPACE}%|\\d-%-Intervall", texts), path
        assert not re.findall(r".{,20}\d%", texts), path
