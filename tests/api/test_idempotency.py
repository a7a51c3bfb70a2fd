"""A request repeated with its key has no second effect. A secret that is shown once is not stored."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from surveys.api.idempotency import DAYS
from surveys.models import AuditEntry, Comment, IdempotencyKey, Invitation, Scope, Survey
from tests.support.program import Program
from tests.support.tokens import carrying, token

pytestmark = pytest.mark.django_db

KEY = "2265b1f5-91b7-484a-98f1-6adfcd613e30"


@pytest.fixture
def studio():
    return Program(carrying(token(User.objects.create(username="ada"), Scope.STUDIO)))


def begin(studio, key=KEY, **body):
    return studio.ask("post", body=body, **{"Idempotency-Key": key})


def test_a_survey_is_begun_once_with_a_key_and_each_time_without(studio):
    first, again = begin(studio, template="health"), begin(studio, template="health")
    assert first.status_code == again.status_code == 201 and first.json() == again.json()
    assert Survey.objects.count() == AuditEntry.objects.filter(action="created").count() == 1
    begin(studio, KEY[::-1], template="health")
    studio.ask("post", body={"template": "health"})
    assert Survey.objects.count() == 3


def test_a_key_is_of_one_request_and_of_one_person(studio):
    begin(studio, template="health")
    assert begin(studio, template="tax").json()["type"] == "/problems/idempotency_key"
    other = Program(carrying(token(User.objects.create(username="bob"), Scope.STUDIO)))
    assert begin(other, template="tax").status_code == 201
    assert Survey.objects.count() == 2


def test_what_was_refused_can_be_sent_again(studio):
    assert [begin(studio, template="none").status_code for _ in range(2)] == [422, 422]
    assert begin(studio, template="health").status_code == 201


@pytest.mark.parametrize("key", ["short", "with a space in the key", "x" * 129, ""])
def test_a_key_that_is_none_is_refused(studio, key):
    assert begin(studio, key, template="health").status_code == 400
    assert not Survey.objects.exists()


def test_a_link_is_told_once_and_stored_nowhere(studio):
    number = studio.begin()
    answers = [
        studio.ask("post", f"/{number}/people/invitations", {"role": "viewer"}, **{"Idempotency-Key": KEY})
        for _ in range(2)
    ]
    assert [each.status_code for each in answers] == [201, 409]
    assert answers[1].json()["type"] == "/problems/told_once"
    assert Invitation.objects.count() == 1 and IdempotencyKey.objects.get().document is None
    assert KEY not in str(IdempotencyKey.objects.values_list())


def test_keys_are_forgotten(studio):
    begin(studio, template="health")
    row = IdempotencyKey.objects.get()
    IdempotencyKey.objects.update(day=row.day - timedelta(days=DAYS + 1))
    assert begin(studio, KEY[::-1], template="health").status_code == 201
    assert not IdempotencyKey.objects.filter(pk=row.pk).exists()


def test_no_one_who_reads_the_database_can_try_what_was_sent(studio):
    begin(studio, template="health")
    begin(studio, KEY[::-1], template="health")
    assert len({row.request_hash for row in IdempotencyKey.objects.all()}) == 2


def test_what_was_deleted_stays_in_no_stored_answer_and_its_key_says_so(studio):
    number = begin(studio, draft={"title": "Canary title"}).json()["number"]
    written = {"text": "Canary comment"}
    made = [studio.ask("post", f"/{number}/comments", written, **{"Idempotency-Key": KEY[::-1]}) for _ in range(2)]
    assert [each.status_code for each in made] == [201, 201] and made[0].json() == made[1].json()
    assert "Canary" not in str(list(IdempotencyKey.objects.values_list()))
    Comment.objects.all().delete()
    again = studio.ask("post", f"/{number}/comments", written, **{"Idempotency-Key": KEY[::-1]})
    assert (again.status_code, again.json()["type"]) == (410, "/problems/gone")
    assert studio.ask("delete", f"/{number}?title=Canary%20title").status_code == 204
    assert begin(studio, draft={"title": "Canary title"}).status_code == 410
    assert not Survey.objects.exists() and "Canary" not in str(list(IdempotencyKey.objects.values_list()))


@pytest.mark.parametrize("key", ["Schlüssel-Schlüssel", "x" * 16 + "\x85", "x" * 16 + "\t\x80"])
def test_a_key_that_is_not_ascii_is_refused(studio, key):
    answer = studio.ask("post", body={"template": "health"}, **{"Idempotency-Key": key})
    assert answer.status_code == 400 and "ASCII" in answer.json()["detail"] and not Survey.objects.exists()
