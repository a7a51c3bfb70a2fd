"""An invitation is shown once and used once, by signing in or with a new account. No account exists without one."""

import html
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from surveys.accounts import invitations, members, tokens
from surveys.life.lifecycle import begin_draft
from surveys.models import AuditEntry, Invitation, Membership, Role

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"
NEW = {"username": "bob", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def ada():
    return User.objects.create_user("ada", password=PASSWORD)


@pytest.fixture
def survey(ada):
    return begin_draft(ada, {"title": "Sleep"})


def client(user=None):
    visitor = Client()
    if user:
        visitor.force_login(user)
    return visitor


def link(survey, ada, role=Role.RESEARCHER):
    """Return the link's target without the host."""
    return invitations.invite(ada, survey, role)[1].removeprefix("http://127.0.0.1:8000")


def page(visitor, address):
    return visitor.get(address, follow=True).content.decode()


def roles(survey):
    return dict(survey.memberships.values_list("user__username", "role"))


def test_the_role_of_an_invitation_is_in_the_language_of_the_reader(survey, ada):
    owner, token = client(ada), link(survey, ada, Role.VIEWER)
    owner.cookies["django_language"] = "de"
    assert "<span>Einsicht, bis" in page(owner, f"/surveys/{survey.pk}/team/")
    made = owner.post(f"/surveys/{survey.pk}/team/", {"role": "viewer"}).content.decode()
    assert "Viewer" not in made and "Viewer" not in page(owner, token)


def test_the_log_names_roles_and_days_in_the_language_of_the_reader(survey, ada):
    link(survey, ada, Role.VIEWER)
    bob = Membership.objects.create(survey=survey, user=User.objects.create_user("bob"), role=Role.RESEARCHER)
    members.give(ada, survey, bob.pk, Role.OWNER)
    owner = client(ada)
    assert '<bdi class="quiet">bob: Researcher → Owner</bdi>' in page(owner, f"/surveys/{survey.pk}/log/")
    owner.cookies["django_language"] = "de"
    log = page(owner, f"/surveys/{survey.pk}/log/")
    assert "bob: Forschung → Leitung" in log and re.search(r"Einsicht, \d+\. [A-Z]", log)


def test_an_owner_makes_a_link_that_is_shown_once_and_stored_hashed(survey, ada):
    owner, before = client(ada), datetime.now(UTC).date()
    made = owner.post(f"/surveys/{survey.pk}/team/", {"role": "viewer"})
    address = html.unescape(re.search(r'id="link" value="([^"]+)"', made.content.decode())[1])
    token = address.partition("?token=")[2]
    assert len(token) == 43 and "no-store" in made["Cache-Control"]
    assert token not in owner.get(f"/surveys/{survey.pk}/team/").content.decode()
    (stored,) = Invitation.objects.values()
    assert token not in str(stored) and stored["token_hash"] == tokens.hash_of(token)
    assert before <= stored["last_day"] - timedelta(days=14) <= datetime.now(UTC).date()
    assert AuditEntry.objects.first().detail.startswith("viewer, ") and token not in AuditEntry.objects.first().detail


def test_anyone_who_is_signed_in_reads_what_they_join_and_joins_by_one_button(survey, ada):
    bob = client(User.objects.create_user("bob"))
    assert bob.get(f"/surveys/{survey.pk}/").status_code == 404
    address = link(survey, ada)
    assert bob.get(address)["Location"] == "/account/invitation/", "the token leaves the address"
    text = page(bob, address)
    assert "Sleep" in text and "Researcher" in text and "Join as bob" in text and roles(survey) == {"ada": "owner"}
    assert bob.post("/account/invitation/")["Location"] == f"/surveys/{survey.pk}/"
    assert roles(survey) == {"ada": "owner", "bob": "researcher"}
    assert bob.get(f"/surveys/{survey.pk}/").status_code == 200
    assert [(entry.username, entry.action, entry.detail) for entry in AuditEntry.objects.all()[:1]] == [
        ("bob", "joined", "researcher")
    ]


def test_anyone_who_has_an_account_signs_in_first(survey, ada):
    User.objects.create_user("bob", password=PASSWORD)
    bob = client()
    text = page(bob, link(survey, ada))
    assert "Sleep" in text and 'href="/account/login/?next=/account/invitation/"' in text
    signed = bob.post("/account/login/?next=/account/invitation/", {"login": "bob", "password": PASSWORD})
    assert signed["Location"] == "/account/invitation/" and "Join as bob" in page(bob, "/account/invitation/")


def test_a_new_account_is_made_by_an_invitation_and_joins_as_it_is_made(survey, ada):
    bob, address = client(), link(survey, ada)
    assert "Accounts are made by invitation" in page(bob, "/account/signup/")
    assert bob.post("/account/signup/", NEW).status_code == 200 and User.objects.count() == 1
    bob.get(address)
    text = page(bob, "/account/signup/")
    assert "Sleep" in text and "mail" not in re.search("<form.*</form>", text, re.DOTALL)[0]
    refused = bob.post("/account/signup/", NEW | {"username": "ADA", "password2": "x"}).content.decode()
    assert "This name is already taken." in refused and User.objects.count() == 1
    assert bob.post("/account/signup/", NEW)["Location"] == f"/surveys/{survey.pk}/"
    assert roles(survey) == {"ada": "owner", "bob": "researcher"} and User.objects.get(username="bob").email == ""
    assert bob.get(f"/surveys/{survey.pk}/").status_code == 200
    again = client()
    assert again.get(address).status_code == 404 and "by invitation" in page(again, "/account/signup/")
    assert again.post("/account/signup/", NEW | {"username": "eve"}).status_code == 200 and User.objects.count() == 2


def test_two_with_one_link_make_one_account(survey, ada):
    address = link(survey, ada)
    first, second = client(), client()
    first.get(address)
    second.get(address)
    assert first.post("/account/signup/", NEW).status_code == 302
    second.post("/account/signup/", NEW | {"username": "eve"})
    assert set(roles(survey)) == {"ada", "bob"} == set(User.objects.values_list("username", flat=True))


@pytest.mark.parametrize("end", ["used", "revoked", "late", "wrong"])
def test_an_invitation_that_is_gone_leads_nowhere(survey, ada, end):
    bob, address = client(User.objects.create_user("bob")), link(survey, ada)
    bob.get(address)
    invitation = Invitation.objects.get()
    if end == "used":
        invitations.accept(User.objects.create_user("eve"), invitation)
    elif end == "revoked":
        client(ada).post(f"/surveys/{survey.pk}/team/invitations/{invitation.pk}/")
        assert AuditEntry.objects.first().action == "revoked"
    elif end == "late":
        Invitation.objects.update(last_day=datetime.now(UTC).date() - timedelta(days=1))
    if end != "wrong":
        assert bob.get("/account/invitation/").status_code == bob.post("/account/invitation/").status_code == 404
    assert bob.get(address + ("x" if end == "wrong" else "")).status_code == 404
    assert "bob" not in roles(survey)


def test_an_invitation_makes_no_ones_role_smaller(survey, ada):
    owner = client(ada)
    text = page(owner, link(survey, ada, Role.VIEWER))
    assert "You already have this role or a higher one." in text and "Join as" not in text
    owner.post("/account/invitation/")
    assert roles(survey) == {"ada": "owner"}
    bob = User.objects.create_user("bob")
    Membership.objects.create(survey=survey, user=bob, role=Role.VIEWER)
    member = client(bob)
    assert "Join as bob" in page(member, link(survey, ada, Role.DESIGNER))
    member.post("/account/invitation/")
    assert roles(survey)["bob"] == "designer"


def test_an_owner_of_another_survey_cannot_revoke_it(survey, ada):
    link(survey, ada)
    eve = User.objects.create_user("eve")
    other = begin_draft(eve, {"title": "Work"})
    number = Invitation.objects.get().pk
    assert client(eve).post(f"/surveys/{other.pk}/team/invitations/{number}/").status_code == 404
    assert invitations.open_ones().exists()


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_many_who_accept_at_once_one_joins(survey, ada):
    link(survey, ada)
    invitation = Invitation.objects.get()
    people = [User.objects.create_user(f"person {k}") for k in range(6)]

    def accept(user):
        try:
            invitations.accept(user, invitation)
        except invitations.Gone:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(accept, people)) == 1
    assert len(roles(survey)) == 2
