"""Plain Python makes the manifest and the release from a fresh clone, byte for byte as the site serves them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.urls import reverse

from surveys.respondent.page.assets import FILES, asset, integrity, source_integrity, sources
from surveys.respondent.page.document import document
from surveys.transparency.check import manifest_file

ROOT = Path(__file__).parents[3]
PLAIN = [
    sys.executable,
    "-I",
    "-S",
    "surveys/transparency/check/manifest_file.py",
]  # no installed package, no variable
SERVED = """
from django.test import Client
from django.conf import settings
client = Client(SERVER_NAME="127.0.0.1")
for name in ("manifest", "release"):
    print(client.get(f"/check/{name}.json").content.decode(), end="\\0")
"""


def made(root, *options):
    return subprocess.run([*PLAIN, *options], cwd=root, check=True, capture_output=True).stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    directory = tmp_path_factory.mktemp("clone") / "deniable"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(directory)], check=True)
    return directory


@pytest.mark.slow
def test_a_clones_files_are_what_a_site_of_that_clone_serves(clone, tmp_path):
    env = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path)}
    run = [sys.executable, "manage.py", "shell", "--no-imports", "-c", SERVED]
    served = subprocess.run(run, cwd=clone, env=env, check=True, capture_output=True).stdout.split(b"\0")
    assert served[:2] == [made(clone), made(clone, "--release")]


@pytest.mark.slow
def test_the_release_names_the_commit_of_a_clone_of_a_worktree_and_of_an_archive(clone, tmp_path):
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, check=True, capture_output=True).stdout.strip()
    worktree, archive = tmp_path / "worktree", tmp_path / "archive"
    subprocess.run(["git", "worktree", "add", "--quiet", "-b", "other/name", worktree], cwd=clone, check=True)
    archive.mkdir()
    packed = subprocess.run(["git", "archive", "HEAD", "surveys"], cwd=clone, check=True, capture_output=True).stdout
    subprocess.run(["tar", "x", "-C", archive], input=packed, check=True)
    subprocess.run(["git", "pack-refs", "--all"], cwd=clone, check=True)
    for place in (clone, worktree, archive):
        assert b'"commit": "' + head + b'"' in made(place, "--release"), place
    (archive / "surveys/transparency/check/commit.txt").write_text("$Format:%H$\n")
    assert b'"commit": ""' in made(archive, "--release")


def test_files_are_those_that_the_page_loads():
    made = manifest_file.manifest()
    assert made["files"] == {asset(name).url: asset(name).integrity for name in FILES}
    for name in FILES:
        each = [[f"{manifest_file.SOURCES}/{source}", source_integrity(source)] for source in sources(name)]
        assert made["sources"][asset(name).url] == each


def test_the_document_is_the_one_that_the_site_serves():
    assert manifest_file.document() == document()
    assert manifest_file.manifest()["document"] == {reverse("respond"): integrity(document())}
