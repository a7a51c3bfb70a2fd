"""Estimates of a survey's duration and of its texts' difficulty, by published rules; none where no rule applies."""

import copy

import pytest
from django.utils.translation import override

from ldp.forms.report import alone
from surveys.designer.studio.effort import level, minutes, words
from surveys.designer.studio.effort.hint import effort, hints
from surveys.life.lifecycle import begin_draft
from surveys.survey.definition import build
from tests.support import forms
from tests.support.factories import DRAFT

# The usual example of Coleman and Liau's formula: 119 words, 639 letters, 5 sentences, index 14.5.
COLEMAN = (
    "Existing computer programs that measure readability are based largely upon subroutines which estimate number "
    "of syllables, usually by counting vowels. The shortcoming in estimating syllables is that it necessitates "
    "keypunching the prose into the computer. There is no need to estimate syllables since word length in letters "
    "is a better predictor of readability than word length in syllables. Therefore, a new readability formula was "
    "computed that has for its predictors letters per 100 words and sentences per 100 words. Both predictors can "
    "be counted by an optical scanning device, and thus the formula makes it economically feasible for an "
    "organization such as the U.S. Office of Education to calibrate the readability of all textbooks for the "
    "public school system."
)
PLAIN = "We ask you a few things about your day. You can stop at any time. " * 10
GERMAN = (
    "Die Bundesregierung beabsichtigt, die Inanspruchnahme gesundheitsbezogener Dienstleistungen wissenschaftlich zu "
    "untersuchen, wobei ausschließlich verallgemeinerte Auswertungen veröffentlicht werden. "
) * 8


def test_words_and_sentences_are_counted_as_people_read_them():
    assert words.words("It's a well-known rule: see https://example.org/a or ask me@example.org, 3 times.") == [
        *("It's", "a", "well-known", "rule", "see", "or", "ask", "3", "times")
    ]
    assert (
        len(words.sentences("Ask Dr. Who, e.g. on 3. Mai or in the U.S. Office. In 2024. Then? “Yes.” Good\nNo end"))
        == 6
    )
    assert words.sentences("… \n\n -") == []


def test_the_formula_for_english_gives_what_its_authors_example_gives():
    every, count = words.words(COLEMAN), len(words.sentences(COLEMAN))
    letters = sum(letter.isalnum() for word in every for letter in word)
    assert (len(every), letters, count) == (119, 639, 5)
    assert level.coleman_liau(every, count) == pytest.approx(14.5, abs=0.05)


@pytest.mark.parametrize(
    ("word", "count"),
    [("Haus", 1), ("Familie", 3), ("Veröffentlichung", 5), ("Quelle", 2), ("Idee", 2), ("Theater", 3), ("hm", 1)],
)
def test_syllables_of_german_are_those_that_are_written(word, count):
    assert level.syllables_of(word) == count


def test_the_formula_for_german_is_its_authors():
    # Ten words in two sentences: one with three syllables or more, seven with one, one with more than six letters.
    every = ["Wir", "fragen", "Sie", "nach", "dem", "Tag", "und", "der", "Zufriedenheit", "heute"]
    syllables = [level.syllables_of(word) for word in every]
    assert syllables == [1, 2, 1, 1, 1, 1, 1, 1, 4, 2]
    expected = 0.1935 * 10 + 0.1672 * 5 + 0.1297 * 10 - 0.0327 * 70 - 0.875
    assert level.wiener_sachtextformel(every, 2) == pytest.approx(expected)


def test_hard_and_plain_texts_are_told_apart_in_both_languages():
    assert level.level([PLAIN], "en").years == level.FEWEST_YEARS
    assert level.level([COLEMAN], "en").years >= 14
    assert level.level([GERMAN], "de").years == level.MOST_YEARS
    assert level.level(["Wir fragen Sie nach Ihrem Tag. Sie dürfen aufhören, wann Sie wollen. " * 10], "de").years <= 6


@pytest.mark.parametrize("language", ["ar", "fr", "zh", "deu", ""])
def test_nothing_is_said_of_a_language_without_a_formula(language):
    assert level.level([COLEMAN * 2], language) is None


