"""The second factor: turned on and off, required at each sign-in, limited in tries. Each code works once."""

import re
import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client

from surveys.accounts import backend, codes
from surveys.accounts.adapters import Factors
from surveys.accounts.attempts import FREE, Attempts
from tests.accounts.test_sign_in import Clock

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"
ADDRESS, BROWSER = "192.0.2.77", "A browser of one's own"


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Return a clock for the site's own counts, which begin empty."""
    clock = Clock()
    monkeypatch.setattr(backend, "attempts", Attempts(clock))
    monkeypatch.setattr(codes, "attempts", Attempts(clock, codes.LONGEST))
    return clock


@pytest.fixture
def ada():
    return User.objects.create_user("ada", password=PASSWORD)


def client(address=ADDRESS):
    return Client(REMOTE_ADDR=address, headers={"user-agent": BROWSER})


def password(visitor, then="/account/"):
    return visitor.post(f"/account/login/?next={then}", {"login": "ada", "password": PASSWORD})


def code(secret, step=0):
    """Return the current code, or the code some half minutes later."""
    return auth.format_hotp_value(auth.hotp_value(secret, int(time.time()) // 30 + step))


def turned_on(visitor):
    """Turn the second factor on as a user does, and return the secret."""
    asked = visitor.get("/account/second-factor/on/")
    assert asked["Location"] == "/account/again/?next=%2Faccount%2Fsecond-factor%2Fon%2F"
    assert visitor.post(asked["Location"], {"password": PASSWORD})["Location"] == "/account/second-factor/on/"
    page = visitor.get("/account/second-factor/on/").content.decode()
    secret = re.search(r'class="secret">([A-Z2-7]+)<', page)[1]
    done = visitor.post("/account/second-factor/on/", {"code": code(secret)})
    assert done["Location"] == "/account/second-factor/codes/"
    return secret


@pytest.fixture
def secret(ada):
    """Return the secret of a second factor that was switched on a while ago, with a code of that time."""
    visitor = client()
    password(visitor)
    secret = turned_on(visitor)
    totp = Authenticator.objects.get(type="totp")
    totp.data.pop("step", None)
    totp.save()
    return secret


def asked(then="/account/", address=ADDRESS):
    """Return a visitor who has entered the password and must enter a code."""
    visitor = client(address)
    assert password(visitor, then)["Location"] == "/account/second-factor/"
    return visitor


def give(visitor, code):
    return visitor.post("/account/second-factor/", {"code": code})


def recovery_codes(ada):
    return Authenticator.objects.get(user=ada, type="recovery_codes").wrap().get_unused_codes()


def test_a_code_is_asked_for_after_the_password_and_nothing_is_open_before_it(secret):
    visitor = asked("/surveys/")
    for address in ("/surveys/", "/account/", "/admin/", "/account/second-factor/on/"):
        assert "/account/login/" in visitor.get(address)["Location"]
    right = {code(secret, step) for step in range(-2, 3)}
    page = give(visitor, next(f"{number:06}" for number in range(6) if f"{number:06}" not in right))
    assert page.status_code == 200 and "This code is wrong" in page.content.decode()
    assert give(visitor, code(secret))["Location"] == "/surveys/"
    assert visitor.get("/account/").status_code == 200


def test_the_administration_asks_for_it_too(secret):
    User.objects.update(is_superuser=True)
    visitor = client()
    assert visitor.get("/admin/")["Location"] == "/account/login/?next=/admin/"
    assert password(visitor, "/admin/")["Location"] == "/account/second-factor/"
    assert visitor.get("/admin/")["Location"].startswith("/account/login/")
    assert give(visitor, code(secret))["Location"] == "/admin/" and visitor.get("/admin/").status_code == 200


def test_no_code_is_taken_twice_nor_one_before_it(secret):
    """The database stores the last code, so this holds in every process."""
    later = code(secret, 1)
    assert give(asked(), later).status_code == 302
    auth.cache.clear()  # as in another process
    assert give(asked(), later).status_code == 200 and give(asked(), code(secret)).status_code == 200


def test_the_code_that_switched_it_on_signs_no_one_in(ada):
    """This holds in every process. The next code works."""
    visitor = client()
    password(visitor)
    secret = turned_on(visitor)
    used = code(secret)
    auth.cache.clear()
    assert give(asked(), used).status_code == 200
    assert give(asked(), code(secret, 1)).status_code == 302


@pytest.mark.parametrize("change", ["a new password", "the account is switched off"])
def test_a_half_finished_sign_in_ends_with_its_password_and_its_account(ada, secret, change):
    """Either of the sign-in's two steps may notice the change."""
    looking, giving, late = asked(), asked(), asked()
    assert looking.get("/account/second-factor/").status_code == 200
    if change == "a new password":
        ada.set_password("another horse battery")
    else:
        ada.is_active = False
    ada.save()
    assert looking.get("/account/second-factor/")["Location"] == "/account/login/"
    assert give(giving, code(secret, 1))["Location"] == "/account/login/"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("surveys.accounts.urls.pending.stagekit.get_pending_stage", lambda request: None)
        assert give(late, code(secret, 1))["Location"] == "/account/login/", "the last step of all asks too"
    for visitor in (looking, giving, late):
        assert visitor.get("/account/").status_code == 302 and "account_login" not in visitor.session


def test_a_recovery_code_signs_in_once(ada, secret):
    one = recovery_codes(ada)[0]
    assert give(asked(), one).status_code == 302
    assert give(asked(), one).status_code == 200 and len(recovery_codes(ada)) == 9


def pause(page):
    return int((re.findall(r"Try again in (\d+) second", page.content.decode()) or [0])[0])


def test_attempts_at_codes_must_wait_longer_and_longer_and_only_their_account_must(secret, clock):
    User.objects.create_user("bob", password=PASSWORD)
    thief, pauses = asked(address="203.0.113.9"), []
    for _ in range(FREE["name"]):
        assert "This code is wrong" in give(thief, "1").content.decode()
    assert pause(give(thief, code(secret))) == 1, "the right code must wait, too"
    for _ in range(12):
        pauses.append(pause(give(thief, "1")))
        clock.now += pauses[-1]
        assert pause(give(thief, "1")) == 0
    assert pauses == [*(2**k for k in range(10)), codes.LONGEST, codes.LONGEST]
    assert pause(give(asked(), "1")) == 0, "where its owner has signed in from"
    other = client("203.0.113.9")
    assert other.post("/account/login/", {"login": "bob", "password": PASSWORD}).status_code == 302


def test_no_name_is_kept_with_the_attempts(secret):
    give(asked(), "1")
    assert b"ada" not in b"".join(codes.attempts.own._counts) and codes.attempts.own._counts


def test_codes_are_counted_where_they_are_asked_for_again(ada, secret):
    visitor = asked()
    give(visitor, code(secret))
    pages = [visitor.post("/account/second-factor/again/", {"code": "1"}).content.decode() for _ in range(6)]
    assert all("code is wrong" in page for page in pages[:5]) and "Try again in" in pages[5]


def test_it_is_turned_off_with_its_recovery_codes_after_the_password_was_asked_again(ada, secret):
    visitor = asked()
    give(visitor, code(secret))
    assert "/account/again/" in visitor.post("/account/second-factor/off/")["Location"]
    assert Authenticator.objects.filter(user=ada).count() == 2
    visitor.post("/account/again/?next=/account/", {"password": PASSWORD})
    assert visitor.post("/account/second-factor/off/")["Location"] == "/account/"
    assert not Authenticator.objects.filter(user=ada).exists()
    assert password(client())["Location"] == "/account/"


def test_new_recovery_codes_end_the_old_ones(ada, secret):
    old, visitor = recovery_codes(ada), asked()
    give(visitor, code(secret))
    visitor.post("/account/again/?next=/account/", {"password": PASSWORD})
    assert visitor.post("/account/second-factor/codes/new/")["Location"] == "/account/second-factor/codes/"
    page = visitor.get("/account/second-factor/codes/")
    assert all(new in page.content.decode() for new in recovery_codes(ada)) and "no-store" in page["Cache-Control"]
    assert not set(old) & set(recovery_codes(ada)) and give(asked(), old[0]).status_code == 200


def test_secrets_are_stored_encrypted_and_another_key_fits_no_code(ada, secret, settings):
    stored = [factor.data for factor in Authenticator.objects.all()]
    assert len(stored) == 2 and secret not in str(stored)
    settings.SECRET_KEY = "another " * 8
    totp = Authenticator.objects.get(type="totp")
    assert not totp.wrap().validate_code(code(secret)) and Factors().decrypt(totp.data["secret"]) != secret


def test_anyone_who_runs_the_site_can_take_it_off(secret, capsys):
    call_command("forget_factor", "ada")
    assert capsys.readouterr().out == "ada signs in with the password alone.\n"
    assert password(client())["Location"] == "/account/"
    for name in ("ada", "nobody"):
        with pytest.raises(CommandError, match=name):
            call_command("forget_factor", name)


def test_a_new_password_ends_other_sessions_and_wrong_old_ones_must_wait(ada):
    one, other = client(), client()
    password(one)
    password(other)
    new = {"password1": "another horse battery", "password2": "another horse battery"}
    for _ in range(FREE["name"]):
        page = one.post("/account/password/", {"oldpassword": "wrong"} | new).content.decode()
        assert "This is not your current password." in page or "Try again in" in page
    assert "Try again in" in one.post("/account/password/", {"oldpassword": PASSWORD} | new).content.decode()
    backend.attempts = Attempts(Clock())
    assert one.post("/account/password/", {"oldpassword": PASSWORD} | new)["Location"] == "/account/"
    assert one.get("/account/").status_code == 200 and other.get("/account/").status_code == 302


def test_no_address_and_no_browser_of_staff_is_stored_anywhere(ada, secret):
    visitor = asked()
    give(visitor, code(secret))
    visitor.post("/account/second-factor/off/", {"code": "posted"})  # leads to the password page, through the session
    visitor.post("/account/again/?next=/account/", {"password": "wrong"})
    sessions = [session.get_decoded() for session in Session.objects.all()]
    rows = [list(model.objects.values()) for model in apps.get_models() if model is not Session]
    assert "password" in str(sessions) and "ada" in str(rows)
    for mark in (ADDRESS, BROWSER, PASSWORD, "posted"):
        assert mark not in str(sessions) and mark not in str(rows), mark
