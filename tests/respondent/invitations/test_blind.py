"""A blind signature of this site is a signature of the message that the respondent's browser chose, and of no other."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from surveys.respondent.invitations import blind
from tests.respondent.invitations.vectors import KEY, VECTORS
from tests.support import blinding

MESSAGE = blind.message("0f" * 32, "6f1c2f6e-8d5e-4c40-9d5f-2f1f0c8f5b11")
FORM = Encoding.DER, PrivateFormat.PKCS8, NoEncryption()


@pytest.fixture(scope="module")
def key() -> blind.SigningKey:
    return blind.new_key()


def key_of(p: int, q: int, exponent: int = 65537) -> blind.SigningKey:
    """Return the key of these primes."""
    d = pow(exponent, -1, (p - 1) * (q - 1))
    private = rsa.RSAPrivateNumbers(
        p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), rsa.RSAPublicNumbers(exponent, p * q)
    ).private_key(unsafe_skip_rsa_key_validation=True)
    return blind.SigningKey(private.private_bytes(*FORM))


def signed(key: blind.SigningKey, message: bytes) -> bytes:
    blinded = blinding.blind(key.modulus, message)
    return blinding.finalize(key.modulus, message, blind.sign(key, blinded.message), blinded.inverse)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_every_step_is_that_of_the_rfc(vector: dict[str, str]) -> None:
    message, salt, inverse = (bytes.fromhex(vector[name]) for name in ("prepared_msg", "salt", "inv"))
    modulus, factor = KEY["n"], pow(int(vector["inv"], 16), -1, KEY["n"])
    assert blinding.encode(message, modulus.bit_length() - 1, salt).hex() == vector["encoded_msg"]
    blinded = blinding.blind(modulus, message, salt, factor)
    assert [part.hex() for part in blinded] == [vector["blinded_msg"], vector["inv"]]
    signature = blind.sign(key_of(KEY["p"], KEY["q"]), blinded.message)
    assert signature.hex() == vector["blind_sig"]
    assert blinding.finalize(modulus, message, signature, inverse).hex() == vector["sig"]
    assert blind.verify(modulus, message, bytes.fromhex(vector["sig"]))


def test_a_key_is_as_the_contract_says(key: blind.SigningKey) -> None:
    assert key.modulus.bit_length() == 2048
    assert key.modulus % 2 == 1
    assert blind.SigningKey(key.data).modulus == key.modulus
    assert str(key.modulus) not in repr(key)


def test_a_signature_is_of_one_message_and_one_key(key: blind.SigningKey) -> None:
    signature = signed(key, MESSAGE)
    assert blind.verify(key.modulus, MESSAGE, signature)
    assert not blind.verify(key.modulus, MESSAGE + b" ", signature)
    assert not blind.verify(blind.new_key().modulus, MESSAGE, signature)
    for place in (0, 128, 255):
        changed = bytearray(signature)
        changed[place] ^= 1
        assert not blind.verify(key.modulus, MESSAGE, bytes(changed))
    for other in (b"", signature[1:], b"\0" + signature, bytes(256), b"\xff" * 256):
        assert not blind.verify(key.modulus, MESSAGE, other)


def test_a_signature_that_begins_with_a_zero_is_none_without_it(key: blind.SigningKey) -> None:
    begins_with_zero = next(each for each in (signed(key, MESSAGE) for _ in range(9000)) if each[0] == 0)
    assert blind.verify(key.modulus, MESSAGE, begins_with_zero)
    assert not blind.verify(key.modulus, MESSAGE, begins_with_zero[1:])


def test_two_reports_of_one_survey_have_different_messages() -> None:
    assert MESSAGE == b"deniable report\n" + b"0f" * 32 + b"\n6f1c2f6e-8d5e-4c40-9d5f-2f1f0c8f5b11"


def test_the_same_blinded_message_has_one_signature(key: blind.SigningKey) -> None:
    blinded = blinding.blind(key.modulus, MESSAGE).message
    assert len({blind.sign(key, blinded) for _ in range(5)}) == 1


def test_what_the_signer_sees_goes_with_every_signature(key: blind.SigningKey) -> None:
    """For any blinded message and any signature some factor joins them, so seeing both reveals nothing."""
    other = blind.message("0f" * 32, "ffffffff-8d5e-4c40-9d5f-2f1f0c8f5b11")
    seen = blind.sign(key, blinding.blind(key.modulus, MESSAGE).message)
    signature = signed(key, other)
    modulus = key.modulus
    inverse = int.from_bytes(signature) * pow(int.from_bytes(seen), -1, modulus) % modulus
    assert blinding.finalize(modulus, other, seen, inverse.to_bytes(256)) == signature


@pytest.mark.parametrize("number", [0, 1, 2, -1])
def test_numbers_at_the_edges_are_signed(key: blind.SigningKey, number: int) -> None:
    power = (number % key.modulus).to_bytes(256)
    signature = int.from_bytes(blind.sign(key, power))
    assert pow(signature, 65537, key.modulus).to_bytes(256) == power


@pytest.mark.parametrize("length", [0, 255, 257])
def test_what_is_not_as_long_as_the_modulus_is_not_signed(key: blind.SigningKey, length: int) -> None:
    with pytest.raises(ValueError, match="as long as the modulus"):
        blind.sign(key, bytes(length))


def test_what_is_no_number_below_the_modulus_is_not_signed(key: blind.SigningKey) -> None:
    for number in (key.modulus, key.modulus + 1, 2**2048 - 1):
        with pytest.raises(ValueError, match="below it"):
            blind.sign(key, number.to_bytes(256))


def test_a_signature_of_another_key_or_message_is_not_unblinded(key: blind.SigningKey) -> None:
    blinded = blinding.blind(key.modulus, MESSAGE)
    signature = blind.sign(key, blinded.message)
    wrong = blind.sign(key, blinding.blind(key.modulus, MESSAGE + b" ").message)
    other = blinding.blind(key.modulus, MESSAGE)
    for reply, inverse in ((wrong, blinded.inverse), (signature, other.inverse), (blinded.message, blinded.inverse)):
        with pytest.raises(ValueError, match="invalid signature"):
            blinding.finalize(key.modulus, MESSAGE, reply, inverse)


@pytest.mark.parametrize("half", [0, 1])
def test_a_wrong_result_never_leaves(key: blind.SigningKey, half: int) -> None:
    """A fault in the half of one prime alone would reveal both primes (Boneh, DeMillo and Lipton 1997)."""
    faulty = blind.SigningKey(key.data)
    exponents = list(faulty._exponents)
    exponents[half] += 2
    faulty._exponents = exponents[0], exponents[1]
    with pytest.raises(ArithmeticError, match="computed wrongly"):
        blind.sign(faulty, blinding.blind(key.modulus, MESSAGE).message)


def test_only_keys_of_rsa_with_the_one_exponent_are_taken() -> None:
    with pytest.raises(ValueError, match="not a key of RSA"):
        blind.SigningKey(ed25519.Ed25519PrivateKey.generate().private_bytes(*FORM))
    with pytest.raises(ValueError, match="exponent"):
        key_of(KEY["p"], KEY["q"], exponent=17)
    with pytest.raises(ValueError):
        blind.SigningKey(b"")
