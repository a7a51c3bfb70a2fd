"""Capsules follow RFC 9458, HPKE follows RFC 9180, and altered capsules cannot be opened."""

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from surveys.respondent.relay import capsules, hpke, messages
from tests.respondent.relay.vectors import CAPSULE, EXPORTS, HPKE


def private(text):
    return X25519PrivateKey.from_private_bytes(bytes.fromhex(text))


H, C = ({name: bytes.fromhex(text) for name, text in each.items()} for each in (HPKE, CAPSULE))
KEY = private(CAPSULE["private"])


def opened(capsule):
    return capsules.opened(capsule, {1: KEY}.get)


def test_hpke_is_that_of_rfc_9180():
    enc, ours = hpke.sender(H["public"], H["info"], private(HPKE["ephemeral"]))
    theirs = hpke.recipient(private(HPKE["private"]), enc, H["info"])
    assert ours == theirs == hpke.Context(H["key"], H["nonce"], H["exporter"]) and enc == H["enc"]
    assert ours.seal(H["text"], H["associated"]) == H["sealed"]
    assert theirs.open(H["sealed"], H["associated"]) == H["text"]
    assert {each: theirs.export(bytes.fromhex(each), 32).hex() for each in EXPORTS} == EXPORTS


def test_a_request_and_its_answer_are_those_of_rfc_9458():
    sealed = capsules.seal(1, C["public"], C["request"], private(CAPSULE["ephemeral"]))
    assert sealed.capsule == C["sealed"] and opened(C["sealed"]).request == C["request"]
    assert capsules.answer(opened(C["sealed"]), C["response"], C["nonce"]) == C["answer"]
    assert sealed.response(C["answer"]) == C["response"]
    published = "01002031e1f05a740102115220e9af918f738674aec95f54db6e04eb705aae8e798155000400010001"
    assert capsules.configurations([(1, C["public"])]).hex() == f"0029{published}"


def test_an_altered_capsule_is_opened_by_no_one():
    for at in range(len(C["sealed"])):
        altered = bytearray(C["sealed"])
        altered[at] ^= 1
        with pytest.raises(capsules.UnknownKey if at == 0 else capsules.Unopened):
            opened(bytes(altered))
    for length in range(len(C["sealed"])):
        with pytest.raises(capsules.Unopened):
            opened(C["sealed"][:length])


def test_a_key_that_gives_everyone_the_same_secret_is_refused():
    with pytest.raises(capsules.Unopened):
        opened(C["sealed"][:7] + bytes(32) + C["sealed"][39:])


def test_an_altered_answer_or_one_to_another_request_is_none():
    sealed = capsules.seal(1, C["public"], C["request"])
    other = capsules.answer(opened(C["sealed"]), C["response"])
    mine = capsules.answer(opened(sealed.capsule), C["response"])
    assert sealed.response(mine) == C["response"]
    for wrong in (other, mine[:-1], mine[:20], b"", mine[:-1] + bytes([mine[-1] ^ 1])):
        with pytest.raises(ValueError):
            sealed.response(wrong)


REQUEST = messages.RelayedRequest(
    "POST", "https", "example.org", "/respond/reports", {"content-type": "application/json", "survey-link": "a"}, b"{}"
)


@given(st.integers(0, 2**62 - 1))
def test_a_number_takes_the_fewest_bytes_and_is_read_again(value):
    written = messages.number(value)
    assert messages.Reader(written).number() == value
    assert len(written) == min(count for count in (1, 2, 4, 8) if value < 2 ** (8 * count - 2))


@pytest.mark.parametrize("length", [0, 2, 900, 1024, 20_000])
def test_a_request_is_read_again_and_its_length_tells_little(length):
    given = REQUEST._replace(body=b"x" * length)
    assert messages.request_of(messages.request(given)) == given
    assert len(messages.request(given)) % 1024 == 0


def test_the_shortest_request_of_the_rfc_is_read():
    assert messages.request_of(C["request"]) == messages.RelayedRequest("GET", "https", "example.com", "/", {}, b"")


WHOLE = messages.request(REQUEST)
END = len(WHOLE.rstrip(b"\0"))


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\1" + WHOLE[1:], id="a-response"),
        pytest.param(b"\2" + WHOLE[1:], id="of-unknown-length"),
        pytest.param(WHOLE[: END - 1], id="cut"),
        pytest.param(WHOLE[:END] + b"\4\1a\1b", id="trailers"),
        pytest.param(WHOLE + b"\1", id="more"),
        pytest.param(messages.request(REQUEST._replace(headers={"A": "b"})), id="capital"),
        pytest.param(messages.request(REQUEST._replace(path="/\n")), id="control"),
        pytest.param(WHOLE.replace(b"\x04POST", b"\x7f\xff\xff\xff"), id="too-long"),
        pytest.param(messages.request(REQUEST._replace(headers={"a": "b"})).replace(b"\4\1a\1b", b"\x08\1a\1b\1a\1c"),
                     id="twice"),
    ],
)  # fmt: skip
def test_what_is_no_request_is_refused(wrong):
    with pytest.raises(messages.Malformed):
        messages.request_of(wrong)