def test_nothing_is_said_of_few_words():
    few = " ".join(words.words(PLAIN)[: level.LEAST - 1])
    assert level.level([few], "en") is None and level.level([few, "more"], "en") is not None


def test_the_longest_sentence_is_shown_where_it_is_long():
    assert level.level([COLEMAN], "en").longest.startswith("Both predictors can be counted")
    assert level.level([PLAIN], "en").longest == ""


def test_minutes_follow_the_stated_rule():
    short = build(DRAFT)
    assert minutes.minutes(short) == (1, 1, 228)
    many = copy.deepcopy(DRAFT)
    many["questions"] = [DRAFT["questions"][0] | {"key": f"q{n}", "alpha": "0.1"} for n in range(60)]
    frame = 7  # the words “Three kinds. A survey for the tests.”
    assert minutes.minutes(build(many)).high == round((60 * 10.3 + 60 * frame / 228) / 60)
    many["consent"] = "word " * 1900
    assert minutes.minutes(build(many)).high == round((60 * 10.3 + 60 * (frame + 1900) / 228) / 60)
    assert minutes.minutes(build(many | {"language": "de"})).rate == 179
    assert minutes.minutes(build(many | {"language": "ar"})).rate == 138
    assert minutes.minutes(build(many | {"language": "fr"})).rate == minutes.MEAN_RATE


def test_a_table_takes_as_long_as_its_items_and_long_questions_longer():
    grid = {"key": "g", "kind": "grid", "text": "?", "items": [f"i{n}" for n in range(12)], "options": ["a", "b"]}
    assert minutes.minutes(build(DRAFT | {"questions": [grid | {"alpha": "1"}]})).high == 2
    long = DRAFT["questions"][0] | {"text": "word " * 90 + "?"}
    spoken = minutes._seconds(build(DRAFT | {"questions": [long]}), 0, 228)
    brief = minutes._seconds(build(DRAFT | {"questions": [DRAFT["questions"][0]]}), 0, 228)
    assert spoken - brief == pytest.approx(60 * (91 + 2 - 30) / 228)  # with Yes and No


def test_only_what_people_read_counts_as_words():
    """Pairs of a ranking do not count. Bins and spans do not count if a number or a date is typed."""
    entries = [f"entry {n}" for n in range(8)]
    for of_kind in (
        {"kind": "ranking", "ranked": entries},
        {"kind": "histogram", "edges": list(range(100))},
        {"kind": "date", "dates": [str(year) for year in range(1900, 2000)]},
    ):
        asked = DRAFT | {"questions": [{"key": "q", "text": "Asked?", "alpha": "1"} | of_kind]}
        words = 1 + 2 * len(of_kind.get("ranked", ()))
        assert minutes._count(*minutes._texts(build(asked), alone(build(asked))[0])) == words, of_kind


def test_nothing_is_said_of_the_minutes_where_words_have_no_spaces():
    assert minutes.minutes(build(DRAFT | {"language": "zh"})) is None
    assert hints(build(DRAFT | {"language": "zh"})) == []


def test_of_forms_it_is_a_range():
    draft = copy.deepcopy(forms.DRAFT)
    draft["questions"][5]["note"] = "word " * 390
    low, high, _ = effort(build(draft)).minutes
    assert low == 1 and high > low
    assert f"about {low} to {high} minutes" in hints(build(draft))[0].sentence


@pytest.mark.django_db
def test_the_page_before_opening_gives_the_hints_in_the_designers_language(client, ada):
    survey = begin_draft(ada, DRAFT | {"introduction": COLEMAN})
    page = client.get(f"/surveys/{survey.pk}/open/").content.decode()
    assert "It takes about 1 minute to answer." in page
    assert "Its texts suit people with about 13 years of school." in page and "Coleman &amp; Liau 1975" in page
    assert "The longest sentence has 40 words" in page
    german = client.get(f"/surveys/{survey.pk}/open/", headers={"accept-language": "de"}).content.decode()
    assert "13 Jahren Schule" in german
    with override("ar"):
        assert "سنة" in hints(build(survey.draft))[1].sentence
    short = begin_draft(ada, DRAFT)
    assert "years of school" not in client.get(f"/surveys/{short.pk}/open/").content.decode()
