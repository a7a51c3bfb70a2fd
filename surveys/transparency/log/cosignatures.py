"""Cosignatures of witnesses, checked before they are stored."""

from typing import NamedTuple

from django.conf import settings

from surveys.models import Cosignature, LogEntry
from surveys.transparency.log import keys, note
from surveys.transparency.log.checkpoint import Checkpoint, checkpoint, is_cosigned, time_of
from surveys.transparency.log.note import MalformedNote, PublicKey, Signature


class Witnessed(NamedTuple):
    """A configured witness, with the size and the line of its last signature, if any."""

    witness: PublicKey
    size: int | None
    line: str


def of_size(size: int) -> Checkpoint | None:
    """Return the log's checkpoint for this number of entries."""
    row = LogEntry.objects.filter(number=size - 1).first()
    return Checkpoint(keys.origin(), size, bytes.fromhex(row.root)) if row else None


def newest() -> Checkpoint | None:
    row = LogEntry.objects.order_by("number").only("number").last()
    return of_size(row.number + 1) if row else None


def receive(body: bytes) -> int:
    """Store the cosignatures of a note, and return how many were new. Raise MalformedNote if it is not a checkpoint of
    this log, or if a line of a known witness is invalid."""
    text, signatures = note.parsed(body)
    given = checkpoint(text)
    if given != of_size(given.size):
        raise MalformedNote("not a checkpoint of this log")
    pairs = [(witness, line) for witness in settings.LOG_WITNESSES for line in signatures if _is_of(line, witness)]
    if not all(is_cosigned(text, line, witness) for witness, line in pairs):
        raise MalformedNote("a cosignature is wrong")
    return sum(_keep(witness, line, given.size) for witness, line in pairs)


def witnessed() -> list[Witnessed]:
    """Return the last signature of each configured witness, in the order of the settings."""
    rows = Cosignature.objects.in_bulk([str(witness) for witness in settings.LOG_WITNESSES])
    each = [(witness, rows.get(str(witness))) for witness in settings.LOG_WITNESSES]
    return [Witnessed(witness, row.size if row else None, row.line if row else "") for witness, row in each]


def quorum() -> int | None:
    """Return the largest size such that enough witnesses signed it or a larger one; None without one. A witness that
    signs a larger tree has checked that it continues every tree that it signed before."""
    sizes = sorted((each.size for each in witnessed() if each.size), reverse=True)
    least = settings.LOG_QUORUM
    return sizes[least - 1] if 0 < least <= len(sizes) else None


def _is_of(line: Signature, witness: PublicKey) -> bool:
    return (line.name, line.id) == (witness.name, witness.id)


def _keep(witness: PublicKey, line: Signature, size: int) -> bool:
    """Store a line. Return False if the witness has signed a larger tree, or the same one later."""
    before = Cosignature.objects.filter(witness=str(witness)).first()
    if before and (before.size, time_of(note.signatures(before.line)[0])) >= (size, time_of(line)):
        return False
    text = note.signature_line(witness, line.value)
    Cosignature.objects.update_or_create(witness=str(witness), defaults={"size": size, "line": text})
    return True
