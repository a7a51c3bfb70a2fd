"""A ranking in the builder: its items line by line, their limits, and the order that counts for unasked people."""

import pytest

from ldp.forms.report import alone
from surveys.drafts import proposals
from surveys.drafts.kinds import changed
from surveys.survey import definition as definitions
from surveys.survey.definition import DraftRefused
from surveys.survey.definition.languages import in_language
from surveys.survey.kinds.ranking import LONGEST
from tests.support.builder import begun, errors, form, questions, signed_in, unescaped, url, with_question
from tests.support.questions import question

pytestmark = pytest.mark.django_db

ITEMS = ["tea", "coffee", "milk"]
ROUTED = {
    "title": "x",
    "questions": [
        question("thirsty", "yes_no", "1"),
        question("drinks", "ranking", "1", ranked=ITEMS) | {"asked_if": {"question": "thirsty", "options": [0]}},
    ],
}


def refused(**fields):
    with pytest.raises(DraftRefused) as error:
        definitions.build({"title": "x", "questions": [question("q", "ranking", "1", **fields)]})
    return [(refusal.field.removeprefix("questions[0]."), refusal.code) for refusal in error.value.refusals]


def test_items_are_written_line_by_line():
    survey, client = with_question(kind="ranking", ranked=[]), signed_in()
    address = url(survey, "q1")
    page = unescaped(client.get(address).content.decode())
    assert "Entries to rank" in page and errors(page, "ranked") == ["Write at least three entries, one on each line."]
    client.post(address, form(client, address) | {"ranked": "tea\ncoffee\nmilk"})
    assert questions(survey)[0]["ranked"] == ITEMS
    assert errors(client.get(address).content.decode(), "ranked") == []


def test_what_is_no_ranking_is_refused():
    assert refused(ranked=ITEMS[:2]) == refused(ranked=[*"abcdefghi"]) == [("ranked", "list_length")]
    assert refused(ranked=[*ITEMS, "tea"]) == [("ranked", "repeated")]
    assert refused(ranked=["a", "b > c", "a > b", "c"]) == [("ranked", "repeated")], "two pairs would read the same"
    assert refused(ranked=[*ITEMS, "x" * (LONGEST + 1)]) == [("ranked[3]", "text_length")]
    assert refused(ranked=ITEMS, prefer_not_to_say=True) == [("prefer_not_to_say", "no_refusing")]
    assert refused(ranked=ITEMS, options=["a", "b"]) == [("options", "unknown_field")]
    for sample in (0, 1, 4, "3", 2.5):
        assert refused(ranked=ITEMS, sample=sample) == [("sample", "sample_range")]


def test_what_is_proposed_draws_three_entries_where_two_tell_less():
    draft = {"title": "x", "questions": [question("q", "ranking", "1", ranked=ITEMS)]}
    del draft["questions"][0]["alpha"]
    proposals.propose(draft)
    assert (draft["questions"][0]["alpha"], draft["questions"][0]["sample"]) == ("2", 3)
    [built] = alone(definitions.build(draft))
    assert built["mechanism"] == "ranking" and built["table"]["sample"] == 3


def test_no_one_can_prefer_not_to_say():
    survey, client = begun(ROUTED), signed_in()
    page = unescaped(client.get(url(survey, "drinks")).content.decode())
    assert "There is no “Prefer not to say”: a report always gives the order of a few entries." in page


def test_the_lines_of_a_list_stay_where_it_becomes_a_ranking():
    choice = question("q", "single_choice", "1", options=ITEMS)
    assert changed(choice, "ranking")["ranked"] == ITEMS
    assert changed(changed(choice, "ranking"), "multiple_choice")["options"] == ITEMS


@pytest.mark.parametrize("tag", ["de", "ar"])
def test_each_language_has_its_own_items_and_pairs_of_them(tag):
    draft = {"title": "x", "questions": [question("q", "ranking", "1", ranked=ITEMS)]}
    translated = {"title": "y", "questions": [{"text": "z?", "ranked": ["1", "2", "3"]}]}
    definition = definitions.build(draft | {"language": "en", "translations": {tag: translated}})
    spoken = in_language(definition, tag)["questions"][0]
    assert spoken["options"] == ["1 > 2", "1 > 3", "2 > 3"] and spoken["ranked"] == ["1", "2", "3"]
