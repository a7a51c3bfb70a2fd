"""A real PgBouncer between a test and the tests' PostgreSQL."""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import psycopg

from surveys.operation.embedded import tether
from tests.services.postgres import Postgres, unprivileged

UNPACKED = Path(sys.prefix) / "debian"  # Debian's package is only unpacked: installed, it would start
PATIENCE = 30
CONFIGURATION = """
[databases]
* = host={server}
[pgbouncer]
pool_mode = {mode}
unix_socket_dir = {sockets}
unix_socket_mode = 0777
listen_addr =
auth_type = any
default_pool_size = {size}
max_client_conn = 500
server_reset_query = DISCARD ALL
"""


def binary() -> str | None:
    """Return the path of a PgBouncer, or None."""
    places = [os.environ.get("PATH", os.defpath), "/usr/sbin", str(UNPACKED / "usr" / "sbin")]
    return shutil.which("pgbouncer", path=os.pathsep.join(places))


def libraries() -> dict[str, str]:
    """Return the environment in which PgBouncer finds its unpacked libraries."""
    return {"LD_LIBRARY_PATH": os.pathsep.join(map(str, (UNPACKED / "usr" / "lib").glob("*-linux-gnu*")))}


class PgBouncer:
    """A pool of connections to all databases of `postgres`, by "session", "transaction" or "statement"."""

    def __init__(self, postgres: Postgres, mode: str, size: int = 20) -> None:
        self.postgres, self.mode = postgres, mode
        self.directory = Path(tempfile.mkdtemp(prefix="deniable-pool-"))
        before = unprivileged(self.directory)  # like PostgreSQL, it refuses to run as root
        self.directory.chmod(0o777)
        text = CONFIGURATION.format(server=postgres.directory, mode=mode, sockets=self.directory, size=size)
        # The server knows one user, so all clients use it.
        text = text.replace("* = ", "* = user=deniable ")
        file = self.directory / "pgbouncer.ini"
        file.write_text(text)
        self._log = self.directory / "pgbouncer.log"
        self._process = tether.start([*before, str(binary()), str(file)], log=self._log, env=os.environ | libraries())
        self._wait()

    def url(self, database: str) -> str:
        host = quote(str(self.directory), safe="")
        return f"postgresql://deniable@/{database}?host={host}&port=6432"

    def create(self, database: str) -> str:
        """Create an empty database and return its URL through the pool."""
        self.postgres.create(database)
        return self.url(database)

    def stop(self) -> None:
        tether.end(self._process)
        shutil.rmtree(self.directory)

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                psycopg.connect(self.url("postgres")).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.05)
        raise RuntimeError(f"PgBouncer does not start:\n{self._log.read_text()}")
