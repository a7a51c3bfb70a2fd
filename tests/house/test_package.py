"""The mathematics as its own package: installed from a checkout, it works and has its types without the site."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import surveys

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """Return a directory with the contents of `pip install .`, without numpy and scipy."""
    directory = tmp_path_factory.mktemp("package")
    # The builder is among the tests' requirements, so nothing is fetched.
    alone = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *alone, "-w", directory, ROOT], check=True)
    (wheel,) = directory.glob("*.whl")
    assert wheel.name.startswith(f"deniable_ldp-{surveys.__version__}-")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(directory / "site")
    return directory / "site"


def test_the_package_holds_the_mathematics_and_nothing_else(installed):
    files = {str(path.relative_to(ROOT)) for path in (ROOT / "ldp").rglob("*") if path.suffix in (".py", ".typed")}
    assert "ldp/py.typed" in files
    there = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}
    assert {name for name in there if ".dist-info/" not in name} == files


def test_the_package_estimates_without_the_site(installed):
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from fractions import Fraction; import ldp, ldp.kinds; "
        "assert ldp.__file__.startswith(sys.argv[1]); print(ldp.kinds.best('yes_no', Fraction(1), 2))"
    )
    run = [sys.executable, "-I", "-c", code, str(installed)]
    assert subprocess.run(run, check=True, capture_output=True, text=True).stdout == "randomized_response\n"
