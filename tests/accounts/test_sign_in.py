"""Signing in: a wrong password delays only its sender. At most two passwords are hashed at a time."""

import ipaddress
import os
import random
import runpy
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.hashers import identify_hasher, make_password
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.signing import b64_decode
from django.test import Client, RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from surveys.accounts import backend, hashing
from surveys.accounts.attempts import FREE, LONGEST, Attempts
from surveys.accounts.devices import LASTS, cookie_of, device_of
from surveys.accounts.memory import HOUR, KEPT_MAX

PASSWORD = "correct horse battery"
WRONG = "The name and the password do not match."
ELSEWHERE, HERE = b"\xc0\x00\x02\x01", b"\xc0\x00\x02\x02"


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def attempts(clock):
    return Attempts(clock)


@pytest.fixture
def fresh(monkeypatch, clock):
    """Empty the site's own counts."""
    monkeypatch.setattr(backend, "attempts", Attempts(clock))


# Back-off -------------------------------------------------------------------------------------------------------------


def test_wrong_attempts_at_a_name_make_everyone_wait_longer_and_longer(attempts, clock):
    assert [attempts.admit("name", bytes([client])) for client in range(FREE["name"])] == [0.0] * FREE["name"]
    pauses = []
    for client in range(9):
        pauses.append(attempts.admit("NAME", b"client %d" % client))
        clock.now += pauses[-1]
        assert attempts.admit("name", None) == 0
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, LONGEST, LONGEST, LONGEST]


def test_a_client_that_tries_many_names_waits_and_others_do_not(attempts):
    assert [attempts.admit(f"name{i}", HERE) for i in range(FREE["client"])] == [0.0] * FREE["client"]
    assert attempts.admit("another", HERE) > 0
    assert attempts.admit("another", ELSEWHERE) == 0 and attempts.admit("another", None) == 0


def test_many_at_once_are_not_all_admitted(attempts):
    """An attempt counts when it is admitted, not when the password proves wrong: hashing takes time."""
    with ThreadPoolExecutor(32) as pool:
        admitted = list(pool.map(lambda _: attempts.admit("name", HERE) == 0, range(200)))
    assert sum(admitted) == FREE["name"]


@pytest.mark.parametrize("device", [None, b"device"])
def test_anyone_who_has_an_account_buys_no_attempts_at_other_names_with_it(attempts, clock, device):
    """Each second has one guess. The right password of the sender's own account comes before and after it."""
    guesses = 0
    for second in range(80):
        for own in range(2):
            if attempts.admit("own", HERE, device) == 0:
                attempts.succeeded("own", HERE, device)
            guesses += not own and attempts.admit(f"name{second}", HERE) == 0
        clock.now += 1
    doublings = 6  # after 1, 2, 4, 8, 16 and 32 seconds
    assert guesses <= FREE["client"] + doublings


def test_the_right_password_takes_back_its_own_attempt_and_no_other(attempts):
    for name in ("one", "other"):
        attempts.admit(name, HERE)
    for _ in range(3 * FREE["client"]):
        assert attempts.admit("own", HERE) == 0
        attempts.succeeded("own", HERE)
    assert sum(attempts.admit(f"name{i}", HERE) == 0 for i in range(20)) == FREE["client"] - 2


def test_anyone_who_has_signed_in_from_somewhere_is_not_held_by_strangers_attempts_at_the_name(attempts):
    attempts.admit("admin", HERE)
    attempts.succeeded("admin", HERE)
    while attempts.admit("admin", ELSEWHERE) == 0:
        pass
    assert attempts.admit("admin", HERE) == 0 and attempts.admit("admin", b"third") > 0


def test_a_known_device_is_held_by_its_own_attempts_only(attempts):
    while attempts.admit("admin", HERE) == 0:
        pass
    assert [attempts.admit("admin", HERE, b"device") for _ in range(FREE["device"])] == [0.0] * FREE["device"]
    assert attempts.admit("admin", HERE, b"device") > 0 and attempts.admit("admin", HERE, b"other device") == 0


def test_everything_is_forgotten_every_hour_with_its_key(attempts, clock):
    while attempts.admit("name", HERE) == 0:
        pass
    key, marks = attempts.own.moment().key, set(attempts.own._counts)
    clock.now += HOUR
    assert attempts.admit("name", HERE) == 0
    assert attempts.own.moment().key != key and not marks & set(attempts.own._counts)


