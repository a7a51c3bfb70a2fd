"""/admin/: for superusers alone, and for nothing that the studio has."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.test import Client

from surveys.lifecycle import create_draft
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
