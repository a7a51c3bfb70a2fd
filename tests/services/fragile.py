"""Complete systems with faults: every part can be killed, the disk can be filled, the database can be made read-only.

kill -9 destroys a process's memory, and the shared memory of PostgreSQL's processes. It does not destroy data that the
kernel already has. Only a power cut would do that, and these tests cannot simulate one.

If the user may not mount a disk, `fill` (and SQLite's `make_read_only`) set the processes' limit of file size to 0.
Then, too, no process can write a byte to a file. The same system call fails with another error.
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

DISK_MEGABYTES, DATABASES_MEGABYTES = 192, 320  # the larger one holds PostgreSQL and its replica


class Disk:
    """A small disk at `path`: a tmpfs if this user may mount one (`mounted`), otherwise only a directory."""

    def __init__(self, megabytes: int = DISK_MEGABYTES) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="deniable-disk-"))
        size = ["-o", f"size={megabytes}m,mode=0711"]
        self.mounted = os.getuid() == 0 and _run("mount", "-t", "tmpfs", *size, "deniable", str(self.path))
        self._filler = self.path / "filler"
        atexit.register(self.remove)  # in case its user fails early

    def fill(self) -> None:
        """Fill the disk to the last byte."""
        with self._filler.open("ab", buffering=0) as file:
            for size in (1 << 20, 1 << 10):
                with suppress(OSError):
                    while True:
                        file.write(bytes(size))

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)

    def remount(self, mode: str) -> bool:
        """Remount the disk read-only ("ro") or writable ("rw"). Return False if a process still writes."""
        return _run("mount", "-o", f"remount,{mode}", str(self.path))

    def remove(self) -> None:
        """Remove the disk now, or after the last process on it has ended."""
        atexit.unregister(self.remove)
        if self.mounted:
            subprocess.run(["umount", "--lazy", str(self.path)], check=True)
        shutil.rmtree(self.path)


class FragileProduction(ProductionSystem):
    """Production's services on one small disk. Other modules can replace its intake and worker (`exchange`)."""

    killable = ("intake", "pages", "worker", "estimates", "beat", "redis", "postgres")
    server: type[Postgres] = Postgres

    def __init__(self, **settings: str) -> None:
        self._exchanged: dict[str, str] = {}
        self._their_settings: dict[str, str] = {}
        self.disk = Disk(DATABASES_MEGABYTES)
        self.postgres = self.server(self.disk.path)
        super().__init__(self.postgres, self.disk.path, **settings)

    def command(self, part: str) -> list[str]:
        """Return the product's command, or the same command with another module."""
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
        """Start every part that ended by itself, as systemd would."""
        for part, process in list(self._processes.items()):
            if process.poll() is not None:
                tether.reap(process)
                self.spawn(part)

    def wait_ready(self) -> None:
        """Wait until the site answers. Restart every part that ends by itself meanwhile."""

        def ready() -> bool:
            self.start_what_ended()
            return self._answers()

        self.eventually(ready, "the site answers")

    def exchange(self, modules: dict[str, str], **settings: str) -> None:
        """Restart these parts on the same services, each with its module and the settings. Restart the parts exchanged
        earlier as the product's. The other parts keep running."""
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
    """`manage.py serve` on two small disks, one for the data and one for the SQLite database.

    SQLite runs inside intake, pages and worker. `serve` restarts these when they die.
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
        """Make the database read-only. A disk can turn read-only only if no process has a file open for writing, so the
        writers are killed first."""
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
        """Wait until `serve` has restarted all parts."""
        self.eventually(lambda: set(self.killable) <= parts(self.data).keys(), "all parts run")

    def stop(self) -> None:
        super().stop()
        for disk in self.disks:
            disk.remove()

    @property
    def _mounted(self) -> bool:
        return all(disk.mounted for disk in self.disks)

    def _remount_without_writers(self) -> None:
        """Kill the writers and remount the disk. `serve` is stopped meanwhile, so it restarts none of them."""
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
    """Set the size limit (RLIMIT_FSIZE) of files that running processes write."""
    for pid in pids:
        command = ["prlimit", "--pid", str(pid), f"--fsize={size}:"]
        if not _run(*command) and not _run(*as_user, *command) and Path(f"/proc/{pid}").exists():
            raise PermissionError(f"the limits of process {pid} cannot be set: {' '.join(command)}")


def _run(*command: str) -> bool:
    return subprocess.run(command, capture_output=True).returncode == 0
