"""What this program serves to respondents, as surveys/transparency/check/manifest_file.py writes it from the source."""

import hashlib
from functools import lru_cache

from surveys.transparency.check import manifest_file


@lru_cache(maxsize=1)
def text() -> str:
    return manifest_file.text()


@lru_cache(maxsize=1)
def digest() -> str:
    """SHA-384 of the manifest's text, in hexadecimal."""
    return hashlib.sha384(text().encode()).hexdigest()


@lru_cache(maxsize=1)
def release_text() -> str:
    return manifest_file.release(text())


@lru_cache(maxsize=1)
def commit() -> str:
    """The commit of the source that runs, where the checkout or the archive names it; as it was at the start."""
    return manifest_file.commit()
