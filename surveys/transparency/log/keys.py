"""The key that signs the log. It is created at the first start, stored beside the secret key, and named in the log.

The newest entry of kind "key" names the key. `manage.py log rotate` changes it, and the previous key signs the change.
If a key is lost, the log says so, and anyone with an earlier checkpoint notices.
"""

import base64
import os
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from surveys.models import LogEntry
from surveys.operation.environment import keep_new_key
from surveys.transparency.log import entries, note
from surveys.transparency.log.note import PrivateKey, PublicKey


def current() -> PrivateKey | None:
    """Return the key with which this process signs; None without one, or if the log names another."""
    key, named = site_key(), entries.newest("key")
    return key if key and named and named.get("key") == str(key.public) else None


def site_key() -> PrivateKey | None:
    """Return the key in the settings, else in the file, else None."""
    if settings.LOG_KEY:
        return settings.LOG_KEY
    return _read(settings.LOG_KEY_FILE)


def announce() -> None:
    """Create a key if there is none, and name it in the log unless the newest entry does. A key that the log named
    earlier but names no longer comes from a backup: nothing is entered or signed with it."""
    _adopt()
    named = [key["key"] for key in map(_content, LogEntry.objects.filter(kind="key"))]
    if site_key() is None:
        keep_new_key(settings.LOG_KEY_FILE, str(note.new_key(origin())))
    key = str(_known_key().public)
    if not named:
        entries.append({"kind": "key", "day": entries.today(), "key": key})
    elif key not in named:
        entries.append({"kind": "key", "day": entries.today(), "key": key, "lost": named[-1]})


def rotate(new: PrivateKey) -> None:
    """Make `new` the key that signs the log; the previous key signs the change. Raise ValueError if it cannot.

    The new key is in a file before the log names it: otherwise a crash in between would lose it. Then `announce` moves
    it into place.
    """
    before = current()
    if before is None:
        raise ValueError("the log is not signed by this site's key")
    if not settings.LOG_KEY:
        _draft().unlink(missing_ok=True)
        keep_new_key(_draft(), str(new))
    text = agreement(before.name, new.public)
    signature = note.signatures(before.sign(text))[0]
    entries.append(
        {
            "kind": "key",
            "day": entries.today(),
            "key": str(new.public),
            "before": str(before.public),
            "signature": base64.b64encode(signature.value).decode(),
        }
    )
    _adopt()


def agreement(origin: str, key: PublicKey) -> str:
    """Return the text that the previous key signs. Its second line is no number, so it is not a checkpoint."""
    return f"deniable/log-key/v1\n{origin}\n{key}\n"


def origin() -> str:
    """Return the log's name: the name of its first key, which never changes."""
    named = entries.newest("key")
    return note.public_key(named["key"]).name if named else first_origin()


def first_origin() -> str:
    """Return the name for a log that has no key yet."""
    return f"{urlsplit(settings.SITE_URL).netloc}/check/log"


def _adopt() -> None:
    """Move a new key into place if the log already names it."""
    named, new = entries.newest("key"), _read(_draft())
    if new and named and named.get("key") == str(new.public):
        os.replace(_draft(), settings.LOG_KEY_FILE)


def _known_key() -> PrivateKey:
    key = site_key()
    assert key is not None, "it was just made"
    return key


def _read(path: Path) -> PrivateKey | None:
    return note.private_key(path.read_text(encoding="utf-8").strip()) if path.exists() else None


def _draft() -> Path:
    return Path(f"{settings.LOG_KEY_FILE}.new")


def _content(row: LogEntry) -> entries.EntryContent:
    return entries.numbered([row])[0]["entry"]
