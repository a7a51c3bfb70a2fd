"""The page seals requests and opens answers as RFC 9180 and RFC 9458 say, and reads and writes binary HTTP as RFC 9292
says. This holds in three engines: Chromium, Firefox and WebKit."""

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from surveys.respondent.relay import capsules, messages
from tests.respondent.relay.vectors import CAPSULE, HPKE
from tests.support.engine_calls import Named, Pair, calls
from tests.support.engines import ENGINES

pytestmark = pytest.mark.browser

H, C = ({name: bytes.fromhex(text) for name, text in each.items()} for each in (HPKE, CAPSULE))


@pytest.fixture(scope="module", params=ENGINES)
def call(request):
    """Yield a function that calls a function of relay.js."""
    with calls(request.param, "relay.js") as call:
        yield call


def pair(private):
    return Pair((private, X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()))


def importable():
    """Return a private key that every engine imports. WebKit refuses a key that begins with a zero, as one in 32 does.
    The page itself imports no private key."""
    while (private := X25519PrivateKey.generate().private_bytes_raw())[0] == 0:
        pass
    return private


def test_the_context_is_that_of_rfc_9180(call):
    expected = {name: HPKE[name] for name in ("enc", "key", "nonce", "exporter")}
    assert call("sender", H["public"], H["info"], pair(H["ephemeral"])) == {"value": expected}


def test_a_request_and_its_answer_are_those_of_rfc_9458(call):
    sealed = call("sealed", 1, C["public"], C["request"], pair(C["ephemeral"]))["value"]
    assert sealed["capsule"] == CAPSULE["sealed"]
    mine = Named({name: bytes.fromhex(sealed[name]) for name in ("enc", "exporter")})
    assert call("opened", mine, C["answer"]) == {"value": CAPSULE["response"]}
    assert "OperationError" in call("opened", mine, C["answer"][:-1] + b"\1")["error"]


HEADERS = {"content-type": "application/json", "survey-link": "abc"}


@pytest.mark.parametrize("length", [2, 100, 15_000, 20_000])
def test_what_the_page_sends_the_gateway_reads_and_its_answer_the_page(call, length):
    key, body = X25519PrivateKey.generate(), "x" * length
    given = {"method": "POST", "headers": HEADERS, "body": body}
    request = bytes.fromhex(call("request", "/respond/reports", given)["value"])
    own = pair(importable())
    sealed = call("sealed", 7, key.public_key().public_bytes_raw(), request, own)["value"]
    opened = capsules.opened(bytes.fromhex(sealed["capsule"]), {7: key}.get)
    read = messages.request_of(opened.request)
    assert (read.method, read.scheme, read.path) == ("POST", "http", "/respond/reports")
    assert (read.headers, read.body.decode()) == (HEADERS, body) and read.authority.startswith("127.0.0.1:")
    assert len(opened.request) % 1024 == 0
    answer = capsules.answer(opened, messages.response(429, {"retry-after": "60"}, body.encode()))
    mine = Named({name: bytes.fromhex(sealed[name]) for name in ("enc", "exporter")})
    came = call("response", bytes.fromhex(call("opened", mine, answer)["value"]))["value"]
    assert came["status"] == 429 and came["text"] == body and ["retry-after", "60"] in came["headers"]


@pytest.mark.parametrize("wrong", [b"", b"\0\x40\xc8", b"\1\x40\xc8\5", b"\1\x40\xc8\0\7ab"])
def test_what_is_no_response_is_none(call, wrong):
    assert "error" in call("response", wrong)