def test_no_name_and_no_address_is_kept(attempts):
    attempts.admit("somebody", b"\xc0\x00\x02\x01")
    attempts.succeeded("somebody", b"\xc0\x00\x02\x01")
    attempts.admit("somebody", b"\xc0\x00\x02\x01")
    own = attempts.own
    kept = repr(vars(own)).encode("latin-1") + b"".join(own._counts) + b"".join(own._known)
    assert own._counts and b"somebody" not in kept and b"\xc0\x00\x02\x01" not in kept


def test_what_is_kept_is_bounded(attempts, monkeypatch):
    monkeypatch.setattr("surveys.accounts.memory.KEPT_MAX", 100)
    assert KEPT_MAX > 100
    for i in range(300):
        assert attempts.admit(f"name{i}", None) == 0
    assert len(attempts.own._counts) == 100


def test_a_name_is_held_however_many_others_are_tried(attempts, monkeypatch):
    """Filling the memory with other names does not free attempts at this name."""
    monkeypatch.setattr("surveys.accounts.memory.KEPT_MAX", 100)
    for i in range(300):
        attempts.admit(f"name{i}", None)
    assert sum(attempts.admit("admin", None) == 0 for _ in range(50)) == FREE["name"]


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([HERE, ELSEWHERE, None]), st.floats(0, 100)), max_size=60)
)
def test_no_pause_is_longer_than_the_longest(steps):
    clock = Clock()
    attempts = Attempts(clock)
    for name, client, seconds in steps:
        clock.now += seconds
        assert 0 <= attempts.admit(name, client) <= LONGEST


# Clients --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("192.0.2.1", "", b"\xc0\x00\x02\x01"),
        ("192.0.2.1", "198.51.100.7", b"\xc0\x00\x02\x01"),  # the client itself claims it
        ("127.0.0.1", "", None),
        ("127.0.0.1", "198.51.100.7", b"\xc6\x33\x64\x07"),
        ("", "198.51.100.7", b"\xc6\x33\x64\x07"),  # through a unix socket
        ("", "203.0.113.9, 198.51.100.7", b"\xc6\x33\x64\x07"),
        ("10.1.2.3", "203.0.113.9,198.51.100.7", b"\xc6\x33\x64\x07"),
        ("10.1.2.3", "nonsense", None),
        ("::ffff:192.0.2.1", "", b"\xc0\x00\x02\x01"),
        ("2001:db8:1:2:3:4:5:6", "", bytes.fromhex("20010db800010002")),
        ("2001:db8:1:2::9", "", bytes.fromhex("20010db800010002")),
        ("unix:", "127.0.0.1", None),
    ],
)
def test_a_client_is_whom_a_trusted_proxy_names(settings, peer, forwarded, client):
    settings.TRUSTED_PROXIES = [ipaddress.ip_network("10.0.0.0/8")]
    request = RequestFactory().get("/", REMOTE_ADDR=peer, HTTP_X_FORWARDED_FOR=forwarded)
    assert backend.client_of(request) == client


# Hashing --------------------------------------------------------------------------------------------------------------


def test_passwords_are_argon2_as_owasp_advises():
    hasher = identify_hasher(make_password(PASSWORD))
    assert type(hasher) is hashing.QueuedArgon2 and hasher.decode(make_password(PASSWORD))["variety"] == "argon2id"
    served = runpy.run_path(hashing.__file__)["QueuedArgon2"]()  # the real one, not the tests' fast one
    hashed = served.decode(served.encode(PASSWORD, served.salt()))
    assert (hashed["memory_cost"], hashed["time_cost"], hashed["parallelism"]) == (19456, 2, 1)
    assert served.verify(PASSWORD, served.encode(PASSWORD, served.salt()))


@pytest.mark.slow
def test_two_are_hashed_at_once_by_threads_that_step_back(monkeypatch):
    seen, running, turn = [], 0, threading.Lock()
    plain = hashing.Argon2PasswordHasher.encode

    def watched(self, password, salt):
        nonlocal running
        with turn:
            running += 1
            nice = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
            seen.append((running, nice))
        time.sleep(random.random() / 50)
        result = plain(self, password, salt)
        with turn:
            running -= 1
        return result

    monkeypatch.setattr(hashing.Argon2PasswordHasher, "encode", watched)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(make_password, ["x"] * 32))
    assert max(at_once for at_once, _ in seen) == hashing.HASHING
    assert {nice for _, nice in seen} == {min(own + hashing.NICE, 19)}


