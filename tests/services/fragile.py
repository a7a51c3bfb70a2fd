"""Complete systems whose every part can be killed, whose disk can be filled and whose database can be made read-only.

A kill -9 takes what a process had in its memory, and what PostgreSQL had in the memory its processes share. It does
not take what the kernel had already been given: only a power cut would, and nothing here can stand for one.

Where no disk may be mounted, `fill` (and SQLite's `make_read_only`) set the processes' limit of a file's size to 0:
then too nobody can write a byte to a file, and hears it from the same system call as another error.
"""

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import psycopg

from surveys.operation.embedded import tether
from tests.services.postgres import Postgres
from tests.services.system import EmbeddedSystem, ProductionSystem, members, parts

DISK_MEGABYTES, DATABASES_MEGABYTES = 192, 320  # the larger one has room for a PostgreSQL and its replica


class Disk:
    """A small disk at `path`: a tmpfs where this user may mount one (`mounted`), else only a directory."""

    def __init__(self, megabytes: int = DISK_MEGABYTES) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="deniable-disk-"))
        size = ["-o", f"size={megabytes}m,mode=0711"]
        self.mounted = os.getuid() == 0 and _run("mount", "-t", "tmpfs", *size, "deniable", str(self.path))
        self._filler = self.path / "filler"
        atexit.register(self.remove)  # if its user could not even begin

    def fill(self) -> None:
        """Not a byte is left."""
        with self._filler.open("ab", buffering=0) as file:
            for size in (1 << 20, 1 << 10):
                with suppress(OSError):
                    while True:
                        file.write(bytes(size))

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)

    def remount(self, mode: str) -> bool:
        """Read-only ("ro") or not ("rw"); False where a process still writes."""
        return _run("mount", "-o", f"remount,{mode}", str(self.path))

    def remove(self) -> None:
        """Now, or as soon as the last process on it has ended."""
        atexit.unregister(self.remove)
        if self.mounted:
            subprocess.run(["umount", "--lazy", str(self.path)], check=True)
        shutil.rmtree(self.path)


