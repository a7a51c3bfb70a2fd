"""The manifest of the files that this program serves to respondents (surveys/transparency/check/manifest_file.py)."""

import hashlib
from functools import lru_cache

from surveys.transparency.check import manifest_file


@lru_cache(maxsize=1)
def text() -> str:
    return manifest_file.text()


@lru_cache(maxsize=1)
def digest() -> str:
    """Return the SHA-384 of the manifest's text, in hexadecimal."""
    return hashlib.sha384(text().encode()).hexdigest()


@lru_cache(maxsize=1)
def release_text() -> str:
    return manifest_file.release(text())


@lru_cache(maxsize=1)
def commit() -> str:
    """Return the commit of the running source, read at the start; "" if neither checkout nor archive names it."""
    return manifest_file.commit()
