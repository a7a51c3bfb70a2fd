"""The whole site counts sign-in attempts together, in its Redis's memory. Without Redis each process counts alone."""

import hashlib
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from surveys.accounts import shared
from surveys.accounts.attempts import FREE, LONGEST, Attempts
from surveys.accounts.memory import HOUR
from surveys.accounts.shared import SharedMemory
from tests.services.redis import Redis

HERE, ELSEWHERE = b"\xc0\x00\x02\x01", b"\xc0\x00\x02\x02"


@pytest.fixture
def server(redis_url):
    with redis.Redis.from_url(redis_url) as client:
        client.flushall()
        yield client


def process(url):
    """Return the counts as one process of the site sees them."""
    return Attempts(shared=SharedMemory(url, "passwords"))


def admitted(attempts, clients, name=None):
    return sum(attempts.admit(name or f"name{n}", client) == 0 for n, client in enumerate(clients))


def test_several_processes_admit_together_as_many_as_one(server, redis_url):
    one, other = process(redis_url), process(redis_url)
    assert admitted(one, [HERE] * 6) == 6 and admitted(other, [HERE] * 9) == FREE["client"] - 6
    assert admitted(one, [b"%d" % n for n in range(3)], "ada") == 3
    assert admitted(other, [b"%d" % n for n in range(9)], "ADA") == FREE["name"] - 3
    assert not one.own._counts and not other.own._counts


def test_other_processes_of_the_operating_system_count_with_this_one(server, redis_url):
    code = (
        "import django, sys; django.setup()\n"
        "from surveys.accounts import backend\n"
        "print([backend.attempts.admit('ada', None) for _ in range(4)])"
    )
    env = os.environ | {"REDIS_URL": redis_url, "DJANGO_SETTINGS_MODULE": "surveys.settings"}
    done = [
        subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert [pause == 0 for said in done for pause in json.loads(said)] == [True] * 5 + [False] * 3


def test_many_at_once_are_not_all_admitted(server, redis_url):
    processes = [process(redis_url) for _ in range(4)]
    with ThreadPoolExecutor(16) as pool:
        free = list(pool.map(lambda n: processes[n % 4].admit("ada", None) == 0, range(80)))
    assert sum(free) == FREE["name"]


def test_anyone_who_has_an_account_buys_no_attempts_at_other_names_with_it(server, redis_url):
    one, other = process(redis_url), process(redis_url)
    guesses = 0
    for n in range(40):
        if one.admit("own", HERE) == 0:
            one.succeeded("own", HERE)
        guesses += other.admit(f"name{n}", HERE) == 0
    assert guesses == FREE["client"] - 1, "the one after which the client waits is its own"


def test_an_attacked_name_stays_open_where_its_owner_has_signed_in_whatever_process_answers(server, redis_url):
    one, other = process(redis_url), process(redis_url)
    one.admit("ada", HERE)
    one.succeeded("ada", HERE)
    while other.admit("ada", ELSEWHERE) == 0:
        pass
    assert one.admit("ada", HERE) == 0 == other.admit("ada", HERE)
    assert one.admit("ada", b"third", b"device") == 0 and one.admit("ada", b"third") > 0


def test_no_pause_is_longer_than_the_longest(server, redis_url):
    attempts = process(redis_url)
    attempts.admit("ada", None)
    (name,) = server.keys("deniable:attempts:passwords:????????????????????????????????")
    server.set(name, "5000 0.0", keepttl=True)
    assert attempts.admit("ada", None) == 0 and 0 < attempts.admit("ada", None) <= LONGEST


def test_redis_holds_no_name_no_address_and_nothing_for_more_than_an_hour(server, redis_url):
    attempts = process(redis_url)
    attempts.admit("somebody", HERE)
    attempts.succeeded("somebody", HERE)
    attempts.admit("somebody", HERE)
    kept = server.keys()
    dump = b"".join(server.dump(name) + name for name in kept)
    assert len(kept) >= 4 and b"somebody" not in dump and HERE not in dump
    assert all(0 < server.ttl(name) <= HOUR for name in kept)
    half = server.get("deniable:attempts:passwords:key")
    marks = [hashlib.blake2b(b"".join([len(p).to_bytes(8, "big") + p for p in parts]), key=half, digest_size=16)
             for parts in ([HERE],)]  # fmt: skip
    assert not any(mark.hexdigest().encode() in dump for mark in marks), "the site's SECRET_KEY is the other half"
    server.delete("deniable:attempts:passwords:key")
    assert attempts.admit("somebody", HERE) == 0 and server.get("deniable:attempts:passwords:key") != half


def test_what_redis_keeps_is_bounded(server, redis_url, monkeypatch):
    monkeypatch.setattr("surveys.accounts.memory.KEPT_MAX", 20)
    attempts = process(redis_url)
    for n in range(60):
        attempts.admit(f"name{n}", None)
    assert server.zcard("deniable:attempts:passwords:order") == 20 == len(server.keys()) - 2
    assert sum(attempts.admit("admin", None) == 0 for _ in range(20)) == FREE["name"]


def test_a_lost_redis_neither_locks_anyone_out_nor_opens_the_limit(tmp_path):
    server = Redis(tmp_path)
    try:
        attempts = process(server.url)
        assert admitted(attempts, [HERE] * 20) == FREE["client"]
        server.kill()
        assert admitted(attempts, [HERE] * 20) == FREE["client"], "this process's own limit"
        assert attempts.admit("ada", ELSEWHERE) == 0, "others sign in"
        server.start()
        attempts._shared._away_until = 0.0
        assert admitted(attempts, [HERE] * 20) == FREE["client"] and attempts._shared.resting is False
    finally:
        server.stop()


def test_a_redis_that_hangs_costs_one_of_many_its_patience(tmp_path):
    server = Redis(tmp_path)
    try:
        attempts = process(server.url)
        with redis.Redis.from_url(server.url) as client:
            client.client_pause(60_000)
        began = time.monotonic()
        assert admitted(attempts, [HERE] * 20) == FREE["client"]
        assert time.monotonic() - began < 10 * shared.PATIENCE
    finally:
        server.stop()


@pytest.mark.parametrize(("name", "value"), [("save", "60 1"), ("appendonly", "yes")])
def test_a_redis_that_writes_files_is_told_nothing(tmp_path, name, value):
    server = Redis(tmp_path)
    try:
        with redis.Redis.from_url(server.url) as client:
            client.config_set(name, value)
            attempts = process(server.url)
            assert admitted(attempts, [HERE] * 20) == FREE["client"]
            assert attempts.own._counts and client.keys() == [b"deniable:attempts:passwords:key"]
    finally:
        server.kill()  # while it writes its first file it ignores requests to end
        server.stop()


def test_attempts_at_codes_are_counted_apart_from_those_at_passwords(server, redis_url):
    assert admitted(process(redis_url), [HERE] * 20) == FREE["client"]
    codes = Attempts(shared=SharedMemory(redis_url, "codes"))
    assert admitted(codes, [HERE] * 20) == FREE["client"]
