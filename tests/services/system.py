"""A complete running system: web server, worker, database and Redis, as separate processes.

There are two pairs of services. A test with the fixture `system` runs on both:
embedded    `manage.py serve` with SQLite and the embedded Redis, as a user runs it
production  a PostgreSQL at DATABASE_URL and a Redis at REDIS_URL; granian and Celery run side by side
"""

import os
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

from surveys.operation.embedded import preflight, tether
from surveys.operation.embedded.parts import ONE_THREAD, beat_command, intake_command, pages_command, worker_command
from tests.services import migrated
from tests.services.manager import Done, Manager
from tests.services.postgres import Postgres, alive
from tests.services.redis import Redis, free_port

ROOT = Path(__file__).resolve().parent.parent.parent
# Seconds until the system must answer, and the default limit of `eventually`. One worker serves all surveys of a shared
# system. On a busy machine, the other surveys' estimates can take a minute or two.
PATIENCE = 240.0
OURS = (
    "SITE", "DATA_DIR", "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "SECRET_KEY_FALLBACKS", "DEBUG", "ALLOWED_HOSTS",
    "SITE_URL", "STAFF_URL", "INTAKE_PROCESSES", "PAGES_SOCKET", "CLIENT_REPORTS_PER_MINUTE", "API_REQUESTS_PER_MINUTE",
    "TRUSTED_PROXIES", "WEB_PROCESSES", "WEB_THREADS",
    "WORKER_PROCESSES", "BACKLOG_MAX", "METRICS_TOKEN", "BATCH", "RELEASE_LEAST", "BLOCK_SIZE",
    "LOG_KEY", "LOG_WITNESSES", "LOG_QUORUM", "SOURCE_URL", "INVITATIONS_DIR",
    "SITE_OPERATOR", "SITE_CONTACT", "SITE_NOTICE", "FRAME_HOSTS",
    "RELAYS", "RELAY_NETWORKS", "RELAY_REPORTS_PER_MINUTE",
    "MAIL_URL", "MAIL_FROM", "OPERATOR_MAIL", "MAIL_PER_MINUTE", "WEBHOOK_NETWORKS",
)  # fmt: skip


