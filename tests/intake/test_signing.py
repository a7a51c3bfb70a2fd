"""From an invitation to a report: one a person, refused otherwise, and nothing that joins the two."""

import json

import pytest
from django.test import Client
from django.utils import timezone

from surveys.definition.invitations import NO_KEY, text_of
from surveys.invitations import blind, book
from surveys.lifecycle import close_survey, open_survey
from surveys.models import Report, Survey
from tests.intake.test_intake import refused
from tests.support.factories import opened_survey, report
from tests.support.invitations import INVITED, UNKNOWN, Invited, invited_survey
from worker import tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture(autouse=True)
def file(settings, tmp_path):
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"


def test_a_person_gets_a_signature_and_their_report_is_recorded_once():
    survey, [token] = invited_survey()
    ada = Invited(survey, token, 1)
    reply = ada.asks()
    assert reply.status_code == 200 and reply.json() == ada.asks().json(), "as often as it is asked for"
    body = ada.signed(reply.json()["signature"])
    assert [ada.sends(body).status_code for _ in range(3)] == [201, 200, 200]
    assert str(Report.objects.get().id) == ada.body["report_id"]


def test_an_invitation_that_was_used_lets_in_no_second_report():
    survey, [token] = invited_survey()
    Invited(survey, token, 1).asks()
    refused(Invited(survey, token, 2).asks(), 409, "invitation-used")


def test_without_the_signature_of_its_own_id_no_report_is_taken():
    survey, tokens = invited_survey(2)
    ada, bob = (Invited(survey, token, seed) for seed, token in enumerate(tokens))
    signature = json.loads(ada.signed(ada.asks().json()["signature"]))["signature"]
    strange = text_of(int.from_bytes(bytes([1] * 256)))
    for wrong in (
        {},
        {"signature": strange},
        {"signature": signature},
        {"signature": 7},
        {"signature": signature[:-1]},
    ):
        refused(bob.sends(json.dumps(bob.body | wrong)), 422, "malformed-report", "signature")
    other = {"report_id": bob.body["report_id"], "signature": signature}
    refused(ada.sends(json.dumps(ada.body | other)), 422, "malformed-report", "signature")
    assert not Report.objects.exists()


def test_a_signature_of_one_survey_is_none_of_another():
    (first, [token]), (second, _) = invited_survey(), invited_survey()
    ada = Invited(first, token, 1)
    signature = json.loads(ada.signed(ada.asks().json()["signature"]))["signature"]
    body = json.loads(report(second, 1)) | {"report_id": ada.body["report_id"], "signature": signature}
    reply = Client().post(f"/api/v1/surveys/{second.slug}/reports", json.dumps(body), content_type="application/json")
    refused(reply, 422, "malformed-report", "signature")


def test_a_machine_without_the_book_tells_nobody_that_the_survey_is_over_and_makes_no_book(settings, tmp_path):
    survey, [token] = invited_survey()
    ada = Invited(survey, token, 1)
    here, settings.INVITATIONS_FILE = settings.INVITATIONS_FILE, tmp_path / "other" / "none.sqlite3"
    refused(ada.asks(), 503, "signed-elsewhere")
    assert Client().get("/respond/invitations", headers={"survey-link": survey.slug}).status_code == 200
    with pytest.raises(book.Elsewhere):
        book.invite(survey.digest, 1)
    assert not settings.INVITATIONS_FILE.parent.exists()
    settings.INVITATIONS_FILE = here
    assert ada.asks().status_code == 200


