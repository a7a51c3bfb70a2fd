"""The log's settings, read strictly from environment variables."""

from surveys.operation.environment import integer, parts, refuse, text
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
    """Return the key that signs the public log, as `manage.py log key` prints it; None if it is in a file."""
    value = text(name)
    try:
        return private_key(value) if value else None
    except MalformedNote:
        example = str(new_key("surveys.example.org/check/log"))
        refuse(name, "not a key", "it must be what `manage.py log key` prints", example)


def witnesses(name: str) -> list[PublicKey]:
    """Return verifier keys of witnesses, separated by commas; none by default. One key is one witness."""
    example = "witness.example.net/w1+b10d4880+BEQpkwZQBKoeTEj03QFYGUwCNJvMZkzZbkAOommRio1R"
    try:
        keys = [public_key(part, (COSIGNATURE,)) for part in parts(name)]
    except MalformedNote:
        rule = "each must be the verifier key of a witness, separated by commas"
        refuse(name, repr(text(name)), rule, example)
    if len({key.public for key in keys}) < len(keys):
        refuse(name, repr(text(name)), "no key may be in it twice, since a quorum counts witnesses", example)
    return keys


def quorum(name: str, witnesses: list[PublicKey]) -> int:
    """Return the number of witnesses for a quorum, by default more than half; 0 without witnesses."""
    most = len(witnesses)
    return integer(name, most // 2 + 1 if most else 0, min(most, 1), most)
