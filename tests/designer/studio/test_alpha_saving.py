"""Saving a question's alpha and the expected number of people saves what the page showed."""

import json
import re

import pytest

from surveys.designer.privacy import actions
from surveys.models import AuditEntry, Survey
from surveys.survey.definition import build
from tests.support.alpha import begun, get, mark_of, post, said, words
from tests.support.builder import undo
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db


# Saving ---------------------------------------------------------------------------------------------------------------


def test_a_saved_alpha_is_the_decimal_that_was_shown_and_can_be_undone(client, ada):
    survey = begun(ada)
    mark = mark_of(get(client, survey, question="which", alpha="1.50"))
    response = post(
        client, survey, "?question=which&alpha=1.50&n=700", do="save", mark=mark, alpha="1.50", mechanism=""
    )
    assert response.redirect_chain[-1][0].endswith("?question=which&n=700") and said(response) == ["Saved: alpha 1.5."]
    kept = {**DRAFT["questions"][1], "alpha": "1.5"}
    del kept["mechanism"]
    assert survey.draft["questions"] == [DRAFT["questions"][0], kept, DRAFT["questions"][2]]
    entry = AuditEntry.objects.first()
    assert (entry.username, entry.action, entry.detail) == ("ada", "edited", "alpha of which: 1.5")
    assert "Set the alpha of “Which?” to 1.5." in response.content.decode()
    undo(client, survey)
    survey.refresh_from_db()
    assert survey.draft == DRAFT and 'id="undo"' not in get(client, survey)


def test_a_mechanism_with_a_delta_is_saved_with_it_and_another_one_without(client, ada):
    survey = begun(ada)
    for fields, expected in (
        ({"mechanism": "osgt", "delta": "0.0000010"}, {"alpha": "2", "mechanism": "osgt", "delta": "0.000001"}),
        ({"mechanism": "bitwise", "delta": "0.000001"}, {"alpha": "2", "mechanism": "bitwise"}),
        ({"mechanism": ""}, {"alpha": "2"}),
    ):
        mark = mark_of(get(client, survey, question="many", alpha="2.1"))
        post(client, survey, "?question=many", do="save", mark=mark, alpha="2", **fields)
        stored = survey.draft["questions"][2]
        assert {name: stored[name] for name in ("alpha", "mechanism", "delta") if name in stored} == expected
        build(survey.draft)


@pytest.mark.parametrize(("kind", "fields"), [("date", {"dates": ["2020", "2021", "2022"]}), ("yes_no", {})])
def test_a_delta_is_asked_for_where_a_mechanism_has_one(client, ada, kind, fields):
    survey = begun(ada, [{"key": "when", "kind": kind, "text": "When?", "alpha": "1"} | fields])
    assert ('name="delta"' in get(client, survey, question="when")) == (kind == "date")


def test_undo_is_offered_only_where_something_is_typed(client, ada):
    survey = begun(ada)
    post(
        client,
        survey,
        "?question=yes",
        do="save",
        mark=mark_of(get(client, survey, question="yes", alpha="3")),
        alpha="3",
    )
    offers = {
        place: 'id="undo"' in client.get(f"/surveys/{survey.pk}/{place}", follow=True).content.decode()
        for place in ("alpha/", "questions/", "texts/", "open/", "files/", "try/", "team/", "log/")
    }
    assert {place for place, offered in offers.items() if offered} == {"alpha/", "questions/", "texts/"}


def test_what_someone_else_changed_meanwhile_is_not_overwritten(client, ada):
    survey = begun(ada)
    mark = mark_of(get(client, survey, question="yes", alpha="3"))
    changed = json.loads(json.dumps(DRAFT))
    changed["questions"][0]["text"] = "Another?"
    Survey.objects.filter(pk=survey.pk).update(draft=changed)
    response = post(client, survey, "?question=yes", do="save", mark=mark, alpha="3")
    assert survey.draft == changed and said(response)[0].startswith("Someone else changed this in the meantime.")


def test_an_undo_does_not_take_away_what_was_saved_after(client, ada):
    survey = begun(ada)
    mark = mark_of(get(client, survey, question="yes", alpha="3"))
    post(client, survey, "?question=yes", do="save", mark=mark, alpha="3")
    other = json.loads(json.dumps(survey.draft))
    other["questions"][0]["alpha"] = "4"
    Survey.objects.filter(pk=survey.pk).update(draft=other)
    assert undo(client, survey).status_code == 409
    survey.refresh_from_db()
    assert survey.draft == other


@pytest.mark.parametrize("alpha", ["", "0", "17", "one", "1.0000001"])
def test_no_alpha_is_saved_that_a_question_cannot_have(client, ada, alpha):
    survey = begun(ada)
    mark = mark_of(get(client, survey, question="yes", alpha="3"))
    response = post(client, survey, "?question=yes", do="save", mark=mark, alpha=alpha)
    assert survey.draft == DRAFT and said(response)[0].startswith("Nothing was saved")


def test_the_number_of_people_expected_is_saved(client, ada):
    survey = begun(ada, n=None)
    assert "1,000 people (assumed)" in words(get(client, survey))
    post(client, survey, do="expect", n="25000")
    assert survey.expected_n == 25000
    for wrong in ("0", "-3", "many", "", "9" * 30):
        assert said(post(client, survey, do="expect", n=wrong))[0].startswith("People expected:")
    assert survey.expected_n == 25000


def test_an_unknown_action_is_not_found(client, ada):
    assert client.post(f"/surveys/{begun(ada).pk}/alpha/", {"do": "other"}).status_code == 404


# Numbers of people as designers type them -----------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["1,500", "1 500", "1.500", "1'500", "1500", "١٬٥٠٠"])
def test_thousands_may_stand_apart(client, ada, typed):
    survey = begun(ada)
    post(client, survey, do="expect", n=typed)
    assert survey.expected_n == 1500


@pytest.mark.parametrize("typed", ["1,50", "1.5", "0", "many", "1,500,00"])
def test_a_wrong_number_of_people_leaves_all_else_that_was_typed(client, ada, typed):
    survey = begun(ada)
    fields = {"do": "plan", "n": typed, "first": "yes", "second": "which", "width.yes": "4", "total": "2"}
    response = post(client, survey, **fields)
    page = response.content.decode()
    assert "People expected:" in " ".join(said(response)) and survey.expected_n == 2000
    assert '<option value="yes" selected>' in page and '<option value="which" selected>' in page
    assert re.search(r'name="width\.yes" value="4(\.0+)?"', page)


def test_a_button_that_is_not_there_is_not_found_and_a_fault_is_a_fault(client, ada, monkeypatch):
    survey = begun(ada)
    address = f"/surveys/{survey.pk}/alpha/"
    assert client.post(address, {"do": "nothing"}).status_code == 404
    assert client.post(address, {"do": "ask_for", "scale": "nothing"}).status_code == 404
    monkeypatch.setitem(actions._ACTIONS, "expect", lambda *_: {}["a fault"])
    with pytest.raises(KeyError):
        client.post(address, {"do": "expect"})
