"""What schemes ask for by which a browser holds a whole origin to published code: WAICT's integrity manifest and, for
WEBCAT, the files as they are served with the configuration of its tool.

WAICT: draft-waict-integrity-v2. Its keys are whole addresses, its hashes SHA-256 in base64url without padding. Without
a log the proof is an empty line, and max-age 0. The document is a fallback too, since a link as they were before leads
there.
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
    """The bytes of everything that a respondent's browser loads, by address: the document first."""
    files = {asset(name).url: asset(name).content for name in FILES}
    icons = {address(name): Path(str(finders.find(f"respond/{name}"))).read_bytes() for name in ICONS}
    return {reverse("respond"): document()} | files | icons


def waict() -> tuple[str, bytes]:
    """The address of the manifest, which names its content, and the content."""
    hashes = {f"{settings.SITE_URL}{path}": _hash(content) for path, content in served().items()}
    manifest = {"hashes": hashes, "fallback_hashes": [_hash(document())]}
    body = json.dumps(manifest, sort_keys=True, separators=(",", ":")).encode() + b"\n\n"
    return f"{MANIFESTS}deniable_{_hash(body)[:22]}", body


def waict_header(manifest: str) -> str:
    """To be sent with the document, as Integrity-Policy-WAICT-v1: what does not fit is reported and not yet refused."""
    return f'max-age=0, mode=report, manifest="{manifest}"'


def webcat() -> dict[str, bytes]:
    """By path, the configuration of WEBCAT's tool, and in the folder "app" what it is to make a manifest of."""
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
