"""From an invitation to a report: one for each person, otherwise a refusal, and nothing links the two."""

import json
import re
import sqlite3

import pytest
from django.test import Client
from django.utils import timezone

from surveys.life.lifecycle import close_survey, open_survey
from surveys.models import Report, Survey
from surveys.respondent.invitations import blind, book, file
from surveys.survey.definition.invitations import BYTES, NO_KEY, text_of
from tests.respondent.intake.test_intake import refused
from tests.support.factories import opened_survey, report
from tests.support.invitations import GROUPS, IN_GROUPS, INVITED, UNKNOWN, Invited, invited_survey
from worker import tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture(autouse=True)
def own_book(settings, tmp_path):
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
    refused(Invited(survey, token, 2).asks(), 403, "no-invitation")


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


def test_a_machine_without_the_book_tells_no_one_that_the_survey_is_over_and_makes_no_book(settings, tmp_path):
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


# Malformed requests, by the key of the invitation.
MALFORMED = {
    **{f"token {token!r}": (lambda _, token=token: {"token": token}) for token in ("short", 7, None, "é" * 22)},
    **{
        f"number {name}": (lambda key, make=make: {"blinded": text_of(make(key) % 2 ** (8 * BYTES))})
        for name, make in {
            "0": lambda key: 0,
            "1": lambda key: 1,
            "-1": lambda key: key.modulus - 1,
            "the modulus": lambda key: key.modulus,
            "above it": lambda key: key.modulus + 2,
            "as large as can be": lambda key: -1,
            "a factor": lambda key: int(key._primes[0]),
            "a multiple of a factor": lambda key: int(key._primes[1]) * 6,
        }.items()
    },
    **{
        f"text {name}": (lambda _, make=make: {"blinded": make(text_of(3**1200))})
        for name, make in {
            "short": lambda text: text[:-1],
            "with a zero more": lambda text: "A" + text,
            "padded": lambda text: text + "==",
            "with a space": lambda text: " " + text[1:],
            "not the only notation": lambda text: text[:-1] + chr(ord(text[-1]) + 1),
            "base64": lambda text: "+/" + text[2:],
            "full-width": lambda text: "\uff21" + text[1:],
            "none": lambda text: None,
            "a number": lambda text: 3,
            "a list": lambda text: [text],
        }.items()
    },
    "more": lambda _: {"more": 1},
}


def key_of(survey):
    with file.opened() as rows:
        return blind.SigningKey(blind.split(book.private(rows, survey.digest))[0])


@pytest.mark.parametrize("wrong", MALFORMED.values(), ids=MALFORMED)
def test_what_is_malformed_is_refused_the_same_whether_or_not_the_invitation_was_used(wrong):
    """Otherwise anyone with the link could find out, minute by minute, whether the invited person has answered."""
    survey, [used, unused, taken_back, used_and_taken_back] = invited_survey(4)
    for k, token in enumerate((used, used_and_taken_back)):
        assert Invited(survey, token, k).asks().status_code == 200
    for token in (taken_back, used_and_taken_back):
        book.take_back(survey.digest, token)
    changes = wrong(key_of(survey))
    tokens = (used, unused, taken_back, used_and_taken_back, UNKNOWN)
    replies = [Invited(survey, token, 9).asks(**changes) for token in tokens]
    replies += [Invited(survey, token, 9).asks() for token in tokens if token != unused]
    assert len({(each.status_code, each.content, str(each.headers)) for each in replies}) == 1
    refused(replies[0], 403, "no-invitation")
    assert Invited(survey, unused, 9).asks().status_code == 200, "nothing is used up"


@pytest.mark.parametrize(
    "body", [b"[]", b"7", b"\xff", b"\xef\xbb\xbf{}", b'{"token":', b"[" * 1000, b'{"token":"%s","token":"%s"}']
)
def test_what_is_no_request_gets_the_same_refusal(body):
    survey, _ = invited_survey()
    address = f"/api/v1/surveys/{survey.slug}/signature"
    refused(Client().post(address, body, content_type="application/json"), 403, "no-invitation")
    assert Client().post(address, b" " * 1025, content_type="application/json").status_code == 413
    assert Client().get(address).status_code == 405
    assert Client().post("/api/v1/surveys/none/signature", b"{}", content_type="application/json").status_code == 404


def test_a_repeated_name_is_malformed():
    survey, [token] = invited_survey()
    address, ada = f"/api/v1/surveys/{survey.slug}/signature", Invited(survey, token, 1)
    twice = json.dumps(ada.request())[:-1] + f', "token": "{token}"}}'
    refused(Client().post(address, twice, content_type="application/json"), 403, "no-invitation")
    assert ada.asks().status_code == 200


def test_a_number_below_another_groups_modulus_alone_is_refused_the_same():
    survey = opened_survey(IN_GROUPS)
    tokens = [book.invite(survey.digest, 300, group)[0] for group in GROUPS]
    people = [Invited(survey, token, k) for k, token in enumerate(tokens)]
    small, large = sorted(people, key=lambda one: one.modulus)
    assert small.asks(blinded="A").content == small.asks(blinded=text_of(large.modulus - 2)).content
    assert small.asks().status_code == 200
    assert small.asks(blinded=text_of(large.modulus - 2)).status_code == 403


def test_every_refusal_does_the_same_work(monkeypatch):
    """Each refusal runs the same statements on the book and makes one signature, so times differ by noise alone."""
    survey, [used, taken_back, unused] = invited_survey(3)
    assert Invited(survey, used, 1).asks().status_code == 200
    book.take_back(survey.digest, taken_back)
    done = []
    connect, sign = sqlite3.connect, blind.sign

    def traced(*args, **options):
        connection = connect(*args, **options)
        connection.set_trace_callback(lambda text: done.append(re.sub(r"'[^']*'", "?", text)))
        return connection

    monkeypatch.setattr(sqlite3, "connect", traced)
    monkeypatch.setattr(blind, "sign", lambda *given: (done.append("signed"), sign(*given))[1])
    works = []
    zero = {"blinded": text_of(0)}
    for token, wrong in [
        (used, {}), (taken_back, {}), (UNKNOWN, {}), (used, zero), (taken_back, zero), (unused, zero),
        (unused, {"blinded": NO_KEY}), (unused, {"blinded": "short"}), (unused, {"token": 7}), (unused, {"more": 1}),
    ]:  # fmt: skip
        done.clear()
        refused(Invited(survey, token, 9).asks(**wrong), 403, "no-invitation")
        works.append(tuple(done))
    assert len(set(works)) == 1 and works[0].count("signed") == 1
    assert not any(text.startswith(("BEGIN", "UPDATE")) for text in works[0]), "the book is not locked"


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
    """A fault in one prime's half would reveal the key to the receiver of the signature."""
    survey, [token] = invited_survey()
    root = blind.SigningKey.root
    monkeypatch.setattr(blind.SigningKey, "root", lambda key, power: root(key, power) + key._primes[0])
    with pytest.raises(ArithmeticError):
        Invited(survey, token, 1).asks()
    monkeypatch.undo()
    assert Invited(survey, token, 2).asks().status_code == 200, "nothing was used up"
