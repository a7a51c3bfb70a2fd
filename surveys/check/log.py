"""The public log: what this site serves since when, each entry chained to the one before (P7).

Whoever has seen a head (a number and its hash) notices later if anything up to it was changed, left out or written
anew: keep it, or give it to somebody else. The log says which manifest is served, and for each survey that was opened
the digest of its definition, so that two people can tell whether they were given the same.
"""

import hashlib
import json
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from surveys.check import manifest
from surveys.models import Served

FIRST = "0" * 64
FIELDS = ("number", "day", "manifest", "slug_hash", "digest", "previous")


def note_manifest() -> None:
    """Enter what this program serves, unless the newest entry says so."""
    newest = Served.objects.last()
    if newest is None or newest.manifest != manifest.digest():
        _append()


def note_survey(slug: str, digest: str) -> None:
    """Enter the definition of a survey that is being opened; call it within that transaction."""
    _append(slug_hash=hash_of_slug(slug), digest=digest)


def hash_of_slug(slug: str) -> str:
    return hashlib.sha256(slug.encode()).hexdigest()


def entries(first: int = 1) -> list[dict[str, Any]]:
    """The log from entry `first` on."""
    return [_content(entry) | {"hash": entry.hash} for entry in Served.objects.filter(number__gte=first)]


def hash_of(content: dict[str, Any]) -> str:
    """SHA-256 of an entry's fields but its hash, in canonical JSON."""
    text = json.dumps({name: content[name] for name in FIELDS}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _append(slug_hash: str = "", digest: str = "") -> None:
    """Adds an entry. Of two at a time one waits for the other and then follows it: no two entries have one number."""
    while True:
        newest = Served.objects.last()
        entry = Served(
            number=newest.number + 1 if newest else 1,
            day=timezone.now().date(),
            manifest=manifest.digest(),
            slug_hash=slug_hash,
            digest=digest,
            previous=newest.hash if newest else FIRST,
        )
        entry.hash = hash_of(_content(entry))
        try:
            with transaction.atomic():
                entry.save(force_insert=True)
            return
        except IntegrityError:
            continue


def _content(entry: Served) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in FIELDS} | {"day": entry.day.isoformat()}
