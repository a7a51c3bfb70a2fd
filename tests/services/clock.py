"""A clock that jumps only for a test's processes, by a small library (clock.c) that they load."""

import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOURCE = Path(__file__).with_name("clock.c")


class Clock:
    """A clock for processes. A process started inside `shown` uses it as long as it lives."""

    def __init__(self) -> None:
        self._directory = Path(tempfile.mkdtemp(prefix="deniable-clock-"))
        self._directory.chmod(0o755)  # PostgreSQL runs as another user
        self._moved, library = self._directory / "moved", self._directory / "clock.so"
        self.jump(0)
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, SOURCE, "-ldl"], check=True)
        self._env = {"LD_PRELOAD": str(library), "CLOCK_MOVED": str(self._moved)}

    def jump(self, seconds: int) -> None:
        """Set the clock to this many seconds from the true time. Running processes see the change at once: they map the
        file."""
        with self._moved.open("r+b" if self._moved.exists() else "wb") as file:
            file.write(struct.pack("=q", seconds))

    @contextmanager
    def shown(self) -> Iterator[None]:
        os.environ.update(self._env)
        try:
            yield
        finally:
            for name in self._env:
                del os.environ[name]

    def stop(self) -> None:
        shutil.rmtree(self._directory)
