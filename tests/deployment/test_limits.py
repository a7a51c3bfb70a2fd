"""The proxy counts an IPv4 address, or half an IPv6 address, as one client. So does the intake."""

import http.client
import re
import socket
import time

import pytest

from surveys.operation.embedded import tether
from tests.services import nginx
from tests.services.redis import free_port


@pytest.fixture
def proxy(tmp_path):
    """Yield the port of a proxy that answers each client once a minute and believes every stated IP address."""
    port = free_port()
    (client,) = re.findall(r"map \$binary_remote_addr \$client {.*?;\n *}", nginx.CONFIGURATION.read_text(), re.DOTALL)
    (tmp_path / "index.html").write_text("here")
    configuration = f"""
        pid {tmp_path / "pid"};
        events {{ }}
        http {{
            {client}
            limit_req_zone $client zone=requests:1m rate=1r/m;
            limit_req_status 429;
            set_real_ip_from 127.0.0.1;
            real_ip_header X-Client;
            access_log off;
            server {{ listen 127.0.0.1:{port}; location / {{ limit_req zone=requests; root {tmp_path}; }} }}
        }}"""
    process = nginx.start(tmp_path, configuration, tmp_path / "nginx.log")
    until = time.monotonic() + nginx.PATIENCE
    while time.monotonic() < until and socket.socket().connect_ex(("127.0.0.1", port)):
        time.sleep(0.05)
    yield port
    tether.end(process)


def status(port, client):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/", headers={"X-Client": client})
    return connection.getresponse().status


def test_a_client_is_an_address_of_ipv4_or_the_first_half_of_one_of_ipv6(proxy):
    answers = {
        "192.0.2.10": 200,
        "192.0.2.11": 200,
        "192.0.2.10 ": 429,
        "2001:db8:a:a::1": 200,  # 0a is the end of a line
        "2001:db8:a:a:ffff::1": 429,
        "2001:db8:a:b::1": 200,
        "::1": 200,
    }
    assert {client: status(proxy, client) for client in answers} == answers
