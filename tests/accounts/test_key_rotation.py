"""SECRET_KEY is changed as docs/operators/runbook.md says. A second change invalidates the first key's signatures."""

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import call_command

from surveys.accounts import codes, devices
from surveys.accounts.adapters import Factors
from surveys.accounts.attempts import Attempts
from tests.accounts import test_second_factor as factors
from tests.accounts.test_second_factor import ada, asked, client, clock, code, give, password, recovery_codes, secret

pytestmark = pytest.mark.django_db
__all__ = ["ada", "clock", "secret"]

NEW, NEWEST = "a newer key " * 4, "the newest key " * 4


def rotate(settings, key):
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], key
    call_command("renew_factors")


def test_sessions_devices_and_second_factors_outlive_a_change_of_the_key(ada, secret, settings, capsys):
    visitor, printed = asked(), recovery_codes(ada)
    give(visitor, code(secret))
    device = devices.cookie_of("ada", "nonce")
    rotate(settings, NEW)
    assert capsys.readouterr().out == "2 second factors are encrypted under the newest key.\n"
    assert visitor.get("/account/").status_code == 200
    assert known(device) == b"nonce"
    settings.SECRET_KEY_FALLBACKS = []  # nothing renewed needs the old key
    assert Factors().decrypt(Authenticator.objects.get(type="totp").data["secret"]) == secret
    assert recovery_codes(ada) == printed


def test_a_second_change_ends_what_the_first_key_signed_but_no_second_factor(ada, secret, settings):
    visitor, device = asked(), devices.cookie_of("ada", "nonce")
    give(visitor, code(secret))
    rotate(settings, NEW)
    rotate(settings, NEWEST)
    assert visitor.get("/account/").status_code == 302 and known(device) is None
    codes.attempts = Attempts(factors.Clock(), codes.LONGEST)
    assert give(asked(), code(secret, 1))["Location"] == "/account/"


def test_a_factor_of_a_lost_key_is_left_alone_and_named(secret, settings, capsys):
    settings.SECRET_KEY = NEW
    before = [factor.data for factor in Authenticator.objects.order_by("pk")]
    call_command("renew_factors")
    assert capsys.readouterr().err == "2 cannot be read with any key: manage.py forget_factor NAME\n"
    assert before == [factor.data for factor in Authenticator.objects.order_by("pk")]


def known(device):
    visitor = client()
    password(visitor)
    request = visitor.get("/account/login/").wsgi_request
    request.COOKIES["device"] = device
    return devices.device_of(request, "ada")
