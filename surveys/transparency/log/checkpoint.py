"""Checkpoints (C2SP tlog-checkpoint): the log's name, number of entries and root, signed. The message that witnesses
sign is here, too (C2SP tlog-cosignature, cosignature/v1)."""

import base64
import re
from typing import NamedTuple

from surveys.transparency.log import note
from surveys.transparency.log.note import MalformedNote, PublicKey, Signature

_TIME_MOST = (1 << 63) - 1


class Checkpoint(NamedTuple):
    origin: str
    size: int
    root: bytes

    def __str__(self) -> str:
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def checkpoint(text: str) -> Checkpoint:
    """Return the checkpoint of a note's text. Raise MalformedNote unless it has exactly three lines."""
    origin, size, root, *more = [*text.split("\n"), "", "", ""][: max(4, text.count("\n") + 1)]
    if not origin or not re.fullmatch(r"0|[1-9][0-9]{0,9}", size) or more != [""]:
        raise MalformedNote("not a checkpoint")
    value = note.decoded(root)
    if len(value) != 32:
        raise MalformedNote("not the root of a tree")
    return Checkpoint(origin, int(size), value)


def cosigned_message(text: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def time_of(signature: Signature) -> int:
    """Return the time of a witness's signature, in seconds since 1970."""
    time = int.from_bytes(signature.value[:8])
    if len(signature.value) != 72 or not 0 < time <= _TIME_MOST:
        raise MalformedNote("not a cosignature")
    return time


def is_cosigned(text: str, signature: Signature, witness: PublicKey) -> bool:
    """Return whether the line is a valid cosignature of this witness."""
    if (signature.name, signature.id) != (witness.name, witness.id):
        return False
    return witness.holds(signature.value[8:], cosigned_message(text, time_of(signature)))
