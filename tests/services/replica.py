"""PostgreSQL on two machines. The second one has every commit before it is acknowledged, and can take over."""

import shutil
import subprocess
import time
from pathlib import Path
from urllib.parse import quote

import psycopg

from tests.services.postgres import PATIENCE, Postgres, binary, new_directory


class Replica(Postgres):
    """A copy that follows its primary. After it takes over, it waits for no other copy."""

    options = ("-c", "synchronous_standby_names=")

    def __init__(self, primary: Postgres, directory: Path, disk: Path | None) -> None:
        self._primary = primary
        super().__init__(disk, directory=directory)

    def promote(self) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute("SELECT pg_promote()")

    def _run_initdb(self) -> None:
        """Run pg_basebackup as the owner of the new data, instead of initdb."""
        where = f"host={self._primary.directory} user=deniable dbname=postgres"
        copy = ["-D", str(self._data), "-d", where, "-R", "-X", "stream", "-c", "fast"]
        done = subprocess.run([*self.as_user, binary("pg_basebackup"), *copy], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"pg_basebackup failed:\n{done.stdout}{done.stderr}")


class Replicated(Postgres):
    """A primary that can get a replica. Its clients name both servers and use the one that accepts writes."""

    def __init__(self, disk: Path | None = None) -> None:
        self._disk, self._second = disk, new_directory(disk)
        super().__init__(disk)

    def create(self, database: str, template: str = "template1") -> str:
        super().create(database, template)
        hosts = quote(f"{self.directory},{self._second}", safe="")
        return f"postgresql://deniable@/{database}?host={hosts}&target_session_attrs=read-write"

    def fail_over(self) -> None:
        """Make a replica, for which each commit waits from now on. When it has caught up, destroy the primary for ever
        and put the replica in its place."""
        self._wait_for_replicas()
        replica = Replica(self, self._second, self._disk)
        self._wait_until_followed()
        self.kill()
        replica.promote()
        shutil.rmtree(self.directory)
        self.directory, self._data, self._process = replica.directory, replica._data, replica._process
        self.as_user, self.options = replica.as_user, replica.options

    def _wait_for_replicas(self) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            connection.execute("SELECT pg_reload_conf()")

    def _wait_until_followed(self) -> None:
        """Wait until the replica has everything written before it existed. Each later commit waits for it."""
        followed = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND flush_lsn >= %s"
        deadline = time.monotonic() + PATIENCE
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            (written,) = connection.execute("SELECT pg_current_wal_lsn()::text").fetchone() or ("",)
            while not connection.execute(followed, [written]).fetchone():
                assert time.monotonic() < deadline, "the replica does not follow"
                time.sleep(0.05)

    def stop(self) -> None:
        super().stop()
        shutil.rmtree(self._second, ignore_errors=True)  # if it was never needed