# The form -------------------------------------------------------------------------------------------------------------


def sign_in(client, password, name="somebody", address="192.0.2.1"):
    return client.post("/account/login/", {"login": name, "password": password}, REMOTE_ADDR=address)


@pytest.mark.django_db
def test_the_form_says_how_long_to_wait_and_the_right_password_must_wait_too(fresh, clock):
    User.objects.create_user("somebody", password=PASSWORD)
    for _ in range(FREE["name"]):
        assert WRONG in sign_in(Client(), "wrong").content.decode()
    page = sign_in(Client(), PASSWORD)
    assert page.status_code == 200 and "Too many wrong attempts. Try again in 1 second." in page.content.decode()
    clock.now += 1
    assert sign_in(Client(), PASSWORD).status_code == 302


@pytest.mark.django_db
def test_a_name_that_no_one_has_is_treated_alike(fresh):
    pages = [sign_in(Client(), "wrong", name="nobody").content.decode() for _ in range(FREE["name"] + 1)]
    assert all(WRONG in page for page in pages[:-1]) and "Try again in" in pages[-1]


@pytest.mark.slow
@pytest.mark.django_db
def test_signing_in_again_and_again_with_the_right_password_is_never_held(fresh):
    User.objects.create_user("somebody", password=PASSWORD)
    assert [sign_in(Client(), PASSWORD).status_code for _ in range(2 * FREE["client"])] == [302] * 2 * FREE["client"]


@pytest.mark.django_db
def test_a_name_under_attack_can_sign_in_from_a_new_place_with_a_device_that_has_before(fresh, settings):
    User.objects.create_user("Somebody", password=PASSWORD)
    own = Client()
    assert sign_in(own, PASSWORD, "Somebody").status_code == 302
    cookie = own.cookies[settings.DEVICE_COOKIE_NAME]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and cookie["max-age"] == LASTS.total_seconds()
    assert cookie["path"] == "/account/", "no respondent's page gets it"
    assert b"somebody" not in b64_decode(cookie.value.partition(":")[0].encode()).lower()
    own.logout()
    own.cookies[settings.DEVICE_COOKIE_NAME] = cookie.value
    while "Try again in" not in sign_in(Client(), "wrong", "somebody", "203.0.113.9").content.decode():
        pass
    assert "Try again in" in sign_in(Client(), PASSWORD, "Somebody", "198.51.100.7").content.decode()
    again = sign_in(own, PASSWORD, "Somebody", "198.51.100.7")
    assert again.status_code == 302 and settings.DEVICE_COOKIE_NAME in again.cookies, "it lasts from the last time on"


def test_a_device_counts_for_the_name_that_it_signed_in_with_and_only_while_it_lasts(settings, monkeypatch):
    cookies = {settings.DEVICE_COOKIE_NAME: cookie_of("somebody", "nonce")}
    request = RequestFactory().get("/")
    assert device_of(request, "somebody") is None
    request.COOKIES = cookies
    assert device_of(request, "SOMEBODY") == b"nonce" and device_of(request, "another") is None
    request.COOKIES = {settings.DEVICE_COOKIE_NAME: cookies[settings.DEVICE_COOKIE_NAME][:-1]}
    assert device_of(request, "somebody") is None
    later = time.time() + LASTS.total_seconds() + 1
    monkeypatch.setattr("django.core.signing.time.time", lambda: later)
    request.COOKIES = cookies
    assert device_of(request, "somebody") is None


@pytest.mark.django_db
def test_an_inactive_account_cannot_sign_in(fresh):
    User.objects.create_user("somebody", password=PASSWORD, is_active=False)
    assert sign_in(Client(), PASSWORD).status_code == 200


def test_where_all_places_are_taken_the_next_is_told_so_at_once(monkeypatch):
    monkeypatch.setattr(backend, "_places", threading.BoundedSemaphore(1))
    with backend._place(), pytest.raises(ValidationError, match="Many people are signing in"):
        backend.LimitedBackend().authenticate(None, "a", "b")
    with backend._place():
        pass
