"""What the system writes is for its owner alone, also where it finds a directory that others could read."""

import os
import stat
from pathlib import Path

import pytest

from tests.services.system import EmbeddedSystem
from tests.support.factories import DRAFT
from tests.support.journeys import open_survey, request


class OpenedUp(EmbeddedSystem):
    """It finds a data directory with files that everybody may read, and starts under the widest umask."""

    def launch(self) -> None:
        self.data.chmod(0o755)
        for name in ("deniable.sqlite3", "web.log", "matplotlib/fontlist.json"):
            path = self.data / name
            path.parent.mkdir(exist_ok=True)
            path.touch()
            path.chmod(0o666)
        before = os.umask(0)
        try:
            super().launch()
        finally:
            os.umask(before)


def open_to_others(directory: Path) -> list[str]:
    """Files and directories with a bit for group or others, the directory itself included."""
    wide = stat.S_IRWXG | stat.S_IRWXO
    found = [path for path in [directory, *directory.rglob("*")] if path.lstat().st_mode & wide]
    return [f"{stat.filemode(path.lstat().st_mode)} {path.relative_to(directory)}" for path in found]


@pytest.mark.system
@pytest.mark.slow
def test_every_file_of_a_running_system_is_for_its_owner_alone(tmp_path):
    system = OpenedUp()
    try:
        slug = open_survey(system, tmp_path, draft=DRAFT)
        assert request(f"{system.url}/r/{slug}/")[0] == 200
        system.manage("load", slug, "--reports", "150")
        system.eventually(lambda: system.query("SELECT 1 FROM surveys_taken"), "a batch is taken")
        assert open_to_others(system.data) == []
    finally:
        system.stop()
