"""Webhooks lead to public addresses over https, and to the networks that a site names, and nowhere else."""

import socket
import time
from ipaddress import ip_address, ip_network
from threading import Thread

import pytest

from surveys.alerts import addresses, posting
from surveys.alerts.addresses import Refused

HERE = "127.0.0.1"
OPEN = ["1.1.1.1", "93.184.216.34", "2606:4700::1111"]
CLOSED = [
    *("127.0.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"),
    *("255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1"),
    *("64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "::7f00:1", "198.18.0.1", "192.0.2.1", "2001:db8::1"),
    *("64:ff9b:1::1", "::ffff:0:7f00:1", "fec0::1", "100::1", "4000::1"),
]


@pytest.fixture(autouse=True)
def site(settings):
    settings.SITE_URL, settings.WEBHOOK_NETWORKS = "https://example.org", []


@pytest.mark.parametrize("address", OPEN)
def test_public_addresses_are_open(address):
    assert addresses.is_open(ip_address(address))


@pytest.mark.parametrize("address", CLOSED)
def test_all_others_are_closed(address):
    assert not addresses.is_open(ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(Refused):
        addresses.check(f"https://{host}/")
    with pytest.raises(Refused):
        posting.post(f"https://{host}/", b"{}", {})


def test_a_site_names_its_own_networks(settings):
    settings.WEBHOOK_NETWORKS = [ip_network("10.1.0.0/16"), ip_network("fd00::/8")]
    states = {
        each: addresses.is_open(ip_address(each)) for each in ("10.1.2.3", "::ffff:10.1.2.3", "10.2.0.1", "fd00::1")
    }
    assert states == {"10.1.2.3": True, "::ffff:10.1.2.3": True, "10.2.0.1": False, "fd00::1": True}


@pytest.mark.parametrize(
    "url",
    [
        *("", "example.org", "ftp://example.org/", "http://example.org/", "https://", "https:///a", "//example.org/"),
        *("https://me@example.org/", "https://example.org/#a", "https://example.org:x/", "https://example.org:99999/"),
        *("https://[/", "https://[::1/", "https://[x]/", "https://a[b]c/", "https://]/"),
        *(
            "https://example.org/a b",
            "https://example.org/\r\nHost: a",
            "https://ex\u00e4mple.org/",
            "javascript:alert(1)",
        ),
        "https://example.org/" + "x" * 400,
    ],
)
def test_what_is_no_address_of_https_is_refused(url):
    with pytest.raises(Refused):
        addresses.check(url)


def test_a_name_is_looked_up_once_and_the_connection_goes_there(settings, monkeypatch):
    """Whoever answers for the name says another address each time: a public one, then this machine."""
    answers = iter(["1.1.1.1", HERE, HERE])
    reached = []

    def look_up(*args, **options):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), 443))]

    def connect(address, *args):
        reached.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(ConnectionRefusedError):
        posting.post("https://example.org/hook", b"{}", {})
    assert reached == [("1.1.1.1", 443)]
    with pytest.raises(Refused):
        posting.post("https://example.org/hook", b"{}", {})


def test_a_redirection_is_not_followed(receiver):
    receiver.status = 302
    assert posting.post(f"{receiver.url}/a?b=1", b"{}", {"webhook-id": "x"}) == 302
    (posted,) = receiver.posted
    assert posted.path == "/a?b=1" and posted.headers["host"] == receiver.url.removeprefix("http://")


def test_an_answer_that_drips_is_cut_off(receiver, monkeypatch):
    monkeypatch.setattr(posting, "SECONDS", 0.5)
    with socket.create_server((HERE, 0)) as server:
        Thread(target=_drip, args=[server], daemon=True).start()
        started = time.monotonic()
        with pytest.raises(OSError):
            posting.post(f"http://{HERE}:{server.getsockname()[1]}/", b"{}", {})
    assert time.monotonic() - started < 4


def _drip(server):
    connection, _ = server.accept()
    try:
        connection.sendall(b"HTTP/1.1 200 OK\r\nA: ")
        while True:
            connection.sendall(b"a")
            time.sleep(0.1)
    except OSError:
        connection.close()


def test_a_certificate_that_is_not_the_hosts_is_refused(receiver, monkeypatch):
    """A plain server where TLS is spoken: nothing is posted."""
    with pytest.raises(OSError):
        posting.post(receiver.url.replace("http://", "https://"), b"{}", {})
    assert receiver.posted == []
