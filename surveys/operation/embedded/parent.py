"""The parent of the embedded system. It starts, watches and ends Redis, intake, pages, workers and schedule.

`manage.py serve` and `manage.py demo` run it. Production runs the same commands under its own supervisor.
"""

import fcntl
import http.client
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import StringIO
from pathlib import Path
from types import TracebackType

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connections

from surveys.operation import broker
from surveys.operation.embedded.parts import (
    ONE_THREAD,
    EmbeddedError,
    SystemProcess,
    beat_command,
    intake_command,
    pages_command,
    redis_command,
    worker_command,
)
from surveys.operation.embedded.preflight import PARTS_LOCK, directory_complaint, parts_complaint, port_complaint
from surveys.operation.environment import close_to_others, origin, socket_path

READY_SECONDS = 180  # on a machine that has hardly time for it


class Embedded:
    """The system on this machine: `with Embedded("127.0.0.1", 8000) as system:`.

    Entering (or `start`) migrates the database, starts the parts and returns when the site answers. Leaving (or `stop`)
    ends all parts. They also end when this process is killed. While it runs, DATA_DIR/serve.json has the process and
    the URL.
    """

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        seen = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # the address for this machine itself
        self._address = seen
        self.url = f"http://[{seen}]:{port}" if ":" in seen else f"http://{seen}:{port}"
        self.parts: dict[str, SystemProcess] = {}
        self._locks: list[int] = []
        self._watch: broker.Watch | None = None

    def __enter__(self) -> "Embedded":
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start all parts. Raise EmbeddedError if the data directory or port is in use, a check fails, or Redis or the
        web server does not start. The workers start last, so that the site has all processors until it answers."""
        if not os.environ.get("SITE_URL"):  # as the parts have it; the log gets its permanent name here
            settings.STAFF_URL = self.url if settings.STAFF_URL == settings.SITE_URL else settings.STAFF_URL
            settings.SITE_URL = self.url
        self._take_locks(settings.DATA_DIR)
        for path in settings.DATA_DIR.rglob("*"):  # from an earlier version, or copied
            close_to_others(path)
        refuse_used_port(self.host, self.port)
        call_command("migrate", interactive=False, verbosity=0)
        try:
            call_command("check", databases=["default"], stdout=StringIO())
        except SystemCheckError as refusal:
            raise EmbeddedError(str(refusal)) from None
        connections.close_all()
        with suppress(OSError):  # a full disk does not stop the site
            record_path().write_text(json.dumps({"pid": os.getpid(), "url": self.url}), encoding="utf-8")
        if settings.REDIS_SOCKET is not None:
            self._start_redis(settings.REDIS_SOCKET)
        elif complaint := broker.complaint_about(settings.REDIS_URL):
            raise EmbeddedError(f"{complaint} Start it, or unset REDIS_URL: then the site starts one of its own.")
        self._watch = broker.Watch(settings.REDIS_URL)
        pages = socket_path(settings.DATA_DIR, "pages.sock")
        keep_to_ourselves(pages.parent)
        self._start("pages", pages_command(pages, settings.WEB_PROCESSES, settings.WEB_THREADS), listens=pages)
        intake = intake_command(self.host, self.port, settings.INTAKE_PROCESSES)
        self._start("intake", intake, more={"PAGES_SOCKET": str(pages)})
        until(self._healthy, READY_SECONDS, "The web server does not answer", settings.DATA_DIR / "pages.log")
        self._start("worker", worker_command(settings.WORKER_PROCESSES))
        self._start("estimates", worker_command(1, "estimates"))
        self._start("beat", beat_command(settings.DATA_DIR))

    def stop(self) -> None:
        """End the other parts, then Redis, because the worker puts its tasks back there."""
        if self._watch is not None:
            self._watch.end()
        for names in (("intake", "pages", "worker", "estimates", "beat"), ("redis",)):
            parts = [self.parts[name] for name in names if name in self.parts]
            for part in parts:
                part.stop()
            for part in parts:
                part.join()
        self.parts = {}
        if len(self._locks) == 2:
            record_path().unlink(missing_ok=True)
        while self._locks:
            os.close(self._locks.pop())

    def _take_locks(self, data: Path) -> None:
        """Take two locks. The first is held while a parent serves. All parts hold the second, too, so it outlives a
        killed parent until the last part has ended. No file ever has two writers."""
        self._locks.append(hold(data / "serve.lock", 0, lambda: directory_complaint(data, record_path())))
        self._locks.append(hold(data / PARTS_LOCK, 30, lambda: parts_complaint(data / PARTS_LOCK)))

    def _start(
        self, name: str, command: list[str], more: Mapping[str, str] | None = None, listens: Path | None = None
    ) -> None:
        env = {**os.environ, **ONE_THREAD, "DATA_DIR": str(settings.DATA_DIR), "PYTHONUNBUFFERED": "1", **(more or {})}
        env["DJANGO_SETTINGS_MODULE"] = "surveys.settings"
        if not env.get("SITE_URL"):
            env["SITE_URL"] = self.url
        self.parts[name] = SystemProcess(name, command, env, self._locks[1], listens)

    def _start_redis(self, path: Path) -> None:
        keep_to_ourselves(path.parent)
        path.unlink(missing_ok=True)  # a killed Redis's socket would look like a running one
        self._start("redis", redis_command(path))
        until(path.exists, 20, "Redis does not start", settings.DATA_DIR / "redis.log")

    def _healthy(self) -> bool:
        connection = http.client.HTTPConnection(self._address, self.port, timeout=5)
        try:
            # The site answers only to its names, which may not include this machine's.
            connection.request("GET", "/healthz", headers={"Host": origin("SITE_URL", self.url).netloc})
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


def end_requested() -> threading.Event:
    """Return an event that Ctrl-C, SIGTERM and SIGHUP set. They do not end this process at once any more."""
    requested = threading.Event()
    for request in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(request, lambda *_: requested.set())
    return requested


def record_path() -> Path:
    return settings.DATA_DIR / "serve.json"


def hold(path: Path, seconds: float, complaint: Callable[[], str]) -> int:
    """Return the descriptor of an exclusive lock on the file. Raise EmbeddedError if it is not free in time."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                os.close(lock)
                raise EmbeddedError(complaint()) from None
            time.sleep(0.05)
        else:
            return lock


def refuse_used_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # closed connections may linger
        try:
            trial.bind((host, port))
            trial.listen(1)
        except OSError as error:
            raise EmbeddedError(port_complaint(host, port, error.strerror or str(error))) from error


def keep_to_ourselves(directory: Path) -> None:
    """Make the directory for this user alone. Raise EmbeddedError if another user owns it, who could read along in the
    system's temporary directory."""
    directory.mkdir(mode=0o700, exist_ok=True)
    status = directory.lstat()
    if directory.is_symlink() or status.st_uid != os.getuid():
        raise EmbeddedError(f"{directory} belongs to another user. Choose a shorter DATA_DIR.")
    if directory != settings.DATA_DIR:
        directory.chmod(0o700)


def until(condition: Callable[[], bool], seconds: float, complaint: str, log: Path) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
            end = "\n".join(text.splitlines()[-20:])
            raise EmbeddedError(f"{complaint} within {seconds:.0f} s. The end of {log}:\n{end}")
        time.sleep(0.05)
