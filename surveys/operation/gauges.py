"""Gauges of the machine: disk, memory, certificate, backup. No single report changes their coarse steps."""

import shutil
import ssl
import time
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from django.conf import settings

PATIENCE = 5.0  # seconds for the site's own proxy to show its certificate
FIRST_BACKUP = timedelta(days=3)  # after the first survey opened


def disk_free() -> float:
    """Return the free share of the disk with DATA_DIR, rounded down to percent."""
    usage = shutil.disk_usage(settings.DATA_DIR)
    return _floor(usage.free / usage.total, 1)


def memory_available() -> float | None:
    """Return the available share of memory, rounded down to five percent; None if it is unknown."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        sizes = {name: int(size.split()[0]) for name, size in (line.split(":") for line in lines)}
        return _floor(sizes["MemAvailable"] / sizes["MemTotal"], 5)
    except (OSError, KeyError, ValueError):
        return None


def _floor(share: float, percents: int) -> float:
    return int(100 * share) // percents * percents / 100


def backup_days() -> float | None:
    """Return the whole days since docs/deploy/install.sh made a backup; None if it has made none."""
    try:
        return float((time.time() - (settings.DATA_DIR / "backup_done").stat().st_mtime) // 86_400)
    except OSError:
        return None


def backup_failed() -> bool:
    """Return whether the last backup failed."""
    return (settings.DATA_DIR / "backup_failed").exists()


def backup_missing(first_opened: datetime | None) -> bool:
    """Return whether a public site has made no backup FIRST_BACKUP after its first survey opened."""
    late = first_opened is not None and datetime.now(UTC) - first_opened > FIRST_BACKUP
    return late and settings.SITE_URL.startswith("https://") and backup_days() is None


def certificate_days() -> float | None:
    """Return whole days until the certificate at SITE_URL expires; None if no server shows one."""
    return _certificate_days(int(time.time() // 3600))


@lru_cache(maxsize=1)
def _certificate_days(hour: int) -> float | None:
    site = urlsplit(settings.SITE_URL)
    if site.scheme != "https" or site.hostname is None:
        return None
    try:
        text = ssl.get_server_certificate((site.hostname, site.port or 443), timeout=PATIENCE)
    except OSError:
        return None
    return float((x509.load_pem_x509_certificate(text.encode()).not_valid_after_utc - datetime.now(UTC)).days)
