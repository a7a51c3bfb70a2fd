"""The log's settings, read from the environment as strictly as all others."""

from surveys.operation.environment import integer, refuse, text
from surveys.transparency.log.note import (
    COSIGNATURE,
    MalformedNote,
    PrivateKey,
    PublicKey,
    new_key,
    private_key,
    public_key,
)


def key(name: str) -> PrivateKey | None:
    """The key that signs the public log, as `manage.py log key` prints one; None where it is kept in a file."""
    value = text(name)
    try:
        return private_key(value) if value else None
    except MalformedNote:
        example = str(new_key("surveys.example.org/check/log"))
        refuse(name, "not a key", "it must be what `manage.py log key` prints", example)


def witnesses(name: str) -> list[PublicKey]:
    """Verifier keys of witnesses, separated by commas; none by default. A key is one witness, under whatever names."""
    example = "witness.example.net/w1+b10d4880+BEQpkwZQBKoeTEj03QFYGUwCNJvMZkzZbkAOommRio1R"
    try:
        keys = [public_key(part.strip(), (COSIGNATURE,)) for part in text(name).split(",") if part.strip()]
    except MalformedNote:
        rule = "each must be a verifier key that a witness named, separated by commas"
        refuse(name, repr(text(name)), rule, example)
    if len({key.public for key in keys}) < len(keys):
        refuse(name, repr(text(name)), "no key may stand there twice, since a quorum counts witnesses", example)
    return keys


def quorum(name: str, witnesses: list[PublicKey]) -> int:
    """How many witnesses make a quorum, more than half by default; 0 where there are none."""
    most = len(witnesses)
    return integer(name, most // 2 + 1 if most else 0, min(most, 1), most)
