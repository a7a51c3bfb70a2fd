"""Files for two schemes by which browsers bind an origin to published code: WAICT's integrity manifest and, for WEBCAT,
the served files with the configuration of its tool.

WAICT: draft-waict-integrity-v2. Keys are whole URLs, hashes SHA-256 in base64url without padding. Without a log the
proof is an empty line, and max-age is 0. The document is also a fallback, because links with a slug in the path lead to
it.
"""

import base64
import hashlib
import json
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.urls import reverse

from surveys import __version__
from surveys.respondent.page.assets import FILES, asset
from surveys.respondent.page.document import address, document
from surveys.web.policies import RESPONDENTS_PAGE

MANIFESTS = "/.well-known/waict/manifests/"
ICONS = ("icon.svg", "icon.png")
INDEX = "index.html"


def served() -> dict[str, bytes]:
    """Return the bytes of all files that a respondent's browser loads, by URL path, the document first."""
    files = {asset(name).url: asset(name).content for name in FILES}
    icons = {address(name): Path(str(finders.find(f"respond/{name}"))).read_bytes() for name in ICONS}
    return {reverse("respond"): document()} | files | icons


def waict() -> tuple[str, bytes]:
    """Return the manifest's path, which contains a hash of its content, and its content."""
    hashes = {f"{settings.SITE_URL}{path}": _hash(content) for path, content in served().items()}
    manifest = {"hashes": hashes, "fallback_hashes": [_hash(document())]}
    body = json.dumps(manifest, sort_keys=True, separators=(",", ":")).encode() + b"\n\n"
    return f"{MANIFESTS}deniable_{_hash(body)[:22]}", body


def waict_header(manifest: str) -> str:
    """Return the document's header Integrity-Policy-WAICT-v1. Browsers then report mismatches, but load the files."""
    return f'max-age=0, mode=report, manifest="{manifest}"'


def webcat() -> dict[str, bytes]:
    """Return, by path, the configuration for WEBCAT's tool, and the manifest's files in the folder "app"."""
    config = {
        "app": "deniable",
        "version": __version__,
        "default_csp": RESPONDENTS_PAGE["Content-Security-Policy"],
        "default_index": INDEX,
        "default_fallback": f"{reverse('respond')}{INDEX}",
        "wasm": [],
        "extra_csp": {},
    }
    app = {f"app{path}{INDEX if path.endswith('/') else ''}": content for path, content in served().items()}
    return {"webcat.config.json": json.dumps(config, indent=2).encode() + b"\n"} | app


def _hash(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
