"""A check of who signed a note, with the site's code for notes and keys."""

from surveys.transparency.log.note import MalformedNote, PublicKey, Signature


def is_signed(text: str, signatures: list[Signature], key: PublicKey) -> bool:
    """Return whether the key signed the text. MalformedNote if a signature line of this key is wrong."""
    own = [line for line in signatures if (line.name, line.id) == (key.name, key.id)]
    if not all(key.holds(line.value, text.encode()) for line in own):
        raise MalformedNote(f"the signature of {key.name} is wrong")
    return bool(own)
