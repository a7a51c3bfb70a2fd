"""The operator is alerted to a failed backup, a full disk, an expiring certificate and mail that is not sent."""

import os
import socket
import time
from contextlib import closing
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from surveys.models import Survey
from surveys.operation import environment, gauges, troubles
from surveys.operation.broker import client
from surveys.respondent.invitations import letters
from surveys.respondent.invitations.texts import invitation
from tests.services.mail import MailServer
from tests.support.invitations import invited_survey
from worker import mail
from worker.troubles import tell

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

DAY = 86_400


@pytest.fixture
def server():
    server = MailServer()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def site(settings, tmp_path, server, redis_url, monkeypatch):
    settings.REDIS_URL, settings.DATA_DIR = redis_url, tmp_path
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
    settings.OPERATOR_MAIL, settings.DEFAULT_FROM_EMAIL = "ops@example.org", "surveys@example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    monkeypatch.setattr(gauges, "disk_free", lambda: 0.5)
    with client(redis_url) as connected:
        for name in troubles.TROUBLES:
            connected.delete(f"deniable:once:mailed {name}", f"deniable:level:trouble {name}")


def backup_made(folder, days):
    (folder / "backup_done").touch()
    moment = time.time() - days * DAY - 60
    os.utime(folder / "backup_done", (moment, moment))


def listing(name, **fields):
    client = Client()
    client.force_login(User.objects.get_or_create(username=name, defaults=fields)[0])
    return client.get("/surveys/").content.decode()


def test_a_site_without_troubles_says_nothing(server, tmp_path):
    backup_made(tmp_path, 8)
    tell()
    assert troubles.reported() == [] and server.letters == []
    assert "Your site" not in listing("root", is_superuser=True)


def test_owners_of_the_site_alone_see_the_troubles(tmp_path, monkeypatch):
    backup_made(tmp_path, 9)
    monkeypatch.setattr(gauges, "disk_free", lambda: 0.09)
    monkeypatch.setattr(gauges, "certificate_days", lambda: 13.0)
    tell()
    page = listing("root", is_superuser=True)
    for name in ("backup_old", "disk", "certificate"):
        assert str(troubles.TROUBLES[name]) in page
    assert "Your site" not in listing("ada")


def test_a_trouble_is_mailed_once_a_day_and_no_longer_when_it_is_over(server, settings, tmp_path):
    (tmp_path / "backup_failed").touch()
    tell()
    tell()
    [(address, letter)] = server.letters
    assert address == "ops@example.org"
    assert letter["Subject"] == f"{settings.SITE_URL}: The last backup failed." and "runbook.md" in letter.get_content()
    (tmp_path / "backup_failed").unlink()
    tell()
    assert troubles.reported() == [] and len(server.letters) == 1


def test_several_troubles_are_one_mail_a_day_and_a_new_one_brings_all_of_them(server, settings, tmp_path, monkeypatch):
    backup_made(tmp_path, 9)
    monkeypatch.setattr(gauges, "disk_free", lambda: 0.09)
    tell()
    tell()
    [(_, letter)] = server.letters
    assert letter["Subject"] == f"{settings.SITE_URL}: 2 problems"
    assert letter.get_content().splitlines()[:2] == [str(troubles.TROUBLES[name]) for name in ("backup_old", "disk")]
    with client(settings.REDIS_URL) as connected:
        connected.expire("deniable:once:mailed disk", 60)
        monkeypatch.setattr(gauges, "certificate_days", lambda: 13.0)
        tell()
        assert server.letters[1][1]["Subject"] == f"{settings.SITE_URL}: 3 problems"
        assert connected.ttl("deniable:once:mailed disk") > 80_000, "all of them are due together again"
    tell()
    assert len(server.letters) == 2


