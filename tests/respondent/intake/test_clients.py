"""The number of a client's requests is counted in memory, under a hash whose key is forgotten, also behind a proxy."""

from ipaddress import ip_network

import pytest

from surveys.operation.window import MINUTE
from surveys.respondent.intake.clients import Clients, client_of, forwarded_for
from tests.accounts.test_sign_in import Clock

PROXIES = [ip_network("10.0.0.0/8")]


def over(clients, address, forwarded=None, times=1):
    peer = f"[{address}]:5" if ":" in address else f"{address}:5"
    return [clients.over(client_of(peer, forwarded, PROXIES)) for _ in range(times)]


def test_a_client_may_come_so_often_in_a_minute_and_others_as_often():
    clock = Clock()
    clients = Clients(3, clock)
    assert over(clients, "198.51.100.7", times=5) == [False] * 3 + [True] * 2
    assert over(clients, "198.51.100.8", times=3) == [False] * 3
    clock.now += MINUTE - 0.1
    assert over(clients, "198.51.100.7") == [True]
    clock.now += 0.2
    assert over(clients, "198.51.100.7") == [False]


def test_neither_address_nor_key_outlives_the_minute():
    clock = Clock()
    clients = Clients(3, clock)
    over(clients, "198.51.100.7")
    key, counts = clients._rate._key, dict(clients._rate._counts)
    assert all(b"198.51.100.7" not in mark and bytes([198, 51, 100, 7]) not in mark for mark in counts)
    clock.now += MINUTE
    over(clients, "198.51.100.7")
    assert clients._rate._key != key and not counts.keys() & clients._rate._counts.keys()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::2:3", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:198.51.100.7", "198.51.100.7", True),
    ],
)
def test_whose_network_is_one_is_one_client(one, other, same):
    clients = Clients(1)
    assert over(clients, one) + over(clients, other) == [False, same]


def test_only_a_named_proxy_says_who_its_client_is():
    clients = Clients(1)
    assert over(clients, "10.1.2.3", "203.0.113.1") + over(clients, "10.1.2.3", "203.0.113.2") == [False] * 2
    assert over(clients, "10.9.9.9", "203.0.113.9, 203.0.113.1") == [True], "the last one is whom the proxy saw"
    assert over(clients, "198.51.100.7", "203.0.113.3") + over(clients, "198.51.100.7", "203.0.113.4") == [False, True]


def test_a_proxys_own_header_counts_beside_one_that_its_client_sent():
    clients = Clients(1)
    values = [[f"203.0.113.{i}", "198.51.100.7"] for i in (1, 2)]
    assert [refused for each in values for refused in over(clients, "10.1.2.3", forwarded_for(each))] == [False, True]


def test_this_machine_itself_is_not_limited_but_whom_its_proxy_names():
    for address in ("127.0.0.1", "::1"):
        assert not any(over(Clients(1), address, times=5))
        assert not any(over(Clients(1), address, "127.0.0.1", times=5))
        assert over(Clients(1), address, "203.0.113.1", times=2) == [False, True]


def test_a_limit_of_nothing_is_none():
    assert not any(over(Clients(0), "198.51.100.7", times=5))


def test_a_unix_socket_is_this_machine():
    assert client_of("unix:", None, []) is None
    assert str(client_of("unix:", "203.0.113.1", [])) == "203.0.113.1"
