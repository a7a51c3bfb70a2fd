"""The manifest: the fingerprints of everything that a respondent's browser runs, the page's document among it.

It depends on the program alone, so `manage.py manifest` writes the same bytes from the same commit on any machine, and
every survey of every site of that version has this document. Under "sources" stand the repository's files that each
file is joined of (surveys/respond/assets.py), with their own fingerprints.
"""

import hashlib
import json
from functools import lru_cache
from typing import Any

from django.urls import reverse

from surveys import __version__
from surveys.respond.assets import FILES, asset, integrity, source_integrity, sources
from surveys.respond.document import document

FORMAT = 3
SOURCES = "surveys/static/respond"


@lru_cache(maxsize=1)
def manifest() -> dict[str, Any]:
    return {
        "format": FORMAT,
        "software": f"deniable {__version__}",
        "document": {reverse("respond"): integrity(document())},
        "files": {asset(name).url: asset(name).integrity for name in FILES},
        "sources": {
            asset(name).url: [[f"{SOURCES}/{source}", source_integrity(source)] for source in sources(name)]
            for name in FILES
        },
    }


@lru_cache(maxsize=1)
def text() -> str:
    return json.dumps(manifest(), sort_keys=True, indent=1, ensure_ascii=False) + "\n"


@lru_cache(maxsize=1)
def digest() -> str:
    """SHA-384 of the manifest's text, in hexadecimal."""
    return hashlib.sha384(text().encode()).hexdigest()
