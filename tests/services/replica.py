"""PostgreSQL on two machines: the second has every commit before it is acknowledged, and takes over."""

import subprocess
from pathlib import Path
from urllib.parse import quote

import psycopg

from tests.services.postgres import Postgres, binary


class Replica(Postgres):
    """A copy that follows its primary."""

    def __init__(self, primary: Postgres) -> None:
        self._primary = primary
        super().__init__()

    def promote(self) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute("SELECT pg_promote()")

    def _run_initdb(self) -> None:
        """pg_basebackup instead, as whoever owns the new data."""
        where = f"host={self._primary.directory} user=deniable dbname=postgres"
        copy = ["-D", str(self._data), "-d", where, "-R", "-X", "stream", "-c", "fast"]
        done = subprocess.run([*self.as_user, binary("pg_basebackup"), *copy], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"pg_basebackup failed:\n{done.stdout}{done.stderr}")


class Replicated(Postgres):
    """A primary that waits for its replica at each commit. Whoever uses it names both: the one that takes writes
    answers."""

    def __init__(self, disk: Path | None = None) -> None:
        super().__init__(disk)
        self.replica, self._failed = Replica(self), False
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            connection.execute("SELECT pg_reload_conf()")

    def create(self, database: str, template: str = "template1") -> str:
        super().create(database, template)
        hosts = quote(f"{self.directory},{self.replica.directory}", safe="")
        return f"postgresql://deniable@/{database}?host={hosts}&target_session_attrs=read-write"

    def fail_over(self) -> None:
        """The primary is gone for ever, and the replica takes its place."""
        self.kill()
        self._failed = True
        self.replica.promote()

    def revive(self) -> None:
        """One that others do not know to be dead would take writes that are lost."""
        (self.replica if self._failed else super()).revive()

    def stop(self) -> None:
        self.replica.stop()
        super().stop()
