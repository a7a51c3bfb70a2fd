"""Production as docs/deploy describes it: the commands of the systemd units, behind nginx with its configuration.

This needs no container engine and no systemd: the units' commands run as processes of the test.
"""

import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from surveys.operation.embedded import tether
from tests.services.nginx import Nginx
from tests.services.postgres import Postgres
from tests.services.redis import free_port
from tests.services.system import ROOT, ProductionSystem

UNITS = ROOT / "docs" / "deploy" / "systemd"
UNIT_OF = {part: part for part in ("intake", "pages", "estimates")} | {"worker": "worker@", "beat": "schedule"}
TRUSTED = "SSL_CERT_FILE"
BINARIES = "/srv/deniable/.venv/bin/"


def _read_trust_again() -> None:
    """Make urllib read the trusted certificates again. From Python 3.13 on it reads them once, at its first request."""
    urllib.request.install_opener(urllib.request.build_opener())


def unit_of(name: str) -> dict[str, str]:
    """Return the settings of a unit, by name."""
    lines = (UNITS / f"deniable-{name}.service").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


class DeployedSystem(ProductionSystem):
    """A production system. `url` is nginx's, with TLS; this process and the system's processes trust its `certificate`.
    The intake and pages behind it listen at `_ports`, and during an upgrade others listen at `_next_ports`."""

    pair = "deployed"

    def __init__(self, postgres: Postgres, **settings: str) -> None:
        self._ports, self._next_ports = _ports(), _ports()
        self._active: set[tuple[str, Path]] = set()
        self._proxy_data = Path(tempfile.mkdtemp(prefix="deniable-nginx-"))
        super().__init__(postgres, TRUSTED_PROXIES="127.0.0.1", STAFF_URL="https://staff.localhost", **settings)

    def address(self) -> str:
        self.nginx = Nginx(self._proxy_data, *zip(self._ports.values(), self._next_ports.values(), strict=True))
        self._trusted = os.environ.get(TRUSTED)
        os.environ[TRUSTED] = str(self.certificate)  # until the end, this process trusts only this certificate
        _read_trust_again()
        return f"https://localhost:{self.nginx.port}"

    @property
    def certificate(self) -> Path:
        return self.nginx.certificate

    @property
    def connect_port(self) -> int:
        return self.nginx.port

    def connect(self, source: str = "") -> socket.socket:
        plain = socket.create_connection(("127.0.0.1", self.connect_port), 30, (source, 0) if source else None)
        return ssl.create_default_context().wrap_socket(plain, server_hostname="localhost")

    def command(self, part: str) -> list[str]:
        """Return the command of the part's unit, with this system's ports and data. First run the unit that it
        requires."""
        unit = unit_of(UNIT_OF[part])
        for required in unit.get("Requires", "").split():
            self._run_once(required.removeprefix("deniable-").removesuffix(".service"))
        return self._here(unit["ExecStart"])

    def _run_once(self, name: str) -> None:
        """Run a unit once per version. Like systemd, do not run it again if another unit requires it."""
        if (name, self.code) not in self._active:
            (command,) = re.findall("until (.*); do sleep 5; done", unit_of(name)["ExecStart"])
            subprocess.run(self._here(command), cwd=self.code, env=self.env, check=True)
            self._active.add((name, self.code))

    def processes(self, part: str) -> list[int]:
        """Return the processes that do the work of a part's server: its children, except the resource tracker."""
        (server,) = _children(self._processes[part].pid)
        return [pid for pid in _children(server) if b"tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def extra(self, part: str) -> dict[str, str]:
        return {}  # nginx routes

    def start(self, part: str) -> None:
        super().start(part)
        if part in self._ports:  # nginx would also accept the other one
            self.eventually(lambda: self._listens(self._ports[part]), f"{part} listens")

    def upgrade(self, code: Path, migrated: Callable[[], object]) -> None:
        """Upgrade as runbook.md says. Schedule and workers end, and the migrations run. New intake and pages start
        beside the old ones and replace them. Schedule and workers start again."""
        for part in ("beat", "worker", "estimates"):
            tether.end(self._processes.pop(part))
        self.code = code
        self.manage("migrate", "--no-input")
        migrated()
        self._ports, self._next_ports = self._next_ports, self._ports
        for part in ("pages", "intake"):
            old = self._processes.pop(part)
            self.start(part)
            tether.end(old)
        for part in ("worker", "estimates", "beat"):
            self.start(part)

    def stop(self) -> None:
        super().stop()
        del os.environ[TRUSTED]
        if self._trusted is not None:
            os.environ[TRUSTED] = self._trusted
        _read_trust_again()
        self.nginx.stop()
        shutil.rmtree(self._proxy_data)

    def _here(self, command: str) -> list[str]:
        ours = {
            "8000": str(self._ports["intake"]),
            "8001": str(self._ports["pages"]),
            "%i@%%h": "first@%h",
            "/var/lib/deniable/schedule": str(self.data / "schedule"),
        }
        words = [ours.get(word, word) for word in shlex.split(command)]
        if words[:2] == ["/bin/sh", "-c"]:  # sh replaces only $NAME
            return ["/bin/sh", "-c", f"exec {' '.join(self._here(words[2].removeprefix('exec '))).replace('$$', '$')}"]
        name = words[0].removeprefix(BINARIES)
        return [sys.executable, *words[1:]] if name == "python" else [sys.executable, "-m", name, *words[1:]]

    def _listens(self, port: int) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
            return True
        return False


def _children(pid: int) -> list[int]:
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def _ports() -> dict[str, int]:
    return {"intake": free_port(), "pages": free_port()}
