"""Each letter reaches a real mail server once. Failed ones are reported, and doubtful ones are sent again, the same."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.models import Membership, Role
from surveys.respondent.invitations import counts, letters
from surveys.respondent.invitations.texts import invitation, reminder
from tests.services.mail import MailServer
from tests.support.invitations import Invited, invited_survey
from worker import mail

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture(scope="module")
def server():
    server = MailServer()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def site(settings, tmp_path, server, monkeypatch):
    monkeypatch.setattr(mail, "TURN_SECONDS", 600)  # enough for a slow machine
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.MAIL_PER_MINUTE = "127.0.0.1", server.port, 6000
    settings.DEFAULT_FROM_EMAIL = "Surveys <surveys@example.org>"
    server.letters.clear()
    server.refuses = False


def send(survey, *people, keeps=False):
    words = invitation(survey.title, "de", None)._replace(keeps=keeps)
    letters.invite(survey.digest, people, words)


def turns(until, most=200):
    """Run mail's turns until `until` holds. Failed letters are tried at some turns only."""
    for _ in range(most):
        if until():
            return
        mail.turn()
    raise AssertionError("so many turns were not enough")


def token_of(letter):
    [token] = re.findall(r"#\w+/de/(\w{27})\s", letter.get_content())
    return token


def figures(settings):
    """Return the figures of mail as monitoring reads them."""
    settings.METRICS_TOKEN = "watcher"
    mail.tell()
    answer = Client().get("/metrics", headers={"Authorization": "Bearer watcher"})
    return dict(re.findall(r"^deniable_mail_(\w+) (\S+)$", answer.content.decode(), re.MULTILINE))


def test_anyone_who_watches_the_site_sees_that_letters_wait_and_that_no_server_takes_them(server, settings, redis_url):
    settings.REDIS_URL = redis_url
    assert figures(settings) == {}, "there is no book yet"
    survey, _ = invited_survey(0)
    send(survey, *(f"person{k}@example.org" for k in range(23)))
    assert figures(settings) == {"waiting": "10.0", "failing": "0.0"}
    server.refuses = True
    turns(lambda: letters.failures() >= letters.FAILING)
    assert figures(settings) == {"waiting": "10.0", "failing": "1.0"}
    server.refuses = False
    turns(lambda: not letters.waiting(1))
    assert figures(settings) == {"waiting": "0.0", "failing": "0.0"}


def test_everyone_gets_a_letter_whose_link_lets_in_one_report(server):
    survey, _ = invited_survey(0)
    people = [f"person{k}@example.org" for k in range(20)]
    send(survey, *people)
    turns(lambda: not letters.waiting(1))
    assert sorted(address for address, _ in server.letters) == sorted(people)
    letter = server.letters[0][1]
    assert letter["Subject"] == f"Einladung: {survey.title}" and letter["From"] == "Surveys <surveys@example.org>"
    assert letter["To"] == server.letters[0][0] and letter["Auto-Submitted"] == "auto-generated"
    for seed, (_, each) in enumerate(server.letters):
        assert Invited(survey, token_of(each), seed).asks().status_code == 200
    assert [address for address, _ in server.letters] != people, "in random order"


def test_a_reminder_reaches_only_those_who_had_not_answered_and_waits_for_all(server):
    survey, _ = invited_survey(0)
    people = [f"person{k}@example.org" for k in range(6)]
    send(survey, *people, keeps=True)
    turns(lambda: not letters.waiting(1))
    answered = {letter["To"]: token_of(letter) for _, letter in server.letters[:4]}
    for seed, each in enumerate(answered.values()):
        assert Invited(survey, each, seed).asks().status_code == 200
    counts.count(survey.digest, 1, 3)
    server.letters.clear()
    assert letters.remind(survey.digest, reminder(survey.title, "de", None)) == 2
    assert letters.post(survey.digest)[:2] == (6, 6)
    turns(lambda: not letters.waiting(1))
    assert {address for address, _ in server.letters} == set(people) - set(answered)
    assert letters.post(survey.digest)[:2] == (0, 6)


def test_addresses_that_the_server_refuses_are_told_and_those_of_the_others_are_gone(server):
    survey, _ = invited_survey(0)
    send(survey, "refused@example.org", "rejected@example.org", "later@example.org", "ada@example.org")
    turns(lambda: not letters.waiting(1))
    assert letters.post(survey.digest) == (0, 0, ("refused@example.org", "rejected@example.org"), True)
    assert sorted(address for address, _ in server.letters) == ["ada@example.org", "later@example.org"]


