"""/admin/ is for superusers only, and only for work that the studio does not offer."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.db import transaction
from django.db.models import ProtectedError
from django.test import Client

from surveys.life.lifecycle import create_draft
from surveys.models import Membership, Role
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db


def test_only_accounts_and_their_second_factors_are_there():
    assert set(admin.site._registry) == {User, Authenticator}


@pytest.mark.parametrize("visitor", ["anonymous", "account", "staff with every right on every model"])
def test_only_superusers_see_it_whatever_rights_others_have_on_models(visitor):
    create_draft(DRAFT)
    client = Client()
    if visitor != "anonymous":
        user = User.objects.create_user("somebody", is_staff=visitor != "account")
        user.user_permissions.set(Permission.objects.all() if user.is_staff else [])
        client.force_login(user)
    for address in ("/admin/", "/admin/login/", "/admin/auth/user/", "/admin/nothing/"):
        for response in (client.get(address), client.post(address)):
            assert response.status_code == (302 if visitor == "anonymous" else 404), address
            assert response.headers.get("Location", "/account/login/").startswith("/account/login/"), address


# Password again -------------------------------------------------------------------------------------------------------

PASSWORD = "correct horse battery"


@pytest.fixture
def root():
    """Return the client of a superuser with a second factor, who signed in a while ago."""
    user = User.objects.create_superuser("root", password=PASSWORD)
    Authenticator.objects.create(user=user, type="totp", data={"secret": "x"})
    client = Client()
    client.force_login(user)
    return client


def changes(user):
    """Return the URLs that change an account, and the fields to post."""
    factor = Authenticator.objects.get(user=user)
    return {
        f"/admin/mfa/authenticator/{factor.pk}/delete/": {"post": "yes"},
        "/admin/mfa/authenticator/": {"action": "delete_selected", "_selected_action": factor.pk, "post": "yes"},
        f"/admin/auth/user/{user.pk}/password/": {"password1": "a b c d e 1", "password2": "a b c d e 1"},
        f"/admin/auth/user/{user.pk}/change/": {"username": "other"},
        f"/admin/auth/user/{user.pk}/delete/": {"post": "yes"},
        "/admin/auth/user/add/": {"username": "new", "password1": "a b c d e 1", "password2": "a b c d e 1"},
    }


def state():
    return list(User.objects.values_list("username", "password")), Authenticator.objects.count()


def test_a_session_alone_changes_no_account_and_no_second_factor(root):
    user, before = User.objects.get(), state()
    for address, form in changes(user).items():
        asked = [root.post(address, form)] + [root.get(address)] * (not address.endswith("authenticator/"))
        for response in asked:
            assert response.status_code == 302, address
            assert response["Location"].startswith("/account/again/?next=%2Fadmin%2F"), address
    assert state() == before
    for address in ("/admin/", "/admin/auth/user/", "/admin/mfa/authenticator/"):
        assert root.get(address).status_code == 200, "the lists are read without"


def test_anyone_who_gives_the_password_again_does_it(root):
    user = User.objects.get()
    address = next(iter(changes(user)))
    asked = root.get(address)["Location"]
    assert root.post(asked, {"password": "wrong"}).status_code == 200 and root.get(address).status_code == 302
    assert root.post(asked, {"password": PASSWORD})["Location"] == address
    assert root.get(address).status_code == 200 and root.post(address, {"post": "yes"}).status_code == 302
    assert not Authenticator.objects.exists()


def test_signing_out_asks_for_no_password(root):
    assert root.post("/admin/logout/").headers["Location"] == "/account/logout/"


# Orphaned surveys ----------------------------------------------------------------------------------------------------


def owned(*names):
    survey = create_draft(DRAFT)
    for name in names:
        Membership.objects.create(survey=survey, user=User.objects.create_user(name), role=Role.OWNER)
    return survey


def accounts():
    return set(User.objects.values_list("username", flat=True))


@pytest.mark.parametrize("bulk", [False, True], ids=["page", "list"])
def test_the_last_owner_of_a_survey_is_not_deleted_and_the_page_says_what_to_do(root, bulk):
    survey = owned("ada", "bob")
    listed = [str(user.pk) for user in User.objects.filter(username__in=["ada", "bob"]).order_by("username")]
    ada = f"/admin/auth/user/{listed[0]}/delete/"
    root.post(root.get(ada)["Location"], {"password": PASSWORD})
    if bulk:
        chosen = {"action": "delete_selected", "_selected_action": listed}
        pages = [root.post("/admin/auth/user/", chosen | more) for more in ({}, {"post": "yes"})]
    else:
        assert root.post(ada, {"post": "yes"}).status_code == 302 and accounts() == {"root", "bob"}
        bob = ada.replace(listed[0], listed[1])
        pages = [root.get(bob), root.post(bob, {"post": "yes"})]
    for page in pages:
        html = page.content.decode()
        assert f'<a href="/surveys/{survey.pk}/team/">“{survey.title}”</a> would have no owner' in html
        assert 'value="yes"' not in html
    assert Membership.objects.filter(survey=survey, role=Role.OWNER).exists()
    assert "bob" in accounts()


def test_nor_does_a_program_delete_them_alone_or_together():
    survey = owned("ada", "bob")
    for doomed in (User.objects.filter(username__in=["ada", "bob"]), User.objects.all()):
        with pytest.raises(ProtectedError), transaction.atomic():
            doomed.delete()
    User.objects.get(username="ada").delete()
    with pytest.raises(ProtectedError), transaction.atomic():
        User.objects.get(username="bob").delete()
    assert accounts() == {"bob"}
    survey.delete()
    User.objects.get(username="bob").delete()
    assert accounts() == set()