class System:
    """The common part of both pairs. `pair` names the pair, `url` is the site's URL, `env` is the environment of its
    processes, `data` is its DATA_DIR with the logs, `code` is the checkout that runs."""

    pair: str
    _manager: Manager | None = None

    def __init__(self, disk: Path | None = None, **settings: str) -> None:
        """Start everything, with its data under `disk`. `settings` are further environment variables, for example
        WORKER_PROCESSES="2"."""
        self.data = Path(tempfile.mkdtemp(prefix="deniable-", dir=disk))
        self.port = free_port()
        self.code = ROOT
        self.url = self.address()
        inherited = {name: value for name, value in os.environ.items() if name not in OURS}
        self.env = {**inherited, "DATA_DIR": str(self.data), "SITE_URL": self.url, **settings}
        self.launch()
        self.wait_ready()

    def address(self) -> str:
        """Return the site's URL, after starting anything in front of the web server."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def connect_port(self) -> int:
        """Return the port at which respondents' connections end."""
        return self.port

    def connect(self, source: str = "") -> socket.socket:
        """Connect to the site, by default from any loopback address, otherwise from `source`."""
        return socket.create_connection(("127.0.0.1", self.connect_port), 30, (source, 0) if source else None)

    def launch(self) -> None:
        raise NotImplementedError

    def kill(self, part: str) -> None:
        """Kill all processes of a part with -9: "intake", "pages", "worker", "estimates", "beat" or "redis"."""
        raise NotImplementedError

    def start(self, part: str) -> None:
        """Return after a killed part has started again. The embedded pair restarts its parts itself."""
        raise NotImplementedError

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a statement on a new connection, commit it, and return its rows."""
        raise NotImplementedError

    def stop(self) -> None:
        raise NotImplementedError

    def manage(self, *arguments: str, stdin: str = "") -> str:
        """Return the output of `manage.py` in this system's environment. A failure raises RuntimeError with the
        output."""
        done = self.run(*arguments, stdin=stdin)
        if done.status:
            raise RuntimeError(f"manage.py {' '.join(arguments)} failed:\n{done.output}{done.errors}")
        return done.output

    def run(self, *arguments: str, stdin: str = "") -> Done:
        """Return the output and the status of `manage.py`, for any status."""
        if self._manager is None or (self._manager.code, self._manager.env) != (self.code, self.env):
            self.dismiss_manager()
            self._manager = Manager(self.code, self.env)
        return self._manager.run(arguments, stdin)

    def dismiss_manager(self) -> None:
        if self._manager is not None:
            self._manager.stop()
            self._manager = None

    def wait_ready(self) -> None:
        """Return when the site answers. AssertionError with the last lines of the logs as soon as it never will."""
        ready = self.eventually(lambda: "answers" if self._answers() else self._ended(), "the site answers")
        assert ready == "answers", f"The system has ended before it answered.\n{self.logs()}"

    def _ended(self) -> str:
        """Return "ended" if the whole system is known to have ended, otherwise ""."""
        return ""

    def start_what_ended(self) -> None:
        """Start parts that ended by themselves, if the system does not restart them itself."""

    def eventually(self, condition: Callable[[], Any], what: str = "", seconds: float = PATIENCE) -> Any:
        """Return the condition's first true value. AssertionError with the last lines of the logs if there is none in
        time."""
        deadline = time.monotonic() + seconds
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > deadline:
                raise AssertionError(f"Not within {seconds:.0f} s: {what or condition}\n{self.logs()}")
            time.sleep(0.05)

    def logs(self, lines: int = 30) -> str:
        """Return the last lines of every log of the system."""
        ends = [f"--- {p.name}\n" + "\n".join(read(p).splitlines()[-lines:]) for p in self.data.glob("*.log")]
        return "\n".join(ends)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as response:
                return response.status == 200
        except (OSError, urllib.error.URLError):
            return False


class EmbeddedSystem(System):
    pair = "embedded"

    def launch(self) -> None:
        if not self.database.exists():
            shutil.copy(migrated.file(), self.database)
        serve = [sys.executable, "manage.py", "serve"]
        log = self.data / "serve.log"
        # This grace is longer than the grace that `serve` gives its parts.
        self._process = tether.start(serve, log=log, env=self.env | {"SITE": str(self.port)}, cwd=self.code, grace=45)
        self._killed: dict[str, int] = {}

    def _ended(self) -> str:
        return "" if self._process.poll() is None else "ended"

    @property
    def database(self) -> Path:
        return self.data / "deniable.sqlite3"

    def kill(self, part: str) -> None:
        if group := parts(self.data).get(part):  # otherwise it died by itself and will be restarted
            self._killed[part] = group
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)

    def start(self, part: str) -> None:
        dead = self._killed.get(part)
        self.eventually(lambda: parts(self.data).get(part, dead) != dead, f"{part} starts again")
        if part in ("intake", "pages"):
            self.wait_ready()

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        connection = sqlite3.connect(self.database, timeout=60)
        try:
            with connection:
                return connection.execute(sql).fetchall()
        finally:
            connection.close()

    def upgrade(self, code: Path, migrated: Callable[[], object]) -> None:
        """Upgrade as runbook.md says: the system ends and starts again from another checkout, which migrates the
        database.

        `migrated` would be called while the old version runs on the new database. Here that never happens.
        """
        tether.end(self._process)
        self.code = code
        self.launch()
        self.wait_ready()

    def stop(self) -> None:
        self.dismiss_manager()
        self._kill_all()
        shutil.rmtree(self.data)

    def _kill_all(self) -> None:
        """Kill all processes. An orderly end takes a quarter of the start's time; tests/public/demo and the upgrades
        test orderly ends."""
        groups: list[int] = []
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGSTOP)  # it can restart nothing
            groups = [*parts(self.data).values()]
            for group in groups:
                with suppress(ProcessLookupError):
                    os.killpg(group, signal.SIGKILL)
            tether.kill(self._process)
        tether.reap(self._process)
        self.eventually(lambda: not any(map(alive, members(groups))), "all parts have ended", 30)


def parts(data: Path) -> dict[str, int]:
    """Return the process groups of the parts that `manage.py serve` runs with this data directory, by name."""
    found = {}
    for pid, _ in preflight.holders(data / preflight.PARTS_LOCK):
        with suppress(OSError):  # the process is gone
            found[Path(f"/proc/{pid}/fd/1").readlink().stem] = pid
    found.pop("serve", None)
    return found


class ProductionSystem(System):
    pair = "production"
    parts: tuple[str, ...] = ("intake", "pages", "worker", "estimates", "beat")  # beside PostgreSQL and Redis

    def __init__(self, postgres: Postgres, disk: Path | None = None, **settings: str) -> None:
        self.redis = Redis(disk)
        self.database_url = migrated.create(postgres, f"system_{secrets.token_hex(4)}")
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        super().__init__(disk, DATABASE_URL=self.database_url, REDIS_URL=self.redis.url, **settings)

    def launch(self) -> None:
        self.manage("migrate", "--no-input")
        for part in reversed(self.parts):  # the intake last: its start waits until the site answers
            self.start(part)

    def command(self, part: str) -> list[str]:
        if part == "intake":
            return intake_command("127.0.0.1", self.port, 2)
        if part == "pages":
            return pages_command(self.data / "pages.sock", 1, 16)
        if part == "estimates":
            return worker_command(1, "estimates")
        return beat_command(self.data) if part == "beat" else worker_command(2)

    def extra(self, part: str) -> dict[str, str]:
        """Return the variables of the part's environment that the system's does not have."""
        return {"PAGES_SOCKET": str(self.data / "pages.sock")} if part == "intake" else {}

    def kill(self, part: str) -> None:
        if part == "redis":
            self.redis.kill()
        else:
            tether.kill(self._processes[part])
            tether.reap(self._processes.pop(part))

    def start(self, part: str) -> None:
        if part == "redis":
            self.redis.start()
        elif part not in self._processes:
            self.spawn(part)
        if part == "intake":
            self.wait_ready()

    def spawn(self, part: str) -> None:
        if part == "pages":
            (self.data / "pages.sock").unlink(missing_ok=True)
        log, env = self.data / f"{part}.log", {**self.env, **ONE_THREAD, **self.extra(part)}
        self._processes[part] = tether.start(self.command(part), log=log, env=env, cwd=self.code)

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.database_url) as connection:
            cursor = connection.execute(sql)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    def stop(self) -> None:
        self.dismiss_manager()
        for process in self._processes.values():
            tether.kill(process)
        for process in self._processes.values():
            tether.reap(process)
        self.redis.stop()
        shutil.rmtree(self.data)


def members(groups: Iterable[int]) -> list[int]:
    """Return the processes of these process groups."""
    wanted = {str(group) for group in groups}
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if stat.read_text().rpartition(")")[2].split()[2] in wanted:
                found.append(int(stat.parent.name))
    return found


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
