"""Two designers edit one draft. No work is lost. If both changed the same thing, the second one chooses."""

import re
import threading
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from surveys.operation import broker
from tests.support.builder import FRAGMENTS, begun, form, questions, signed_in, undo, url
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db


def test_two_who_edit_different_questions_never_meet():
    survey = begun(DRAFT, "bob")
    ada, bob = signed_in(), signed_in("bob")
    hers, his = form(ada, url(survey, "yes")), form(bob, url(survey, "which"))
    assert ada.post(url(survey, "yes"), hers | {"text": "Hers"}).status_code == 302
    assert bob.post(url(survey, "which"), his | {"text": "His"}).status_code == 302
    ada.post(url(survey), {"move": "many", "before": "yes"})
    assert [question["text"] for question in questions(survey)] == ["How many?", "Hers", "His"]


def test_each_sees_who_else_looks_at_the_draft_and_who_edits_it(settings, redis_url):
    settings.REDIS_URL = redis_url
    survey = begun(DRAFT, "bob")
    ada, bob, key = signed_in(), signed_in("bob"), f"deniable:looking:{survey.pk}"
    with broker.client(redis_url) as connected:
        connected.delete(key)  # another test's survey may have had this number
    assert "too:" not in ada.get(url(survey)).content.decode(), "no one else is here"
    assert "Looking at this draft, too: ada." in bob.get(url(survey)).content.decode()
    ada.post(url(survey, "yes"), form(ada, url(survey, "yes")) | {"text": "Hers"})
    page = bob.get(url(survey)).content.decode()
    assert "Editing now, too: ada." in page and "Looking at" not in page, "named once"
    with broker.client(redis_url) as connected:
        assert 0 < connected.ttl(key) <= 600


def test_a_draft_is_shown_without_them_while_redis_is_away(settings, tmp_path):
    settings.REDIS_URL = f"redis+socket://{tmp_path}/none.sock"
    survey = begun(DRAFT, "bob")
    assert [each.get(url(survey)).status_code for each in (signed_in(), signed_in("bob"))] == [200, 200]


@pytest.mark.parametrize("headers", [{}, FRAGMENTS], ids=["page", "fragments"])
def test_of_two_who_change_different_fields_of_one_question_both_are_kept(headers):
    survey = begun(DRAFT, "bob")
    ada, bob, address = signed_in(), signed_in("bob"), url(survey, "which")
    hers, his = form(ada, address), form(bob, address)
    ada.post(address, hers | {"text": "Hers", "note": "Think."})
    answer = bob.post(address, his | {"options": "a\nb"}, headers=headers)
    assert answer.status_code == (200 if headers else 302)
    both = DRAFT["questions"][1] | {"text": "Hers", "note": "Think.", "options": ["a", "b"]}
    assert questions(survey)[1] == both
    if headers:
        html = answer.content.decode()
        assert "Someone else has changed: Question, Note." in html and "Editing now, too: ada." in html
        mark = re.search(r'name="mark" id="mark" value="([^"]+)"', html)[1]
        bob.post(address, his | {"options": "a\nb\nc", "mark": mark}, headers=headers)
        assert questions(survey)[1] == both | {"options": ["a", "b", "c"]}, "what the form still shows replaces nothing"
        assert bob.post(address, his | {"text": "His", "mark": mark}, headers=headers).status_code == 409


@pytest.mark.parametrize("headers", [{}, FRAGMENTS], ids=["page", "fragments"])
@pytest.mark.parametrize("choice", ["mine", "theirs"])
def test_of_two_who_change_one_field_the_second_sees_both_versions_and_chooses(choice, headers):
    survey = begun(DRAFT, "bob")
    ada, bob, address = signed_in(), signed_in("bob"), url(survey, "which")
    hers, his = form(ada, address), form(bob, address)
    ada.post(address, hers | {"text": "Hers", "options": "a\nb"})
    sent = his | {"text": "His", "note": "His, too"}
    answer = bob.post(address, sent, headers=headers)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "<pre>Hers</pre>" in html and "<pre>His</pre>" in html
    assert "<pre>a\nb" not in html and "<pre>His, too" not in html, "only one of them changed these"
    assert questions(survey)[1]["text"] == "Hers" and "note" not in questions(survey)[1]
    kept = DRAFT["questions"][1] | {"note": "His, too", "options": ["a", "b"]}
    if choice == "mine":
        mark = re.search(r'name="mark" value="([^"]+)">', html)[1]
        bob.post(address, sent | {"mark": [his["mark"], mark]})
        assert questions(survey)[1] == kept | {"text": "His"}
    else:
        bob.post(address, sent | {"theirs": "1"}, headers=headers)
        assert questions(survey)[1] == kept | {"text": "Hers"}


