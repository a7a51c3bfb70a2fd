"""The respondents' page has the languages with files in words/. The tests need no browser to check all their words."""

from django.conf import settings

from surveys.respondent.page import assets, notices
from surveys.rules import languages
from surveys.survey import definition as definitions
from surveys.survey.definition.languages import languages_of
from tests.support.languages import spoken

RESPOND = settings.BASE_DIR / "surveys" / "static" / "respond"


def test_every_language_has_its_own_words_and_the_notices_that_english_has():
    assert languages.PAGE[0] == languages.DEFAULT and set(notices.WORDS) == set(languages.PAGE)
    for tag, words in languages.WORDS.items():
        assert words["notices"].keys() == languages.WORDS["en"]["notices"].keys(), tag
        assert notices.MINIMUM in notices.WORDS[tag]["why"], tag


def test_every_language_has_both_tables_of_words_and_no_table_is_without_one():
    found = {file.name for file in (RESPOND / "words").iterdir()}
    assert found == {*assets.TABLES.values(), *assets.MORE.values(), *(f"{tag}.json" for tag in languages.PAGE)}


def test_the_survey_of_the_tests_is_whole_in_every_language():
    assert set(languages_of(definitions.build(spoken()))) == set(languages.PAGE)


def test_every_file_has_one_pin_in_the_document_or_in_the_file_of_pins():
    document = [each for each in assets.FILES if each not in assets.LISTED]
    assert {*document, *assets.LISTED} == {*assets.FILES} and assets.PINS in document
    pins = assets.asset(assets.PINS).content.decode()
    for name in assets.FILES:
        assert (assets.asset(name).integrity in pins) == (name in assets.LISTED), name
