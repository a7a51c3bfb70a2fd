"""The gateway's keys. They are in files outside the database, so a backup of the database opens no capsule.

Surveys share a key; otherwise its number would reveal to the relay who takes part in which survey. An opening survey
gets the newest key, or a new one if that is a week old. Its definition names the key for good. A key that no survey
needs is destroyed (worker/tasks.py). Then a relay's recordings and the disk together open nothing."""

import os
import re
import secrets
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from django.conf import settings

ROTATION = 7 * 24 * 3600  # seconds in which opening surveys get the same key
REST = 3600  # further seconds until a key may be destroyed, for a survey that is just opening
_NAME = re.compile(r"(\d{1,3})\.key")


class GatewayKey(NamedTuple):
    id: int
    public: bytes


def current() -> GatewayKey:
    """Return the key for a survey that opens now."""
    ages = {key_id: _age(key_id) for key_id in _ids()}
    young = [key_id for key_id in ages if ages[key_id] < ROTATION]
    key_id = min(young, key=ages.__getitem__) if young else _make()
    return GatewayKey(key_id, _public(key_id))


def all_keys() -> list[GatewayKey]:
    """Return the existing keys. The worker may destroy one during the call."""
    pairs = [(key_id, private(key_id)) for key_id in sorted(_ids())]
    return [GatewayKey(key_id, key.public_key().public_bytes_raw()) for key_id, key in pairs if key is not None]


def private(key_id: int) -> X25519PrivateKey | None:
    """Return the key with this number; None if it does not exist, or not any more."""
    try:
        status = _path(key_id).stat()
    except FileNotFoundError:
        return None
    return _read(key_id, _path(key_id), status.st_mtime_ns, status.st_ino)


def destroy(needed: Callable[[GatewayKey], bool]) -> None:
    """Destroy the keys that no survey needs and no new survey gets."""
    for key in all_keys():
        if _age(key.id) > ROTATION + REST and not needed(key):
            _overwrite(_path(key.id))
            _path(key.id).unlink()


# ----------------------------------------------------------------------------------------------------------------------


def _path(key_id: int) -> Path:
    return settings.GATEWAY_DIR / f"{key_id}.key"


def _ids() -> list[int]:
    """Return the numbers of the keys. A site that never had a survey with a relay has no directory."""
    if not settings.GATEWAY_DIR.exists():
        return []
    named = (_NAME.fullmatch(path.name) for path in settings.GATEWAY_DIR.iterdir())
    return [int(each[1]) for each in named if each]


def _age(key_id: int) -> float:
    return time.time() - _path(key_id).stat().st_mtime


def _make() -> int:
    """Make a key with a free number; return the number. The file is complete before it gets its name."""
    settings.GATEWAY_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    free = [key_id for key_id in range(256) if not _path(key_id).exists()]
    key_id = secrets.choice(free)
    draft = settings.GATEWAY_DIR / f".{secrets.token_hex(8)}"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(X25519PrivateKey.generate().private_bytes_raw())
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, _path(key_id))
    finally:
        draft.unlink()
    _synced(settings.GATEWAY_DIR)
    return key_id


def _synced(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _overwrite(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(bytes(path.stat().st_size))
        file.flush()
        os.fsync(file.fileno())


def _public(key_id: int) -> bytes:
    key = private(key_id)
    assert key is not None
    return key.public_key().public_bytes_raw()


@lru_cache(maxsize=8)
def _read(key_id: int, path: Path, _modified: int, _inode: int) -> X25519PrivateKey:
    """Read a key file once. A changed status means a changed file."""
    return X25519PrivateKey.from_private_bytes(path.read_bytes())
