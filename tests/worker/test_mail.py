"""Letters reach a real mail server, each once; undeliverable ones are told, doubtful ones come again, the same."""

import re

import pytest
from django.test import Client

from surveys.invitations import letters
from surveys.invitations.texts import invitation
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
def site(settings, tmp_path, server):
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.MAIL_PER_MINUTE = "127.0.0.1", server.port, 6000
    settings.DEFAULT_FROM_EMAIL = "Surveys <surveys@example.org>"
    server.letters.clear()
    server.refuses = False


def send(survey, *people, keeps=False):
    words = invitation(survey.title, "de", None)._replace(keeps=keeps)
    letters.invite(survey.digest, people, words)


def turns(until, most=200):
    """What the schedule starts, again and again: what failed is tried at some turns only."""
    for _ in range(most):
        if until():
            return
        mail.turn()
    raise AssertionError("so many turns were not enough")


def token_of(letter):
    [token] = re.findall(r"#\w+/de/(\w{27})\s", letter.get_content())
    return token


def figures(settings):
    """The figures of mail, as whoever watches the site gets them."""
    settings.METRICS_TOKEN = "watcher"
    mail.tell()
    answer = Client().get("/metrics", headers={"Authorization": "Bearer watcher"})
    return dict(re.findall(r"^deniable_mail_(\w+) (\S+)$", answer.content.decode(), re.MULTILINE))


def test_whoever_watches_the_site_sees_that_letters_wait_and_that_no_server_takes_them(server, settings, redis_url):
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


def test_everybody_gets_a_letter_whose_link_lets_in_one_report(server):
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
    assert [address for address, _ in server.letters] != people, "in an order of chance"


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


def test_where_nobody_knows_whether_a_letter_was_taken_it_comes_again_with_the_same_link(server):
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
