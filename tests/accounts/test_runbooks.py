"""The steps of docs/operators/runbook.md about accounts: a lost owner, and a stolen database."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client

from surveys.models import Membership, Role
from tests.accounts.test_invitations import PASSWORD, ada, survey

pytestmark = pytest.mark.django_db
__all__ = ["ada", "survey"]


def test_of_a_survey_whose_owner_is_lost_the_operator_makes_someone_else_an_owner(survey, ada, capsys):
    ada.is_active = False  # she has left, and her account is closed
    ada.save()
    call_command("owner", "rescue")
    (password,) = re.findall(r"Password: (\S+)", capsys.readouterr().out)
    operator = Client()
    assert operator.post("/account/login/", {"login": "rescue", "password": password}).status_code == 302
    made = operator.post(f"/surveys/{survey.pk}/team/", {"role": "owner"})
    link = html.unescape(re.search(r'id="link" value="([^"]+)"', made.content.decode())[1])
    bob = Client()
    bob.force_login(User.objects.create_user("bob", password=PASSWORD))
    bob.get(link.removeprefix("http://127.0.0.1:8000"), follow=True)
    bob.post("/account/invitation/")
    assert Membership.objects.get(survey=survey, user__username="bob").role == Role.OWNER
    former = Membership.objects.get(survey=survey, user=ada)
    assert bob.post(f"/surveys/{survey.pk}/team/{former.pk}/", {"role": ""}).status_code in (200, 302)


def test_a_session_of_a_stolen_database_is_worth_nothing_after_two_new_keys(ada, settings):
    ada.set_password(PASSWORD)
    ada.save()
    visitor = Client()
    visitor.post("/account/login/", {"login": "ada", "password": PASSWORD})
    stolen = Session.objects.get().session_key
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = stolen
    assert thief.get("/account/").status_code == 200, "the database has the keys of sessions"
    for new in ("one " * 10, "two " * 10):
        settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], new
    assert thief.get("/account/").status_code == 302