def test_a_version_is_put_aside_while_the_draft_is_locked():
    survey = begun(DRAFT, "bob")
    ada, bob, address = signed_in(), signed_in("bob"), url(survey, "which")
    hers, his = form(ada, address), form(bob, address)
    ada.post(address, hers | {"text": "Hers"})
    with CaptureQueriesContext(connection) as made:
        bob.post(address, his | {"text": "His", "theirs": "1"})
    statements = [each["sql"] for each in made]
    stored = next(i for i, each in enumerate(statements) if each.startswith('INSERT INTO "surveys_revision"'))
    locked = [i for i, each in enumerate(statements[:stored]) if each.endswith("FOR UPDATE")]
    assert locked and not any(each.startswith("RELEASE") for each in statements[locked[-1] : stored])


def test_who_is_asked_is_compared_in_words():
    routed = {"asked_if": {"question": "yes", "options": [0]}}
    first, second, *rest = DRAFT["questions"]
    survey = begun(DRAFT | {"questions": [first, second | routed, *rest]}, "bob")
    ada, bob, address = signed_in(), signed_in("bob"), url(survey, "which")
    hers, his = form(ada, address), form(bob, address)
    ada.post(address, hers | {"asked_if": ["yes 1"], "mechanism": "bitwise"})
    html = bob.post(address, his | {"asked_if": "yes 0 1"}).content.decode()
    for words in ("Yes or no?: Yes, No", "Yes or no?: No"):
        assert f"<pre>{words}</pre>" in html
    assert "<pre>yes" not in html and "<pre>0" not in html and "<pre>bitwise" not in html


@pytest.mark.parametrize("part", ["texts", "sections/0"])
def test_texts_and_headings_of_two_are_chosen_from_like_questions(part):
    survey = begun(DRAFT | {"sections": [{"title": "All", "questions": ["yes", "which", "many"]}]}, "bob")
    ada, bob, address = signed_in(), signed_in("bob"), f"/surveys/{survey.pk}/{part}/"
    hers, his = form(ada, address), form(bob, address)
    ada.post(address, hers | {"title": "Hers"})
    assert bob.post(address, his | {"title": "His"}).status_code == 409
    bob.post(address, his | {"title": "His", "theirs": "1"})
    assert form(bob, address)["title"] == "Hers"
    undo(bob, survey)
    assert form(bob, address)["title"] == "His"


@pytest.mark.parametrize("headers", [{}, FRAGMENTS], ids=["page", "fragments"])
def test_what_someone_removed_meanwhile_can_be_put_back_with_what_was_typed(headers):
    survey = begun(DRAFT, "bob")
    ada, bob, address = signed_in(), signed_in("bob"), url(survey, "which")
    his = form(bob, address)
    ada.post(url(survey), {"remove": "which"})
    answer = bob.post(address, his | {"text": "His"}, headers=headers)
    assert answer.status_code == 409
    assert "Someone else has removed this" in answer.content.decode()
    bob.post(address, his | {"text": "His", "theirs": "1"})
    assert len(questions(survey)) == 2
    bob.post(address, his | {"text": "His", "again": "1"}, headers=headers)
    assert {"text": "His", "options": ["a", "b", "c"], "key": "which"}.items() <= questions(survey)[2].items()
    undo(bob, survey)
    assert len(questions(survey)) == 2
    undo(bob, survey)
    assert [question["text"] for question in questions(survey)] == ["Yes or no?", "How many?", "His"]


def test_a_sending_that_was_stored_without_an_answer_is_not_taken_for_someone_elses():
    survey = begun(DRAFT, "bob")
    ada, bob, address = signed_in(), signed_in("bob"), url(survey, "which")
    sent = form(ada, address)
    lost = sent | {"text": "Lost answer", "options": "a\r\nb"}
    ada.post(address, lost)
    unanswered = [urlencode(sent | {"text": "Never arrived"}), urlencode(lost)]
    assert ada.post(address, sent | {"text": "Next", "unanswered": unanswered}, headers=FRAGMENTS).status_code == 200
    assert questions(survey)[1]["text"] == "Next"
    bob.post(address, form(bob, address) | {"text": "His"})
    assert ada.post(address, sent | {"text": "More", "unanswered": unanswered}).status_code == 409


@pytest.mark.django_db(transaction=True)
def test_two_at_the_same_moment_store_different_questions_both_and_of_the_same_one():
    survey = begun(DRAFT, "bob")
    people = {"ada": signed_in("ada"), "bob": signed_in("bob")}
    for keys, expected in [(("yes", "which"), [302, 302]), (("many", "many"), [302, 409])]:
        sent = [
            (name, url(survey, key), form(people[name], url(survey, key)))
            for name, key in zip(people, keys, strict=True)
        ]
        gate, seen = threading.Barrier(2), []

        def post(name, address, fields, gate=gate, seen=seen):
            gate.wait()
            seen.append(people[name].post(address, fields | {"text": f"By {name}"}).status_code)
            connection.close()

        threads = [threading.Thread(target=post, args=each) for each in sent]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(seen) == expected
    assert [question["text"] for question in questions(survey)][:2] == ["By ada", "By bob"]
