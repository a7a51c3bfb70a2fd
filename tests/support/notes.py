"""Who signed a note, by the site's own reading of notes and keys."""

from surveys.transparency.log.note import MalformedNote, PublicKey, Signature


def is_signed(text: str, signatures: list[Signature], key: PublicKey) -> bool:
    """Whether the key signed it. MalformedNote where a line says so and it did not."""
    own = [line for line in signatures if (line.name, line.id) == (key.name, key.id)]
    if not all(key.holds(line.value, text.encode()) for line in own):
        raise MalformedNote(f"the signature of {key.name} is wrong")
    return bool(own)
