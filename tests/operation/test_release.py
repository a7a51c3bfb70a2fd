"""`make archive` builds the same bytes from every clone. Its contents can be checked and installed without the rest."""

import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import surveys
from tests.services.system import ROOT

NAME = f"deniable-{surveys.__version__}"


def built(folder: Path) -> Path:
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
    subprocess.run(["make", "--silent", "archive", f"PYTHON={sys.executable}"], cwd=folder, check=True)
    return folder / "dist" / f"{NAME}.tar.gz"


@pytest.fixture(scope="module")
def archives(tmp_path_factory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("release")
    return built(folder / "first"), built(folder / "second")


@pytest.fixture(scope="module")
def unpacked(archives, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder, filter="data")
    return folder / NAME


def test_two_clones_give_the_same_bytes(archives):
    first, second = (archive.read_bytes() for archive in archives)
    assert first == second


def test_the_archive_names_its_commit_and_the_manifest_of_its_page(unpacked):
    program = unpacked / "surveys" / "transparency" / "check" / "manifest_file.py"
    for option, name in ((), "manifest.json"), (("--release",), "release.json"):
        written = subprocess.run([sys.executable, program, *option], capture_output=True, text=True, check=True).stdout
        assert (unpacked / name).read_text(encoding="utf-8") == written
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert json.loads((unpacked / "release.json").read_text())["commit"] == head.strip()


def test_the_mathematics_is_installed_from_the_archive_alone(unpacked, tmp_path):
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, "-w", tmp_path, unpacked], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    program = "import sys; sys.path.insert(0, sys.argv[1]); import ldp; print(ldp.__file__)"
    run = [sys.executable, "-I", "-c", program, tmp_path / "site"]
    assert subprocess.run(run, check=True, capture_output=True, text=True).stdout.startswith(str(tmp_path))


def test_what_is_not_committed_is_in_no_archive(archives):
    folder = archives[1].parents[1]
    (folder / "README.md").write_text("Changed")
    done = subprocess.run(["make", "--silent", "archive"], cwd=folder, capture_output=True, text=True)
    assert done.returncode != 0 and done.stdout == "An archive holds one commit: commit your changes first.\n"