def test_a_survey_by_open_link_signs_nothing_and_takes_no_signature():
    survey = opened_survey()
    ada = Invited(invited_survey()[0], UNKNOWN, 1)
    ada.survey = survey
    refused(ada.asks(), 404, "open-link")
    body = json.loads(report(survey, 1)) | {"signature": NO_KEY}
    refused(ada.sends(json.dumps(body)), 422, "malformed-report", "signature")


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"token": "short"}, "token"),
        ({"token": 7}, "token"),
        ({"blinded": "short"}, "blinded"),
        ({"blinded": None}, "blinded"),
        ({"blinded": NO_KEY}, "blinded"),
        ({"more": 1}, "body"),
    ],
)
def test_what_cannot_be_signed_is_refused_by_its_field_and_uses_nothing_up(wrong, field):
    survey, [token] = invited_survey()
    ada = Invited(survey, token, 1)
    refused(ada.asks(**wrong), 422, "malformed-request", field)
    assert ada.asks().status_code == 200


@pytest.mark.parametrize("body", [b"[]", b"\xff", b'{"token":', b"[" * 1000])
def test_what_is_no_request_is_refused(body):
    survey, _ = invited_survey()
    address = f"/api/v1/surveys/{survey.slug}/signature"
    refused(Client().post(address, body, content_type="application/json"), 422, "malformed-request", "body")
    assert Client().post(address, b" " * 1025, content_type="application/json").status_code == 413
    assert Client().get(address).status_code == 405
    assert Client().post("/api/v1/surveys/none/signature", b"{}", content_type="application/json").status_code == 404


def test_a_token_that_nobody_was_given_is_told_so():
    survey, _ = invited_survey()
    refused(Invited(survey, UNKNOWN, 1).asks(), 403, "no-invitation")


def test_the_page_names_the_survey_in_a_header_and_gets_the_same():
    survey, [token] = invited_survey()
    ada = Invited(survey, token, 1)
    reply = Client(headers={"survey-link": survey.slug}).post(
        "/respond/signature", json.dumps(ada.request()), content_type="application/json"
    )
    assert reply.status_code == 200 and reply.json() == ada.asks().json()


def test_before_the_beginning_and_after_the_end_nothing_is_signed_and_then_the_key_is_gone():
    survey, [token] = invited_survey()
    ada = Invited(survey, token, 1)
    Survey.objects.filter(pk=survey.pk).update(opens_at=timezone.now() + timezone.timedelta(days=1))
    refused(ada.asks(), 409, "not-begun")
    Survey.objects.filter(pk=survey.pk).update(opens_at=None)
    body = ada.signed(ada.asks().json()["signature"])
    assert close_survey(survey)
    refused(ada.asks(), 410, "closed")
    refused(ada.sends(body), 410, "closed")
    assert book.signing() == []


def test_a_survey_that_its_last_report_closed_has_its_key_destroyed_by_the_sweep():
    survey, _ = invited_survey()
    Survey.objects.filter(pk=survey.pk).update(state=Survey.State.CLOSED)
    assert book.signing() == [survey.digest]
    tasks.destroy_keys()
    assert book.signing() == []


def test_each_survey_has_a_key_of_its_own_which_its_digest_covers():
    first, second = (opened_survey(INVITED) for _ in range(2))
    moduli = {survey.definition["invitations"]["modulus"] for survey in (first, second)}
    assert len(moduli | {NO_KEY}) == 3 and first.digest != second.digest
    assert not hasattr(first, "private") and "private" not in first.canonical


def test_opening_twice_at_once_opens_once(django_user_model):
    survey = Survey.objects.get(pk=opened_survey(INVITED).pk)
    with pytest.raises(ValueError, match="only a draft"):
        open_survey(survey)


def test_a_wrong_result_of_the_arithmetic_never_leaves(monkeypatch):
    """A fault in one prime's half would give the key away to whoever gets the signature."""
    survey, [token] = invited_survey()
    root = blind.SigningKey.root
    monkeypatch.setattr(blind.SigningKey, "root", lambda key, power: root(key, power) + key._primes[0])
    with pytest.raises(ArithmeticError):
        Invited(survey, token, 1).asks()
    monkeypatch.undo()
    assert Invited(survey, token, 2).asks().status_code == 200, "nothing was used up"
