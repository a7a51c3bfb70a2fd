"""The page blinds and unblinds as RFC 9474 says, in three engines: Chromium, Firefox and WebKit."""

import pytest

from surveys.respondent.invitations import blind
from tests.respondent.invitations.vectors import KEY, VECTORS
from tests.support import blinding
from tests.support.engine_calls import calls
from tests.support.engines import ENGINES

pytestmark = pytest.mark.browser


# Daily in Chromium only. In test_engines.py the sent signature shows that Firefox and WebKit blind and unblind.
@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=() if name == "chromium" else pytest.mark.long) for name in ENGINES],
)
def call(request):
    """Yield a function that calls a function of invitation.js."""
    with calls(request.param, "invitation.js") as call:
        yield call


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_every_step_is_that_of_the_rfc(call, vector):
    message, salt, inverse, signature = (
        bytes.fromhex(vector[name]) for name in ("prepared_msg", "salt", "inv", "blind_sig")
    )
    modulus, factor = KEY["n"], pow(int(vector["inv"], 16), -1, KEY["n"])
    assert call("encoded", message, modulus.bit_length() - 1, salt) == {"value": vector["encoded_msg"]}
    blinded = {"message": vector["blinded_msg"], "inverse": vector["inv"]}
    assert call("blind", modulus, message, salt, factor) == {"value": blinded}
    assert call("finalized", modulus, message, signature, inverse) == {"value": vector["sig"]}
    assert call("finalized", modulus, message + b" ", signature, inverse) == {"value": None}
    assert call("finalized", modulus, message, signature[1:], inverse) == {"value": None}


def test_a_factor_without_an_inverse_is_refused(call):
    assert "RangeError" in call("blind", KEY["n"], b"a message", bytes(48), KEY["p"])["error"]


def test_what_the_page_blinds_python_signs_and_what_python_blinds_the_page_unblinds(call):
    key = blind.new_key()
    message = blind.message("0f" * 32, "6f1c2f6e-8d5e-4c40-9d5f-2f1f0c8f5b11")
    theirs = call("blind", key.modulus, message, bytes(range(48)), 3**1000)["value"]
    ours = blinding.blind(key.modulus, message, bytes(range(48)), 3**1000)
    assert [theirs["message"], theirs["inverse"]] == [part.hex() for part in ours]
    signature = blind.sign(key, ours.message)
    finished = blinding.finalize(key.modulus, message, signature, ours.inverse)
    assert call("finalized", key.modulus, message, signature, ours.inverse) == {"value": finished.hex()}