class FragileProduction(ProductionSystem):
    """Production's pair on one small disk. Its intake and worker may be other modules' (`exchange`)."""

    killable = ("intake", "pages", "worker", "estimates", "beat", "redis", "postgres")
    server: type[Postgres] = Postgres

    def __init__(self, **settings: str) -> None:
        self._exchanged: dict[str, str] = {}
        self._their_settings: dict[str, str] = {}
        self.disk = Disk(DATABASES_MEGABYTES)
        self.postgres = self.server(self.disk.path)
        super().__init__(self.postgres, self.disk.path, **settings)

    def command(self, part: str) -> list[str]:
        """The product's, or with another module."""
        command = super().command(part)
        if part in self._exchanged:  # python -m granian ... MODULE, python -m celery -A MODULE ...
            command[-1 if part == "intake" else 4] = self._exchanged[part]
        return command

    def extra(self, part: str) -> dict[str, str]:
        return {**super().extra(part), **(self._their_settings if part in self._exchanged else {})}

    def kill(self, part: str) -> None:
        if part == "postgres":
            self.postgres.kill()
        else:
            super().kill(part)

    def start(self, part: str) -> None:
        if part == "postgres":
            self.postgres.start()
        else:
            super().start(part)

    def revive(self) -> None:
        self.postgres.revive()
        if not self.redis.running:
            self.redis.start()
        for part in reversed(self.parts):
            self.start(part)
        self.wait_ready()

    def start_what_ended(self) -> None:
        """As systemd would start it: what ended by itself."""
        for part, process in list(self._processes.items()):
            if process.poll() is not None:
                tether.reap(process)
                self.spawn(part)

    def wait_ready(self) -> None:
        """What ends by itself, also if only while we wait, starts again."""

        def ready() -> bool:
            self.start_what_ended()
            return self._answers()

        self.eventually(ready, "the site answers")

    def exchange(self, modules: dict[str, str], **settings: str) -> None:
        """These parts, and those that were exchanged before, end and start again on the same services, each with its
        module and the settings, or else as the product's. The others run on."""
        for part in self._exchanged.keys() | modules.keys():
            self.kill(part)
        self._exchanged, self._their_settings = modules, settings
        self.revive()

    def fill(self) -> None:
        if self.disk.mounted:
            self.disk.fill()
        else:
            self._limit("0")

    def free(self) -> None:
        if self.disk.mounted:
            self.disk.free()
        else:
            self._limit("unlimited")

    def make_read_only(self) -> None:
        self._alter("SET default_transaction_read_only = on")

    def make_writable(self) -> None:
        self._alter("RESET default_transaction_read_only")

    def stop(self) -> None:
        super().stop()
        self.postgres.stop()
        self.disk.remove()

    def _alter(self, change: str) -> None:
        with psycopg.connect(self.postgres.url("postgres"), autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM {change}")
            connection.execute("SELECT pg_reload_conf()")

    def _limit(self, size: str) -> None:
        limit(size, members([process.pid for process in self._processes.values()]))
        limit(size, self.postgres.pids(), as_user=self.postgres.as_user)


class FragileEmbedded(EmbeddedSystem):
    """`manage.py serve` on two small disks, for the data and for the SQLite database.

    SQLite runs inside intake, pages and worker, which `serve` starts again when they die.
    """

    killable = ("intake", "pages", "worker", "estimates", "beat", "redis")

    def __init__(self, **settings: str) -> None:
        self.disks = [Disk(), Disk()]
        self._file = self.disks[1].path / "deniable.sqlite3"
        super().__init__(self.disks[0].path, DATABASE_URL=f"sqlite:///{self._file}", **settings)

    @property
    def database(self) -> Path:
        return self._file

    def fill(self) -> None:
        if self._mounted:
            for disk in self.disks:
                disk.fill()
        else:
            self._limit("0")

    def free(self) -> None:
        if self._mounted:
            for disk in self.disks:
                disk.free()
        else:
            self._limit("unlimited")

    def make_read_only(self) -> None:
        """A disk turns read-only while no process has a file on it open to write, so writers die first."""
        if self._mounted:
            self._remount_without_writers()
        else:
            self._limit("0")

    def make_writable(self) -> None:
        if not self._mounted:
            self._limit("unlimited")
        elif not self.disks[1].remount("rw"):
            raise PermissionError(f"{self.disks[1].path} cannot be mounted to write")

    def revive(self) -> None:
        """`serve` does."""
        self.eventually(lambda: set(self.killable) <= parts(self.data).keys(), "all parts run")

    def stop(self) -> None:
        super().stop()
        for disk in self.disks:
            disk.remove()

    @property
    def _mounted(self) -> bool:
        return all(disk.mounted for disk in self.disks)

    def _remount_without_writers(self) -> None:
        """Meanwhile `serve` rests, and starts none of them again."""
        os.killpg(self._process.pid, signal.SIGSTOP)
        try:
            for part in ("intake", "pages", "worker", "estimates"):
                self.kill(part)
            self.eventually(lambda: self.disks[1].remount("ro"), "the database's disk is mounted read-only")
        finally:
            os.killpg(self._process.pid, signal.SIGCONT)

    def _limit(self, size: str) -> None:
        limit(size, members(parts(self.data).values()))


def limit(size: str, pids: Iterable[int], as_user: Iterable[str] = ()) -> None:
    """Set the limit (RLIMIT_FSIZE) of the size to which running processes may write a file."""
    for pid in pids:
        command = ["prlimit", "--pid", str(pid), f"--fsize={size}:"]
        if not _run(*command) and not _run(*as_user, *command) and Path(f"/proc/{pid}").exists():
            raise PermissionError(f"the limits of process {pid} cannot be set: {' '.join(command)}")


def _run(*command: str) -> bool:
    return subprocess.run(command, capture_output=True).returncode == 0
