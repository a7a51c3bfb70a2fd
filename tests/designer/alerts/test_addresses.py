"""Webhooks reach only public IP addresses over https and the networks that a site names."""

import socket
import time
from ipaddress import ip_address, ip_network
from threading import Thread

import pytest

from surveys.designer.alerts import addresses, posting
from surveys.designer.alerts.addresses import WebhookRefused

HERE = "127.0.0.1"
OPEN = ["1.1.1.1", "93.184.216.34", "2606:4700::1111"]
CLOSED = [
    *("127.0.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"),
    *("255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1"),
    *("64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "::7f00:1", "198.18.0.1", "192.0.2.1", "2001:db8::1"),
    *("64:ff9b:1::1", "::ffff:0:7f00:1", "fec0::1", "100::1", "4000::1"),
    # Metadata IP addresses of clouds, and other special-purpose ones.
    *("192.0.0.192", "168.63.129.16", "100.100.100.200", "fd00:ec2::254", "3fff::1", "3fff:fff::1", "5f00::1"),
    *("192.0.0.9", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1", "198.51.100.1", "203.0.113.1"),
    *("240.0.0.1", "2001:1::1", "2001:20::1", "2001:30::1", "2620:4f:8000::1", "::ffff:168.63.129.16", "::ffff:a00:1"),
]
# Notations of 127.0.0.1, 10.0.0.1 and a cloud's metadata IP address, and one of a public IP address.
NOTATIONS = [
    *("2130706433", "0x7f.1", "127.1", "127.0.1", "0177.0.0.1", "0x7f000001", "017700000001", "0x7F.0x0.0x0.0x1"),
    *(
        "0",
        "0x",
        "0.0",
        "127.0.0.1.",
        "127.0.0.01",
        "00000127.1",
        "1.2.3.4.5",
        "256.1.1.1",
        "4294967297",
        "a.0x7f000001",
    ),
    *("10.1", "167772161", "2852039166", "0xa9.0xfe.43518", "16843009", "1.1", "[::ffff:127.1]", "[::1%25lo]"),
]
NAMES = [
    *(
        "localhost",
        "LOCALHOST",
        "localhost.",
        "a.localhost",
        "localhost.localdomain",
        "printer.local",
        "printer.LOCAL.",
    ),
    *(
        "metadata.google.internal",
        "instance-data",
        "db",
        "a..b",
        "-a.org",
        "a-.org",
        ".org",
        "router.home.arpa",
        "a.test",
        "a.invalid",
        "a.lan",
    ),
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
    with pytest.raises(WebhookRefused):
        addresses.target(f"https://{host}/")
    with pytest.raises(WebhookRefused):
        posting.post(f"https://{host}/", b"{}", {})


@pytest.mark.parametrize("host", [*NOTATIONS, *NAMES])
def test_whatever_else_a_resolver_reads_as_an_address_and_names_that_are_not_public_are_refused(host):
    for use in (addresses.target, lambda url: posting.post(url, b"{}", {})):
        with pytest.raises(WebhookRefused):
            use(f"https://{host}/x")


@pytest.mark.parametrize(
    "host", ["\uff11\uff12\uff17.0.0.1", "\u2460\u2461\u2466.0.0.1", "127\u30020.0.1", "%31%32%37.0.0.1"]
)
def test_digits_and_dots_of_other_scripts_are_refused(host):
    with pytest.raises(WebhookRefused):
        addresses.target(f"https://{host}/")


@pytest.mark.parametrize(
    "host", ["example.org", "EXAMPLE.org.", "xn--bcher-kva.example", "a-b.1a.org", "1.1.1.1", "[2606:4700::1111]"]
)
def test_public_names_and_addresses_are_taken(host):
    assert addresses.target(f"https://{host}:8443/x").port == 8443
    assert addresses.target(f"HTTPS://{host}?x=1")[2:] == (443, "/?x=1")


@pytest.mark.parametrize("host", ["hooks", "hooks.internal"])
def test_a_site_with_networks_of_its_own_has_names_for_them(settings, host):
    settings.WEBHOOK_NETWORKS = [ip_network("10.1.0.0/16")]
    assert addresses.target(f"https://{host}/").host == host
    with pytest.raises(WebhookRefused):
        addresses.target("https://localhost/")  # as 127.0.0.1


def test_a_name_of_an_address_that_is_closed_is_refused_when_it_is_looked_up(monkeypatch):
    for closed in CLOSED:
        family = socket.AF_INET6 if ":" in closed else socket.AF_INET
        monkeypatch.setattr(socket, "getaddrinfo", lambda *a, f=family, c=closed, **o: [(f, 1, 6, "", (c, 443))])
        with pytest.raises(WebhookRefused):
            posting.post("https://example.org/hook", b"{}", {})


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
        *("https://[/", "https://[::1/", "https://[x]/", "https://a[b]c/", "https://]/", "https://[v1.x]/"),
        *(
            "https://example.org:0/",
            "https://example.org:-1/",
            "https://[1.1.1.1]/",
            "https://:443/",
            "https://a.org?#x",
        ),
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
    with pytest.raises(WebhookRefused):
        addresses.target(url)


def test_a_name_is_looked_up_once_and_the_connection_goes_there(settings, monkeypatch):
    """The name resolves differently each time: first to a public IP address, then to this machine."""
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
    with pytest.raises(WebhookRefused):
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
    assert time.monotonic() - started < 30


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
    """The server uses plain HTTP where the client expects TLS; nothing is posted."""
    with pytest.raises(OSError):
        posting.post(receiver.url.replace("http://", "https://"), b"{}", {})
    assert receiver.posted == []