def test_an_address_that_no_server_can_be_told_of_is_told_and_holds_up_no_other(server):
    survey, _ = invited_survey(0)
    send(survey, "ada@example.org\u202c", *(f"person{k}@example.org" for k in range(5)))
    mail.turn()
    assert letters.post(survey.digest) == (0, 0, ("ada@example.org\u202c",), True)
    assert len(server.letters) == 5


ENCODED = "=?utf-8?q?a0=0D=0Ab?=@example.org"


@pytest.mark.parametrize("bad", [ENCODED, "=?utf-8?q??=@example.org", "a\n@example.org"])
def test_an_address_with_which_no_letter_can_be_built_is_told_and_holds_up_no_other(server, bad):
    """The email address was stored before the rule that refuses it (surveys/rules/mail.py)."""
    survey, _ = invited_survey(0)
    other, _ = invited_survey(0)
    send(survey, *(bad.replace("example", f"e{k}") for k in range(11)))
    send(other, *(f"person{k}@example.org" for k in range(5)))
    mail.turn()
    assert len(letters.post(survey.digest).undeliverable) == 11
    assert len(server.letters) == 5 and letters.failures() == 0


@pytest.mark.parametrize("name", ["broken", "leaving"])
def test_letters_over_which_the_server_ends_the_connection_hold_up_no_other_surveys(server, name):
    survey, _ = invited_survey(0)
    other, _ = invited_survey(0)
    send(survey, *(f"{name}@{k}.example.org" for k in range(20)))
    send(other, *(f"person{k}@example.org" for k in range(20)))
    mail.turn()
    assert len(server.letters) == 20 and letters.failures() == 0
    assert letters.post(survey.digest).waiting == 20, "it was the server that ended it, so they are tried again"


def test_accounts_share_what_is_sent_and_within_an_account_its_surveys(server):
    ada, bob = (User.objects.create_user(name) for name in ("ada", "bob"))
    of_ada, of_bob = [owned(ada, 300) for _ in range(3)], owned(bob, 24)
    mail.turn()
    assert mail.AT_ONCE == 50 == len(server.letters)
    left = [letters.post(survey.digest).waiting for survey in (*of_ada, of_bob)]
    assert left[3] == 0 and all(300 - 9 <= each <= 300 - 8 for each in left[:3]), "24 of bob's and 26 of ada's"


def owned(user, count):
    """Return a survey of the user with that many waiting letters."""
    survey, _ = invited_survey(0)
    Membership.objects.create(survey=survey, user=user, role=Role.OWNER)
    send(survey, *(f"person{k}@example.org" for k in range(count)))
    return survey


def test_where_no_one_knows_whether_a_letter_was_taken_it_comes_again_with_the_same_link(server):
    survey, _ = invited_survey(0)
    send(survey, "silent@example.org")
    turns(lambda: not letters.waiting(1), 2000)
    first, second = server.to("silent@example.org")
    assert token_of(first) == token_of(second) and first["Message-ID"] == second["Message-ID"]
    assert first.get_content() == second.get_content()


def test_while_the_server_takes_nothing_letters_wait_and_it_is_told(server):
    survey, _ = invited_survey(0)
    send(survey, "bob@example.org")
    server.refuses = True
    turns(lambda: letters.failures() >= 2, 2000)
    assert letters.post(survey.digest).waiting == 1 and server.letters == []
    server.refuses = False
    turns(lambda: not letters.waiting(1), 20_000)
    assert len(server.to("bob@example.org")) == 1 and letters.failures() == 0


def test_two_processes_send_no_letter_twice(server):
    survey, _ = invited_survey(0)
    send(survey, "ada@example.org")
    with mail._alone() as first:
        mail.turn()
        assert first and server.letters == []
    mail.turn()
    mail.turn()
    assert len(server.letters) == 1


def test_a_site_without_a_mail_server_sends_nothing(server, settings):
    survey, _ = invited_survey(0)
    send(survey, "ada@example.org")
    settings.EMAIL_HOST = ""
    mail.turn()
    assert server.letters == [] and letters.post(survey.digest).waiting == 1
