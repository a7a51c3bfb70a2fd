"""Blind signatures: RFC 9474, variant RSABSSA-SHA384-PSS-Deterministic, with the exponent 65537.

The respondent's browser blinds a message with a random factor, this site signs it without being able to read it, and
the browser removes the factor. For every signature and every blinded message that this site has seen, exactly one
factor connects them. So the site cannot tell which belong together (surveys/static/respond/invitation.js has the
browser's part).

Only `sign` uses the private key. Its exponentiations are gmpy2's powmod_sec: for all numbers of a length, GMP's
mpn_sec_powm takes the same steps and uses the same memory addresses. The remainders and products around it do not. So
their input is first multiplied by a random number, and their time does not depend on a client's choice. `cryptography`
has no RSA without padding, which a blind signature needs."""

import secrets
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA384
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_der_private_key
from gmpy2 import gcd, invert, mpz, powmod, powmod_sec

BITS = 2048
EXPONENT = 65537
SALT_BYTES = 48
_PADDING = padding.PSS(mgf=padding.MGF1(SHA384()), salt_length=SALT_BYTES)


class SigningKey:
    """A private key, from `data`, its PKCS #8 in DER. Raise ValueError unless it is RSA with the exponent 65537.

    The key's numbers are not checked against each other, which would take as long as many signatures. `sign` checks
    each result instead."""

    def __init__(self, data: bytes) -> None:
        private = load_der_private_key(data, None, unsafe_skip_rsa_key_validation=True)
        if not isinstance(private, rsa.RSAPrivateKey):
            raise ValueError("not a key of RSA")
        numbers = private.private_numbers()
        if numbers.public_numbers.e != EXPONENT:
            raise ValueError(f"the exponent is not {EXPONENT}")
        self.data = data
        self.modulus = numbers.public_numbers.n
        self._primes = mpz(numbers.p), mpz(numbers.q)
        self._exponents = mpz(numbers.dmp1), mpz(numbers.dmq1)
        self._inverse = mpz(numbers.iqmp)

    def root(self, power: mpz) -> mpz:
        """Return the number below the modulus whose 65537th power is `power`, by the Chinese remainder theorem."""
        (p, q), (dp, dq) = self._primes, self._exponents
        of_p, of_q = powmod_sec(power % p, dp, p), powmod_sec(power % q, dq, q)
        return of_q + (of_p - of_q) * self._inverse % p * q


def split(data: bytes) -> list[bytes]:
    """Return the concatenated keys in DER. Bytes 2 and 3 of each hold its length."""
    if not data:
        return []
    end = 4 + int.from_bytes(data[2:4])
    return [data[:end], *split(data[end:])]


def new_key() -> SigningKey:
    private = rsa.generate_private_key(EXPONENT, BITS)
    return SigningKey(private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()))


def message(digest: str, report_id: str) -> bytes:
    """Return the message to sign: the survey's digest and the report's id. So a signature admits one report."""
    return f"deniable report\n{digest}\n{report_id}".encode("ascii")


def sign(key: SigningKey, blinded: bytes) -> bytes:
    """Return the blind signature (RFC 9474, 4.3), as long as the modulus. Raise ValueError unless `blinded` has that
    length and is a number below the modulus.

    A wrong result never leaves (ArithmeticError). Two signatures of a message, one of them with a fault in one prime's
    half, would reveal the primes.
    """
    modulus = mpz(key.modulus)
    power = _number(blinded, modulus)
    factor = _unit(modulus)
    signature = key.root(power * powmod(factor, EXPONENT, modulus) % modulus) * invert(factor, modulus) % modulus
    if powmod(signature, EXPONENT, modulus) != power:
        raise ArithmeticError("the signature was computed wrongly")
    return _bytes(signature, modulus)


def sound(modulus: int, blinded: bytes) -> bool:
    """Return whether a page could have blinded this message for the key. Other numbers admit no report: the signature
    of 0, 1 or -1 is the number itself, and the signature of a number that shares a divisor with the modulus shares it,
    too."""
    number = int.from_bytes(blinded)
    return len(blinded) == _length(mpz(modulus)) and 1 < number < modulus - 1 and gcd(number, modulus) == 1


def verify(modulus: int, message: bytes, signature: bytes) -> bool:
    """Return whether this is an unblinded signature (RSASSA-PSS). Raise ValueError for an invalid modulus."""
    # RFC 8017, 8.1.2, step 1. OpenSSL also accepts a signature without its leading zero byte.
    if len(signature) != (modulus.bit_length() + 7) // 8:
        return False
    try:
        _public(modulus).verify(signature, message, _PADDING, SHA384())
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=128)
def _public(modulus: int) -> rsa.RSAPublicKey:
    return rsa.RSAPublicNumbers(EXPONENT, modulus).public_key()


def _unit(modulus: mpz) -> mpz:
    """Return a uniformly random number that has an inverse."""
    while True:
        number = mpz(1 + secrets.randbelow(int(modulus) - 1))
        if gcd(number, modulus) == 1:
            return number


def _number(data: bytes, modulus: mpz) -> mpz:
    number = mpz.from_bytes(data, "big")
    if len(data) != _length(modulus) or number >= modulus:
        raise ValueError("must be as long as the modulus and a number below it")
    return number


def _bytes(number: mpz, modulus: mpz) -> bytes:
    return int(number).to_bytes(_length(modulus))


def _length(modulus: mpz) -> int:
    return -(-int(modulus).bit_length() // 8)
