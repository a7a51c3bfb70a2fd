"""A table pasted into a list of texts: its columns are the survey's languages."""

import pytest

from surveys.drafts import columns

DRAFT = {
    "title": "Food",
    "language": "en",
    "questions": [{"key": "q1", "kind": "ordered", "text": "How?", "options": []}],
    "translations": {tag: {"title": "", "questions": [{"text": "", "options": []}]} for tag in ("de", "fr")},
}


def table(*rows):
    return "\n".join("\t".join(row) for row in rows)


def test_without_a_head_the_columns_are_the_survey_s_languages_in_their_order():
    read = columns.read(table(("Bad", "Schlecht", "Mauvais"), ("Good", "Gut", "Bon")), DRAFT)
    assert read == (["Bad", "Good"], {"de": ["Schlecht", "Gut"], "fr": ["Mauvais", "Bon"]})
    assert columns.read(table(("Bad", "Schlecht"), ("Good",)), DRAFT) == (["Bad", "Good"], {"de": ["Schlecht", ""]})


@pytest.mark.parametrize(
    "head", [("de", "en", "es"), ("German", "English", "Spanish"), ("Deutsch", "ENGLISH", "español")]
)
def test_a_first_row_may_name_them_in_any_order_and_another_language(head):
    read = columns.read(table(head, ("Schlecht", "Bad", "Malo"), ("Gut", "Good", "Bueno")), DRAFT)
    assert read == (["Bad", "Good"], {"de": ["Schlecht", "Gut"], "es": ["Malo", "Bueno"]})


def test_words_that_happen_to_be_names_of_languages_are_no_head_without_the_survey_s_own():
    read = columns.read(table(("No", "Nein"), ("Da", "Ja")), DRAFT)
    assert read == (["No", "Da"], {"de": ["Nein", "Ja"]})


def test_lines_without_columns_and_columns_without_languages_are_no_table():
    alone = {name: value for name, value in DRAFT.items() if name != "translations"}
    assert columns.read("Bad\nGood", DRAFT) is None
    assert columns.read(table(("Bad", "Schlecht"), ("Good", "Gut")), alone) is None


def test_a_row_that_does_not_fit_keeps_all_that_was_typed_and_the_others_are_read():
    rows = ("Bad", "Schlecht"), ("", "Mittel"), ("Good", "Gut", "Bon", "Bueno")
    own, others = columns.read(table(("en", "de"), *rows), DRAFT)
    assert own == ["Bad", "…\tMittel", "Good\tGut\tBon\tBueno"] and others["de"] == ["Schlecht", "Mittel", ""]
