"""The part of docs/developers/data-flow.md about a survey by invitation: the differences, with their bytes."""

import hashlib
import json
import random
from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from gmpy2 import next_prime

from ldp.privatize import make_report
from surveys.respondent.invitations import blind
from surveys.survey import definition as definitions
from surveys.survey.definition.invitations import text_of
from tests.support import blinding

DRAFT: dict[str, Any] = {
    "title": "Only for us",
    "invitations": True,
    "questions": [{"key": "leave", "kind": "yes_no", "text": "Do you want to leave this company?", "alpha": "1"}],
}
TOKEN = "cwy9d5hd35tyc6fnyydmgzge3aw"
SHOWN = 24  # characters of a long text


def page(code: Callable[..., str], wrap: Callable[[str], str]) -> str:
    key, chance = _key(), random.Random(3)
    definition: Any = {**definitions.build(DRAFT), "invitations": {"modulus": text_of(key.modulus)}}
    digest = definitions.digest(definition)
    body = json.loads(make_report(definition, digest, {"leave": 0}, lambda: chance.getrandbits(32)))
    message = blind.message(digest, body["report_id"])
    blinded = blinding.blind(key.modulus, message, chance.randbytes(blind.SALT_BYTES), chance.getrandbits(2047))
    signed = blind.sign(key, blinded.message)
    signature = blinding.finalize(key.modulus, message, signed, blinded.inverse)
    return _TEXT.format(
        definition=code(_json({"invitations": {"modulus": _some(key.modulus)}}), "json"),
        message=code(message.decode()),
        request=code(_json({"token": TOKEN, "blinded": _some(blinded.message)}), "json"),
        reply=code(_json({"signature": _some(signed)}), "json"),
        row=code(
            f"digest  {digest[:16]}…\n"
            f"token   {hashlib.sha256(TOKEN.encode()).hexdigest()[:32]}…   SHA-256 of the token\n"
            f"used    {hashlib.sha256(blinded.message).hexdigest()[:32]}…   SHA-256 of what was blinded"
        ),
        body=code(wrap(_json(body | {"signature": _some(signature)}, (",", ":"))), "json"),
    )


def _json(data: dict[str, Any], separators: tuple[str, str] | None = None) -> str:
    return json.dumps(data, ensure_ascii=False, separators=separators)


def _some(number: int | bytes) -> str:
    text = text_of(number if isinstance(number, int) else int.from_bytes(number))
    return f"{text[:SHOWN]}…{text[-4:]}"


def _key() -> blind.SigningKey:
    """Return a key made from fixed random numbers, so that the page stays the same."""
    chance = random.Random(2)
    p, q = (int(next_prime(chance.getrandbits(1022) | 3 << 1022)) for _ in range(2))
    d = pow(blind.EXPONENT, -1, (p - 1) * (q - 1))
    public = rsa.RSAPublicNumbers(blind.EXPONENT, p * q)
    private = rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), public).private_key()
    return blind.SigningKey(private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()))


_TEXT = """\

## 13. A survey by invitation (`surveys/respondent/invitations/`)

Where only who was invited can answer, once each, the definition names the key of the survey, which was made when it
opened. Long numbers are 256 bytes in base64url, here cut short:

{definition}

The browser makes the report as above. What is to be signed is its digest and its id:

{message}

It is padded (PSS with SHA-384 and 48 random bytes) and multiplied by the 65537th power of a random number r, all modulo
the key's number. With the last part of the invitation's link, that goes to `POST /respond/signature`:

{request}

The book of invitations, a file apart from the database, then holds this of the invitation, and nothing of the report:

{row}

The site takes the 65537th root, which only the private key can, and answers:

{reply}

The browser divides by r, checks what is left against the definition's key, and sends the report with it to
`POST /respond/reports`. The blinded message and the blind signature fit every other report as well as this one:

{body}

The intake checks the signature, and stores the report as any other, without it.
"""