@pytest.mark.parametrize(("days", "warned"), [(2.9, False), (3.1, True)])
def test_a_public_site_without_any_backup_is_reported_three_days_after_its_first_survey_opened(
    server, settings, tmp_path, days, warned
):
    settings.SITE_URL, settings.METRICS_TOKEN = "https://survey.example.org", "watcher"
    assert not gauges.backup_missing(Survey.first_opened())
    for age in (1, days):
        survey, _ = invited_survey(0)
        survey.delete()  # an opened survey is frozen
        survey.opened_at = timezone.now() - timedelta(days=age)
        survey.save(force_insert=True)
    tell()
    sentence = str(troubles.TROUBLES["backup_missing"])
    assert (sentence in listing("root", is_superuser=True)) == warned == bool(server.letters)
    assert f"deniable_backup_missing {float(warned)}" in metrics()
    backup_made(tmp_path, 0)
    tell()
    assert sentence not in listing("root", is_superuser=True) and "deniable_backup_missing 0.0" in metrics()


def metrics():
    headers = {"Authorization": "Bearer watcher", "X-Forwarded-Proto": "https"}
    return Client(headers=headers).get("/metrics").content.decode()


def test_while_the_database_is_away_the_other_troubles_are_reported(tmp_path, monkeypatch):
    (tmp_path / "backup_failed").touch()
    with connection.execute_wrapper(away):
        tell()
    assert troubles.reported() == [troubles.TROUBLES["backup_failed"]]


def away(execute, sql, params, many, context):
    raise OperationalError("the database is away")


@pytest.mark.parametrize(
    "name", ["Deniable", "Surveys, Inc.", "A (B); C: D", "Köln, Uni", "فريق، جامعة", "Women's @ Aid"]
)
def test_every_name_of_a_sender_leads_to_a_mail(server, settings, tmp_path, monkeypatch, name):
    monkeypatch.setenv("MAIL_FROM", f"{name} <surveys@example.org>")
    if "@" in name:
        with pytest.raises(ImproperlyConfigured, match="MAIL_FROM"):
            environment.sender("MAIL_FROM", True)
        return
    settings.DEFAULT_FROM_EMAIL = environment.sender("MAIL_FROM", True)
    (tmp_path / "backup_failed").touch()
    tell()
    [(_, letter)] = server.letters
    (shown,) = letter["From"].addresses
    assert (shown.display_name, shown.addr_spec) == (name, "surveys@example.org")


def test_a_mail_that_fails_is_tried_again_later(server, tmp_path, monkeypatch):
    monkeypatch.setattr("worker.troubles.HOUR", 1)
    (tmp_path / "backup_failed").touch()
    server.refuses = True
    tell()
    tell()
    assert server.letters == []
    server.refuses = False
    until = time.monotonic() + 30
    while not server.letters and time.monotonic() < until:
        tell()
    assert [address for address, _ in server.letters] == ["ops@example.org"]


def test_a_mail_server_whose_host_drops_everything_is_reported(settings, monkeypatch):
    """A listening socket with a full queue accepts no connection and refuses none, like a dropped port."""
    with closing(socket.create_server(("127.0.0.1", 0), backlog=0)) as deaf:
        waiting = []
        for _ in range(4):
            waiting.append(socket.socket())
            waiting[-1].setblocking(False)
            waiting[-1].connect_ex(deaf.getsockname())
        settings.EMAIL_PORT, settings.EMAIL_TIMEOUT, settings.MAIL_PER_MINUTE = deaf.getsockname()[1], 0.2, 6000
        survey, _ = invited_survey(0)
        letters.invite(survey.digest, ["ada@example.org"], invitation(survey.title, "en", None))
        for _ in range(2000):
            mail.turn()
            if letters.failures() >= letters.FAILING:
                break
        mail.tell()
        tell()
        for each in waiting:
            each.close()
    assert troubles.reported() == [troubles.TROUBLES["mail"]]
    owner = Client()
    owner.force_login(User.objects.create_user("root", is_superuser=True))
    assert (
        "The mail server refused the last tries"
        in owner.get(f"/surveys/{survey.pk}/invitations/mail/").content.decode()
    )
