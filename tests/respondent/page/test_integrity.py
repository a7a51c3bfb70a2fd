"""The served bytes meet the requirements of WAICT and WEBCAT, as their specifications state them."""

import base64
import hashlib
import json
import re
from urllib.parse import urljoin, urlsplit

import pytest
from django.core.management import call_command
from django.test import Client

from surveys.respondent.page import integrity

HOST = "answers.example.org"
SITE = f"https://{HOST}"


@pytest.fixture
def written(settings, tmp_path, capsys):
    settings.SITE_URL, settings.ALLOWED_HOSTS = SITE, [HOST]
    call_command("integrity", tmp_path)
    return tmp_path, capsys.readouterr().out


def sha256(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


def served(address):
    response = Client().get(urlsplit(address).path, HTTP_HOST=HOST)
    return b"".join(response) if response.streaming else response.content


def test_the_integrity_manifest_names_what_is_served_and_its_address_names_it(written):
    folder, said = written
    header = re.fullmatch(r'Integrity-Policy-WAICT-v1: max-age=0, mode=report, manifest="(.*)"\n', said)
    body = (folder / header[1].lstrip("/")).read_bytes()
    assert header[1].endswith(sha256(body)[:22])
    manifest, proof, rest = body.decode().split("\n")
    assert (proof, rest) == ("", ""), "no log"
    hashes = json.loads(manifest)["hashes"]
    assert {urljoin(SITE, address) for address in hashes} == set(hashes), "whole addresses"
    assert hashes == {address: sha256(served(address)) for address in hashes}
    assert json.loads(manifest)["fallback_hashes"] == [hashes[f"{SITE}/s/"]]


def test_every_file_that_the_document_loads_is_in_the_manifest(written):
    document = served("/s/").decode()
    named = set(re.findall(r'<(?:link|script)[^>]* (?:href|src)="([^"]+)"', document))
    assert named and named | {"/s/"} == set(integrity.served())


def test_the_tool_of_webcat_gets_the_files_as_served_with_their_policy(written):
    folder, _ = written
    config = json.loads((folder / "webcat" / "webcat.config.json").read_bytes())
    assert config["default_csp"] == Client().get("/s/", HTTP_HOST=HOST)["Content-Security-Policy"]
    app = folder / "webcat" / "app"
    found = {f"/{path.relative_to(app).as_posix()}" for path in app.rglob("*") if path.is_file()}
    assert found == {path.removesuffix("/s/") or "/s/index.html" for path in integrity.served()}
    assert (app / config["default_fallback"].lstrip("/")).read_bytes() == served("/s/")
