"""A system on a machine whose files other users could read."""

import os
import stat
from pathlib import Path

from tests.services.system import EmbeddedSystem


class OpenedUp(EmbeddedSystem):
    """A system whose data directory has files that all users may read. It starts with the widest umask."""

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
    """Return the files and directories that group or others may access, including the directory itself."""
    wide = stat.S_IRWXG | stat.S_IRWXO
    found = [path for path in [directory, *directory.rglob("*")] if path.lstat().st_mode & wide]
    return [f"{stat.filemode(path.lstat().st_mode)} {path.relative_to(directory)}" for path in found]
