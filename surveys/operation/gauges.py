"""What the machine says of itself, in steps that no single report changes: disk, memory, certificate."""

import shutil
import ssl
import time
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from django.conf import settings

PATIENCE = 5.0  # seconds until the site's own proxy has shown its certificate


def disk_free() -> float:
    """The free share of the disk with DATA_DIR, in whole percents."""
    usage = shutil.disk_usage(settings.DATA_DIR)
    return _floor(usage.free / usage.total, 1)


def memory_available() -> float | None:
    """The available share of this machine's memory, in steps of five percents; None where the kernel does not say."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        sizes = {name: int(size.split()[0]) for name, size in (line.split(":") for line in lines)}
        return _floor(sizes["MemAvailable"] / sizes["MemTotal"], 5)
    except (OSError, KeyError, ValueError):
        return None


def _floor(share: float, percents: int) -> float:
    return int(100 * share) // percents * percents / 100


def certificate_days() -> float | None:
    """Whole days until the certificate at SITE_URL ends; None where there is none, or nobody shows it."""
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
