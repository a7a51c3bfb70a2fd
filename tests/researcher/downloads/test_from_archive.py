"""The README's examples run with the contents of a release's archive, on files of the site."""

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

from tests.operation.test_release import NAME, built
from tests.services.system import ROOT
from tests.support.exports import closed, every_pair

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(scope="module")
def folder(taken_away, tmp_path_factory):
    """Return a researcher's folder: the downloaded files, the installed mathematics, and the R file of the archive."""
    folder = tmp_path_factory.mktemp("researcher")
    for name in ("microdata.csv", "codebook.json"):
        shutil.copy(taken_away(lambda: closed(every_pair(), 150)) / name, folder)
    with tarfile.open(built(folder / "clone")) as archive:
        archive.extractall(folder, filter="data")
    shutil.copy(folder / NAME / "surveys/researcher/downloads/scripts/recompute.R", folder)
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check", "-w", folder]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, folder / NAME], check=True)
    zipfile.ZipFile(next(folder.glob("*.whl"))).extractall(folder / "site")
    return folder


def example(language):
    return re.search(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]


PYTHON = "import sys; sys.path.insert(0, 'site')\n{}\nassert 'site' in ldp.__file__\nprint(len(rows))"
R = "{}\ncat(nrow(rows))"


@pytest.mark.parametrize(
    ("language", "program", "command"),
    [("python", PYTHON, [sys.executable, "-I", "-c"]), ("r", R, ["Rscript", "--vanilla", "-e"])],
)
def test_the_readmes_example_runs_from_the_archive_alone(folder, language, program, command):
    run = [*command, program.format(example(language))]
    done = subprocess.run(run, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0 and int(done.stdout) > 100, done.stderr
