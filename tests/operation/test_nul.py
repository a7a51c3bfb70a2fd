"""A NUL byte, which PostgreSQL refuses in any text, reaches no query from a cookie, a URL or a form."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.models import Survey
from tests.support.factories import opened_survey

pytestmark = pytest.mark.django_db

SESSION = "sessionid"
# A cookie quotes a byte as three octal digits, and Django unquotes it.
QUOTED = ['"\\000"', '"\\000\\000\\000\\000\\000\\000\\000\\000\\000\\000"', '"abcdefgh\\000abcdefgh"', "abcdefgh\0ij"]
COOKIES = [f"{name}={value}" for name in (SESSION, "csrftoken", "messages", '"a\\000b"') for value in QUOTED]


def staff(**headers):
    client = Client(raise_request_exception=False, headers=headers)
    client.force_login(User.objects.get_or_create(username="staff", is_staff=True, is_superuser=True)[0])
    return client


@pytest.mark.parametrize("cookie", COOKIES, ids=ascii)
def test_a_cookie_with_nul_is_no_cookie(cookie):
    survey = opened_survey(results_public=False)
    for address in ("/admin/", "/account/login/", f"/r/{survey.slug}/", f"/api/v1/surveys/{survey.slug}/estimates"):
        got = Client(raise_request_exception=False, headers={"cookie": cookie}).get(address)
        without = Client().get(address)
        assert got.status_code == without.status_code, address


@pytest.mark.parametrize("cookie", COOKIES, ids=ascii)
def test_signing_in_with_such_a_cookie_works(cookie):
    User.objects.create_user("somebody", password="a long password")
    client = Client(raise_request_exception=False, headers={"cookie": cookie})
    response = client.post("/account/login/?next=/admin/", {"login": "somebody", "password": "a long password"})
    assert response.status_code == 302


ADDRESSES = [
    *("/%00", "/s/%00/", "/r/a%00b/", "/r/%00/plots/yes-light-wide.svg", "/r/a/plots/%00-light-wide.svg"),
    *("/api/v1/surveys/%00/definition", "/api/v1/surveys/%00/estimates", "/static/%00", "/api/v1/schema?format=%00"),
    *("/api/v1/schema?version=%00", "/api/v1/schema?lang=%00", "/account/login/?next=%00", "/admin/%00/"),
    *("/surveys/%00/", "/surveys/new/?a=%00", "/surveys/1/questions/%00/", "/lab/?n=%00", "/lab/figures/%00.csv"),
    *("/account/%00/", "/admin/auth/user/?username=%00"),
    *("/admin/auth/user/?q=%00", "/admin/auth/user/?is_staff__exact=%00", "/admin/auth/user/?_changelist_filters=%00"),
    *("/admin/autocomplete/?term=%00&app_label=auth&model_name=user&field_name=groups", "/admin/r/%00/%00/"),
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_address_with_nul_fails(address):
    for client in (Client(raise_request_exception=False), staff()):
        for method in (client.get, client.post):
            assert method(address).status_code in (400, 404, 405), address


def test_a_charset_that_hides_nul_hides_nothing():
    response = staff().get("/admin/auth/user/?username=%2BAAA-", headers={"content-type": "text/html; charset=utf-7"})
    assert response.status_code == 400


FORMS = [
    ("/account/login/", {"login": "a\0b", "password": "c\0d", "next": "\0"}),
    ("/account/password/", {"oldpassword": "a\0", "password1": "b\0", "password2": "b\0"}),
    ("/admin/auth/user/add/", {"username": "a\0b", "password1": "c\0d", "password2": "c\0d"}),
    ("/admin/auth/user/", {"action": "delete_selected", "index": "0", "_selected_action": "\0"}),
]


@pytest.mark.parametrize(("address", "form"), FORMS)
def test_no_form_with_nul_fails_or_stores_it(address, form):
    for client in (Client(raise_request_exception=False), staff()):
        assert client.post(address, form).status_code in (200, 302, 400)
    assert not Survey.objects.exists() and User.objects.count() == 1
